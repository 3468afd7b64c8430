// Exact match on the fresh sentences of the chosen length, with a few of the failures.
//
// In: `value`, the JSON of interface/length.py: status, message, training, width, grows, form, place, length, draw,
//     rows, sample [before, date, after], models [{name, correct, total, low, high,
//     failures [{source, expected, got, error}]}].
// Out: the event "retry", at the start and while the answer says that the models are loading;
//     the document's event "measured", for length-curve.js.

const retry = makeRetry("retry", 500);

const root = make("div", "length-result", "", element);
const status = make("p", "status", "", root);
status.setAttribute("role", "status");
const sample = make("p", "sample", "", root);
make("span", "sample-label", "", sample);
const sampled = make("code", "", "", sample);
["before", "date", "after"].forEach((part) => make("span", part, "", sampled));
const columns = make("div", "result-columns", "", root);

function createColumn() {
  const column = make("section", "result");
  const parts = {};
  parts.title = make("h3", "", "", column);
  parts.figure = make("p", "figure", "", column);
  parts.interval = make("p", "interval", "", column);
  const bar = make("div", "interval-bar", "", column);
  make("span", "range", "", bar);
  make("span", "point", "", bar);
  parts.bar = bar;
  parts.failures = make("ul", "failures", "", column);
  column.parts = parts;
  return column;
}

function fillColumn(column, { name, correct, total, low, high, failures }) {
  const { title, figure, interval, bar, failures: list } = column.parts;
  column.className = `result ${name}`;
  setText(title, name);
  setText(figure, fraction(correct / total, 3));
  setText(interval, `${correct} of ${total} exactly right; 95% interval ${fraction(low, 3)} to ${fraction(high, 3)}`);
  bar.style.setProperty("--low", low);
  bar.style.setProperty("--high", high);
  bar.style.setProperty("--rate", correct / total);
  setChildren(list, failures.length ? failures : [null], createFailure, fillFailure);
}

function createFailure() {
  const item = make("li");
  make("code", "failed-source", "", item);
  make("span", "failed-output", "", item);
  return item;
}

function fillFailure(item, failure) {
  const [source, output] = item.children;
  setText(source, failure ? failure.source : "");
  setText(output, failure ? `✗ ${glyphs(failure.got)}, ${failure.error}; expected ${failure.expected}` : "✓ no failure among them");
}

function showSample({ sample: parts, rows }) {
  setHidden(sample, !parts);
  if (!parts) return;
  setText(sample.firstElementChild, `One of the ${rows}:`);
  parts.forEach((part, index) => setText(sampled.children[index], part));
}

function show() {
  const answer = payload();
  const failed = answer.status === "loading" || answer.status === "failed";
  setText(status, failed ? answer.message : "");
  root.dataset.status = answer.status ?? "";
  const waiting = answer.status === "waiting" || answer.status === "loading";
  retry(waiting);
  if (answer.status === "waiting") setHidden(sample, true);
  if (waiting) return;
  root.dataset.length = answer.length;
  root.dataset.width = answer.width;
  root.dataset.grows = answer.grows;
  showSample(answer);
  setChildren(columns, answer.models, createColumn, fillColumn);
  if (answer.models.length) document.dispatchEvent(new CustomEvent("measured", { detail: answer }));
}

watch("value", show);
show();

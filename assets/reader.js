// What both models make of the typed sentence: the sentence as read, both answers, the attention map.
//
// In: `value`, the JSON of interface/translation.py: status, message, width, source, changes, beyond,
//     expected {text, reason, alignment}, models [{name, text, probabilities, alternatives, right, error,
//     attention, steps, looked, beam, hypotheses}]; numbers of attention and probability in thousandths.
// Out: the event "retry", while the answer says that the models are loading.
// Uses sentence.js, strip.js, map.js and downloads.js.

const NAMES = ["encoder-decoder", "attention"];
const retry = makeRetry("retry", 400);
let shown = { source: "", models: [], expected: {}, changes: [] };

const root = make("div", "reader", "", element);
const status = make("p", "status", "", root);
status.setAttribute("role", "status");
const expected = make("p", "expected", "", root);
const frame = make("div", "frame", "", root);
frame.tabIndex = 0;
frame.setAttribute("role", "region");
frame.setAttribute("aria-label", "The sentence as read, both answers and the attention map");

const spoken = make("p", "visually-hidden", "", frame);
const sentence = makeSentence(frame);
const strips = make("div", "strips", "", frame);

let resting = null; // the row that stays lit when the pointer leaves: none
const answers = NAMES.map((name) => makeStrip(strips, name, (row) => light(name, row)));
const map = makeMap(frame, (row, column) => light("attention", row, column));

const legend = make("div", "legend", "", root);
const scale = make("span", "legend-entry", "", legend);
make("span", "", "attention weight 0", scale);
make("span", "ramp", "", scale);
make("span", "", "1", scale);
const outlined = make("span", "legend-entry", "", legend);
make("span", "truth-key", "", outlined);
make("span", "", "where the answer truly stands", outlined);
makeDownloads(legend, { name: () => "attention-weights", rows: weightRows, what: "the attention weights" });
const detail = make("p", "detail", "", root);
const notes = make("div", "notes", "", root);
const changes = make("ul", "changes", "", notes);
const beams = make("div", "beams", "", notes);
const words = make("details", "in-words", "", root);
make("summary", "", "The map in words", words);
const steps = make("ol", "", "", words);

const modelOf = (name) => shown.models.find((model) => model.name === name) ?? null;

function light(name, row, column = null) {
  const model = row === null ? resting : modelOf(name);
  const weights = model?.attention?.[row];
  answers.forEach((answer, index) => answer.mark(model && (NAMES[index] === name || weights) ? row : null));
  map.mark(weights ? row : null);
  sentence.light(weights, column);
  setText(detail, model ? describe(model, row, column) : HINT);
}

// A row for each cell of the map; what is true is known where there is one date.
function weightRows() {
  const model = modelOf("attention");
  const { alignment } = shown.expected;
  const rows = [["step", "written", "position", "read", "weight", "true_position"]];
  model?.attention?.forEach((weights, step) => {
    weights.forEach((weight, place) => {
      const truth = alignment ? Number(alignment[step].includes(place)) : "";
      rows.push([step + 1, model.text[step], place + 1, [...shown.source][place], weight / 1000, truth]);
    });
  });
  return rows;
}

const HINT = "Point at a character of an answer, or reach it with Tab and the arrow keys, to see where the model looked.";

function describe(model, row, column) {
  const others = model.alternatives[row].filter(([symbol]) => symbol !== model.text[row]);
  const runners = others.map(([symbol, probability]) => `${glyph(symbol)} ${thousandths(probability)}`).join(", ");
  const wrote = `${model.name} wrote ${glyph(model.text[row])} with probability ${thousandths(model.probabilities[row])}; next: ${runners}.`;
  const weights = model.attention?.[row];
  if (!weights) return wrote;
  if (column !== null && column < weights.length) {
    return `${wrote} Weight on ${glyph(shown.source[column])}, character ${column + 1}: ${thousandths(weights[column])}.`;
  }
  const best = [...weights.keys()].sort((a, b) => weights[b] - weights[a]).slice(0, 3).filter((at) => weights[at] >= 20);
  return `${wrote} It looked at ${best.map((at) => `${glyph(shown.source[at])} ${thousandths(weights[at])}`).join(", ")}.`;
}

function showSentence({ source, expected: { alignment } }) {
  sentence.show(source, alignment);
  setText(spoken, source ? `Read: ${source}` : "Nothing to read yet.");
}

function showNotes({ changes: said, beyond, models }) {
  const lines = beyond ? [...said, "Longer than the 48 characters of training: nothing like it was ever seen."] : said;
  setChildren(changes, lines, () => make("li"), setProse);
  const searched = models.filter((model) => model.hypotheses);
  setChildren(beams, searched, makeBeam, fillBeam);
}

function makeBeam() {
  const beam = make("section", "beam");
  make("h3", "", "", beam);
  make("ol", "", "", beam);
  return beam;
}

function fillBeam(beam, model) {
  const [title, list] = beam.children;
  beam.className = `beam ${model.name}`;
  setText(title, `${model.name}: the beam's hypotheses and their log-probabilities`);
  setChildren(list, model.hypotheses, () => make("li"), (item, [text, score]) => {
    setText(item, `${glyphs(text)}  ${score.toFixed(2)}`);
  });
}

function showExpected({ source, expected: { text, reason, unusual } }) {
  const why = source ? `No date is expected: ${reason ?? ""}` : "Type a sentence with a date in it.";
  setProse(expected, text ? `Expected: \`${text}\`${unusual ? `, ${unusual}` : ""}` : why);
}

function show() {
  shown = { source: "", models: [], expected: {}, changes: [], ...payload() };
  setText(status, shown.status === "loading" || shown.status === "failed" ? shown.message : "");
  root.dataset.status = shown.status ?? "";
  showExpected(shown);
  showSentence(shown);
  NAMES.forEach((name, index) => answers[index].show(modelOf(name), shown.expected.text, shown.width));
  map.show(modelOf("attention"), shown.expected.alignment);
  showNotes(shown);
  setChildren(steps, modelOf("attention")?.steps ?? [], () => make("li"), setProse);
  light(null, null);
  retry(shown.status === "loading");
}

watch("value", show);
show();

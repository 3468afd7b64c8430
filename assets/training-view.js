// Both models at every shipped epoch: a scrubber, the learning curves, and the answers and the map at its epoch.
//
// In: prop `curves`, the JSON of interface/training_view.py: {training: {epochs, published, last, seed, widths {width:
//     {seeds, epochs, total, correct {model: [[...] of each seed]}, sentence}}}}; `value`, its frames: status, message,
//     text, training, width, source, expected, epochs, frames [[model, model] of each epoch]; the document's events
//     "text", "training" and "width".
// Out: the event "ask", when frames are wanted and the view is on the screen; the document's event "epoch".
// Uses sentence.js, strip.js, map.js, chart.js, downloads.js and bottleneck.js. A step asks the server nothing.

const curves = payload("curves");
const PLAY_MILLISECONDS = 650;
const retry = makeRetry("ask", 500);
let answer = { status: "waiting" };
let epoch = null;
let timer = null;
let visible = false;
let stale = true; // what is shown is not of the text and line that are chosen

const root = make("div", "view training-view", "", element);
const controls = make("div", "scrubber", "", root);
const play = make("button", "chip action play", "Play", controls);
play.type = "button";
const holder = make("div", "scrubber-slider", "", controls);
const label = make("label", "", "Epoch", holder);
const slider = make("input", "", "", holder);
Object.assign(slider, { type: "range", id: "epoch", min: 0, step: 1 });
label.htmlFor = "epoch";
const where = make("p", "where", "", root);
const chart = makeChart(root, { height: 250, narrow: 220 });
const sentence = make("p", "sentence-of-view", "", root);
const status = make("p", "status", "", root);
status.setAttribute("role", "status");
const expected = make("p", "wanted", "", root);
const frame = make("div", "frame", "", root);
frame.tabIndex = 0;
frame.setAttribute("role", "region");
frame.setAttribute("aria-label", "The sentence, both answers and the attention map at the chosen epoch");
const letters = makeSentence(frame);
const strips = make("div", "strips", "", frame);
const answers = MODEL_NAMES.map((name) => makeStrip(strips, name, (row) => light(name, row)));
const map = makeMap(frame, (row) => light("attention", row));
const words = make("details", "in-words", "", root);
make("summary", "", "The map at this epoch in words", words);
const steps = make("ol", "", "", words);
const figures = makeFigures(root, "The learning curves as a table");
makeDownloads(root, { what: "the learning curves", name: () => `learning-curves-${training()}-${chosenLine(set().widths)}`, title: () => `Exact match on the validation rows. ${where.textContent}`, svg: () => chart.svg, rows });

function set() {
  return curves[training()] ?? {};
}

const line = () => set().widths?.[chosenLine(set().widths)] ?? null;
const ofChosenLine = () => answer.training === training() && answer.width === chosenLine(set().widths);
const frameOf = () => {
  const index = ofChosenLine() && answer.frames ? answer.epochs.indexOf(epoch) : -1;
  return index < 0 ? [] : (answer.frames[index] ?? []);
};
const modelOf = (name) => frameOf().find((model) => model.name === name) ?? null;

function rows() {
  const { seeds, epochs, total, correct } = line();
  const head = ["epoch", ...MODEL_NAMES.flatMap((name) => seeds.map((seed) => `${name}, seed ${seed}`)), "out of"];
  return [head, ...epochs.map((at, index) => [at, ...MODEL_NAMES.flatMap((name) => seeds.map((_, run) => correct[name][run][index])), total])];
}

function light(name, row) {
  const model = row === null ? null : modelOf(name);
  const weights = model?.attention?.[row];
  answers.forEach((strip, index) => strip.mark(model && (MODEL_NAMES[index] === name || weights) ? row : null));
  map.mark(weights ? row : null);
  letters.light(weights);
}

function showFrame() {
  const wanted = answer.expected?.text;
  MODEL_NAMES.forEach((name, index) => {
    answers[index].show(modelOf(name), wanted, answer.width);
    const model = modelOf(name);
    if (model) strips.children[index].querySelector(".cells").setAttribute("aria-label", `${name} at epoch ${epoch} wrote ${glyphs(model.text)}`);
  });
  map.show(modelOf("attention"), ofChosenLine() ? answer.expected?.alignment : null);
  setChildren(steps, modelOf("attention")?.steps ?? [], () => make("li"), setProse);
  light(null, null);
}

function showCurves() {
  const found = line();
  setHidden(chart.root, !found);
  setText(sentence, found ? found.sentence : "There are no measurements of this.");
  if (!found) return;
  const { seeds, epochs, total, correct } = found;
  const width = chosenLine(set().widths);
  const last = epochs.at(-1);
  const each = (name, value) => epochs.map((at, index) => [at, ...value(correct[name].map((run) => run[index] / total))]);
  chart.show({
    label: `Exact match on ${total} validation rows by epoch, both models, width ${width}, ${seeds.length} runs`,
    x: { low: 0, high: last, ticks: [...Array(Math.floor(last / 8) + 1).keys()].map((step) => [step * 8, step * 8]), title: "epoch" },
    y: { low: 0, high: 1, ticks: [0, 0.25, 0.5, 0.75, 1].map((one) => [one, fraction(one)]), title: seeds.length > 1 ? `exact match; band: all ${seeds.length} runs` : "exact match" },
    bands: seeds.length > 1 ? MODEL_NAMES.map((name) => ({ kind: name, points: each(name, (runs) => [Math.min(...runs), Math.max(...runs)]) })) : [],
    lines: MODEL_NAMES.map((name) => ({ kind: name, points: each(name, (runs) => [runs[0]]) })),
    marks: [
      { kind: "published", x: set().published, text: epoch === set().published ? "" : "published" },
      { kind: "marker", x: epoch, text: epochText(epoch, set()) },
    ],
    dots: MODEL_NAMES.map((name) => {
      const value = correct[name][0][epochs.indexOf(epoch)] / total;
      return { kind: name, shape: MODEL_SHAPES[name], x: epoch, y: value, title: `${name}, epoch ${epoch}: ${fraction(value, 4)}` };
    }),
    names: MODEL_NAMES.map((name, index) => {
      const at = Math.round(last * 0.62);
      return { kind: name, x: at, y: correct[name][0][epochs.indexOf(at)] / total, dy: index ? -9 : 22, text: name };
    }),
  });
}

// The same frame for the slider, the marker, the answers and the map.
function showEpoch() {
  const { epochs = [], last, seed } = set();
  slider.max = Math.max(epochs.length - 1, 0);
  slider.value = epochs.indexOf(epoch);
  slider.setAttribute("aria-valuetext", `epoch ${epoch} of ${last}${epoch === set().published ? ", published" : ""}`);
  setText(where, `Epoch ${epoch} of ${last}${epoch === set().published ? ", published" : ""}: ${training()}, width ${chosenLine(set().widths)}, seed ${seed}`);
  root.dataset.epoch = epoch;
  showCurves();
  showFrame();
}

function goTo(wanted) {
  if (wanted === undefined) return;
  const changed = wanted !== epoch || document.documentElement.dataset.epoch !== String(wanted);
  epoch = wanted;
  document.documentElement.dataset.epoch = epoch;
  showEpoch();
  if (changed) document.dispatchEvent(new CustomEvent("epoch", { detail: epoch }));
}

function stop() {
  clearInterval(timer);
  timer = null;
  setText(play, "Play");
}

function advance() {
  const { epochs } = set();
  const next = epochs.indexOf(epoch) + 1;
  if (next < epochs.length) goTo(epochs[next]);
  if (next >= epochs.length - 1) stop();
}

play.addEventListener("click", () => {
  if (timer) return stop();
  const { epochs = [] } = set();
  if (!epochs.length) return;
  if (epoch === epochs.at(-1)) goTo(epochs[0]);
  setText(play, "Pause");
  timer = setInterval(advance, PLAY_MILLISECONDS);
  ask();
});
slider.addEventListener("input", () => {
  stop();
  goTo(set().epochs?.[Number(slider.value)]);
  ask();
});

// Asks only while somebody can see the answer; what is out of sight is asked for when it comes into view.
function ask() {
  if (!visible || !stale) return;
  stale = false;
  trigger("ask");
}

function invalidate() {
  stale = true;
  ask();
}

function show() {
  answer = payload();
  const waiting = answer.status === "loading";
  setText(status, waiting || answer.status === "failed" ? answer.message : "");
  root.dataset.status = answer.status ?? "";
  retry(waiting && visible);
  if (answer.source !== undefined) letters.show(answer.source, answer.expected.alignment);
  setProse(expected, answer.source ? (answer.expected.text ? `Expected: \`${answer.expected.text}\`` : "No date is expected in this sentence.") : "");
  showFrame();
}

function showLine({ type } = {}) {
  stop();
  const { epochs = [], published } = set();
  // Other widths of a set are kept at the same epochs; another set is not.
  goTo(type !== "training" && epochs.includes(epoch) ? epoch : published);
  if (line()) figures.show(rows());
  invalidate();
}

document.addEventListener("training", showLine);
document.addEventListener("width", showLine);
document.addEventListener("text", invalidate);
new IntersectionObserver(([entry]) => {
  visible = entry.isIntersecting;
  retry(visible && answer.status === "loading");
  ask();
}, { rootMargin: "100px" }).observe(root);
watch("value", show);
showLine();

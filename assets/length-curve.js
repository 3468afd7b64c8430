// The measured curve of exact match over input length, with the controls that ask for a live measurement.
//
// In: props `curves`, {training: {width: {grows: {points {model: [[length, correct, total, low, high], ...]},
//     sentence}}}}, where grows is "natural" or form and place of the filler, "numeric before"; `limits`,
//     {trained, rows, natural, numeric, written}, the last three {first, last, step}; `choices`, {form, place};
//     the document's events "training", "width" and "measured" (length-result.js).
// Out: `value`, the JSON of {grows, form, place, length, draw}, set on every move: the backend answers while one
//     drags, and each answer stays on the chart until something but the length changes.
// Uses chart.js, choice.js and downloads.js.

const curves = payload("curves");
const limits = payload("limits");
const choices = payload("choices");
const MODELS = ["encoder-decoder", "attention"];
const MARGIN = { left: 44, right: 12, top: 28, bottom: 48 };
let asked = payload();
let live = new Map(); // length: the answer; all of one draw, training set, width and kind of sentence

const root = make("div", "view length-curve", "", element);
const choosers = make("div", "view-controls", "", root);
const groups = {
  grows: makeChoice(choosers, "What grows", choose),
  place: makeChoice(choosers, "Filler grows", choose),
  form: makeChoice(choosers, "Date", choose),
};
groups.grows.show([["natural", "natural sentences"], ["filler", "filler alone"]], asked.grows);
groups.place.show(choices.place.map((place) => [place, place === "both sides" ? "on both sides" : `${place} the date`]), asked.place);
groups.form.show(choices.form, asked.form);
const chart = makeChart(root, { height: 360, narrow: 280, margin: MARGIN });
const key = make("p", "key", "", root);
addKey(key, "plain", "circle", "published, band: 95% interval");
addKey(key, "plain live", "square", `live, ${limits.rows} fresh sentences, with its interval`);

const control = make("div", "length-control", "", root);
const label = make("label", "", "Input length", control);
const slider = make("input", "", "", control);
slider.type = "range";
slider.id = "length";
label.htmlFor = "length";
const foot = make("div", "length-foot", "", root);
const readout = make("output", "", "", foot);
readout.htmlFor = "length";
const again = make("button", "chip", `Draw ${limits.rows} others`, foot);
again.type = "button";
const seen = make("p", "seen", "", root);
seen.setAttribute("role", "status");

const grows = () => (asked.grows === "filler" ? `${asked.form} ${asked.place}` : "natural");
const shownCurves = () => curves[training()]?.[chosenWidth()]?.[grows()] ?? { points: {}, sentence: "" };
const curve = (name) => shownCurves().points[name] ?? [];
const rate = ([, correct, total]) => correct / total;
const measuredAt = (name, length) => curve(name).find(([at]) => at === length);

function range() {
  return limits[asked.grows === "filler" ? asked.form : "natural"];
}

// Drawn whole on every move, the marker with it, in the frame of the slider's own event; elements stay.
function draw() {
  const { first, last, step } = range();
  const { length } = asked;
  const beyond = length > limits.trained ? "; longer than anything in training" : "";
  const shown = MODELS.map((name) => ({ name, along: curve(name), here: measuredAt(name, length) }));
  chart.show({
    label: `Measured exact match by input length, both models, with 95% intervals. ${shownCurves().sentence}`,
    x: { low: first, high: last, ticks: ticks(first, last), title: "characters" },
    y: { low: 0, high: 1, ticks: [0, 0.25, 0.5, 0.75, 1].map((value) => [value, fraction(value)]), title: "exact match" },
    spans: [{ kind: "beyond", low: limits.trained + step / 2, high: last }],
    bands: shown.map(({ name, along }) => ({ kind: name, points: along.map(([at, , , low, high]) => [at, low, high]) })),
    lines: shown.map(({ name, along }) => ({ kind: name, points: along.map((point) => [point[0], rate(point)]) })),
    marks: [{ kind: "marker", x: length }],
    segments: livePoints().map(({ kind, at, low, high }) => ({ kind, from: [at, low], to: [at, high] })),
    dots: [
      ...shown.filter(({ here }) => here).map(({ name, here }) => ({ kind: name, shape: MODEL_SHAPES[name], x: length, y: rate(here) })),
      ...livePoints().map(({ kind, at, value, now }) => ({ kind, shape: now ? "square" : "speck", x: at, y: value })),
    ],
    names: [
      ...shown.filter(({ along }) => along.length).map(({ name, along }) => ({ kind: name, x: first, ...besideCurve(name, along), text: name })),
      { kind: "beyond", x: limits.trained + step / 2, y: 0, dx: 6, dy: -10, text: chart.box.width > 560 ? "longer than in training" : "untrained" },
    ],
  });
  const said = shown.map(({ name, here }) => `${name} ${here ? fraction(rate(here), 3) : "not measured"}`).join(", ");
  slider.setAttribute("aria-valuetext", `${length} characters${beyond}`);
  setText(readout, `${length} characters${beyond}. Published: ${said}.`);
  setText(seen, shownCurves().sentence);
}

function ticks(first, last) {
  const wide = chart.box.width > 560;
  const every = last > 64 ? (wide ? 12 : 24) : wide ? 8 : 16;
  const all = Array.from({ length: 12 }, (_, index) => (index + 1) * every);
  return [first, ...all.filter((tick) => tick >= first + every / 2 && tick <= last)].map((tick) => [tick, tick]);
}

// Attention's name stands above its curve, the other's under the lowest that is near, both within the chart.
function besideCurve(name, along) {
  const near = along.slice(0, Math.ceil(along.length / 4));
  if (name === "attention") return { y: Math.max(...near.map(([, , , , high]) => high), 0.02), dx: 8, dy: -6 };
  return { y: Math.max(Math.min(...near.map(([, , , low]) => low)), 0.1), dx: 72, dy: 18 };
}

function livePoints() {
  return [...live.values()].sort((one, other) => one.length - other.length).flatMap(({ length, models }) => {
    const now = length === asked.length;
    return models.map(({ name, correct, total, low, high }) => (
      { kind: `${name} live ${now ? "now" : "earlier"}`, at: length, value: correct / total, low, high, now }
    ));
  });
}

function ask(change) {
  asked = { ...asked, ...change };
  if (Object.keys(change).some((name) => name !== "length")) live.clear();
  const { first, last, step } = range();
  asked.length = Math.min(Math.max(asked.length, first), last);
  asked.length -= (asked.length - first) % step;
  show();
  props.value = JSON.stringify(asked);
}

function choose() {
  ask(Object.fromEntries(Object.entries(groups).map(([name, group]) => [name, group.get()])));
}

function show() {
  for (const [name, { root: set }] of Object.entries(groups)) set.disabled = name !== "grows" && asked.grows !== "filler";
  const { first, last, step } = range();
  Object.assign(slider, { min: first, max: last, step });
  slider.value = asked.length;
  draw();
}

function startAgain() {
  live.clear();
  draw();
}

slider.addEventListener("input", () => ask({ length: Number(slider.value) }));
again.addEventListener("click", () => ask({ draw: asked.draw + 1 }));
document.addEventListener("training", startAgain);
document.addEventListener("width", startAgain);
document.addEventListener("measured", ({ detail }) => {
  const here = { ...asked, length: detail.length, training: training(), width: Number(chosenWidth()) };
  if (Object.keys(here).some((name) => here[name] !== detail[name])) return;
  live.set(detail.length, detail);
  draw();
});

function figures() {
  const rows = [["training", "width", "sentences", "date", "filler", "model", "source", "draw", "length", "correct", "total", "exact_match", "low", "high"]];
  const filler = asked.grows === "filler";
  const shared = [training(), chosenWidth(), asked.grows, filler ? asked.form : "", filler ? asked.place : ""];
  const line = (name, source, draw, length, correct, total, low, high) =>
    rows.push([...shared, name, source, draw, length, correct, total, correct / total, low, high]);
  for (const name of MODELS) for (const point of curve(name)) line(name, "published", "", ...point);
  for (const { draw, length, models } of live.values()) {
    for (const { name, correct, total, low, high } of models) line(name, "live", draw, length, correct, total, low, high);
  }
  return rows;
}

makeDownloads(root, {
  name: () => `exact-match-by-length-${training()}-${chosenWidth()}-${grows().replaceAll(" ", "-")}`,
  title: () => `Training set ${training()}, width ${chosenWidth()}. ${shownCurves().sentence}`,
  svg: () => chart.svg,
  rows: figures,
  what: "exact match by length",
});

// The slider's thumb stands under the marker.
root.style.setProperty("--curve-left", `${MARGIN.left}px`);
root.style.setProperty("--curve-right", `${MARGIN.right}px`);
new ResizeObserver(draw).observe(root); // how many ticks there is room for
show();

// The measured curve of exact match over input length, with the controls that ask for a live measurement.
//
// In: props `curves`, {training: {width: {grows: {points {model: [[length, correct, total, low, high], ...]},
//     sentence}}}}, where grows is "natural" or form and place of the filler, "numeric before"; `limits`,
//     {trained, rows, natural, numeric, written}, the last three {first, last, step}; `choices`, {form, place};
//     the document's events "training", "width" and "measured" (length-result.js).
// Out: `value`, the JSON of {grows, form, place, length, draw}, set on every move: the backend answers while one
//     drags, and each answer stays on the chart until something but the length changes.
// Uses downloads.js.

const curves = payload("curves");
const limits = payload("limits");
const choices = payload("choices");
const MODELS = ["encoder-decoder", "attention"];
const BOX = { width: 1080, height: 340, left: 44, right: 12, top: 28, bottom: 28 };
let asked = payload();
let live = new Map(); // length: the answer; all of one draw, training set, width and kind of sentence

const root = make("div", "length-curve", "", element);
const choosers = make("div", "length-choices", "", root);
const svg = makeSvg("svg", { role: "img" }, root);

const range = () => limits[asked.grows === "filler" ? asked.form : "natural"];
const x = (length) =>
  BOX.left + ((length - range().first) / (range().last - range().first)) * (BOX.width - BOX.left - BOX.right);
const y = (rate) => BOX.top + (1 - rate) * (BOX.height - BOX.top - BOX.bottom);

const axes = makeSvg("g", {}, svg);

function drawAxes() {
  axes.replaceChildren();
  const { first, last } = range();
  const from = x(limits.trained + range().step / 2);
  makeSvg("rect", { x: from, y: y(1), width: x(last) - from, height: y(0) - y(1), class: "beyond" }, axes);
  const wide = BOX.width > 560;
  const note = makeSvg("text", { x: from + 6, y: y(0) - 10, class: "beyond-label" }, axes);
  note.textContent = wide ? "longer than in training" : "untrained";
  for (const rate of [0, 0.25, 0.5, 0.75, 1]) {
    makeSvg("line", { x1: BOX.left, x2: BOX.width - BOX.right, y1: y(rate), y2: y(rate), class: "grid" }, axes);
    makeSvg("text", { x: BOX.left - 8, y: y(rate) + 4, class: "tick end" }, axes).textContent = fraction(rate);
  }
  const every = last > 64 ? (wide ? 12 : 24) : wide ? 8 : 16;
  const ticks = [first, ...Array.from({ length: 12 }, (_, index) => (index + 1) * every)];
  for (const length of ticks.filter((tick) => tick === first || (tick >= first + every / 2 && tick <= last))) {
    makeSvg("text", { x: x(length), y: BOX.height - 8, class: "tick middle" }, axes).textContent = length;
  }
}

const lines = MODELS.map((name) => ({
  band: makeSvg("path", { class: `band ${name}` }, svg),
  line: makeSvg("path", { class: `line ${name}` }, svg),
  name: makeSvg("text", { class: `name ${name}` }, svg),
}));
const marker = makeSvg("line", { class: "marker" }, svg);
const dots = MODELS.map((name) => makeSvg("circle", { r: 4, class: `dot ${name}` }, svg));
const trails = MODELS.map(() => makeSvg("g", { class: "trail" }, svg));

const key = make("p", "length-key", "", root);
for (const [sign, text] of [["key-dot", "published, band: 95% interval"], ["key-live", `live, ${limits.rows} fresh sentences, with its interval`]]) {
  const entry = make("span", "key-entry", "", key);
  make("span", sign, "", entry);
  make("span", "", text, entry);
}

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

function drawCurves() {
  lines.forEach(({ band, line, name }, index) => {
    const along = curve(MODELS[index]);
    name.textContent = along.length ? MODELS[index] : "";
    if (along.length) {
      name.setAttribute("x", x(range().first) + 8);
      // Attention's name stands above its curve, the other's under the lowest that is near.
      const near = along.slice(0, Math.ceil(along.length / 4));
      const highest = Math.max(...near.map(([, , , , high]) => high));
      const lowest = Math.min(...near.map(([, , , low]) => low));
      name.setAttribute("y", Math.min(index ? y(highest) - 6 : y(lowest) + 18, y(0) - 6));
    }
    const path = (points) => points.map(([at, value], place) => `${place ? "L" : "M"}${x(at).toFixed(1)} ${y(value).toFixed(1)}`).join("");
    line.setAttribute("d", path(along.map((point) => [point[0], rate(point)])));
    const around = [...along.map(([at, , , low]) => [at, low]), ...along.map(([at, , , , high]) => [at, high]).reverse()];
    band.setAttribute("d", along.length ? `${path(around)}Z` : "");
  });
  setText(seen, shownCurves().sentence);
  svg.setAttribute("aria-label", `Measured exact match by input length, both models, with 95% intervals. ${shownCurves().sentence}`);
  mark();
}

// Moves the marker in the frame of the slider's own event; the live result comes when it comes.
function mark() {
  const { length } = asked;
  for (const [name, value] of [["x1", x(length)], ["x2", x(length)], ["y1", y(1)], ["y2", y(0)]]) {
    marker.setAttribute(name, value);
  }
  dots.forEach((dot, index) => {
    const at = measuredAt(MODELS[index], length);
    dot.setAttribute("visibility", at ? "visible" : "hidden");
    if (at) dot.setAttribute("cx", x(length)), dot.setAttribute("cy", y(rate(at)));
  });
  const published = (name) => measuredAt(name, length);
  const said = MODELS.map((name) => `${name} ${published(name) ? fraction(rate(published(name)), 3) : "not measured"}`).join(", ");
  const beyond = length > limits.trained ? "; longer than anything in training" : "";
  slider.setAttribute("aria-valuetext", `${length} characters${beyond}`);
  setText(readout, `${length} characters${beyond}. Published: ${said}.`);
  drawLive();
}

function drawLive() {
  const answers = [...live.values()].sort((a, b) => a.length - b.length);
  trails.forEach((trail, index) => {
    const points = answers.map(({ length, models }) => ({ length, ...models.find(({ name }) => name === MODELS[index]) }));
    setChildren(trail, points, () => createPoint(MODELS[index]), fillPoint);
  });
}

function createPoint(name) {
  const group = makeSvg("g", {});
  makeSvg("line", { class: `whisker ${name}` }, group);
  makeSvg("rect", { class: `live ${name}` }, group);
  return group;
}

function fillPoint(group, { length, correct, total, low, high }) {
  const now = length === asked.length;
  const size = now ? 10 : 5;
  group.setAttribute("class", now ? "now" : "earlier");
  const [whisker, square] = group.children;
  for (const [name, value] of [["x1", x(length)], ["x2", x(length)], ["y1", y(low)], ["y2", y(high)]]) whisker.setAttribute(name, value);
  for (const [name, value] of [["x", x(length) - size / 2], ["y", y(correct / total) - size / 2], ["width", size], ["height", size]]) {
    square.setAttribute(name, value);
  }
}

function ask(change) {
  asked = { ...asked, ...change };
  if (Object.keys(change).some((name) => name !== "length")) live.clear();
  const { first, last, step } = range();
  asked.length = Math.min(Math.max(asked.length, first), last);
  asked.length -= (asked.length - first) % step;
  if ("grows" in change || "form" in change || "place" in change) showChoices();
  else mark();
  props.value = JSON.stringify(asked);
}

const groups = [
  makeChoice("grows", "What grows", [["natural", "natural sentences"], ["filler", "filler alone"]]),
  makeChoice("place", "Filler grows", choices.place.map((place) => [place, place === "both sides" ? "on both sides" : `${place} the date`])),
  makeChoice("form", "Date", choices.form.map((form) => [form, form])),
];

function makeChoice(name, title, options) {
  const set = make("fieldset", "choice", "", choosers);
  make("legend", "", title, set);
  const wrap = make("div", "wrap", "", set);
  const radios = options.map(([value, text]) => {
    const holder = make("label", "", "", wrap);
    const radio = make("input", "", "", holder);
    Object.assign(radio, { type: "radio", name: `length-${name}`, value });
    radio.addEventListener("change", () => ask({ [name]: value }));
    make("span", "", text, holder);
    return { holder, radio };
  });
  return { name, set, radios };
}

function showChoices() {
  for (const { name, set, radios } of groups) {
    set.disabled = name !== "grows" && asked.grows !== "filler";
    for (const { holder, radio } of radios) {
      radio.checked = radio.value === asked[name];
      setClass(holder, "selected", radio.checked);
    }
  }
  const { first, last, step } = range();
  Object.assign(slider, { min: first, max: last, step });
  slider.value = asked.length;
  drawAxes();
  drawCurves();
}

function startAgain() {
  live.clear();
  drawCurves();
}

slider.addEventListener("input", () => ask({ length: Number(slider.value) }));
again.addEventListener("click", () => ask({ draw: asked.draw + 1 }));
document.addEventListener("training", startAgain);
document.addEventListener("width", startAgain);
document.addEventListener("measured", ({ detail }) => {
  const here = { ...asked, length: detail.length, training: training(), width: Number(chosenWidth()) };
  if (Object.keys(here).some((name) => here[name] !== detail[name])) return;
  live.set(detail.length, detail);
  drawLive();
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
  svg: () => svg,
  rows: figures,
  what: "exact match by length",
});

// Drawn to the width there is, so that the type keeps its size on a phone.
function fit() {
  BOX.width = Math.max(root.clientWidth, 280);
  BOX.height = BOX.width > 560 ? 340 : 260;
  svg.setAttribute("viewBox", `0 0 ${BOX.width} ${BOX.height}`);
  root.style.setProperty("--curve-left", `${BOX.left}px`);
  root.style.setProperty("--curve-right", `${BOX.right}px`);
  showChoices();
}

new ResizeObserver(fit).observe(root);
fit();

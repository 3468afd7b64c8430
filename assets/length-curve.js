// The measured curve of exact match over input length, with the slider that asks for a live measurement.
//
// In: props `curves`, {training: {width: {model: [[length, rate, low, high], ...]}}}, and `limits`,
//     {first, last, trained, rows}; the document's events "training", "width" and "measured" (length-result.js).
// Out: `value`, the JSON of {length, draw}, set on every move: the backend answers while one drags.

const curves = payload("curves");
const limits = payload("limits");
const MODELS = ["encoder-decoder", "attention"];
const BOX = { width: 1080, height: 340, left: 44, right: 12, top: 28, bottom: 28 };
let asked = payload();

const root = make("div", "length-curve", "", element);
const svg = makeSvg("svg", { role: "img" }, root);
svg.setAttribute("aria-label", "Measured exact match by input length, both models, with 95% intervals");

const x = (length) =>
  BOX.left + ((length - limits.first) / (limits.last - limits.first)) * (BOX.width - BOX.left - BOX.right);
const y = (rate) => BOX.top + (1 - rate) * (BOX.height - BOX.top - BOX.bottom);

const axes = makeSvg("g", {}, svg);

function drawAxes() {
  axes.replaceChildren();
  const from = x(limits.trained + 0.5);
  makeSvg("rect", { x: from, y: y(1), width: x(limits.last) - from, height: y(0) - y(1), class: "beyond" }, axes);
  const wide = BOX.width > 560;
  const note = makeSvg("text", { x: from + 6, y: y(0) - 10, class: "beyond-label" }, axes);
  note.textContent = wide ? "longer than in training" : "untrained";
  for (const rate of [0, 0.25, 0.5, 0.75, 1]) {
    makeSvg("line", { x1: BOX.left, x2: BOX.width - BOX.right, y1: y(rate), y2: y(rate), class: "grid" }, axes);
    makeSvg("text", { x: BOX.left - 8, y: y(rate) + 4, class: "tick end" }, axes).textContent = fraction(rate);
  }
  for (const length of wide ? [10, 16, 24, 32, 40, 48, 56, 64] : [10, 24, 32, 48, 64]) {
    makeSvg("text", { x: x(length), y: BOX.height - 8, class: "tick middle" }, axes).textContent = length;
  }
}

const lines = MODELS.map((name) => ({
  band: makeSvg("path", { class: `band ${name}` }, svg),
  line: makeSvg("path", { class: `line ${name}` }, svg),
  name: makeSvg("text", { class: `name ${name}` }, svg),
}));
const marker = makeSvg("line", { class: "marker" }, svg);
const points = MODELS.map((name) => ({
  dot: makeSvg("circle", { r: 4, class: `dot ${name}` }, svg),
  whisker: makeSvg("line", { class: `whisker ${name}`, visibility: "hidden" }, svg),
  live: makeSvg("rect", { width: 10, height: 10, class: `live ${name}`, visibility: "hidden" }, svg),
}));

const key = make("p", "length-key", "", root);
for (const [sign, text] of [["key-dot", "published, band: 95% interval"], ["key-live", `live, ${limits.rows} fresh sentences`]]) {
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
Object.assign(slider, { min: limits.first, max: limits.last, step: 1, value: asked.length });
const foot = make("div", "length-foot", "", root);
const readout = make("output", "", "", foot);
readout.htmlFor = "length";
const again = make("button", "chip", `Draw ${limits.rows} others`, foot);
again.type = "button";

const curve = (name) => curves[training()]?.[chosenWidth()]?.[name] ?? [];
const measuredAt = (name, length) => curve(name).find(([at]) => at === length);

function drawCurves() {
  lines.forEach(({ band, line, name }, index) => {
    const along = curve(MODELS[index]);
    name.textContent = along.length ? MODELS[index] : "";
    if (along.length) {
      name.setAttribute("x", x(limits.first) + 8);
      // Attention's name stands above its curve, the other's under the lowest that is near.
      const lowest = Math.min(...along.slice(0, 14).map(([, , low]) => low));
      name.setAttribute("y", index ? y(along[0][1]) - 12 : y(lowest) + 18);
    }
    const path = (points) => points.map(([at, rate], place) => `${place ? "L" : "M"}${x(at).toFixed(1)} ${y(rate).toFixed(1)}`).join("");
    line.setAttribute("d", path(along.map(([at, rate]) => [at, rate])));
    const around = [...along.map(([at, , low]) => [at, low]), ...along.map(([at, , , high]) => [at, high]).reverse()];
    band.setAttribute("d", along.length ? `${path(around)}Z` : "");
  });
  mark();
}

// Moves the marker in the frame of the slider's own event; the live result comes when it comes.
function mark() {
  const { length } = asked;
  marker.setAttribute("x1", x(length));
  marker.setAttribute("x2", x(length));
  marker.setAttribute("y1", y(1));
  marker.setAttribute("y2", y(0));
  points.forEach(({ dot }, index) => {
    const at = measuredAt(MODELS[index], length);
    dot.setAttribute("visibility", at ? "visible" : "hidden");
    if (at) dot.setAttribute("cx", x(length)), dot.setAttribute("cy", y(at[1]));
  });
  const said = MODELS.map((name) => `${name} ${fraction(measuredAt(name, length)?.[1], 3) || "not measured"}`).join(", ");
  const beyond = length > limits.trained ? "; longer than anything in training" : "";
  slider.setAttribute("aria-valuetext", `${length} characters${beyond}`);
  setText(readout, `${length} characters${beyond}. Published: ${said}.`);
}

function ask(change) {
  asked = { ...asked, ...change };
  points.forEach(({ live, whisker }) => [live, whisker].forEach((node) => node.setAttribute("visibility", "hidden")));
  mark();
  props.value = JSON.stringify(asked);
}

slider.addEventListener("input", () => ask({ length: Number(slider.value) }));
again.addEventListener("click", () => ask({ draw: asked.draw + 1 }));
document.addEventListener("training", drawCurves);
document.addEventListener("width", drawCurves);
let measured = { length: null, models: [] };

function drawLive() {
  const { length, models } = measured;
  points.forEach(({ live, whisker }, index) => {
    const model = models.find(({ name }) => name === MODELS[index]);
    [live, whisker].forEach((node) => node.setAttribute("visibility", model && length === asked.length ? "visible" : "hidden"));
    if (!model) return;
    live.setAttribute("x", x(length) - 5);
    live.setAttribute("y", y(model.correct / model.total) - 5);
    for (const [name, value] of [["x1", x(length)], ["x2", x(length)], ["y1", y(model.low)], ["y2", y(model.high)]]) {
      whisker.setAttribute(name, value);
    }
  });
}

// Drawn to the width there is, so that the type keeps its size on a phone.
function fit() {
  BOX.width = Math.max(root.clientWidth, 280);
  BOX.height = BOX.width > 560 ? 340 : 260;
  svg.setAttribute("viewBox", `0 0 ${BOX.width} ${BOX.height}`);
  root.style.setProperty("--curve-left", `${BOX.left}px`);
  root.style.setProperty("--curve-right", `${BOX.right}px`);
  drawAxes();
  drawCurves();
  drawLive();
}

document.addEventListener("measured", ({ detail }) => {
  measured = detail;
  drawLive();
});
new ResizeObserver(fit).observe(root);
fit();

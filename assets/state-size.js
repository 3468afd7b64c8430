// Exact match against the width of the state, or against the number of parameters.
//
// In: prop `sizes`, the JSON of interface/state_size.py: {training: {epochs, published, seed, evaluations, parameters
//     {width: {model: n}}, exact {evaluation: {epoch: {sentence, widths {width: {model: [correct, total, low,
//     high]}}}}}}}; the events of bottleneck.js.
// Out: `value`, the JSON of {width, times}, when a width is chosen here. Uses chart.js, downloads.js and bottleneck.js.

const sizes = payload("sizes");
const WIDTH_AXIS = "width";
const PARAMETERS_AXIS = "parameters";
let times = 0;

const root = make("div", "view state-size", "", element);
const controls = make("div", "view-controls", "", root);
const evaluation = makeChoice(controls, "Scored on", draw);
const against = makeChoice(controls, "Against", draw);
const where = make("p", "where", "", controls);
const chart = makeChart(root, { height: 320, narrow: 260, margin: { left: 44, right: 30, bottom: 26 }, onFit: placeButtons });
const buttons = make("div", "size-buttons", "", root);
buttons.setAttribute("role", "group");
buttons.setAttribute("aria-label", "Width of the models of the whole page");
const sentence = make("p", "sentence-of-view", "", root);
sentence.setAttribute("role", "status");
const figures = makeFigures(root, "Exact match by width as a table");
makeDownloads(root, { what: "exact match by width", name: () => `state-size-${training()}-epoch-${chosenEpoch(set())}-${evaluation.get()}`, title: () => `Exact match by the size of the state, on the ${evaluation.get()} sentences: ${where.textContent}`, svg: () => chart.svg, rows });

function set() {
  return sizes[training()] ?? {};
}

function shown() {
  return set().exact?.[evaluation.get()]?.[chosenEpoch(set())] ?? null;
}

const widthsOf = (found) => Object.keys(found.widths).map(Number).sort((one, other) => one - other);

function rows() {
  const head = ["width", "numbers in two state vectors", "model", "parameters", "exact", "total", "exact match", "interval low", "interval high"];
  return [
    head,
    ...widthsOf(shown()).flatMap((width) =>
      MODEL_NAMES.map((name) => {
        const [correct, total, low, high] = shown().widths[width][name];
        return [width, 2 * width, name, set().parameters[width][name], correct, total, fraction(correct / total, 4), fraction(low, 4), fraction(high, 4)];
      }),
    ),
  ];
}

function choose(width) {
  times += 1; // so that the same width twice is a change
  props.value = JSON.stringify({ width, times });
}

const place = (width, name) => (against.get() === PARAMETERS_AXIS ? set().parameters[width][name] : width);
const middle = (width) => (against.get() === PARAMETERS_AXIS ? Math.sqrt(place(width, MODEL_NAMES[0]) * place(width, MODEL_NAMES[1])) : width);

function draw() {
  evaluation.show(set().evaluations ?? []);
  against.show([WIDTH_AXIS, PARAMETERS_AXIS]);
  const found = shown();
  setHidden(chart.root, !found);
  setText(sentence, found ? found.sentence : "There are no measurements of this.");
  if (!found) return;
  const widths = widthsOf(found);
  const epoch = chosenEpoch(set());
  setText(where, `${training()}, ${epochText(epoch, set())}, seed ${set().seed}`);
  const of = (name, fill) => widths.map((width) => fill(width, found.widths[width][name], place(width, name)));
  const [low, high] = [middle(widths[0]), middle(widths.at(-1))];
  const current = chosenLine(found.widths);
  chart.show({
    label: `Exact match against ${against.get()}, both models, ${training()} set, epoch ${epoch}, with 95% intervals`,
    x: { low: low / 1.35, high: high * 1.35, log: true, ticks: widths.map((width) => [middle(width), against.get() === PARAMETERS_AXIS ? `≈ ${Math.round(middle(width) / 100) / 10}k` : `${width}`]), title: "" },
    y: { low: 0, high: 1, ticks: [0, 0.25, 0.5, 0.75, 1].map((one) => [one, fraction(one)]), title: `exact match, against ${against.get()} (log scale)` },
    marks: [{ kind: "marker", x: middle(current), text: "on the page" }],
    lines: MODEL_NAMES.map((name) => ({ kind: name, points: of(name, (_, [correct, total], at) => [at, correct / total]) })),
    segments: MODEL_NAMES.flatMap((name) => of(name, (_, [, , from, to], at) => ({ kind: name, from: [at, from], to: [at, to] }))),
    dots: MODEL_NAMES.flatMap((name) =>
      of(name, (width, [correct, total, from, to], at) => ({ kind: name, shape: MODEL_SHAPES[name], x: at, y: correct / total, title: `${name}, width ${width}: ${fraction(correct / total, 4)} (${correct} of ${total}), 95% interval ${between(from, to)}` })),
    ),
    names: MODEL_NAMES.map((name, index) => {
      const [correct, total] = found.widths[widths.at(-1)][name];
      return { kind: `${name} end`, x: place(widths.at(-1), name), y: correct / total, dx: -10, dy: index ? 18 : 36, text: name };
    }),
  });
  setChildren(buttons, widths, createButton, (button, width) => fillButton(button, width, width === current));
  placeButtons();
  figures.show(rows());
}

function createButton() {
  const button = make("button", "size-button");
  button.type = "button";
  make("b", "", "", button);
  make("span", "", "", button);
  button.addEventListener("click", () => choose(Number(button.dataset.width)));
  return button;
}

function fillButton(button, width, pressed) {
  button.dataset.width = width;
  setText(button.firstElementChild, `width ${width}`);
  setText(button.lastElementChild, `2 × ${width} = ${2 * width} numbers`);
  button.setAttribute("aria-pressed", pressed);
}

// Each button stands under its width's point.
function placeButtons() {
  for (const button of buttons.children) button.style.left = `${chart.at(middle(Number(button.dataset.width)))}px`;
}

// The column of a width can be clicked as well as its button.
chart.svg.addEventListener("click", (event) => {
  const found = shown();
  if (!found) return;
  const { left } = chart.svg.getBoundingClientRect();
  const near = (width) => Math.abs(chart.at(middle(width)) - (event.clientX - left));
  choose(widthsOf(found).reduce((best, width) => (near(width) < near(best) ? width : best)));
});
whenChosen(draw);
draw();

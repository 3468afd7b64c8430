// The published figures in every run of the training: a row each, with the shipped run's 95% interval.
//
// In: `value`, the JSON of interface/chance.py: {training: {seed, epoch, width, evaluations [{evaluation, sentence,
//     figures [{name, kind, value, low, high, runs {seed: value}, larger}]}]}}; the document's event "training".
// Out: nothing. Uses chart.js, downloads.js and bottleneck.js.

const chances = payload();

const root = make("div", "view chance", "", element);
const controls = make("div", "view-controls", "", root);
const evaluation = makeChoice(controls, "Scored on", draw);
const where = make("p", "where", "", controls);
const chart = makeChart(root, { height: 330, narrow: 330, margin: { left: 14, right: 14, bottom: 44, top: 8 } });
const key = make("p", "key", "", root);
addKey(key, "plain", "circle", "the shipped run, with its 95% interval over the rows");
addKey(key, "plain run", "circle", "the other runs");
const sentence = make("p", "sentence-of-view", "", root);
sentence.setAttribute("role", "status");
const { heads, body } = makeTable(
  make("div", "figures", "", root),
  "The published figures with both kinds of chance",
  "Each published figure, its interval over the rows, and its range over the runs",
  "figures-frame",
);
for (const text of ["figure", "shipped run", "95% interval, over the rows", "lowest to highest run", "larger"]) {
  make("th", "", text, heads).scope = "col";
}
makeDownloads(root, { what: "the runs", name: () => `runs-${training()}-${evaluation.get()}`, title: () => `Published figures in every run, on the ${evaluation.get()} sentences: ${where.textContent}`, svg: () => chart.svg, rows });

function set() {
  return chances[training()] ?? {};
}

const shown = () => set().evaluations?.find((found) => found.evaluation === evaluation.get());
const extremes = ({ runs }) => [Math.min(...Object.values(runs)), Math.max(...Object.values(runs))];

function rows() {
  const seeds = Object.keys(shown().figures[0].runs);
  return [
    ["figure", "shipped run", "interval low", "interval high", ...seeds.map((seed) => `seed ${seed}`), "lowest run", "highest run", "larger"],
    ...shown().figures.map((figure) => [figure.name, figure.value, figure.low, figure.high, ...seeds.map((seed) => figure.runs[seed] ?? ""), ...extremes(figure), figure.larger]),
  ];
}

function draw() {
  evaluation.show((set().evaluations ?? []).map((found) => found.evaluation));
  const found = shown();
  setHidden(chart.root, !found);
  setText(sentence, found ? found.sentence : "There are no measurements of this.");
  if (!found) return;
  const { figures } = found;
  const count = Object.keys(figures[0].runs).length;
  setText(where, `${training()}, width ${set().width}, epoch ${set().epoch}, published, ${count === 1 ? "1 run" : `${count} runs`}`);
  const values = figures.flatMap((figure) => [figure.low, figure.high, ...Object.values(figure.runs)]);
  const low = Math.min(0, Math.floor(Math.min(...values) * 20) / 20);
  const at = (index) => figures.length - index - 0.62;
  const ticks = [...new Set([...(low < -0.15 ? [low] : []), 0, 0.25, 0.5, 0.75, 1])].sort((one, other) => one - other);
  chart.show({
    label: `Published figures in every run, on the ${found.evaluation} sentences`,
    x: { low, high: 1, ticks: ticks.map((one) => [one, signed(one, 2)]), title: "fraction of dates, or difference of two such", grid: true },
    y: { low: 0, high: figures.length, ticks: [], title: "" },
    segments: figures.map(({ kind, low: from, high: to }, index) => ({ kind: `${kind} interval`, from: [from, at(index)], to: [to, at(index)] })),
    dots: figures.flatMap(({ name, kind, value, runs }, index) => [
      ...Object.entries(runs).filter(([seed]) => Number(seed) !== set().seed).map(([seed, other]) => (
        { kind: `${kind} run`, shape: MODEL_SHAPES[kind], x: other, y: at(index) - 0.24, title: `${name}, seed ${seed}: ${signed(other, 4)}` }
      )),
      { kind, shape: MODEL_SHAPES[kind], x: value, y: at(index), title: `${name}, shipped run: ${signed(value, 4)}` },
    ]),
    names: figures.map(({ name, kind }, index) => ({ kind: `${kind} row-name`, x: low, y: at(index), dy: -12, text: name })),
  });
  setChildren(body, figures, createRow, fillRow);
}

function createRow() {
  const row = make("tr");
  make("th", "", "", row).scope = "row";
  for (let cell = 0; cell < 4; cell += 1) make("td", "", "", row);
  return row;
}

function fillRow(row, figure) {
  const [low, high] = extremes(figure);
  const texts = [figure.name, signed(figure.value), `${signed(figure.low)} to ${signed(figure.high)}`, figure.larger ? `${signed(low)} to ${signed(high)}` : "one run only", figure.larger || "–"];
  [...row.children].forEach((cell, index) => setText(cell, texts[index]));
}

document.addEventListener("training", draw);
draw();

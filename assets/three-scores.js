// The same rows scored three ways, and what independent errors would make of the third.
//
// In: `value`, the JSON of interface/scores.py: sets {training: {epochs, published, seed, evaluations, widths {width:
//     {epoch: {evaluation: {sentence, models}}}}}} and lesson_page; the events of bottleneck.js.
// Out: nothing. Uses chart.js, downloads.js and bottleneck.js.

const scores = payload();
const SCORES = [
  ["teacher_forced", "teacher-forced character", "handed the right history"],
  ["character", "free-running character", "eating its own output"],
  ["exact", "exact match", "all ten characters right"],
  ["independent", "if errors were independent", "the character accuracy to the tenth power, not measured"],
];

const root = make("div", "view three-scores", "", element);
const controls = make("div", "view-controls", "", root);
const evaluation = makeChoice(controls, "Scored on", draw);
const where = make("p", "where", "", controls);
const chart = makeChart(root, { height: 270, narrow: 270, margin: { left: 12, bottom: 44, top: 8 } });
const sentence = make("p", "sentence-of-view", "", root);
sentence.setAttribute("role", "status");
const figures = makeFigures(root, "The scores as a table, with the lesson page's own");
makeDownloads(root, { what: "the three scores", name: fileName, title: () => `Three scores of the same rows, the ${evaluation.get()} sentences: ${where.textContent}`, svg: () => chart.svg, rows });

const set = () => scores.sets[training()] ?? {};
const rate = ([correct, total]) => correct / total;

function shown() {
  const width = chosenLine(set().widths);
  if (width === undefined) return null;
  const epoch = chosenEpoch(set());
  const found = set().widths[width][epoch]?.[evaluation.get()];
  return found ? { width, epoch, ...found } : null;
}

function fileName() {
  const { width, epoch } = shown();
  return `three-scores-${training()}-${width}-epoch-${epoch}-${evaluation.get()}`;
}

function rows() {
  const { models } = shown();
  const head = ["source", "model", "teacher-forced character", "free-running character", "exact match", "interval low", "interval high", "exact if errors were independent"];
  return [
    head,
    ...MODEL_NAMES.map((name) => {
      const { teacher_forced, character, exact, independent } = models[name];
      return ["measured", name, ...[teacher_forced, character, exact].map((count) => fraction(rate(count), 4)), fraction(exact[2], 4), fraction(exact[3], 4), fraction(independent, 4)];
    }),
    ...MODEL_NAMES.map((name) => {
      const page = scores.lesson_page[name];
      return ["lesson page", name, ...["teacher_forced", "character", "exact"].map((key) => fraction(page[key], 4)), "", "", fraction(page.independent, 4)];
    }),
  ];
}

function draw() {
  evaluation.show(set().evaluations ?? []);
  const found = shown();
  setHidden(chart.root, !found);
  setText(sentence, found ? found.sentence : "There are no measurements of this.");
  if (!found) return;
  const { width, epoch, models } = found;
  setText(where, `${training()}, width ${width}, ${epochText(epoch, set())}, seed ${set().seed}`);
  const at = (index) => SCORES.length - index - 0.75;
  const dots = [];
  const segments = [];
  SCORES.forEach(([key, label], index) => {
    MODEL_NAMES.forEach((name, place) => {
      const score = models[name][key];
      const value = key === "independent" ? score : rate(score);
      const up = at(index) - place * 0.24;
      const kind = key === "independent" ? `${name} worked-out` : name;
      if (key === "exact") segments.push({ kind: name, from: [score[2], up], to: [score[3], up] });
      const page = scores.lesson_page[name][key];
      dots.push({ kind: `${name} lesson-page`, shape: "square", x: page, y: up, title: `lesson page, ${name}: ${label} ${fraction(page, 4)}` });
      dots.push({ kind, shape: MODEL_SHAPES[name], x: value, y: up, title: `${name}: ${label} ${fraction(value, 4)}` });
    });
  });
  chart.show({
    label: `Three scores of both models, width ${width}, epoch ${epoch}, on the ${evaluation.get()} sentences`,
    x: { low: 0, high: 1, ticks: [0, 0.25, 0.5, 0.75, 1].map((one) => [one, fraction(one)]), title: "fraction right", grid: true },
    y: { low: 0, high: SCORES.length, ticks: [], title: "" },
    segments,
    dots,
    names: SCORES.map(([, label, meaning], index) => ({ kind: "row-name", x: 0, y: at(index), dy: -14, text: chart.box.width > 560 ? `${label}: ${meaning}` : label })),
  });
  figures.show(rows());
}

const key = make("p", "key", "");
chart.root.after(key);
for (const [kind, shape, text] of [["encoder-decoder", "triangle", "encoder-decoder"], ["attention", "circle", "attention"], ["plain worked-out", "circle", "worked out, not measured"], ["plain lesson-page", "square", "lesson page"]]) {
  addKey(key, kind, shape, text);
}
whenChosen(draw);
draw();

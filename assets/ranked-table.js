// The measured settings as a table that ranks by any column, with the lesson page's rows among them.
//
// In: `value`, the JSON of interface/table.py: columns [{key, heading, meaning, better}] and rows; the
//     document's event "training", which chooses the training set.
// Out: nothing; sorting, filtering and the download happen here.
// Uses downloads.js.

const { columns, rows } = payload();
const NAMED = [
  { key: "model", heading: "Model", text: true },
  { key: "width", heading: "Width", plain: true },
  { key: "decoding", heading: "Decoding", plain: true },
];
const ALL = [...NAMED, ...columns];
let order = { key: "exact", direction: -1 };

const root = make("div", "ranked", "", element);
const filters = make("div", "filters", "", root);
const filter = {};
const summary = make("p", "ranked-summary", "", root);
summary.setAttribute("role", "status");
const { heads, body } = makeTable(root, "Ranked table of measured settings", "Measured settings; choose a column's heading to rank by it");

const unique = (key) => [...new Set(rows.filter(ofTraining).map((row) => row[key]))].filter((value) => value !== null);
const ofTraining = (row) => row.training === null || row.training === training();
const decoding = (row) => (row.beam_width === 1 ? "greedy" : `beam ${row.beam_width}`);
const value = (row, key) => (key === "decoding" ? row.beam_width : row[key]) ?? null;

function addFilter(key, label, describe = String) {
  const holder = make("label", "filter", label, filters);
  const select = make("select", "", "", holder);
  select.addEventListener("change", draw);
  filter[key] = { select, describe };
}

function fillFilters() {
  for (const [key, { select, describe }] of Object.entries(filter)) {
    const before = select.value;
    const choices = key === "evaluation" ? unique(key) : ["", ...unique(key).sort((a, b) => a - b || String(a).localeCompare(b))];
    select.replaceChildren(...choices.map((choice) => new Option(choice === "" ? "all" : describe(choice), choice)));
    const preferred = key === "evaluation" ? training() : before;
    if (choices.map(String).includes(preferred)) select.value = preferred;
  }
}

const passes = (row) =>
  ofTraining(row) &&
  Object.entries(filter).every(([key, { select }]) => {
    const wanted = select.value;
    return wanted === "" || row[key] === null || String(row[key]) === wanted;
  });

function ranked() {
  const { key, direction } = order;
  return rows.filter(passes).sort((a, b) => {
    const [one, other] = [value(a, key), value(b, key)];
    if (one === null || other === null) return (one === null) - (other === null); // what is not measured comes last
    const difference = typeof one === "string" ? one.localeCompare(other) : one - other;
    return direction * difference || b.exact - a.exact;
  });
}

function rankBy(key) {
  const first = ALL.find((column) => column.key === key).text ? 1 : -1;
  order = { key, direction: order.key === key ? -order.direction : first };
  draw();
}

function addHead({ key, heading, meaning }) {
  const head = make("th", key, "", heads);
  head.scope = "col";
  const button = make("button", "", "", head);
  button.type = "button";
  make("span", "", heading, button);
  make("span", "arrow", "", button).setAttribute("aria-hidden", "true");
  if (meaning) button.title = meaning;
  button.addEventListener("click", () => rankBy(key));
}

function showHeads() {
  [...heads.children].forEach((head, index) => {
    const active = ALL[index].key === order.key;
    head.setAttribute("aria-sort", active ? (order.direction > 0 ? "ascending" : "descending") : "none");
    setText(head.querySelector(".arrow"), active ? (order.direction > 0 ? "▲" : "▼") : "");
  });
}

function extremes(shown) {
  return Object.fromEntries(
    columns.map(({ key }) => {
      const values = shown.map((row) => value(row, key)).filter((one) => one !== null);
      return [key, { low: Math.min(...values), high: Math.max(...values) }];
    }),
  );
}

const written = (key, number) =>
  key === "parameters" ? number.toLocaleString("en") : fraction(number, key === "seconds" ? 2 : 4);

function createRow() {
  const row = make("tr");
  const name = make("th", "", "", row);
  name.scope = "row";
  make("span", "swatch", "", name);
  make("span", "model-name", "", name);
  make("span", "tag", "", name);
  make("td", "width", "", row);
  make("td", "decoding", "", row);
  for (const { key } of columns) {
    const cell = make("td", `measure ${key}`, "", row);
    make("span", "bar", "", cell);
    make("span", "number", "", cell);
    make("span", "note", "", cell);
  }
  return row;
}

function fillCell(cell, row, { key }, { low, high }) {
  const number = value(row, key);
  const [bar, text, note] = cell.children;
  setText(text, number === null ? "–" : written(key, number));
  bar.style.setProperty("--share", number === null || high <= 0 ? 0 : number / (key === "parameters" || key === "seconds" ? high : 1));
  const extreme = number === null || low === high ? "" : number === high ? "highest" : number === low ? "lowest" : "";
  const interval = key === "exact" && row.exact_low !== undefined ? `${fraction(row.exact_low, 3)}–${fraction(row.exact_high, 3)}` : "";
  const runs = key === "exact" && row.runs > 1 ? `${row.runs} runs ${fraction(row.runs_low, 3)}–${fraction(row.runs_high, 3)}` : "";
  setText(note, [interval, runs, extreme].filter(Boolean).join(" · "));
  setClass(cell, "extreme", extreme !== "");
  setClass(cell, "ranked-by", key === order.key);
}

function fillRow(line, row, found) {
  line.className = `${row.model} ${row.source === "lesson page" ? "lesson-page" : ""}`;
  const [name, width, how, ...cells] = line.children;
  setText(name.children[1], row.model);
  setText(name.children[2], row.source === "lesson page" ? "lesson page" : "");
  setText(width, String(row.width));
  setText(how, decoding(row));
  columns.forEach((column, index) => fillCell(cells[index], row, column, found[column.key]));
}

function draw() {
  const shown = ranked();
  showHeads();
  const found = extremes(shown);
  setChildren(body, shown, createRow, (line, row) => fillRow(line, row, found));
  const heading = ALL.find(({ key }) => key === order.key).heading;
  const direction = order.direction > 0 ? "lowest first" : "highest first";
  const on = filter.evaluation.select.value;
  setText(summary, `${shown.length} rows, training set ${training()}, scored on the ${on} sentences, by ${heading.toLowerCase()}, ${direction}.`);
}

function download() {
  const keys = ["source", "training", "model", "width", "epoch", "evaluation", "beam_width", ...columns.map(({ key }) => key), "exact_low", "exact_high", "exact_correct", "exact_total", "runs", "runs_low", "runs_high"];
  saveCsv([keys, ...ranked().map((row) => keys.map((key) => row[key]))], `settings-${training()}`);
}

addFilter("model", "Model");
addFilter("width", "Width");
addFilter("beam_width", "Decoding", (width) => (width === 1 ? "greedy" : `beam ${width}`));
addFilter("evaluation", "Scored on");
const save = make("button", "chip", "Download as CSV", filters);
save.type = "button";
save.addEventListener("click", download);
ALL.forEach(addHead);

document.addEventListener("training", () => {
  fillFilters();
  draw();
});
fillFilters();
draw();

// The attention map: a row for each output character, a column for each character of the sentence.
//
// In: show(model, alignment), with thousandths in model.attention; mark(row) lights a row.
// Out: onActive(row, column) while the pointer is on a cell; (null, null) when it leaves.
// A row's cells are one background of hard stops, not elements: 480 cells that change with every key
// cost 25 ms of style alone, ten backgrounds less than one. Colours stay variables, so themes work.

const MAP_FIELDS = ["year", "", "", "", "", "month", "", "", "day", ""];

const makeMap = (parent, onActive) => {
  const root = make("div", "map", "", parent);
  root.setAttribute("aria-hidden", "true"); // the list of sentences below says the same in words
  let columns = 0;
  const rows = MAP_FIELDS.map((field) => {
    const row = make("div", "map-row", "", root);
    const label = make("span", "row-label", "", row);
    make("span", "field", field, label);
    const character = make("span", "row-character", "", label);
    const weights = make("span", "weights", "", row);
    return { row, character, weights, truth: make("span", "truth", "", row) };
  });

  root.addEventListener("pointermove", (event) => {
    const row = rows.findIndex((candidate) => candidate.row.contains(event.target));
    if (row < 0) return;
    const { left, width } = rows[row].weights.getBoundingClientRect();
    const column = Math.floor(((event.clientX - left) / width) * columns);
    const inside = event.target === rows[row].weights && column >= 0 && column < columns;
    onActive(row, inside ? column : null);
  });
  root.addEventListener("pointerleave", () => onActive(null, null));

  const background = (weights) => {
    const stops = weights.map((weight, column) => {
      const from = ((column / weights.length) * 100).toFixed(3);
      const to = (((column + 1) / weights.length) * 100).toFixed(3);
      return `rgb(var(--heat) / ${weight / 1000}) ${from}% ${to}%`;
    });
    return stops.length > 1 ? `linear-gradient(to right, ${stops.join(",")})` : "none";
  };

  const showRow = ({ row, character, weights, truth }, index, model, alignment) => {
    setText(character, model ? glyph(model.text[index]) : "");
    weights.style.setProperty("--weights", background(model?.attention?.[index] ?? []));
    const positions = alignment?.[index] ?? [];
    setHidden(truth, positions.length === 0);
    if (positions.length) {
      truth.style.setProperty("--from", positions[0]);
      truth.style.setProperty("--span", positions.length);
    }
  };

  const show = (model, alignment) => {
    columns = model?.attention?.[0].length ?? 0;
    setClass(root, "blank", columns === 0);
    rows.forEach((row, index) => showRow(row, index, model, alignment));
  };

  return { show, mark: (active) => rows.forEach(({ row }, index) => setClass(row, "active", index === active)) };
};

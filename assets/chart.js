// An SVG chart whose elements stay: a new spec patches them, and the type keeps its size at any width.
//
// In: makeChart(parent, {height, narrow, margin}); show(spec) with, all but the axes optional:
//     label, the accessible name; x, y {low, high, ticks [[value, text]], title, log};
//     bands [{kind, points [[x, low, high]]}], lines [{kind, points [[x, y]]}], segments [{kind, from, to}],
//     dots [{kind, shape, x, y, title}], marks [{kind, x, text}] (upright lines), names [{kind, x, y, text, dx, dy}],
//     spans [{kind, low, high}] (shaded stretches of x). Points are in the units of the axes; `kind` is a class.
//     makeFigures(parent) is the table of the same numbers; show(rows), headings first.
// Out: the chart's svg, and at(x), where a value stands from the left in CSS pixels; onFit after each new width.

const SHAPES = {
  circle: "M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0z",
  triangle: "M0 -5.6L5.4 4.2H-5.4z",
  square: "M-4.2 -4.2H4.2V4.2H-4.2z",
  speck: "M-2.2 -2.2H2.2V2.2H-2.2z",
};
// Beside colour and dashes, what tells the two models apart.
const MODEL_SHAPES = { "encoder-decoder": "triangle", attention: "circle" };

const setAttributes = (node, attributes) => {
  for (const [name, value] of Object.entries(attributes)) {
    if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
  }
};

const fillLayer = (layer, tag, items = []) =>
  setChildren(layer, items, () => makeSvg(tag, {}), (node, { text, title, ...attributes }) => {
    setAttributes(node, attributes);
    if (text !== undefined) setText(node, String(text));
    if (title === undefined) return;
    setText(node.firstElementChild ?? makeSvg("title", {}, node), title);
  });

const pathOf = (points) =>
  points.map(([x, y], index) => `${index ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");

const makeChart = (parent, { height = 320, narrow = 260, margin = {}, onFit = () => {} } = {}) => {
  const root = make("div", "chart", "", parent);
  const svg = makeSvg("svg", { role: "img" }, root);
  const layers = Object.fromEntries(
    ["spans", "grid", "bands", "lines", "marks", "segments", "dots", "ticks", "titles", "names", "notes"].map((name) => [
      name,
      makeSvg("g", { class: name }, svg),
    ]),
  );
  const box = { width: 0, height, left: 44, right: 16, top: 24, bottom: 48, ...margin };
  let spec = null;

  const along = ({ low, high, log }, value) => {
    const scale = log ? Math.log2 : (one) => one;
    return (scale(value) - scale(low)) / (scale(high) - scale(low));
  };
  const x = (value) => box.left + along(spec.x, value) * (box.width - box.left - box.right);
  const y = (value) => box.height - box.bottom - along(spec.y, value) * (box.height - box.top - box.bottom);
  const place = ([left, up]) => [x(left), y(up)];

  const drawAxes = () => {
    const [left, right, bottom] = [box.left, box.width - box.right, box.height - box.bottom];
    fillLayer(layers.grid, "line", [
      ...spec.y.ticks.map(([value]) => ({ x1: left, x2: right, y1: y(value), y2: y(value) })),
      ...(spec.x.grid ? spec.x.ticks.map(([value]) => ({ x1: x(value), x2: x(value), y1: box.top, y2: bottom })) : []),
    ]);
    fillLayer(layers.ticks, "text", [
      ...spec.y.ticks.map(([value, text]) => ({ x: left - 8, y: y(value) + 4, class: "end", text })),
      ...spec.x.ticks.map(([value, text]) => ({ x: x(value), y: bottom + 17, class: "middle", text })),
    ]);
    fillLayer(layers.titles, "text", [
      { x: 0, y: 12, class: "start", text: spec.y.title ?? "" },
      { x: right, y: bottom + 38, class: "end", text: spec.x.title ?? "" },
    ]);
  };

  const drawMarks = () => {
    const [top, bottom] = [box.top, box.height - box.bottom];
    const marks = spec.marks ?? [];
    fillLayer(layers.marks, "line", marks.map(({ kind, x: at }) => ({ x1: x(at), x2: x(at), y1: top, y2: bottom, class: `mark-line ${kind}` })));
    fillLayer(layers.notes, "text", marks.map(({ kind, x: at, text = "" }) => {
      const end = x(at) > box.width * 0.7;
      return { x: x(at) + (end ? -5 : 5), y: top - 5, class: `note ${kind} ${end ? "end" : "start"}`, text };
    }));
  };

  const draw = () => {
    if (!spec || !box.width) return;
    setAttributes(svg, { viewBox: `0 0 ${box.width} ${box.height}`, "aria-label": spec.label });
    drawAxes();
    drawMarks();
    fillLayer(layers.spans, "rect", spec.spans?.map(({ kind, low, high }) => (
      { x: x(low), width: x(high) - x(low), y: box.top, height: box.height - box.top - box.bottom, class: `span ${kind}` }
    )));
    fillLayer(layers.bands, "path", spec.bands?.map(({ kind, points }) => {
      const around = [...points.map(([at, low]) => [at, low]), ...points.map(([at, , high]) => [at, high]).reverse()];
      return { d: points.length ? `${pathOf(around.map(place))}Z` : "", class: `band ${kind}` };
    }));
    fillLayer(layers.lines, "path", spec.lines?.map(({ kind, points }) => ({ d: pathOf(points.map(place)), class: `line ${kind}` })));
    fillLayer(layers.segments, "line", spec.segments?.map(({ kind, from, to }) => {
      const [[x1, y1], [x2, y2]] = [place(from), place(to)];
      return { x1, y1, x2, y2, class: `segment ${kind}` };
    }));
    fillLayer(layers.dots, "path", spec.dots?.map(({ kind, shape = "circle", x: at, y: up, title = "" }) => (
      { d: SHAPES[shape], transform: `translate(${x(at).toFixed(1)} ${y(up).toFixed(1)})`, class: `dot ${kind}`, title }
    )));
    fillLayer(layers.names, "text", spec.names?.map(({ kind, x: at, y: up, text, dx = 0, dy = 0 }) => (
      { x: x(at) + dx, y: y(up) + dy, class: `name ${kind}`, text }
    )));
    onFit();
  };

  // Drawn to the width there is, so that the type keeps its size on a phone.
  const fit = () => {
    const width = Math.max(root.clientWidth, 280);
    const tall = width > 560 ? height : narrow;
    if (!root.clientWidth || (width === box.width && tall === box.height)) return;
    Object.assign(box, { width, height: tall });
    draw();
  };

  const show = (wanted) => {
    spec = wanted;
    draw();
  };
  new ResizeObserver(fit).observe(root);
  fit();
  return { root, svg, show, at: (value) => x(value), box };
};

const makeFigures = (parent, summary = "The numbers") => {
  const root = make("details", "figures", "", parent);
  make("summary", "", summary, root);
  const { heads, body } = makeTable(root, summary, summary, "figures-frame");
  const cells = (row, values, tag) =>
    setChildren(row, values, () => make(tag), (cell, value) => setText(cell, String(value ?? "–")));
  const show = ([headings, ...rows]) => {
    setChildren(heads, headings, () => Object.assign(make("th"), { scope: "col" }), (cell, text) => setText(cell, text));
    setChildren(body, rows, () => make("tr"), (row, values) => cells(row, values, "td"));
  };
  return { root, show };
};

// An entry of the key below a chart.
const addKey = (parent, kind, shape, text) => {
  const entry = make("span", "key-entry", "", parent);
  const sign = makeSvg("svg", { viewBox: "-7 -7 14 14", width: 14, height: 14, class: "key-sign", "aria-hidden": "true" }, entry);
  makeSvg("path", { d: SHAPES[shape], class: `dot ${kind}` }, sign);
  make("span", "", text, entry);
};

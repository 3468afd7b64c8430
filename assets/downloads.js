// Two buttons beside a chart: the picture as PNG, and the numbers that it shows as CSV.
//
// In: makeDownloads(parent, {name, title, svg, rows, what}), the first four functions, asked when a button is
//     pressed: the file's name without its ending; a line of text above the picture; the chart's <svg>;
//     the shown numbers as rows of cells, headings first. `what` names the chart for screen readers.
// Out: files that the browser saves. saveCsv(rows, name) and savePng(svg, name, title) do it without buttons.

const DOWNLOADED_STYLES = [
  ...["display", "visibility", "opacity", "fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray"],
  ...["stroke-linecap", "stroke-linejoin", "paint-order", "text-anchor", "dominant-baseline"],
  ...["font-family", "font-size", "font-weight", "font-style", "font-variant-numeric", "letter-spacing"],
];
const PNG_SCALE = 2;
const PNG_MARGIN = 16;

const saveBlob = (blob, file) => {
  const link = make("a");
  link.href = URL.createObjectURL(blob);
  link.download = file;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
};

const csvCell = (cell) => {
  const text = String(cell ?? "");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

const saveCsv = (rows, name) => {
  const lines = rows.map((row) => row.map(csvCell).join(","));
  saveBlob(new Blob([lines.join("\n") + "\n"], { type: "text/csv" }), `${name}.csv`);
};

// A copy that looks the same on its own: what the page's style sheet says is written into each element.
const standalone = (svg, width, height) => {
  const copy = svg.cloneNode(true);
  const originals = [svg, ...svg.querySelectorAll("*")];
  [copy, ...copy.querySelectorAll("*")].forEach((node, index) => {
    const computed = getComputedStyle(originals[index]);
    for (const name of DOWNLOADED_STYLES) node.style.setProperty(name, computed.getPropertyValue(name));
  });
  copy.setAttribute("width", width);
  copy.setAttribute("height", height);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return new XMLSerializer().serializeToString(copy);
};

const savePng = async (svg, name, title = "") => {
  const { width, height } = svg.getBoundingClientRect();
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(standalone(svg, width, height))}`;
  await image.decode();
  const root = getComputedStyle(document.body);
  const canvas = document.createElement("canvas");
  const pen = canvas.getContext("2d");
  const font = `600 14px ${root.fontFamily}`;
  pen.font = font;
  const lines = wrapped(pen, title, width);
  const head = lines.length * 20;
  canvas.width = PNG_SCALE * (width + 2 * PNG_MARGIN);
  canvas.height = PNG_SCALE * (height + head + 2 * PNG_MARGIN);
  pen.scale(PNG_SCALE, PNG_SCALE);
  pen.fillStyle = root.getPropertyValue("--paper") || "#ffffff"; // without it the PNG would be transparent
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.fillStyle = root.getPropertyValue("--ink") || "#000000";
  pen.font = font; // a canvas forgets it when it is given its size
  lines.forEach((line, index) => pen.fillText(line, PNG_MARGIN, PNG_MARGIN + 14 + index * 20));
  pen.drawImage(image, PNG_MARGIN, PNG_MARGIN + head, width, height);
  saveBlob(await new Promise((resolve) => canvas.toBlob(resolve, "image/png")), `${name}.png`);
};

const wrapped = (pen, text, width) => {
  const lines = [];
  for (const word of text.split(" ").filter(Boolean)) {
    const longer = lines.length ? `${lines.at(-1)} ${word}` : word;
    if (lines.length && pen.measureText(longer).width <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
};

const makeDownloads = (parent, { name, title = () => "", svg, rows, what }) => {
  const root = make("div", "downloads", "", parent);
  const add = (kind, save) => {
    const button = make("button", "chip", `Download ${kind}`, root);
    button.type = "button";
    make("span", "visually-hidden", ` of ${what}`, button);
    button.addEventListener("click", save);
  };
  if (svg) add("PNG", () => savePng(svg(), name(), title()));
  if (rows) add("CSV", () => saveCsv(rows(), name()));
  return root;
};

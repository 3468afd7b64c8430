// Two buttons beside a Plotly chart: the picture as PNG, by the chart's own means, and what it shows as CSV.
//
// In: `value`, the JSON of {chart, name, what, rows}: the chart's element id, the file's name without its ending,
//     the chart's title, and its numbers, headings first; an empty object while there is no chart.
// Out: files that the browser saves.
// Uses downloads.js.

const root = make("div", "downloads chart-downloads", "", element);

const add = (kind, save) => {
  const button = make("button", "chip", `Download ${kind}`, root);
  button.type = "button";
  make("span", "visually-hidden", "", button);
  button.addEventListener("click", save);
};
// Plotly is a module inside Gradio's: from here, only the button of its own bar makes it draw the file.
add("PNG", () => {
  const { chart, name } = payload();
  const plot = document.querySelector(`#${chart} .js-plotly-plot`);
  if (plot?._context) plot._context.toImageButtonOptions = { filename: name, scale: 2 };
  plot?.querySelector('.modebar-btn[data-title^="Download"]')?.click();
});
add("CSV", () => saveCsv(payload().rows, payload().name));

function show() {
  const { rows, what } = payload();
  setHidden(root, !rows);
  for (const button of root.children) setText(button.lastElementChild, ` of ${what}`);
}

watch("value", show);
show();

// Keeps the page's two choices together: a training set, and a width that there are models of.
//
// In: `chosen`, [training set, width] as the controls have them; `kept`, {training set: [widths]};
//     `fallback`, the width that every training set has.
// Out: the width that holds; the root's data-training and data-width, and for each that changed the
//     document's event "training" or "width"; `#width-note`, and each `.chosen-width` of the prose.

const [set, wanted] = chosen;
const there = kept[set];
const holds = there.includes(wanted) ? wanted : fallback;

for (const label of document.querySelectorAll("#width label")) {
  label.querySelector("input").disabled = !there.includes(Number(label.textContent));
}
for (const number of document.querySelectorAll(".chosen-width")) setText(number, String(holds));

const lacks = Object.values(kept).flat().some((width) => !there.includes(width));
setText(document.querySelector("#width-note"), lacks ? `The ${set} set has models of width ${there.join(", ")} only.` : "");

for (const [name, value] of [["training", set], ["width", String(holds)]]) {
  if (document.documentElement.dataset[name] === value) continue;
  document.documentElement.dataset[name] = value;
  document.dispatchEvent(new CustomEvent(name, { detail: value }));
}
return holds;

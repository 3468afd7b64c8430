// Helpers in front of every component's script. Gradio runs a script once, with
// `element` (the component's root), `props`, `trigger` and `watch` in scope.
//
// What a person typed reaches the page through `textContent` (here: `make`, `setText`) and in no other way.

const make = (tag, className = "", text = "", parent = null) => {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text) node.textContent = text;
  if (parent) parent.append(node);
  return node;
};

const makeSvg = (tag, attributes, parent = null) => {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  if (parent) parent.append(node);
  return node;
};

// Writes only what differs, so that an unchanged node costs nothing.
const setText = (node, text) => {
  if (node.textContent !== text) node.textContent = text;
};

const setClass = (node, name, on) => {
  if (node.classList.contains(name) !== on) node.classList.toggle(name, on);
};

const setHidden = (node, hidden) => {
  if (node.hidden !== hidden) node.hidden = hidden;
};

// Prose in which `...` stands for characters of a sentence: they become <code>, as text like all the rest.
const setProse = (node, text) => {
  if (node.dataset.prose === text) return;
  node.dataset.prose = text;
  node.replaceChildren(...text.split("`").map((part, index) => (index % 2 ? make("code", "", part) : part)));
};

// As many children as there are items; `fill` patches the one that is there.
const setChildren = (parent, items, create, fill) => {
  while (parent.children.length > items.length) parent.lastElementChild.remove();
  items.forEach((item, index) => fill(parent.children[index] ?? parent.appendChild(create()), item, index));
};

// A table in a frame of its own, which scrolls and can be reached by keyboard where the page is too narrow for it.
const makeTable = (parent, label, caption = label, frameClass = "") => {
  const frame = make("div", `table-frame ${frameClass}`.trim(), "", parent);
  frame.tabIndex = 0;
  frame.setAttribute("role", "region");
  frame.setAttribute("aria-label", label);
  const table = make("table", "", "", frame);
  make("caption", "visually-hidden", caption, table);
  const heads = make("tr", "", "", make("thead", "", "", table));
  return { heads, body: make("tbody", "", "", table) };
};

const payload = (name = "value") => JSON.parse(props[name] || "{}");

// Characters that cannot be seen: the start symbol, which an untrained model may write, and the space.
const glyph = (character) => ({ "\t": "⇥", " ": "␣" })[character] ?? character;
const glyphs = (text) => [...text].map(glyph).join("");

const fraction = (value, digits = 2) => (value === null || value === undefined ? "" : value.toFixed(digits));
const thousandths = (value) => (value / 1000).toFixed(2);

// What is chosen for the whole page; the document's events "training" and "width" tell of a change.
const training = () => document.documentElement.dataset.training || "everyday";
const chosenWidth = () => document.documentElement.dataset.width || "64";

// Triggers an event again and again while the backend is loading: the same answer twice is no change
// of `value`, so waiting for one would wait for ever.
const makeRetry = (event, milliseconds) => {
  let timer = null;
  return (wanted) => {
    if (wanted === (timer !== null)) return;
    if (!wanted) clearInterval(timer);
    timer = wanted ? setInterval(() => trigger(event), milliseconds) : null;
  };
};

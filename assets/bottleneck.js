// What the sections on the bottleneck share: the page's training set, width and epoch, and small controls.
//
// In: the document's events "training", "width" and "epoch", and the attributes of <html> of the same names.
// Out: chosenEpoch and chosenLine say what is chosen of what there is; whenChosen(draw) follows it;
//     makeChoice(parent, legend, onChange) is a row of radios; modelRows is the head of every model's row of a CSV.

const MODEL_NAMES = ["encoder-decoder", "attention"];

// A width that the training set does not have gives way to its widest, until the page has chosen another.
const chosenLine = (widths) => {
  const all = Object.keys(widths ?? {}).map(Number).sort((one, other) => one - other);
  const wanted = Number(document.documentElement.dataset.width || 64);
  return all.includes(wanted) ? wanted : all.at(-1);
};

const chosenEpoch = ({ epochs, published }) => {
  const wanted = Number(document.documentElement.dataset.epoch ?? NaN);
  return epochs.includes(wanted) ? wanted : published;
};

const whenChosen = (draw) => {
  for (const name of ["training", "width", "epoch"]) document.addEventListener(name, draw);
};

const epochText = (epoch, { published }) => `epoch ${epoch}${epoch === published ? ", published" : ""}`;

const makeChoice = (parent, legend, onChange) => {
  const root = make("fieldset", "choice", "", parent);
  make("legend", "", legend, root);
  const wrap = make("div", "wrap", "", root);
  const name = `${element.id || parent.className}-${legend}`.replaceAll(/\W+/g, "-");
  let chosen = null;
  const mark = () => [...wrap.children].forEach((label) => {
    const input = label.firstElementChild;
    input.checked = input.value === chosen;
    setClass(label, "selected", input.checked);
  });
  const create = () => {
    const label = make("label");
    const input = make("input", "", "", label);
    Object.assign(input, { type: "radio", name });
    make("span", "", "", label);
    input.addEventListener("change", () => {
      chosen = input.value;
      mark();
      onChange();
    });
    return label;
  };
  // What was chosen stays while it is among the choices; else it is the first.
  const show = (choices) => {
    if (!choices.includes(chosen)) chosen = choices[0];
    setChildren(wrap, choices, create, (label, choice) => {
      label.firstElementChild.value = choice;
      setText(label.lastElementChild, choice);
    });
    mark();
  };
  return { root, show, get: () => chosen };
};

const between = (low, high, digits = 3) => `${fraction(low, digits)} to ${fraction(high, digits)}`;
const signed = (value, digits = 3) => fraction(value, digits).replace("-", "−");

// What the sections on the bottleneck share: the page's training set, width and epoch.
//
// In: the document's events "training", "width" and "epoch", and the attributes of <html> of the same names.
// Out: chosenEpoch and chosenLine say what is chosen of what there is; whenChosen(draw) follows it.

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

const between = (low, high, digits = 3) => `${fraction(low, digits)} to ${fraction(high, digits)}`;
const signed = (value, digits = 3) => fraction(value, digits).replace("-", "−");

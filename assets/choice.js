// A row of radios under a legend.
//
// In: makeChoice(parent, legend, onChange); show(choices, chosen), each choice a value, or [value, text].
// Out: get() is the value that is chosen: it stays while it is among the choices, else it is the first; root is the
//     <fieldset>, to be disabled.

const makeChoice = (parent, legend, onChange) => {
  const root = make("fieldset", "choice", "", parent);
  make("legend", "", legend, root);
  const wrap = make("div", "wrap", "", root);
  const name = `${parent.className}-${legend}`.replaceAll(/\W+/g, "-");
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
  const show = (choices, wanted = chosen) => {
    const pairs = choices.map((choice) => [choice].flat());
    chosen = pairs.some(([value]) => value === wanted) ? wanted : pairs[0]?.[0];
    setChildren(wrap, pairs, create, (label, [value, text = value]) => {
      label.firstElementChild.value = value;
      setText(label.lastElementChild, text);
    });
    mark();
  };
  return { root, show, get: () => chosen };
};

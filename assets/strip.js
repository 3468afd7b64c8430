// One model's answer as a strip of ten characters, with the verdict on it.
//
// In: show(model, expected, width) with a model of the translation payload, or null while there is none.
// Out: onActive(row) when a character is hovered, focused or reached with the arrow keys; null when left.

const makeStrip = (parent, name, onActive) => {
  const root = make("section", `strip ${name}`, "", parent);
  const head = make("div", "strip-head", "", root);
  make("h3", "", name, head);
  const verdict = make("p", "verdict", "", head);
  const cells = make("div", "cells", "", root);
  cells.setAttribute("role", "group");
  const looked = make("p", "looked", "", root);
  const beam = make("p", "looked", "", root);

  const buttons = Array.from({ length: 10 }, (_, row) => {
    const button = make("button", "", "", cells);
    button.type = "button";
    button.tabIndex = row ? -1 : 0;
    const parts = { button, character: make("span", "written", "", button) };
    parts.spoken = make("span", "visually-hidden", "", button);
    parts.mark = make("span", "mark", "", button);
    parts.bar = make("span", "probability-bar", "", button);
    parts.probability = make("span", "probability", "", button);
    make("span", "visually-hidden", " probability", button);
    button.addEventListener("mouseenter", () => onActive(row));
    button.addEventListener("mouseleave", () => onActive(null));
    button.addEventListener("focus", () => {
      buttons.forEach((other) => (other.button.tabIndex = other === parts ? 0 : -1));
      onActive(row);
    });
    button.addEventListener("blur", () => onActive(null));
    return parts;
  });

  cells.addEventListener("keydown", (event) => {
    const now = buttons.findIndex(({ button }) => button === document.activeElement);
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const next = { Home: 0, End: 9 }[event.key] ?? (step ? (now + step + 10) % 10 : null);
    if (now < 0 || next === null) return;
    event.preventDefault();
    buttons[next].button.focus();
  });

  const showCharacter = (parts, row, model, expected) => {
    const character = model ? glyph(model.text[row]) : "·";
    const wrong = Boolean(model && expected) && model.text[row] !== expected[row];
    const probability = model ? thousandths(model.probabilities[row]) : "";
    setText(parts.character, character);
    setText(parts.mark, wrong ? `not ${expected[row]}` : "");
    setText(parts.probability, probability);
    setClass(parts.button, "wrong", wrong);
    parts.bar.style.setProperty("--p", model ? model.probabilities[row] / 1000 : 0);
    // Read together: "3, character 4, wrong, not 2 0.91 probability".
    const state = !model || !expected ? "" : wrong ? " wrong," : " right,";
    setText(parts.spoken, model ? `, character ${row + 1},${state}` : `, character ${row + 1}, none yet`);
  };

  const show = (model, expected, width) => {
    buttons.forEach((parts, row) => showCharacter(parts, row, model, expected));
    const right = model ? model.right : null;
    setText(verdict, right === null ? "" : right ? "✓ right" : `✗ ${model.error}`);
    setClass(verdict, "right", right === true);
    setClass(verdict, "wrong", right === false);
    setText(looked, model ? lookedSentence(model, width) : "");
    setText(beam, model?.beam ?? "");
    cells.setAttribute("aria-label", model ? `${name} wrote ${glyphs(model.text)}` : `${name} has not answered yet`);
  };

  const lookedSentence = (model, width) => {
    if (!model.attention) return `No attention: the sentence reaches it as two state vectors of ${width} numbers.`;
    const judged = model.looked.filter((verdict) => verdict !== null);
    if (!judged.length) return "There is no single known date to compare its attention with.";
    return `${judged.filter(Boolean).length} of ${judged.length} digits looked at the right field.`;
  };

  return { show, mark: (row) => buttons.forEach(({ button }, index) => setClass(button, "active", index === row)) };
};

// The sentence as the models read it, a cell for each character, above the map's columns.
//
// In: makeSentence(frame), the element that scrolls, which is given the number of columns; show(source, alignment);
//     light(weights, column) shades the characters by an output's attention, in thousandths, and outlines one.

const LONGEST = 96;

const makeSentence = (frame) => {
  const root = make("div", "sentence", "", frame);
  root.setAttribute("aria-hidden", "true");
  make("span", "row-label", "read", root);
  const letters = Array.from({ length: LONGEST }, () => make("span", "letter", "", root));
  let broughtIn = "";

  const show = (source, alignment) => {
    const characters = [...source];
    frame.style.setProperty("--columns", Math.max(characters.length, 10));
    const dated = new Set((alignment ?? []).flat());
    letters.forEach((letter, index) => {
      setText(letter, characters[index] === " " ? "\u00a0" : (characters[index] ?? ""));
      setClass(letter, "used", index < characters.length);
      setClass(letter, "dated", dated.has(index));
      setClass(letter, "beyond", index >= 48);
    });
    showDate([...dated]);
  };

  // On a narrow screen the date may stand outside the frame: it is brought in, once for each place it takes.
  const showDate = (places) => {
    if (places.join() === broughtIn) return;
    broughtIn = places.join();
    if (!places.length || frame.scrollWidth <= frame.clientWidth) return;
    const [first, last] = [letters[Math.min(...places)], letters[Math.max(...places)]];
    frame.scrollLeft = (first.offsetLeft + last.offsetLeft + last.offsetWidth - frame.clientWidth) / 2;
  };

  const light = (weights, column = null) =>
    letters.forEach((letter, index) => {
      letter.style.setProperty("--w", weights && index < weights.length ? weights[index] / 1000 : 0);
      setClass(letter, "pointed", column === index && Boolean(weights));
    });

  return { show, light };
};

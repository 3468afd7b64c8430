"""`make bench`: this project's decoding against the lesson's loop and against ONNX Runtime, in one run."""

import statistics
import time
from collections.abc import Callable

import numpy as np

import seq2seq_demo as s2s
from bench import lesson_loop, onnx_greedy
from seq2seq_demo.alphabet import encode_targets
from seq2seq_demo.corpus import evaluation_rows

Contestant = Callable[[], object]


def main() -> None:
    for name in ("encoder-decoder", "attention"):
        compare(name)


def compare(name: str) -> None:
    """Print the times of one model; every way must give the same answers first."""
    model = s2s.load_model(name)
    texts = [row.source for row in evaluation_rows("everyday")]
    onnx_session = onnx_greedy.export(model.keras_model)
    ids = model.encode(texts)
    answers = encode_targets([translation.text for translation in model.translate_batch(texts)])
    for way, found in (("loop", lesson_loop.greedy(model.keras_model, ids)), ("ONNX Runtime", onnx_session(ids))):
        same = int((found == answers).all(axis=1).sum())
        print(f"{name}: {way} agrees on {same} of {len(texts)} rows")

    one = "order 21 item 45 07/02/1993 id seq"
    one_ids = model.encode([one])
    for beam_width in (1, 5):
        model.translate(one, beam_width)
        model.translate_batch(texts, beam_width)
    print(f"\n{name}, one sentence of {len(one)} characters (text in, text out)")
    report(
        {
            "ours, greedy": lambda: model.translate(one),
            "ours, beam 5": lambda: model.translate(one, beam_width=5),
            "ONNX Runtime": lambda: onnx_session(model.encode([one])),
            "lesson's loop": lambda: lesson_loop.greedy(model.keras_model, one_ids),
        },
        rounds=7,
        repeats={"lesson's loop": 1},
        repeat=100,
    )
    print(f"\n{name}, {len(texts)} rows (text in, text out)")
    report(
        {
            "ours, greedy": lambda: model.translate_batch(texts),
            "ours, beam 5": lambda: model.translate_batch(texts, beam_width=5),
            "ONNX Runtime": lambda: onnx_session(model.encode(texts)),
            "lesson's loop": lambda: lesson_loop.greedy(model.keras_model, ids),
        },
        rounds=5,
        repeats={"lesson's loop": 1},
        repeat=3,
    )
    print()


def report(ways: dict[str, Contestant], *, rounds: int, repeats: dict[str, int], repeat: int) -> None:
    """Time all in turn, round after round, and print medians and their ratio to the first."""
    times: dict[str, list[float]] = {way: [] for way in ways}
    for _ in range(rounds):
        for way, run in ways.items():
            for _ in range(repeats.get(way, repeat)):
                started = time.perf_counter()
                run()
                times[way].append(time.perf_counter() - started)
    medians = {way: statistics.median(taken) for way, taken in times.items()}
    first = next(iter(medians.values()))
    for way, median in medians.items():
        low, high = np.percentile(times[way], [10, 90])
        print(
            f"  {way:14} {median * 1e3:10.3f} ms   (10-90%: {low * 1e3:.3f}-{high * 1e3:.3f})   x{median / first:.2f}"
        )


if __name__ == "__main__":
    main()

"""The real page with a no-op event beside it, for `bench.page` to compare with; `--loop` answers as the lesson does."""

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

import gradio as gr

from seq2seq_demo.interface.backend import WIDTH, Backend
from seq2seq_demo.interface.page import LAUNCH, build, theme

if TYPE_CHECKING:
    from seq2seq_demo.translator import Translation, Translator


class LoopTranslator:
    """A translator that first decodes by the lesson's loop, then answers with all that the page shows."""

    def __init__(self, translator: "Translator"):
        self._translator = translator

    def without_xla(self) -> "LoopTranslator":
        """The loop is as it is."""
        return self

    def translate(self, text: str, beam_width: int = 1) -> "Translation":
        """Decode by the loop, then as usual."""
        from bench import lesson_loop

        lesson_loop.greedy(self._translator.keras_model, self._translator.encode([text]))
        return self._translator.translate(text, beam_width)

    def __getattr__(self, name: str) -> object:
        return getattr(self._translator, name)


class LoopBackend(Backend):
    """The page's backend with the lesson's loop in it."""

    def models(self, training: str, width: int = WIDTH, epoch: int | None = None) -> Mapping[str, "Translator"]:
        """Both models, each behind the loop."""
        models = super().models(training, width, epoch)
        return {name: LoopTranslator(model) for name, model in models.items()}  # type: ignore[misc]


def main() -> None:
    backend = LoopBackend() if "--loop" in sys.argv else Backend()
    with build(backend) as page:
        typed = gr.Textbox(label="no-op", elem_id="noop")
        shown = gr.HTML("", elem_id="noop-shown")
        typed.change(
            lambda text: text,
            typed,
            shown,
            queue=False,
            trigger_mode="always_last",
            show_progress="hidden",
        )
    page.launch(theme=theme(), prevent_thread_lock=True, **LAUNCH)
    backend.start()
    page.block_thread()


if __name__ == "__main__":
    main()

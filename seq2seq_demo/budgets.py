"""What is trained: the budget of each training set, and the runs of the grid that they make."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from seq2seq_demo.models import MODELS

# The folder of weights that are measured and then dropped.
NOT_SHIPPED = "not-shipped"


@dataclass(frozen=True, slots=True)
class Budget:
    """What every model of a training set gets, so that the difference between them is the attention.

    Attributes:
        training: the training set.
        rows: sentences, a multiple of `batch`: one shape for XLA.
        epochs: passes over them.
        published_epoch: whose figures are published; chosen on the validation rows (docs/log.md).
        checkpoints: the epochs whose weights are kept, 0 for untrained.
        widths: units of the embeddings and LSTMs.
        repeated_widths: those that are trained with every seed; the others with the first alone.
        seeds: each of the rows, the first weights and the order of the rows. Weights of the first are
            shipped; of the others the measurements, which show how much is chance.
        batch: rows a step.
        learning_rate: of Adam.
    """

    training: str
    rows: int
    epochs: int
    published_epoch: int
    checkpoints: tuple[int, ...]
    widths: tuple[int, ...]
    repeated_widths: tuple[int, ...] = (64,)
    seeds: tuple[int, ...] = (0, 1, 2, 3, 4)
    batch: int = 128
    learning_rate: float = 1e-3


BUDGETS = (
    Budget("lesson", 8064, 40, 16, (0, 1, 2, 4, 6, 8, 10, 12, 14, 16, 20, 24, 32, 40), (64,)),
    Budget("everyday", 24064, 32, 14, (0, 1, 2, 3, 4, 6, 8, 10, 12, 14, 16, 20, 24, 32), (8, 16, 32, 64)),
)


@dataclass(frozen=True, slots=True)
class Run:
    """One model to be trained."""

    name: str
    width: int
    budget: Budget
    seed: int = 0

    def __str__(self) -> str:
        return f"{self.budget.training}/{self.name}-{self.width}/seed-{self.seed}"

    @property
    def shipped(self) -> bool:
        """Whether its weights are kept."""
        return self.seed == self.budget.seeds[0]

    @property
    def checkpoints(self) -> tuple[int, ...]:
        """The epochs whose weights are measured."""
        return self.budget.checkpoints if self.shipped else (self.budget.published_epoch,)

    def folder(self, work: Path) -> Path:
        """Where its weights go: those that are not shipped into a folder that is dropped at the end."""
        return work if self.shipped else work / NOT_SHIPPED / f"seed-{self.seed}"


def runs(budgets: Sequence[Budget] = BUDGETS) -> list[Run]:
    """Every model of the budgets: the grid."""
    return [
        Run(name, width, budget, seed)
        for budget in budgets
        for width in budget.widths
        for name in MODELS
        for seed in budget.seeds[: None if width in budget.repeated_widths else 1]
    ]

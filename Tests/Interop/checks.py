"""Counts checks and prints a line for each."""

import os
from collections.abc import Iterator
from contextlib import contextmanager


class Mismatch(Exception):
    """Something is not what it must be."""


def expect(what: str, found: object, expected: object) -> None:
    if found != expected:
        raise Mismatch(f"{what} is {found!r}, expected {expected!r}")


class Checks:
    def __init__(self) -> None:
        self.passed = 0
        self.failed = 0
        self.skipped = 0

    def begin(self, area: str) -> None:
        print(f"\n{area}", flush=True)

    @contextmanager
    def check(self, sentence: str) -> Iterator[None]:
        """A check passes when its block ends; whatever the block raises, foreseen or not, is a failure."""
        try:
            yield
        except Exception as error:
            self.fail(sentence, error)
        else:
            self.passed += 1
            print(f"ok    {sentence}", flush=True)

    def fail(self, sentence: str, error: Exception) -> None:
        self.failed += 1
        kind = "" if isinstance(error, Mismatch) else f"{type(error).__name__}: "
        print(f"FAIL  {sentence}: {kind}{error}", flush=True)

    def skip(self, sentence: str, why: str) -> None:
        self.skipped += 1
        print(f"skip  {sentence}: {why}", flush=True)

    def finish(self) -> int:
        print(f"\n{self.passed} passed, {self.failed} failed, {self.skipped} skipped")
        strict = os.environ.get("SIGNET_STRICT") == "1"
        if strict and self.skipped:
            print("here no check may be skipped")
        # Nothing checked is nothing shown.
        return 0 if self.passed and not self.failed and not (strict and self.skipped) else 1

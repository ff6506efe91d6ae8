"""A short run of the mutations that `make fuzz` makes by the ten thousand."""

import pytest

from tests.fuzzing import KINDS, fuzz

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("kind", KINDS)
def test_mutations_are_taken_or_refused_with_a_sentence(kind):
    fuzz(kind, 150, seed=7)

"""Check the arguments of the public functions, and convert them to numpy arrays."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Real
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

BoolArray = npt.NDArray[np.bool_]
IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]
NumberArray = npt.NDArray[Any]
FrozenArray = TypeVar("FrozenArray", bound=npt.NDArray[Any])

Progress = Callable[[float], None]
"""Called with the share of the work that is done, from 0 to 1."""


def no_progress(share: float) -> None:
    """Ignore the progress."""


def check_binary(name: str, values: object) -> BoolArray:
    """Return `values` as a new boolean array, or raise an error with the first invalid entry."""
    array = _as_vector(name, values)
    if array.dtype.kind == "b":
        return array.copy()
    if array.dtype.kind in "iuf":
        ones: BoolArray = array == 1
        zeros: BoolArray = array == 0
    else:
        ones = _each(array, lambda value: _equals(value, 1))
        zeros = _each(array, lambda value: _equals(value, 0))
    if np.count_nonzero(ones) + np.count_nonzero(zeros) < array.size:
        raise ValueError(f"{name} must be 0 or 1; got {_first_bad(array, ones | zeros)}")
    return ones


def check_scores(name: str, values: object) -> NumberArray:
    """Return `values` as an array of numbers that sorts exactly, in its own dtype if possible."""
    array = _as_vector(name, values)
    if array.dtype.kind not in "biuf":
        allowed = _each(array, _is_real)
        if not allowed.all():
            raise ValueError(f"{name} must be numbers; got {_first_bad(array, allowed)}")
        held = _each(array, _fits_64_bits)
        if not held.all():
            raise ValueError(
                f"{name} must be floats, or whole numbers that fit into 64 bits; got "
                f"{_first_bad(array, held)}"
            )
        try:
            array = array.astype(np.float64)
        except OverflowError:
            raise ValueError(f"{name} must be numbers below 1e308; got a larger one") from None
    array = array.astype(array.dtype.newbyteorder("="), copy=False)
    if array.dtype.kind == "b":
        array = array.astype(np.uint8)
    elif array.dtype == np.float16:
        array = array.astype(np.float32)
    if array.dtype.kind == "f":
        known = ~np.isnan(array)
        if not known.all():
            raise ValueError(f"{name} must not be NaN; got {_first_bad(array, known)}")
    return array


def check_whole(name: str, values: object) -> list[int]:
    """Return `values` as a list of whole numbers."""
    array = check_scores(name, values)
    whole = np.isfinite(array) & (array == np.rint(array))
    if not whole.all():
        raise ValueError(f"{name} must be whole numbers; got {_first_bad(array, whole)}")
    return [int(value) for value in array.tolist()]


def check_probabilities(name: str, values: object) -> FloatArray:
    """Return `values` as float64, each from 0 to 1."""
    array = check_scores(name, values).astype(np.float64)
    allowed = (array >= 0) & (array <= 1)
    if not allowed.all():
        raise ValueError(f"{name} must be between 0 and 1; got {_first_bad(array, allowed)}")
    return array


def check_same_length(first: str, a: npt.NDArray[Any], second: str, b: npt.NDArray[Any]) -> None:
    """Raise an error unless both arrays have the same length."""
    if a.size != b.size:
        raise ValueError(
            f"{first} and {second} must have the same length; got {a.size} and {b.size}"
        )


def check_number(
    name: str, value: object, allowed: Callable[[float], bool], rule: str, hint: str = ""
) -> float:
    """Return `value` as a float, or raise an error if it is not a real number that is allowed."""
    try:
        number = float(value) if _is_real(value) else np.nan  # type: ignore[arg-type]
    except OverflowError:
        number = np.inf
    if isinstance(value, (bool, np.bool_)) or not allowed(number):
        raise ValueError(f"{name} must be {rule}; got {_short(value)}{hint}")
    return number


def check_threshold(value: float) -> float:
    """Return a threshold unchanged, or raise an error; it may be infinite."""
    if not _is_real(value) or not _fits_64_bits(value) or np.isnan(value):
        raise ValueError(f"threshold must be a number that fits into 64 bits; got {_short(value)}")
    return value


def frozen(array: FrozenArray) -> FrozenArray:
    """Make an array read-only and return it."""
    array.flags.writeable = False
    return array


def _as_vector(name: str, values: object) -> npt.NDArray[Any]:
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        hidden = int(np.flatnonzero(np.ma.getmaskarray(values))[0])
        raise ValueError(f"{name} must not have masked entries; got one at index {hidden}")
    try:
        array = np.asarray(values)
    except ValueError:
        raise ValueError(f"{name} must be one-dimensional; got rows of different lengths") from None
    if array.ndim == 0:
        raise ValueError(f"{name} must be one-dimensional; got a single {type(values).__name__}")
    if array.ndim > 1:
        raise ValueError(f"{name} must be one-dimensional; got shape {array.shape}")
    if array.size == 0:
        raise ValueError(f"{name} must not be empty")
    return array


def _each(array: npt.NDArray[Any], holds: Callable[[object], bool]) -> BoolArray:
    return np.fromiter((holds(value) for value in array), dtype=np.bool_, count=array.size)


def _equals(value: object, target: int) -> bool:
    if isinstance(value, np.timedelta64):
        return False  # numpy treats it as equal to its number of units
    try:
        return bool(value == target)
    except (TypeError, ValueError):
        return False


def _is_real(value: object) -> bool:
    is_number = isinstance(value, (Real, np.bool_, np.integer, np.floating))
    return is_number and not isinstance(value, np.timedelta64)  # numpy counts it as an integer


def _fits_64_bits(value: object) -> bool:
    return not isinstance(value, int) or -(2**63) <= value < 2**64


def _first_bad(array: npt.NDArray[Any], allowed: BoolArray) -> str:
    index = int(np.flatnonzero(~allowed)[0])
    value = array[index]
    is_time = isinstance(value, (np.timedelta64, np.datetime64))
    shown = value.item() if isinstance(value, np.generic) and not is_time else value
    if isinstance(shown, float) and shown.is_integer():
        shown = int(shown)
    return f"{_short(shown)} at index {index}"


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."

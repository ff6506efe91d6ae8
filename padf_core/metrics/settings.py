"""The parameters of all protocols, as used by pages, links, files and commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from padf_core.metrics.parameters import Choice, Number, Parameter, Value
from padf_core.metrics.protocols import PROTOCOLS, Protocol

MAX_LANES = 7
LANES = "lanes"
"""The name of the added reference protocols in links and files."""


class Settings:
    """All settings that scores depend on: a value for every parameter of every protocol.

    Parameters
    ----------
    lanes : sequence of str
        Keys of reference protocols to show as well.
    **values
        Parameters by key: ``k``, ``decay``, ``precision``, ``measure`` and so on.

    Raises
    ------
    ValueError
        If a value is out of range, or a key is unknown.

    Examples
    --------
    >>> settings = Settings(decay=0.7, k=33)
    >>> settings["decay"], settings["precision"], settings.protocol("pa_k").label
    (0.7, 'tables', 'PA%K (K = 33)')
    """

    def __init__(self, lanes: Sequence[str] = (), **values: Value) -> None:
        self._lanes = _check_lanes(lanes)
        self._values = _complete(values)
        self.all()

    def __getitem__(self, key: str) -> Any:
        return self._values[key]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Settings) and self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    def __repr__(self) -> str:
        changed = {
            each.key: self._values[each.key]
            for each in self.parameters()
            if self._values[each.key] != each.default
        }
        lanes = {LANES: self._lanes} if self._lanes else {}
        return f"Settings({', '.join(f'{k}={v!r}' for k, v in (lanes | changed).items())})"

    @cached_property
    def _identity(self) -> tuple[Any, ...]:
        return self._lanes, tuple(self._values.items())

    @property
    def values(self) -> Mapping[str, Value]:
        """Every parameter's value, by key."""
        return dict(self._values)

    @property
    def lanes(self) -> tuple[str, ...]:
        """The added reference protocols."""
        return self._lanes

    def parameters(self) -> list[Parameter]:
        """Describe every parameter, protocol by protocol."""
        return list(self._described)

    @cached_property
    def _described(self) -> tuple[Parameter, ...]:
        return tuple(_parameters(self._values))

    def with_lanes(self, lanes: Sequence[str]) -> Settings:
        """Return the same parameters with these reference protocols shown."""
        return Settings(lanes, **self._values)

    def replace(self, **changes: Value) -> Settings:
        """Return changed settings; a parameter with a new description gets its new default.

        >>> Settings().replace(shape="deadline")["decay"]
        7.0
        """
        before = {each.key: each for each in self.parameters()}

        def settle(each: Parameter) -> Value:
            if each.key in changes:
                return changes[each.key]
            old = before.get(each.key)
            is_same = old is not None and _means_the_same(self._values[each.key], old, each)
            return self._values[each.key] if is_same else each.default

        wanted = _settled(settle)
        unknown = sorted(set(changes) - set(wanted))
        if unknown:
            raise ValueError(_not_among(wanted, unknown[0]))
        return Settings(self._lanes, **wanted)

    @cached_property
    def _protocols(self) -> dict[str, Protocol]:
        return {key: protocol.of(self._values) for key, protocol in PROTOCOLS.items()}

    def all(self) -> list[Protocol]:
        """Return every protocol, with these parameters."""
        return list(self._protocols.values())

    def protocols(self) -> list[Protocol]:
        """Return the shown protocols, in the order of `PROTOCOLS`."""
        return [
            protocol
            for key, protocol in self._protocols.items()
            if not protocol.is_reference or key in self._lanes
        ]

    def protocol(self, key: str) -> Protocol:
        """Return one protocol with its parameters."""
        return self._protocols[key]

    def number(self, key: str) -> Number | None:
        """Return the slider parameter of a protocol, if it has one."""
        return self._numbers[key]

    @cached_property
    def _numbers(self) -> dict[str, Number | None]:
        return {key: protocol.number(self._values) for key, protocol in PROTOCOLS.items()}

    def numbers(self) -> dict[str, Number]:
        """Return the slider parameter of every shown protocol that has one, by protocol."""
        found = {protocol.key: self.number(protocol.key) for protocol in self.protocols()}
        return {key: number for key, number in found.items() if number is not None}

    def at(self, key: str, values: Sequence[float]) -> list[Protocol]:
        """Return a protocol with other values of its slider parameter."""
        number = self.number(key)
        if number is None:
            raise ValueError(f"{key} has no parameter to choose")
        return [PROTOCOLS[key].of({**self._values, number.key: value}) for value in values]

    def to_dict(self) -> dict[str, Any]:
        """Return the values as plain data for JSON."""
        return {**self._values, **({LANES: list(self._lanes)} if self._lanes else {})}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Settings:
        """Read the output of `to_dict`; unknown names are an error."""
        lanes = values.get(LANES, ())
        if not isinstance(lanes, (list, tuple)):
            raise ValueError(f"{LANES} must be a list of protocols; got {lanes!r}")
        return cls(lanes, **{key: value for key, value in values.items() if key != LANES})

    def to_query(self) -> dict[str, str]:
        """Return readable link parameters."""
        query = {
            each.link: each.to_text(self._values[each.key])
            for each in self.parameters()
            if not (each.is_quiet and self._values[each.key] == each.default)
        }
        return {**query, **({LANES: ".".join(self._lanes)} if self._lanes else {})}

    @classmethod
    def from_query(cls, texts: Mapping[str, str]) -> Settings:
        """Read link parameters; missing ones have their default."""
        read = _settled(
            lambda each: each.from_text(texts[each.link]) if each.link in texts else each.default
        )
        return cls([lane for lane in texts.get(LANES, "").split(".") if lane], **read)


def every_parameter() -> list[Parameter]:
    """Describe every parameter under any choice, each once; choices have all their options."""
    found: dict[str, Parameter] = {}
    for protocol in PROTOCOLS.values():
        ways: list[dict[str, Value]] = [{}]
        while ways:
            chosen = ways.pop(0)
            each = _next(protocol, chosen)
            if each is None:
                continue
            known = found.setdefault(each.key, each)
            if isinstance(each, Choice) and isinstance(known, Choice):
                options = dict.fromkeys((*known.options, *each.options))
                found[each.key] = replace(known, options=tuple(options))
                ways += [{**chosen, each.key: option.value} for option in each.options]
            else:
                ways.append({**chosen, each.key: each.default})
    return list(found.values())


def _next(protocol: type[Protocol], chosen: Mapping[str, Value]) -> Parameter | None:
    """Return the first parameter not chosen yet; later ones may depend on earlier ones."""
    return next((each for each in protocol.parameters(chosen) if each.key not in chosen), None)


def _settled(settle: Callable[[Parameter], Value]) -> dict[str, Value]:
    """Determine the parameters of all protocols, one after another."""
    values: dict[str, Value] = {}
    for protocol in PROTOCOLS.values():
        chosen: dict[str, Value] = {}
        while (each := _next(protocol, chosen)) is not None:
            chosen[each.key] = settle(each)
        values |= chosen
    return values


def _means_the_same(value: Value, old: Parameter, new: Parameter) -> bool:
    """Return whether a value has the same meaning in the new description."""
    if isinstance(old, Number) and isinstance(new, Number):
        return (old.symbol, old.title) == (new.symbol, new.title) and new.allows(float(value))
    return isinstance(new, Choice) and any(option.value == value for option in new.options)


def _parameters(values: Mapping[str, Value]) -> list[Parameter]:
    return [each for key in PROTOCOLS for each in PROTOCOLS[key].parameters(values)]


def _complete(given: Mapping[str, Value]) -> dict[str, Value]:
    """Return a checked value for every parameter: the given one, or its default."""
    complete = _settled(lambda each: each.check(given.get(each.key, each.default)))
    unknown = sorted(set(given) - set(complete))
    if unknown:
        raise ValueError(_not_among(complete, unknown[0]))
    return complete


def _not_among(known: Mapping[str, Value], got: str) -> str:
    return f"settings must be among {', '.join(sorted(known))}; got {got}"


def _check_lanes(lanes: Sequence[str]) -> tuple[str, ...]:
    allowed = [key for key, protocol in PROTOCOLS.items() if protocol.is_reference]
    for lane in lanes:
        if lane not in allowed:
            raise ValueError(f"lanes must be among {', '.join(allowed)}; got {lane!r}")
    kept = tuple(key for key in allowed if key in lanes)
    if len(PROTOCOLS) - len(allowed) + len(kept) > MAX_LANES:
        raise ValueError(f"at most {MAX_LANES} lanes can be shown")
    return kept

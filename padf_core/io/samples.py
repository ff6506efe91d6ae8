"""Load the sample series that come with the package."""

from __future__ import annotations

from pathlib import Path

from padf_core.io.read import read_series
from padf_core.io.series import Series


def sample_folder() -> Path:
    """Return the folder of sample data, inside the package or next to it in a checkout."""
    here = Path(__file__).resolve().parent.parent
    installed = here / "sample_data"
    return installed if installed.is_dir() else here.parent / "sample_data"


def load_sample(name: str, *, label: str | None = None) -> Series:
    """Return one of the sample series that come with the package.

    Parameters
    ----------
    name : str
        ad_bidding, nab_latency, nab_taxi, pump or web_service.
    label : str, optional
        Another label column. NAB's series have ``label_from_moment``, where incidents begin at the
        labelled moment instead of the start of NAB's window around it.

    Returns
    -------
    Series
        Labels, detectors, signal, clock and ignored rows.

    Raises
    ------
    ValueError
        If there is no such sample.

    Examples
    --------
    >>> pump = load_sample("pump")
    >>> len(pump.segments), pump.names
    (5, ['quick_noisy', 'slow_sure', 'steady', 'random'])
    """
    samples = {path.stem: path for path in sorted(sample_folder().glob("*.csv"))}
    if name not in samples:
        raise ValueError(f"sample must be one of {', '.join(samples)}; got {name!r}")
    return read_series(samples[name], **({} if label is None else {"label": label}))

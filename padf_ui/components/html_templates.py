"""Standalone HTML pages made from templates that escape every value."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from padf_core import __version__
from padf_ui.web.palette import css_variables


@cache
def template(file: Path) -> Template:
    """Return a template that escapes its values and raises an error for missing ones.

    It knows the version, and the colours as CSS variables.
    """
    environment = Environment(
        loader=FileSystemLoader(file.parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals |= {"version": __version__, "colours": css_variables("light")}
    return environment.get_template(file.name)

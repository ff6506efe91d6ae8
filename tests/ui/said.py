"""What a page says, for tests: its markdown, and the paragraphs whose terms have meanings."""

import html
import re
from xml.etree import ElementTree

import pandas as pd


def paragraphs(app):
    """The paragraphs with terms, as the text that was marked: strong words between stars."""
    bodies = [element.proto.body for element in app.get("html")]
    said = [body for body in bodies if body.startswith('<p class="padf-said">')]
    strong = [re.sub("</?strong>", "**", body) for body in said]
    return [html.unescape(re.sub("<[^>]*>", "", body)) for body in strong]


def plain_tables(app):
    """The tables that are shown as HTML, each cell as it is written."""
    bodies = [element.proto.body for element in app.get("html")]
    made = []
    for body in bodies:
        if body.startswith('<div class="padf-table"'):
            head, *rows = (
                [cell.text for cell in row] for row in ElementTree.fromstring(body).iter("tr")
            )
            made.append(pd.DataFrame(rows, columns=head))
    return made


def text_of(app):
    shown = "\n".join(element.value for element in app.markdown).replace("\\", "")
    return "\n".join([shown, *paragraphs(app)])

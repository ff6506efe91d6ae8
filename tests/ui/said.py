"""What a page says, for tests: its markdown, and the paragraphs whose terms have meanings."""

import html
import re


def paragraphs(app):
    """The paragraphs with terms, as the text that was marked: strong words between stars."""
    bodies = [element.proto.body for element in app.get("html")]
    said = [body for body in bodies if body.startswith('<p class="padf-said">')]
    strong = [re.sub("</?strong>", "**", body) for body in said]
    return [html.unescape(re.sub("<[^>]*>", "", body)) for body in strong]


def text_of(app):
    shown = "\n".join(element.value for element in app.markdown).replace("\\", "")
    return "\n".join([shown, *paragraphs(app)])

"""Write the payload's types for the browser code: python -m padf_ui.web."""

from padf_ui.web import HERE, declarations

if __name__ == "__main__":
    (HERE / "payload.d.ts").write_text(declarations(), encoding="utf-8")

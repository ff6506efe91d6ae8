"""Write the kinds of messages for the browser code: python -m padf_ui.wire."""

from padf_ui.wire.declarations import DECLARED, declarations

if __name__ == "__main__":
    DECLARED.write_text(declarations(), encoding="utf-8")

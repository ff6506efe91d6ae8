"""Links of boards and replays in one call, and a session without Streamlit."""

from padf_core import Settings
from padf_ui.session import board, links, replay, store


def board_query(drawn, settings):
    return board.LINK.encode(board.link_values(drawn, settings))


def read_board(query):
    values = board.LINK.decode(query)
    return board.board_of(values), values[links.SETTINGS] or Settings()


def read_replay(query):
    values = replay.LINK.decode(query)
    return replay.replay_of(values), values[links.SETTINGS], values["data"]


def put_streamlit(monkeypatch, made):
    """Let the session use this for Streamlit."""
    for module in (store, links):
        monkeypatch.setattr(module, "st", made)

"""Links of boards and replays in one call, and a session without Streamlit."""

from padf_core import Settings
from padf_ui.session import board, links, replay_link, store
from padf_ui.session.link_parts import SETTINGS


def board_query(drawn, settings):
    return board.LINK.encode(board.link_values(drawn, settings))


def read_board(query):
    values = board.LINK.decode(query)
    return board.board_of(values), values[SETTINGS] or Settings()


def read_replay(query):
    values = replay_link.LINK.decode(query)
    return replay_link.replay_of(values), values[SETTINGS], values["data"]


def put_streamlit(monkeypatch, made):
    """Let the session use this for Streamlit."""
    for module in (store, links):
        monkeypatch.setattr(module, "st", made)

"""A visitor without a browser: Streamlit's messages over a websocket, as they are sent."""

import json
import time
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect


class Wire:
    """One visit: sends runs, and keeps the elements that come back, by place."""

    def __init__(self, address, page=""):
        parts = urlsplit(address)
        self._socket = connect(
            f"ws://{parts.netloc}/_stcore/stream",
            subprotocols=["streamlit"],
            max_size=None,
            open_timeout=60,
            legacy=True,
        )
        self.page = page
        self.elements = {}
        self.fragments = {}
        self.states = {}
        self.query = self.hash = self.session = ""
        self.address = address
        self.asked = 0

    def close(self):
        self._socket.close()

    def run(self, query="", fragment="", **triggers):
        """Let the page run with what its widgets hold; return the seconds until it was done."""
        message = BackMsg()
        rerun = message.rerun_script
        rerun.query_string = query or self.query
        rerun.page_name = self.page
        rerun.page_script_hash = self.hash
        rerun.fragment_id = fragment
        for key, (field, value) in (self.states | triggers).items():
            state = rerun.widget_states.widgets.add(id=key)
            if field == "files":
                state.file_uploader_state_value.uploaded_file_info.add(**value)
            else:
                setattr(state, field, value)
        return self.send(message)

    def send(self, message):
        """Send a message; return the seconds until a run has ended."""
        began = time.perf_counter()
        self._socket.send(message.SerializeToString())
        self.wait()
        return time.perf_counter() - began

    def wait(self):
        """Take what comes until a run has ended."""
        while True:
            got = ForwardMsg()
            got.ParseFromString(self._socket.recv(timeout=120))
            kind = got.WhichOneof("type")
            if kind == "new_session":
                self.session = got.new_session.initialize.session_id or self.session
            elif kind == "navigation":
                self.hash = got.navigation.page_script_hash
            elif kind == "page_info_changed":
                self.query = got.page_info_changed.query_string
            elif kind == "delta" and got.delta.WhichOneof("type") == "new_element":
                place = tuple(got.metadata.delta_path)
                self.elements[place] = got.delta.new_element
                self.fragments[place] = got.delta.fragment_id
            elif kind == "script_finished" and got.script_finished != 2:
                return

    def upload(self, content, name):
        """Put a file into the uploader of tables, and let the page look at it."""
        with urlopen(f"{self.address}/_stcore/health") as answer:
            cookie = (answer.headers["Set-Cookie"] or "").partition(";")[0]
        file = f"{time.monotonic_ns():x}"
        head = f'--padf\r\nContent-Disposition: form-data; name="f"; filename="{name}"\r\n\r\n'
        path = f"/_stcore/upload_file/{self.session}/{file}"
        request = Request(
            self.address + path,
            head.encode() + content + b"\r\n--padf--\r\n",
            {
                "Content-Type": "multipart/form-data; boundary=padf",
                "Cookie": cookie,
                "X-Xsrftoken": cookie.partition("=")[2].strip('"'),
            },
            method="PUT",
        )
        with urlopen(request) as answer:
            assert answer.status == 204
        urls = {"file_id": file, "upload_url": path, "delete_url": path}
        told = {"name": name, "size": len(content), "file_id": file, "file_urls": urls}
        uploaders = {each.label: each.id for each in self.of_kind("file_uploader")}
        self.states[uploaders["Tables of labels and scores"]] = ("files", told)
        self.run()

    def press(self, label):
        """Press a button."""
        button = next(each for each in self.of_kind("button") if each.label == label)
        self.run(**{button.id: ("trigger_value", True)})

    def of_kind(self, kind):
        """Return the elements of a kind that the page shows now."""
        found = [each for each in self.elements.values() if each.WhichOneof("type") == kind]
        return [getattr(each, kind) for each in found]

    def component(self, name):
        """Return the component of a name."""
        return next(
            each for each in self.of_kind("bidi_component") if each.component_name.endswith(name)
        )

    def ask(self, component, **wish):
        """Ask as a component does, of its fragment alone; return its place and what it is sent."""
        key = f"padf_{component}_component"
        place, post = next(
            (place, each.bidi_component)
            for place, each in self.elements.items()
            if each.WhichOneof("type") == "bidi_component" and each.bidi_component.id.endswith(key)
        )
        self.asked += 1
        sent = json.dumps({"ask": {"id": self.asked, **wish}})
        self.run(fragment=self.fragments[place], **{post.id: ("json_value", sent)})
        while (letter := self._letter(place))["answered"] < self.asked:
            self.wait()  # what is final lets the whole page run
        return place, letter

    def _letter(self, place):
        return json.loads(self.elements[place].bidi_component.json)["letter"]

    def open(self, query=""):
        """Open the page: once for its style, and once for all of it."""
        self.run(query)
        page = self.component("page")
        self.run(query, **{f"{page.id}": ("json_value", json.dumps({}))})
        return self

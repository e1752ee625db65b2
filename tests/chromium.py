"""`Chromium`: a headless browser that a test controls through its DevTools protocol."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
import urllib.request
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from websockets.sync.client import connect

from tests.time_limits import wait_until

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
_OPTIONS = ("headless", "no-sandbox", "disable-quic", "no-first-run", "disable-background-networking", "disable-component-update")
_OPTIONS += ("disable-sync", "use-gl=angle", "use-angle=swiftshader", "enable-unsafe-swiftshader", "remote-debugging-port=0")


class Chromium:
    """A tab of a browser of its own. `events`: what the browser reported, such as errors and requests."""

    def __init__(self, folder: Path):
        command = [str(PROGRAM), *(f"--{option}" for option in _OPTIONS), f"--user-data-dir={folder}", "about:blank"]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        port = wait_until(lambda: self._port(folder / "DevToolsActivePort"))
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/json") as answer:
            tab = next(tab for tab in json.load(answer) if tab["type"] == "page")
        self._open, self._count, self.events = ExitStack(), 0, list[dict[str, Any]]()
        self._socket = self._open.enter_context(connect(tab["webSocketDebuggerUrl"], max_size=None))
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=1000, height=700, deviceScaleFactor=1, mobile=False)

    @staticmethod
    def _port(file: Path) -> str:
        text = file.read_text() if file.exists() else ""
        return text.split()[0] if "\n" in text else ""

    def close(self) -> None:
        """End the browser."""
        self._open.close()
        self._process.terminate()
        self._process.wait()

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Return the result of a method of the protocol."""
        self._count += 1
        self._socket.send(json.dumps({"id": self._count, "method": method, "params": parameters}))
        while (message := json.loads(self._socket.recv())).get("id") != self._count:
            self.events.append(message)
        assert "error" not in message, message
        return message["result"]

    def run(self, script: str) -> Any:
        """Return the value of an expression in the page."""
        done = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in done, done
        return done["result"].get("value")

    def open(self, path: Path) -> None:
        """Open a page of Armature from a file, and wait until it is ready."""
        self.events.clear()
        self.call("Page.navigate", url=path.resolve().as_uri())
        wait_until(lambda: self.run("document.documentElement?.hasAttribute('data-ready')"))

    def picture(self) -> bytes:
        """Return the page as PNG, after the frame that shows its present state."""
        self.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        return base64.b64decode(self.call("Page.captureScreenshot")["data"])

    def click(self, selector: str) -> None:
        """Press and release the left button of the mouse in the middle of an element."""
        middle = "({x, y, width, height}) => [x + width / 2, y + height / 2]"
        box = self.run(f"({middle})(document.querySelector({selector!r}).getBoundingClientRect())")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=1, buttons=1)

    def press(self, key: str) -> None:
        """Press and release a key."""
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, text=key if len(key) == 1 and kind == "keyDown" else "")

    @property
    def complaints(self) -> list[dict[str, Any]]:
        """Errors, warnings and messages on the console since the page was opened."""
        kinds = ("Runtime.exceptionThrown", "Log.entryAdded", "Runtime.consoleAPICalled")
        return [event for event in self.events if event["method"] in kinds]

    @property
    def requests(self) -> list[str]:
        """Addresses that were requested since the page was opened."""
        return [event["params"]["request"]["url"] for event in self.events if event["method"] == "Network.requestWillBeSent"]

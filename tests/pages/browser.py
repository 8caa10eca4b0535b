"""A real headless browser, driven over the DevTools pipe with the standard library alone."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
from pathlib import Path

from tests.waiting import until

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--remote-debugging-pipe",
]


def find_chromium() -> str | None:
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Chromium:
    """A running browser: commands go down one pipe, answers and events come up another."""

    def __init__(self, profile: Path, width: int = 1200, height: int = 900) -> None:
        read_commands, self._to_browser = os.pipe()
        self._from_browser, write_answers = os.pipe()

        def hand_over_pipes() -> None:
            # The browser expects its pipes at 3 and 4; copies first, so that neither overwrites the other.
            commands, answers = os.dup(read_commands), os.dup(write_answers)
            os.dup2(commands, 3)
            os.dup2(answers, 4)

        command = [
            find_chromium() or "chromium",
            *FLAGS,
            f"--user-data-dir={profile}",
            f"--window-size={width},{height}",
        ]
        self._process = subprocess.Popen(
            command,
            preexec_fn=hand_over_pipes,  # noqa: PLW1509  # no threads here, and the numbers 3 and 4 are fixed
            close_fds=False,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(read_commands)
        os.close(write_answers)
        self._buffer = b""
        self._number = 0

    def send(self, method: str, parameters: dict, session: str | None = None) -> int:
        """The number of the command, which its answer bears."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if session is not None:
            message["sessionId"] = session
        os.write(self._to_browser, json.dumps(message).encode() + b"\0")
        return self._number

    def receive(self) -> dict:
        """The next answer or event."""
        while b"\0" not in self._buffer:
            chunk = os.read(self._from_browser, 1 << 20)
            assert chunk, "the browser went away"
            self._buffer += chunk
        message, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(message)

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._to_browser)
        os.close(self._from_browser)


class Browser:
    """One page, which shares nothing but the program with others. `errors` collects console errors and exceptions,
    `requests` every address that was asked for.
    """

    def __init__(self, chromium: Chromium) -> None:
        self._chromium = chromium
        self._session: str | None = None
        self.errors: list[str] = []
        self.requests: list[str] = []
        self._context = self._call("Target.createBrowserContext")["browserContextId"]
        blank = {"url": "about:blank", "browserContextId": self._context}
        target = self._call("Target.createTarget", blank)["targetId"]
        self._session = self._call("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self._call(f"{domain}.enable")

    def open(self, path: Path) -> None:
        self._call("Page.navigate", {"url": path.as_uri()})
        self.wait_until("document.readyState === 'complete'")

    def evaluate(self, expression: str):
        answer = self._call(
            "Runtime.evaluate", {"expression": expression, "returnByValue": True, "awaitPromise": True}
        )
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def wait_until(self, expression: str) -> None:
        until(lambda: self.evaluate(expression))

    def colour_scheme(self, name: str) -> None:
        features = [{"name": "prefers-color-scheme", "value": name}]
        self._call("Emulation.setEmulatedMedia", {"features": features})

    def size(self, width: int, height: int) -> None:
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self._call("Emulation.setDeviceMetricsOverride", metrics)

    def scripting(self, on: bool) -> None:
        self._call("Emulation.setScriptExecutionDisabled", {"value": not on})

    def elements(self, selector: str) -> list[int]:
        """The elements that fit, found without the page's own scripting; none while a page is being replaced."""
        root = self._call("DOM.getDocument", {"depth": 0})["root"]["nodeId"]
        try:
            return self._call("DOM.querySelectorAll", {"nodeId": root, "selector": selector})["nodeIds"]
        except AssertionError:
            return []

    def open_without_scripting(self, path: Path, last: str) -> None:
        """Opens a page with scripting off; returns when the element that comes last in it is there.

        The page before it may have such an element too, and stays until the browser gets round to the new one.
        """
        self.scripting(False)
        self._call("Page.navigate", {"url": path.as_uri()})
        until(lambda: self._address() == path.as_uri() and self.elements(last))

    def _address(self) -> str:
        return self._call("DOM.getDocument", {"depth": 0})["root"]["documentURL"]

    def wheel(self, x: float, y: float, delta: float) -> None:
        event = {"type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": delta}
        self._call("Input.dispatchMouseEvent", event)

    def key(self, key: str) -> None:
        self._call("Input.dispatchKeyEvent", {"type": "keyDown", "key": key, "text": key if len(key) == 1 else ""})
        self._call("Input.dispatchKeyEvent", {"type": "keyUp", "key": key})

    def screenshot(self, path: Path) -> None:
        path.write_bytes(base64.b64decode(self._call("Page.captureScreenshot", {"format": "png"})["data"]))

    def close(self) -> None:
        self._session = None
        self._call("Target.disposeBrowserContext", {"browserContextId": self._context})

    def _call(self, method: str, parameters: dict | None = None) -> dict:
        number = self._chromium.send(method, parameters or {}, self._session)
        while True:
            answer = self._chromium.receive()
            if answer.get("id") == number:
                assert "error" not in answer, answer["error"]
                return answer["result"]
            if answer.get("sessionId") == self._session:
                self._note(answer)

    def _note(self, event: dict) -> None:
        method, parameters = event.get("method"), event.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.errors.append(json.dumps(parameters["exceptionDetails"])[:500])
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning"):
            self.errors.append(json.dumps(parameters["args"])[:500])
        elif method == "Log.entryAdded" and parameters["entry"]["level"] == "error":
            self.errors.append(parameters["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])

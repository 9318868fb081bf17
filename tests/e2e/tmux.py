# SPDX-License-Identifier: Apache-2.0
"""A terminal of any size for tests: a tmux server of its own, for the time of a `with` block."""

import os
import subprocess
import tempfile
import time


class Tmux:
    """One window with a shell. What it shows is text; keys are sent as tmux names them."""

    def __init__(self, columns=80, rows=24, environment=None):
        self._size = (columns, rows)
        self._environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", **(environment or {})}

    def __enter__(self):
        self._folder = tempfile.TemporaryDirectory(prefix="nettoll-tmux-")
        self._socket = os.path.join(self._folder.name, "socket")
        columns, rows = self._size
        self._run("-f", "/dev/null", "new-session", "-d", "-x", str(columns), "-y", str(rows), "env", "PS1=$ ", "sh")
        self._run("set-option", "-g", "status", "off")
        self.resize(columns, rows)
        return self

    def __exit__(self, *_):
        subprocess.run(["tmux", "-S", self._socket, "kill-server"], capture_output=True, check=False)
        self._folder.cleanup()

    def _run(self, *arguments):
        done = subprocess.run(["tmux", "-S", self._socket, *arguments], capture_output=True, text=True, check=False,
                              env=self._environment)
        if done.returncode != 0:
            raise RuntimeError(f"tmux {' '.join(arguments)}: {done.stderr.strip()}")
        return done.stdout

    def resize(self, columns, rows):
        self._run("resize-window", "-x", str(columns), "-y", str(rows))

    def keys(self, *names):
        """Sends keys by tmux's names: "q", "Enter", "C-c"."""
        self._run("send-keys", *names)

    def type(self, text):
        self._run("send-keys", "-l", text)

    def command(self, line):
        """Types a command line for the shell."""
        self.type(line)
        self.keys("Enter")

    def lines(self):
        """The rows of the screen, without the spaces at their ends."""
        return self._run("capture-pane", "-p").split("\n")[:-1]

    def text(self):
        return "\n".join(self.lines())

    def wait_for(self, condition, what, limit=60):
        """Waits until `condition` is true of the screen's text (or is in it), and gives the text."""
        met = condition if callable(condition) else lambda text: condition in text
        deadline = time.monotonic() + limit
        while True:
            text = self.text()
            if met(text):
                return text
            if time.monotonic() > deadline:
                raise AssertionError(f"not within {limit} s: {what}. The screen:\n{text}")
            time.sleep(0.1)

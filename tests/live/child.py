# SPDX-License-Identifier: Apache-2.0
"""Child processes that cannot outlive the script that started them."""

import ctypes
import signal
import subprocess

_PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None, use_errno=True)


def _die_with_parent():
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def start(command, log, **options):
    """Starts `command` with its output in the open file `log`. It is killed when this script ends, however it ends."""
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                            preexec_fn=_die_with_parent, **options)


def stop(process, signal_number=signal.SIGTERM, limit=30):
    """Asks `process` to end, kills it if it does not within `limit` seconds, and returns its exit status."""
    if process.poll() is None:
        process.send_signal(signal_number)
    try:
        return process.wait(timeout=limit)
    except subprocess.TimeoutExpired:
        process.kill()
        return process.wait()

# SPDX-License-Identifier: Apache-2.0
"""Child processes that cannot outlive the script that started them."""

import ctypes
import signal
import subprocess

_PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None, use_errno=True)


def _in_the_child():
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    # A shell without job control has it ignored in what it runs in the background, this script too.
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def start(command, log, **options):
    """Starts `command` with its output in the open file `log`. It is killed when this script ends, however it ends."""
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                            preexec_fn=_in_the_child, **options)


def stop(process, signal_number=signal.SIGTERM, limit=30):
    """Asks `process` to end, kills it if it does not within `limit` seconds, and returns its exit status."""
    if process.poll() is None:
        process.send_signal(signal_number)
    try:
        return process.wait(timeout=limit)
    except subprocess.TimeoutExpired:
        process.kill()
        return process.wait()

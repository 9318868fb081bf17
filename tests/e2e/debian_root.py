# SPDX-License-Identifier: Apache-2.0
"""Clean Debian systems in folders, by debootstrap, from the mirror that apt has here."""

import os
import shlex
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(os.path.dirname(HERE), "live")]

import child  # noqa: E402

# What runs in namespaces of its own leaves no mount and no process, however it ends. debootstrap mounts too.
NAMESPACES = ["unshare", "--mount", "--pid", "--fork", "--kill-child"]
# The first process of the PID namespace, which ends all others with itself, stays a shell: it reaps what they leave.
# pivot_root, since "/" has to be a mount for `ip netns exec` and container runtimes.
ENTER = """
mount --rbind "$1" "$1"
cd "$1"
mount -t proc proc proc
mount --rbind /sys sys
mount --rbind /dev dev
{mounts}
pivot_root . .
umount -l .
cd /
status=0
sh -ec "$2" || status=$?
exit $status
"""


def run(command, **options):
    return subprocess.run(command, text=True, check=False, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, **options)


def mirror():
    """The first that apt has here, of Debian itself."""
    for line in run(["apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages", "Origin: Debian",
                     "Label: Debian"]).stdout.splitlines():
        return line.rstrip("/")
    return None


class Root:
    """A Debian of its own in `folder`. What runs in it sees mounts and processes that nobody else does, and this host's kernel,
    devices and network; it ends when the script does that started it. RuntimeError where debootstrap fails."""

    def __init__(self, folder, release):
        self.folder = folder
        self.mounts = []
        done = run([*NAMESPACES, "debootstrap", "--variant=minbase", release, folder, mirror()])
        if done.returncode != 0:
            raise RuntimeError(f"debootstrap {release}: {done.stdout[-2000:]}")
        shutil.copy("/etc/resolv.conf", self.path("etc/resolv.conf"))

    def path(self, name):
        """That of `name`, absolute in the root or relative to it, as seen from outside."""
        return os.path.join(self.folder, name.lstrip("/"))

    def bind(self, folder, name):
        """Lets what runs in the root from now on see the host's `folder` as `name`."""
        os.makedirs(self.path(name), exist_ok=True)
        self.mounts.append(f"mount --bind {shlex.quote(os.path.abspath(folder))} {shlex.quote(name.lstrip('/'))}")

    def start_no_services(self):
        """Packages do not start the services that they bring."""
        with open(self.path("usr/sbin/policy-rc.d"), "w", encoding="ascii") as file:
            file.write("#!/bin/sh\nexit 101\n")
        os.chmod(file.name, 0o755)

    def stream(self, script, show=None, **environment):
        """Runs the shell script and calls `show`, if given, with each line of its output at once. Exit status and output."""
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", **environment}
        enter = ENTER.format(mounts="\n".join(self.mounts))
        command = [*NAMESPACES, "sh", "-ec", enter, "sh", self.folder, script]
        process = child.start(command, subprocess.PIPE, env=environment, text=True, errors="replace")
        lines = []
        with process.stdout:
            try:
                for line in process.stdout:
                    lines.append(line)
                    if show:
                        show(line)
            except BaseException:
                # Interrupted: until nobody is left who may write, nobody may take the folder away.
                process.kill()
                process.stdout.read()
                raise
        return process.wait(), "".join(lines)

    def run(self, script):
        """Exit status and output of the shell script, to which Debian's tools put no questions."""
        return self.stream(script, DEBIAN_FRONTEND="noninteractive", LC_ALL="C")

    def do(self, script):
        """The output of the shell script. RuntimeError where it fails."""
        status, output = self.run(script)
        if status != 0:
            raise RuntimeError(f"{script}: {output[-3000:]}")
        return output

# SPDX-License-Identifier: Apache-2.0
"""What a kubelet and its engine make of a container of a pod, as an OCI bundle for crun(1): config.json beside a root file system."""

import json
import os
import platform
import resource

# Of Debian's package golang-github-containers-common: names of system calls, and the capabilities that open more of them.
SECCOMP_RULES = "/usr/share/containers/seccomp.json"
# kubernetes/pkg/securitycontext/util.go, and what engines add since 2025: /proc/interrupts.
MASKED = ["/proc/acpi", "/proc/asound", "/proc/interrupts", "/proc/kcore", "/proc/keys", "/proc/latency_stats", "/proc/sched_debug",
          "/proc/scsi", "/proc/timer_list", "/proc/timer_stats", "/sys/devices/virtual/powercap", "/sys/firmware"]
READ_ONLY = ["/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger"]
# What the kernel gives a process that nobody gave more.
LOCKED_MEMORY = 8 << 20
OPEN_FILES = 1 << 20
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}


def limit(kind, name, wanted):
    """A limit as in config.json: what is wanted, or what this host allows."""
    _, hard = resource.getrlimit(kind)
    value = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    return {"type": name, "soft": value, "hard": value}


def seccomp(capabilities, gated=True):
    """The engine's profile for these capabilities. `gated`: CAP_BPF opens bpf(2) and CAP_PERFMON perf_event_open(2), as containerd and
    Docker have it since 2022; else CAP_SYS_ADMIN alone does."""
    with open(SECCOMP_RULES, encoding="utf-8") as file:
        profile = json.load(file)
    allowed = {"CAP_BPF": ["bpf"], "CAP_PERFMON": ["perf_event_open"]} if gated else {}
    opened = [name for capability in capabilities for name in allowed.get(capability, [])]
    here = ARCHITECTURES.get(platform.machine(), platform.machine())
    calls = []
    for rule in profile["syscalls"]:
        needed, barred = set(rule["includes"].get("caps", [])), set(rule["excludes"].get("caps", []))
        machines, others = rule["includes"].get("arches", [here]), rule["excludes"].get("arches", [])
        if not needed <= set(capabilities) or barred & set(capabilities) or here not in machines or here in others:
            continue
        names = [name for name in rule["names"] if name not in opened]
        if names:
            calls.append({"names": names, "action": rule["action"], "args": rule["args"],
                          **({"errnoRet": rule["errnoRet"]} if "errnoRet" in rule else {})})
    if opened:
        calls.append({"names": opened, "action": "SCMP_ACT_ALLOW"})
    return {"defaultAction": profile["defaultAction"], "defaultErrnoRet": 38, "syscalls": calls}


def make(folder, root, pod, arguments, config, user=None, capabilities=None, gated=True):
    """Writes `folder`/config.json for the only container of `pod` (spec of a pod), run with `arguments`. `config` is the folder that its
    ConfigMap is. As another user the capabilities are ambient ones, as podman has them. Others than the pod's may be given."""
    (container,) = pod["containers"]
    rights = container["securityContext"]
    if capabilities is None:
        capabilities = rights["capabilities"]["add"]
    capabilities = [f"CAP_{name}" for name in capabilities]
    (mount,) = container["volumeMounts"]
    namespaces = ["mount", "uts", "ipc"] + ([] if pod.get("hostPID") else ["pid"]) + ([] if pod.get("hostNetwork") else ["network"])
    quiet = ["nosuid", "noexec", "nodev"]
    spec = {
        "ociVersion": "1.0.2",
        "process": {
            "terminal": False, "cwd": "/", "args": ["/usr/sbin/nettoll", *arguments], "env": ["PATH=/usr/sbin"],
            "user": {"uid": rights["runAsUser"] if user is None else user, "gid": rights["runAsGroup"]},
            "capabilities": {kind: capabilities for kind in ("bounding", "effective", "permitted", *(("inheritable", "ambient") if user else ()))},
            "noNewPrivileges": not rights["allowPrivilegeEscalation"],
            "rlimits": [limit(resource.RLIMIT_MEMLOCK, "RLIMIT_MEMLOCK", LOCKED_MEMORY),
                        limit(resource.RLIMIT_NOFILE, "RLIMIT_NOFILE", OPEN_FILES)],
        },
        "root": {"path": root, "readonly": rights["readOnlyRootFilesystem"]},
        "mounts": [
            {"destination": "/proc", "type": "proc", "source": "proc", "options": quiet},
            {"destination": "/dev", "type": "tmpfs", "source": "tmpfs", "options": ["nosuid", "strictatime", "mode=755", "size=65536k"]},
            {"destination": "/sys", "type": "sysfs", "source": "sysfs", "options": [*quiet, "ro"]},
            {"destination": mount["mountPath"], "type": "bind", "source": config, "options": ["rbind", "rprivate", "ro"]},
        ],
        "linux": {"namespaces": [{"type": kind} for kind in namespaces], "maskedPaths": MASKED, "readonlyPaths": READ_ONLY,
                  "seccomp": seccomp(capabilities, gated)},
    }
    with open(os.path.join(folder, "config.json"), "w", encoding="utf-8") as file:
        json.dump(spec, file)

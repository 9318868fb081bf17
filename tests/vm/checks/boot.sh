# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=dash
# The guest itself is sound: the kernel is the one asked for, has BTF, and our program starts on it with its libraries.
# Needs nettoll aboard.

release=$(uname -r)
echo "release: $release"
[ "$release" = "$GUEST_RELEASE" ] || fail "not $GUEST_RELEASE"
[ -s /sys/kernel/btf/vmlinux ] || fail "the kernel has no BTF"
nettoll --version || fail "nettoll does not start: status $?"

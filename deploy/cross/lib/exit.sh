# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Ways out: skipping when the host lacks something, and cleaning up on every exit.

# skip WHY: ends the script with 77, which ctest takes for "skipped".
skip() {
  echo "${0##*/}: skipped: $*" >&2
  exit 77
}

# unusable WHY: ends the script as wrong usage does.
unusable() {
  echo "${0##*/}: $*" >&2
  exit 2
}

# need PROGRAM PACKAGE: skips unless PROGRAM is installed.
need() {
  PATH=$PATH:/usr/sbin:/sbin command -v "$1" >/dev/null || skip "$1 is missing: install $2"
}

exit_commands=()

# at_exit COMMAND ARG...: runs it when the script ends, however it does; last registered, first run.
at_exit() {
  exit_commands=("${*@Q}" "${exit_commands[@]}")
}

run_exit_commands() {
  local status=$? command
  trap - EXIT
  trap '' INT TERM HUP
  for command in "${exit_commands[@]}"; do
    eval "$command" || true
  done
  exit "$status"
}

trap run_exit_commands EXIT
# A signal ends `wait`, then the script: so the exit commands run at once, not when a process in the background ends.
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

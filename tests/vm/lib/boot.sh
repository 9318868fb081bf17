# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2154 # set by lib/kernels.sh and lib/kernel_files.sh
# Runs the emulator: for a check, whose console is shown and whose result is found out, or for a person.

need_to_boot() {
  need "$qemu" "$qemu_package"
  need cpio cpio
  need ldd libc-bin
  need readelf binutils
  need modprobe kmod
  need xz xz-utils
}

# emulator_command DIR WORD...: sets emulator_command to a guest with DIR/initramfs; WORDs go to its kernel. A word that the
# kernel does not know becomes a variable in the environment of init.
emulator_command() {
  local dir=$1 extra
  shift
  read -ra extra <<<"${NETTOLL_GUEST_QEMU:-}"
  # quiet: errors and worse still show. panic=-1 with -no-reboot: a crash ends the emulator at once.
  local words=(
    "console=$console" quiet panic=-1 random.trust_cpu=on "GUEST_KERNEL=$kernel" "GUEST_RELEASE=$(<"$kernel_dir/release")"
    "${kernel_words[@]}" "$@" "${NETTOLL_GUEST_APPEND:-}"
  )
  emulator_command=(
    "$qemu" "${qemu_args[@]}" -smp "${NETTOLL_GUEST_SMP:-$smp}" -m "${NETTOLL_GUEST_MEMORY:-1024}"
    -nodefaults -no-user-config -display none -no-reboot
    -kernel "$kernel_dir/vmlinuz" -initrd "$dir/initramfs" -append "${words[*]}" "${extra[@]}"
  )
}

# boot_shell DIR: with the guest's console on this terminal, where Ctrl-C is for the guest too.
boot_shell() {
  local rows columns
  read -r rows columns < <(stty size)
  # A terminal that does not know its size says 0 and 0.
  ((rows && columns)) || rows=24 columns=80
  emulator_command "$1" GUEST_SHELL=1 "GUEST_ROWS=$rows" "GUEST_COLUMNS=$columns"
  setpriv --pdeathsig KILL "${emulator_command[@]}" -chardev stdio,id=console,signal=off -serial chardev:console
}

# boot_check DIR: returns the status of the check, or 1 if there is none.
boot_check() {
  local dir=$1 limit=${NETTOLL_GUEST_LIMIT:-240} status=0 console_fd printer emulator result
  emulator_command "$dir"
  [[ -z ${NETTOLL_GUEST_RESULT:-} ]] || rm -f "$NETTOLL_GUEST_RESULT"
  # Terminals end lines with CR LF; logs and patterns want LF.
  exec {console_fd}> >(sed -u 's/\r$//' | tee "$dir/console")
  printer=$!
  # In the background, since bash runs traps for signals only between commands or in `wait`. Should this script be
  # killed outright, the guest must not live on.
  setpriv --pdeathsig TERM timeout --kill-after=5 "$limit" setpriv --pdeathsig KILL "${emulator_command[@]}" -serial stdio \
    </dev/null >&"$console_fd" 2>&1 &
  emulator=$!
  at_exit end_process "$emulator"
  wait "$emulator" || status=$?
  exec {console_fd}>&-
  wait "$printer" || true

  result=$(sed -n 's/^guest-exit: \([0-9]\+\)$/\1/p' "$dir/console" | tail -n 1)
  if [[ -n $result ]]; then
    ((result != 0)) || keep_result "$dir/console"
    return "$result"
  elif ((status == 124 || status == 137)); then
    echo "guest: $kernel was stopped after $limit seconds (NETTOLL_GUEST_LIMIT)" >&2
  else
    echo "guest: $kernel ended with no result; $qemu ended with $status" >&2
  fi
  return 1
}

# keep_result CONSOLE: for kernel-table.
keep_result() {
  local result=${NETTOLL_GUEST_RESULT:-} package
  [[ -n $result ]] || return 0
  package=$(<"$kernel_dir/package")
  mkdir -p "${result%/*}"
  {
    cat "$1"
    [[ $package == "$image_package=$image_version" ]] || echo "substitute: $package"
  } >"$result.new"
  mv "$result.new" "$result"
}

end_process() {
  kill "$1" 2>/dev/null || return 0
  wait "$1" || true
}

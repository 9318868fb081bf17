# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2154 # set by lib/kernels.sh and lib/debian.sh
# Runs the emulator, shows the guest's console and finds out how the check in it ended.

# boot DIR: boots DIR/initramfs; returns the status of the check, or 1 if there is none.
boot() {
  local dir=$1 limit=${NETTOLL_GUEST_LIMIT:-240} status=0 console_fd printer emulator result
  # quiet: errors and worse still show. panic=-1 with -no-reboot: a crash ends the emulator at once.
  # A word that the kernel does not know becomes a variable in the environment of init.
  local command_line="console=$console quiet panic=-1 random.trust_cpu=on GUEST_KERNEL=$kernel"
  local command=(
    "$qemu" "${qemu_args[@]}"
    -smp "${NETTOLL_GUEST_CPUS:-2}" -m "${NETTOLL_GUEST_MEMORY:-1024}"
    -nodefaults -no-user-config -display none -serial stdio -no-reboot
    -kernel "$kernel_dir/vmlinuz" -initrd "$dir/initramfs" -append "$command_line"
  )

  # Terminals end lines with CR LF; logs and patterns want LF.
  exec {console_fd}> >(sed -u 's/\r$//' | tee "$dir/console")
  printer=$!
  # In the background, since bash runs traps for signals only between commands or in `wait`. Should this script be
  # killed outright, the guest must not live on.
  setpriv --pdeathsig TERM timeout --kill-after=5 "$limit" setpriv --pdeathsig KILL "${command[@]}" \
    </dev/null >&"$console_fd" 2>&1 &
  emulator=$!
  at_exit end_process "$emulator"
  wait "$emulator" || status=$?
  exec {console_fd}>&-
  wait "$printer" || true

  result=$(sed -n 's/^guest-exit: \([0-9]\+\)$/\1/p' "$dir/console" | tail -n 1)
  if [[ -n $result ]]; then
    return "$result"
  elif ((status == 124 || status == 137)); then
    echo "guest: Linux $kernel was stopped after $limit seconds (NETTOLL_GUEST_LIMIT)" >&2
  else
    echo "guest: Linux $kernel ended with no result; $qemu ended with $status" >&2
  fi
  return 1
}

end_process() {
  kill "$1" 2>/dev/null || return 0
  wait "$1" || true
}

# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034 # used by the other parts of guest
# The kernels that checks run on, and how each machine is emulated. A new kernel is a row here.

# KERNEL  MACHINE  SUITE  IMAGE  VERSION  NEWEST. IMAGE in VERSION is what is tested. A mirror keeps it until the suite gets the
# next one; then NEWEST stands in, a package that depends on the suite's image of the moment, and guest says so.
kernel_table='
5.10          x86           bullseye  linux-image-5.10.0-32-cloud-amd64         5.10.223-1  linux-image-cloud-amd64
6.1           x86           bookworm  linux-image-6.1.0-50-cloud-amd64          6.1.176-1   linux-image-cloud-amd64
6.12          x86           trixie    linux-image-6.12.117+deb13-cloud-amd64    6.12.117-1  linux-image-cloud-amd64
7.2           x86           sid       linux-image-7.2.13+deb14-cloud-amd64      7.2.13-1    linux-image-cloud-amd64
arm64         arm64         trixie    linux-image-6.12.117+deb13-cloud-arm64    6.12.117-1  linux-image-cloud-arm64
arm64-icount  arm64-icount  trixie    linux-image-6.12.117+deb13-cloud-arm64    6.12.117-1  linux-image-cloud-arm64
riscv64       riscv64       trixie    linux-image-6.12.117+deb13-riscv64        6.12.117-1  linux-image-riscv64
'

kernel_names() {
  awk 'NF { print $1 }' <<<"$kernel_table"
}

# read_kernel NAME: sets kernel, suite, image_package, image_version, newest_package, and what read_machine sets.
read_kernel() {
  local row machine
  row=$(awk -v name="$1" '$1 == name' <<<"$kernel_table")
  [[ -n $row ]] || unusable "no kernel '$1'; there are: $(kernel_names | xargs)"
  read -r kernel machine suite image_package image_version newest_package <<<"$row"
  read_machine "$machine"
}

# read_machine MACHINE: sets qemu, qemu_package, qemu_args, console, smp (CPUs, unless a check wants others), kernel_words (for
# its command line), and what read_arch sets.
read_machine() {
  smp=2 kernel_words=()
  case $1 in
  x86)
    read_arch x86
    qemu=qemu-system-x86_64 qemu_package=qemu-system-x86 console=ttyS0
    # In one thread: where emulated x86 CPUs run in parallel, one may still execute the breakpoint by which the kernel patches
    # its code after all others are past it (Oops: int3), and hooks come and go all the time here.
    qemu_args=(-machine pc -accel "${NETTOLL_GUEST_ACCEL:-tcg,thread=single}" -cpu max)
    # On a busy host the emulated timer may be too late for the kernel's test of it, which ends in a panic.
    kernel_words=(no_timer_check)
    ;;
  arm64*)
    # Has a PMU: cycles. Pointer authentication by the architecture's own cipher would take most of the emulator's time.
    read_arch arm64
    qemu=qemu-system-aarch64 qemu_package=qemu-system-arm console=ttyAMA0
    qemu_args=(-machine virt -accel "${NETTOLL_GUEST_ACCEL:-tcg}" -cpu "max,pauth-impdef=on")
    ;;&
  arm64-icount)
    # The clock advances by instructions alone: the same work takes the same number of them, and the PMU counts them.
    qemu_args+=(-icount "shift=1,sleep=off") smp=1
    ;;
  riscv64)
    # Has a PMU: cycles, instructions, TLB misses.
    read_arch riscv64
    qemu=qemu-system-riscv64 qemu_package=qemu-system-misc console=ttyS0
    qemu_args=(-machine virt -accel "${NETTOLL_GUEST_ACCEL:-tcg}" -cpu "rv64,sscofpmf=true")
    ;;
  esac
}

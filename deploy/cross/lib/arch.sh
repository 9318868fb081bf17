# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034 # used by who sources this
# The architectures that nettoll runs on. A new one is a case here, a toolchain file beside, and a kernel header in
# bpf/vmlinux.

# read_arch ARCH: sets arch, debian_arch, triplet (Debian's multiarch name), elf_machine (as readelf names it).
read_arch() {
  arch=$1
  case $arch in
  x86) debian_arch=amd64 triplet=x86_64-linux-gnu elf_machine=X86-64 ;;
  arm64) debian_arch=arm64 triplet=aarch64-linux-gnu elf_machine=AArch64 ;;
  riscv64) debian_arch=riscv64 triplet=riscv64-linux-gnu elf_machine=RISC-V ;;
  *) unusable "no architecture '$arch'; there are: x86 arm64 riscv64" ;;
  esac
}

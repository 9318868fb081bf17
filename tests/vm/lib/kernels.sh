# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034
# The kernels that checks run on, and how each architecture is emulated. A new kernel is a row here.

# KERNEL  ARCH  SUITE  PACKAGE; PACKAGE depends on the image of the moment. In sid that changes: when the boot check says
# so, rename the row.
kernel_table='
5.10  x86  bullseye  linux-image-cloud-amd64
6.1   x86  bookworm  linux-image-cloud-amd64
6.12  x86  trixie    linux-image-cloud-amd64
7.2   x86  sid       linux-image-cloud-amd64
'

kernel_names() {
  awk 'NF { print $1 }' <<<"$kernel_table"
}

# read_kernel NAME: sets kernel, kernel_arch, suite, image_package, and what read_arch sets.
read_kernel() {
  local row
  row=$(awk -v name="$1" '$1 == name' <<<"$kernel_table")
  if [[ -z $row ]]; then
    echo "guest: no kernel '$1'; there are: $(kernel_names | xargs)" >&2
    exit 2
  fi
  read -r kernel kernel_arch suite image_package <<<"$row"
  read_arch "$kernel_arch"
}

# read_arch ARCH: sets debian_arch, machine (ELF name of readelf -h), qemu, qemu_package, qemu_args, console.
read_arch() {
  case $1 in
  x86)
    debian_arch=amd64 machine=X86-64 console=ttyS0
    qemu=qemu-system-x86_64 qemu_package=qemu-system-x86
    qemu_args=(-machine pc -accel tcg -cpu max)
    ;;
  esac
}

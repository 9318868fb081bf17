# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2154 # set by lib/kernels.sh
# The shared libraries that a program needs, and its loader: from this host, or from the sysroot that it was linked with.

# add_libraries ROOT FILE: into a guest's ROOT, at the paths where FILE looks for them.
add_libraries() {
  local sysroot
  if [[ $(readelf --file-header "$BASH" | elf_field Machine) == *"$elf_machine"* ]]; then
    add_host_libraries "$@"
  else
    sysroot=$(sysroot_of "$2")
    add_sysroot_libraries "$@" "$sysroot"
  fi
}

elf_field() {
  sed -n "s/^ *$1: *//p"
}

# add_host_libraries ROOT FILE
add_host_libraries() {
  local libraries library
  libraries=$(ldd "$2")
  ! grep -q 'not found' <<<"$libraries" || unusable "$2 lacks shared libraries on this host: $libraries"
  while read -r library; do
    install -D -m 755 "$library" "$1$library"
  done < <(grep -o '/[^ ]*' <<<"$libraries")
}

# sysroot_of FILE: the tree that it is part of, or that of nettoll's own builds.
sysroot_of() {
  local dir
  dir=$(realpath "$1")
  while [[ -n $dir ]]; do
    dir=${dir%/*}
    [[ ! -e $dir/usr/lib/$triplet/libc.so.6 ]] || break
  done
  [[ -n $dir ]] || dir=$("$top/deploy/cross/sysroot" "$arch")
  echo "$dir"
}

# add_sysroot_libraries ROOT FILE SYSROOT
add_sysroot_libraries() {
  local root=$1 file=$2 sysroot=$3 interpreter library place
  interpreter=$(readelf --program-headers "$file" | sed -n 's/.*program interpreter: \(.*\)\]$/\1/p')
  if [[ -n $interpreter && ! -e $root$interpreter ]]; then
    install -D -m 755 "$sysroot$interpreter" "$root$interpreter"
  fi
  while read -r library; do
    place=/usr/lib/$triplet/$library
    [[ ! -e $root$place ]] || continue
    [[ -e $sysroot$place ]] || unusable "$file needs $library, which $sysroot lacks"
    install -D -m 755 "$sysroot$place" "$root$place"
    add_sysroot_libraries "$root" "$sysroot$place" "$sysroot"
  done < <(readelf --dynamic "$file" | sed -n 's/.*(NEEDED).*\[\(.*\)\]$/\1/p')
}

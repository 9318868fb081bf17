# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2154 # set by lib/kernels.sh and deploy/cross/lib
# Where a guest's kernel comes from: Debian's packages, the few files in use, at paths that do not vary with the suite.

# fetch_kernel: makes sure that the kernel of read_kernel is in the cache; sets kernel_dir, which holds
#   vmlinuz, release, lib/modules/RELEASE (indexed by depmod), busybox, package (IMAGE=VERSION)
fetch_kernel() {
  local wanted=$image_package=$image_version package
  kernel_dir=$cache/guests/$image_package-$image_version
  make_once "$kernel_dir" make_kernel
  package=$(<"$kernel_dir/package")
  [[ $package == "$wanted" ]] ||
    echo "guest: Debian $suite no longer had $wanted when it was fetched; $package stands in for it" >&2
}

# make_kernel DIR
make_kernel() {
  local root=$1/root package parts
  need depmod kmod
  mkdir "$root"
  apt_start "$suite" "$debian_arch"
  package=$(image_to_fetch)
  [[ -n $package ]] || skip "Debian $suite has no $newest_package for $debian_arch"
  # Newer suites have split the image package: the files are in what it depends on.
  mapfile -t parts < <(depends_on "$package" '^linux-(base|binary|modules)-[0-9]')
  unpack_packages "$root" "$package" "${parts[@]}" busybox-static
  arrange_kernel "$root" "$1"
  echo "$package" >"$1/package"
  rm -rf "$root"
}

# The pinned package, or else the newest, as PACKAGE=VERSION.
image_to_fetch() {
  local image=$image_package=$image_version
  if ! has_package "$image"; then
    image=$(depends_on "$newest_package" '^linux-image-[0-9]')
    image=${image:+$image=$(newest_version "$image")}
  fi
  echo "$image"
}

# arrange_kernel FROM TO
arrange_kernel() {
  local from=$1 to=$2 image modules release
  image=$(find "$from" -type f \( -name 'vmlinuz*' -o -name 'vmlinux-*' \) -print -quit)
  modules=$(find "$from" -type d -path '*lib/modules/*' -name kernel -print -quit)
  [[ -n $image && -n $modules ]] || skip "the packages of $newest_package hold no kernel or no modules where they used to"
  modules=${modules%/kernel}
  release=${modules##*/}
  mkdir -p "$to/lib/modules"
  mv "$image" "$to/vmlinuz"
  mv "$modules" "$to/lib/modules/$release"
  mv "$(find "$from" -type f -path '*bin/busybox' -print -quit)" "$to/busybox"
  PATH=$PATH:/usr/sbin:/sbin depmod -b "$to" "$release"
  echo "$release" >"$to/release"
}

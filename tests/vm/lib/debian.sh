# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2154 # set by guest and lib/kernels.sh
# Debian packages of any suite and architecture, unpacked without being installed. apt gets folders of its own, so that the
# host's lists and packages stay as they are; its proxy and other network settings still hold.

# fetch_kernel: makes sure that the kernel of read_kernel is in the cache; sets kernel_dir, which holds
#   vmlinuz, release, lib/modules/RELEASE (indexed by depmod), busybox
fetch_kernel() {
  kernel_dir=$cache/$kernel-$kernel_arch
  [[ -e $kernel_dir/release ]] && return
  need apt-get apt
  need dpkg-deb dpkg
  need depmod kmod
  need flock util-linux
  mkdir -p "$cache"
  local lock
  exec {lock}>"$kernel_dir.lock"
  flock "$lock" # tests that start together download once
  [[ -e $kernel_dir/release ]] || download_kernel
  exec {lock}>&-
}

download_kernel() {
  local new
  new=$(mktemp -d "$cache/.new.XXXXXX")
  at_exit rm -rf "$new"
  mkdir "$new/root" "$new/kernel"
  apt_start "$new/apt"
  download_packages "$new/root"
  arrange_kernel "$new/root" "$new/kernel"
  rm -rf "$kernel_dir" # an earlier one that was not finished
  mv "$new/kernel" "$kernel_dir"
}

# apt_start DIR: sets apt_options to use folders under DIR, and reads the suite's package list.
apt_start() {
  local mirror=${NETTOLL_DEBIAN_MIRROR:-}
  if [[ -z $mirror ]]; then
    # shellcheck disable=SC2016 # apt expands it
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep '/debian/$' | sort -u) ||
      skip "this host's apt has no Debian mirror: set NETTOLL_DEBIAN_MIRROR"
    mirror=${mirror%%$'\n'*}
  fi
  local keys=/usr/share/keyrings/debian-archive-keyring.gpg
  [[ -r $keys ]] || skip "$keys is missing: install debian-archive-keyring"
  mkdir -p "$1"/{state/lists/partial,cache/archives/partial}
  echo "deb [arch=$debian_arch signed-by=$keys] $mirror $suite main" >"$1/sources.list"
  apt_options=(
    -qq
    -o "APT::Architecture=$debian_arch" -o "APT::Architectures=$debian_arch"
    -o "Dir::State=$1/state" -o Dir::State::status=/dev/null -o "Dir::Cache=$1/cache"
    -o "Dir::Etc::SourceList=$1/sources.list" -o Dir::Etc::SourceParts=/dev/null
    -o Acquire::Languages=none -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20
    -o APT::Sandbox::User= # the folders are ours, not those of apt's own user
  )
  apt-get "${apt_options[@]}" -o APT::Update::Error-Mode=any update >&2 ||
    skip "cannot read the package list of Debian $suite: is there a network?"
}

# depends_on PACKAGE PATTERN: its direct dependencies that match.
depends_on() {
  apt-cache "${apt_options[@]}" depends --important "$1" | awk -v pattern="$2" '$1 == "Depends:" && $2 ~ pattern { print $2 }'
}

# download_packages DIR: the kernel and what goes with it, unpacked into DIR.
download_packages() {
  local image packages file
  image=$(depends_on "$image_package" '^linux-image-[0-9]')
  [[ -n $image ]] || skip "Debian $suite has no $image_package for $debian_arch"
  # Newer suites have split the image package: the files are in what it depends on.
  mapfile -t packages < <(depends_on "$image" '^linux-(base|binary|modules)-[0-9]')
  packages+=("$image" busybox-static)
  (cd "$1" && apt-get "${apt_options[@]}" download "${packages[@]}" >&2) || skip "cannot download ${packages[*]}"
  for file in "$1"/*.deb; do
    dpkg-deb --extract "$file" "$1"
    rm "$file"
  done
}

# arrange_kernel FROM TO: the few files in use, at paths that do not vary with the suite.
arrange_kernel() {
  local from=$1 to=$2 image modules release
  image=$(find "$from" -type f \( -name 'vmlinuz*' -o -name 'vmlinux-*' \) -print -quit)
  modules=$(find "$from" -type d -path '*lib/modules/*' -name kernel -print -quit)
  [[ -n $image && -n $modules ]] || skip "the packages of $image_package hold no kernel or no modules where they used to"
  modules=${modules%/kernel}
  release=${modules##*/}
  mkdir -p "$to/lib/modules"
  mv "$image" "$to/vmlinuz"
  mv "$modules" "$to/lib/modules/$release"
  mv "$(find "$from" -type f -path '*bin/busybox' -print -quit)" "$to/busybox"
  PATH=$PATH:/usr/sbin:/sbin depmod -b "$to" "$release"
  echo "$release" >"$to/release"
}

# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Debian packages of any suite and architecture, unpacked without being installed. apt gets folders of its own, so that the
# host's lists and packages stay as they are; its proxy and other network settings still hold.

# apt_start SUITE ARCH: reads the suite's package list, for the functions below. Skips where there is no network.
apt_start() {
  local suite=$1 arch=$2 mirror dir keys=/usr/share/keyrings/debian-archive-keyring.gpg
  need apt-get apt
  need dpkg-deb dpkg
  [[ -r $keys ]] || skip "$keys is missing: install debian-archive-keyring"
  mirror=${NETTOLL_DEBIAN_MIRROR:-$(host_mirror)}
  [[ -n $mirror ]] || skip "this host's apt has no Debian mirror: set NETTOLL_DEBIAN_MIRROR"
  dir=$(mktemp -d)
  at_exit rm -rf "$dir"
  mkdir -p "$dir"/{state/lists/partial,cache/archives/partial}
  echo "deb [arch=$arch signed-by=$keys] $mirror $suite main" >"$dir/sources.list"
  apt_options=(
    -qq
    -o "APT::Architecture=$arch" -o "APT::Architectures=$arch"
    -o "Dir::State=$dir/state" -o Dir::State::status=/dev/null -o "Dir::Cache=$dir/cache"
    -o "Dir::Etc::SourceList=$dir/sources.list" -o Dir::Etc::SourceParts=/dev/null
    -o Acquire::Languages=none -o Acquire::Retries=2 -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20
    -o APT::Sandbox::User= # the folders are ours, not those of apt's own user
  )
  apt-get "${apt_options[@]}" -o APT::Update::Error-Mode=any update >&2 ||
    skip "cannot read the package list of Debian $suite: is there a network?"
}

host_mirror() {
  # shellcheck disable=SC2016 # apt expands it
  apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null | grep -m 1 '/debian/$'
}

# has_package PACKAGE=VERSION
has_package() {
  apt-cache "${apt_options[@]}" madison "${1%%=*}" | awk -F' *[|] *' -v version="${1#*=}" '$2 == version { found = 1 } END { exit !found }'
}

# newest_version PACKAGE
newest_version() {
  apt-cache "${apt_options[@]}" madison "$1" | awk -F' *[|] *' 'NR == 1 { print $2 }'
}

# depends_on PACKAGE[=VERSION] PATTERN: its direct dependencies that match.
depends_on() {
  apt-cache "${apt_options[@]}" depends --important "$1" | awk -v pattern="$2" '$1 == "Depends:" && $2 ~ pattern { print $2 }'
}

# with_dependencies PACKAGE...: these and all that they depend on.
with_dependencies() {
  apt-get "${apt_options[@]}" --simulate --no-install-recommends install "$@" | awk '$1 == "Inst" { print $2 }'
}

# unpack_packages DIR PACKAGE[=VERSION]...: their files, into DIR.
unpack_packages() {
  local dir=$1 file
  shift
  (cd "$dir" && apt-get "${apt_options[@]}" download "$@" >&2) || skip "cannot download $*"
  for file in "$dir"/*.deb; do
    # Not by --extract, which would put a folder where DIR has /lib as a link to usr/lib.
    dpkg-deb --fsys-tarfile "$file" | tar --extract --keep-directory-symlink --directory "$dir"
    rm "$file"
  done
}

# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034 # used by who sources this
# Downloads that are kept outside of every build tree, so that a clean build asks the network for nothing.

cache=${NETTOLL_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/nettoll}

# make_once DIR FUNCTION ARG...: unless DIR is there, makes it by FUNCTION NEW ARG..., which fills the empty folder NEW.
# DIR appears whole, by a rename; of scripts that want it at the same time one makes it and the others wait.
make_once() {
  local dir=$1 lock new
  shift
  [[ -e $dir ]] && return
  need flock util-linux
  mkdir -p "${dir%/*}"
  exec {lock}>"$dir.lock"
  flock "$lock"
  if [[ ! -e $dir ]]; then
    new=$(mktemp -d "${dir%/*}/.new.XXXXXX")
    at_exit rm -rf "$new"
    chmod 755 "$new"
    "$1" "$new" "${@:2}"
    mv -T "$new" "$dir"
  fi
  exec {lock}>&-
}

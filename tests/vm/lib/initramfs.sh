# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2154 # set by lib/kernels.sh and lib/kernel_files.sh
# Packs what a guest holds: busybox, the check, the files given with it, their libraries, kernel modules.

# Networking that checks may ask for. What a kernel has built in, or does not have, is left out.
guest_modules=(
  virtio_pci virtio_mmio virtio_net veth dummy tun ifb bridge macvlan 8021q vxlan ip_gre af_packet pktgen openvswitch mac80211
  sch_netem sch_fq sch_fq_codel sch_tbf sch_htb sch_ingress cls_matchall cls_bpf act_mirred
  nf_conntrack nf_tables nft_ct nft_limit nft_compat ip_tables iptable_filter xt_conntrack xt_limit
)

# pack_initramfs DIR INIT SCRIPT FILE...: makes DIR/initramfs.
pack_initramfs() {
  local dir=$1 init=$2 script=$3 root=$1/root file
  shift 3
  [[ -r $script ]] || unusable "cannot read $script"
  for file in "$@"; do
    [[ -r $file ]] || skip "$file is not there: build it"
  done
  mkdir -p "$root"/{bin,sbin,etc,proc,sys,dev,tmp,run,var,root,usr/lib}
  ln -s usr/lib "$root/lib" # as in Debian: a library has one place
  install -m 755 "$kernel_dir/busybox" "$root/bin/busybox"
  install -m 755 "$init" "$root/init"
  install -m 755 "$script" "$root/check"
  install -m 644 "$here/common.sh" "$root/common.sh"
  for file in "$@"; do
    add_program "$root" "$file"
  done
  add_modules "$root"
  # Not compressed: emulated CPUs unpack more slowly than the host copies.
  (cd "$root" && find . -print0 | cpio --null --create --format=newc --owner=0:0 --quiet) >"$dir/initramfs"
  rm -rf "$root"
}

# add_program ROOT FILE: into /bin, with the shared libraries and the loader where it looks for them.
add_program() {
  local root=$1 file=$2 headers
  install -m 755 "$file" "$root/bin/"
  headers=$(readelf --file-header --program-headers "$file" 2>/dev/null) || return 0 # a script, or data
  grep -q INTERP <<<"$headers" || return 0                                           # a static program, or an object
  grep -q "Machine:.*$elf_machine" <<<"$headers" || unusable "$file is not for $arch"
  add_libraries "$root" "$file"
}

# add_modules ROOT: the modules with those they depend on, unpacked and indexed for modprobe.
add_modules() {
  local root=$1 release module path packed
  release=$(<"$kernel_dir/release")
  local to=$root/usr/lib/modules/$release PATH=$PATH:/usr/sbin:/sbin
  mkdir -p "$to"
  for module in "${guest_modules[@]}"; do
    # Lines are "insmod FILE" or "builtin NAME".
    while read -r _ path _; do # without options of modprobe.d
      [[ -f $path ]] || continue
      packed=$to/${path##*/}
      case $path in
      *.xz) xz -dc "$path" >"${packed%.xz}" ;;
      *.zst) zstd -dcq "$path" >"${packed%.zst}" ;;
      *) cp "$path" "$packed" ;;
      esac
    done < <(modprobe -d "$kernel_dir" -S "$release" --ignore-install --show-depends "$module" 2>/dev/null || true)
  done
  cp "$kernel_dir/lib/modules/$release"/modules.builtin* "$to/"
  depmod -b "$root" "$release" 2>/dev/null
}

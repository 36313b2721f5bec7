# shellcheck shell=bash
# Sourced by release.sh and tests/package.sh, which run as root in a mount namespace of their own: trees of Debian, and commands in them.

# inside TREE COMMAND...
inside() {
  local tree=$1
  shift
  chroot "$tree" /usr/bin/env PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
}

# make_tree SUITE TREE: creates the tree if it does not exist, and mounts /proc and /dev in it.
make_tree() {
  if [ ! -e "$2/etc/debian_version" ]; then
    rm -rf --one-file-system "$2.part"  # of an interrupted run
    debootstrap --variant=minbase "$1" "$2.part" http://deb.debian.org/debian
    [ ! -d "$2" ] || rmdir "$2"
    mv "$2.part" "$2"
  fi
  mountpoint -q "$2/proc" || mount -t proc proc "$2/proc"
  mountpoint -q "$2/dev" || mount --rbind /dev "$2/dev"
  inside "$2" apt-get -qq update
}

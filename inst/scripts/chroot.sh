#!/bin/sh
# Runs a command as root in another release of Debian, in a folder made by
# debootstrap once and kept ($HITMISS_CHROOTS, else the user's cache):
#   sh inst/scripts/chroot.sh RELEASE "PACKAGES" COMMAND...
# with Debian's PACKAGES there (those that the release has), and with the
# checkout at /checkout, for reading. Mounts live in a name space of this
# process, so that none is left, however it ends. Debian's address, proxies and
# certificates are this machine's. Status 77: no such folder can be had here.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu

skip() {
  echo "chroot.sh: $*" >&2
  exit 77
}

if [ -z "${HITMISS_UNSHARED-}" ]; then
  [ "$(id -u)" = 0 ] || skip "only root can use chroot"
  for tool in debootstrap apt-get unshare flock; do
    command -v $tool >/dev/null || skip "there is no $tool"
  done
  unshare --mount true || skip "no mounts are allowed here"
  HITMISS_UNSHARED=1 exec unshare --mount sh "$0" "$@"
fi

release=$1
packages=$2
shift 2
checkout=$(cd "$(dirname "$0")/../.." && pwd)
kept=${HITMISS_CHROOTS:-${XDG_CACHE_HOME:-$HOME/.cache}/hitmiss}
folder=$kept/$release
mkdir -p "$kept"

make_folder() {
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Label: Debian' | head -1)
  [ -n "$mirror" ] || skip "apt knows no address of Debian"
  rm -rf "$folder.new"
  timeout 900 debootstrap --variant=minbase --include=ca-certificates \
    "$release" "$folder.new" "$mirror" >"$folder.log" 2>&1 ||
    skip "debootstrap failed, see $folder.log"
  apt-config dump | grep -E '^Acquire::(http|https)::' \
    >"$folder.new/etc/apt/apt.conf.d/90host" || true
  echo force-unsafe-io >"$folder.new/etc/dpkg/dpkg.cfg.d/fast"
  mv "$folder.new" "$folder"
}

inside() {
  chroot "$folder" env DEBIAN_FRONTEND=noninteractive HOME=/root LC_ALL=C.UTF-8 \
    TMPDIR=/tmp PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    "$@"
}

# What was asked for before is there, or not to be had. Its status counts: so
# `set -e` does not, and each step waits for the one before.
install_packages() {
  # shellcheck disable=SC2046
  # A mirror that stands still has releases that call themselves expired.
  inside apt-get update -qq --error-on=any \
    -o Acquire::Check-Valid-Until=false &&
    inside apt-cache pkgnames | sort >"$folder/known" &&
    inside apt-get install -y -qq --no-install-recommends \
      $(echo "$wanted" | comm -12 - "$folder/known") &&
    inside apt-get clean && echo "$wanted" >>"$folder/asked"
}

exec 9>"$kept/$release.lock"
flock 9
[ -d "$folder" ] || make_folder
mkdir -p "$folder/checkout"
mount -t proc proc "$folder/proc" && mount --rbind /dev "$folder/dev" &&
  mount --bind "$checkout" "$folder/checkout" &&
  mount -o remount,bind,ro "$folder/checkout" || skip "a mount is not allowed"
cp /etc/resolv.conf "$folder/etc/resolv.conf"
touch "$folder/asked"
# shellcheck disable=SC2086
wanted=$(printf '%s\n' $packages | sort -u | grep -vxFf "$folder/asked" || true)
if [ -n "$wanted" ]; then
  install_packages >>"$folder.log" 2>&1 9>&- ||
    skip "packages could not be installed, see $folder.log"
fi
if [ -e /etc/ssl/certs/ca-certificates.crt ]; then
  cp /etc/ssl/certs/ca-certificates.crt "$folder/etc/ssl/certs/"
fi
flock -u 9
inside "$@" 9>&-

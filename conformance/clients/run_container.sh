#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The image of scripts/container, made of the build folder in $SLUICE_TEST_BUILD: a kernel on each device in it.
. "$(dirname "$0")/lib.sh"
: "${SLUICE_TEST_BUILD:?names the build folder}"
need_package debootstrap
[ "$(id -u)" = 0 ] || { echo "SKIP: only root can fill a root file system"; exit 77; }
base=$shared/debian-base
if [ ! -e "$base/done" ]; then
    rm -rf --one-file-system "$base"
    debootstrap --variant=minbase bookworm "$base" >"$work/debootstrap.log" 2>&1 ||
        install_failed "a Debian in a folder" "$work/debootstrap.log"
    touch "$base/done"
fi

# A package of what is built here; cpack's takes a build folder of its own.
rm -rf --one-file-system "$work/stage" "$work/image"
mkdir -p "$work/stage/DEBIAN" "$work/image"
DESTDIR='' cmake --install "$SLUICE_TEST_BUILD" --strip --component Unspecified --prefix "$work/stage/usr" >"$work/log"
mv "$work/stage/usr/etc" "$work/stage/etc"
(cd "$work/stage" && find usr -name libsluice.so -printf '/%p\n') >"$work/library"
mv "$work/library" "$work/stage/etc/OpenCL/vendors/sluice.icd"
cat >"$work/stage/DEBIAN/control" <<END
Package: sluice-opencl-icd
Version: 0.1.0
Architecture: $(dpkg --print-architecture)
Maintainer: nobody
Depends: libc6, libstdc++6, zlib1g, libzstd1
Description: what the test has built
END
dpkg-deb --root-owner-group -Zgzip -z1 -b "$work/stage" "$work/sluice.deb" >>"$work/log"
"$here/../../scripts/container" --base "$base" --out "$work/image.tar.gz" "$work/sluice.deb"

tar -C "$work/image" -xzf "$work/image.tar.gz"
cc -O1 -w -DCL_TARGET_OPENCL_VERSION=120 -o "$work/image/use" "$here/container_use.c" -lOpenCL -lm
# Nothing of this machine is in the environment, and /proc is the image's own.
expect ends unshare --mount --pid --fork sh -euc 'mount -t proc proc "$1/proc"
    exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp chroot "$1" /use' sh "$work/image" >"$work/log" 2>&1
cat "$work/log"
grep -E '^(pass|fail) ' "$work/log" >>"$results" || true
rm -rf --one-file-system "$work/stage" "$work/image"
judge

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Prints the path of libclc 22's nvptx64 bitcode, fetching it when needed:
#   scripts/fetch_libclc.sh FOLDER
# The package is unpacked privately into FOLDER. It is not installed: libclc packages of different
# LLVM versions conflict and use the same file names, so an installed file is taken only when its
# size proves its version. Nothing of it is needed after the build.
set -eu

folder=$1
file=usr/lib/clc/nvptx64--.bc
size=5036712

is_right() { [ -f "$1" ] && [ "$(stat -L -c %s "$1")" = "$size" ]; }

for candidate in "$folder/$file" "/$file"; do
    if is_right "$candidate"; then
        echo "$candidate"
        exit 0
    fi
done
mkdir -p "$folder"
cd "$folder"
apt-get download libclc-22 >&2
for package in libclc-22_*.deb; do
    dpkg-deb -x "$package" .
done
rm -f libclc-22_*.deb
find usr -type f ! -path "$file" -delete
find usr -type l -delete
if ! is_right "$file"; then
    echo "fetch_libclc.sh: libclc-22 is not the version this build knows" >&2
    exit 1
fi
echo "$folder/$file"

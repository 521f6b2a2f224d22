#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Prints the path of libclc 22's nvptx64 bitcode, fetching it when needed:
#   scripts/fetch_libclc.sh FOLDER
# The package is unpacked privately into FOLDER. It is not installed: libclc packages of different
# LLVM versions conflict and use the same file names, so an installed file is taken only when the
# package manager says that it comes from libclc-22. Nothing of it is needed after the build.
set -eu

folder=$1
file=usr/lib/clc/nvptx64--.bc

if [ -f "$folder/$file" ]; then
    echo "$folder/$file"
    exit 0
fi
if [ -f "/$file" ] && dpkg -S "/$file" 2>/dev/null | grep -q '^libclc-22:'; then
    echo "/$file"
    exit 0
fi
mkdir -p "$folder"
cd "$folder"
apt-get -o APT::Sandbox::User=root -qq download libclc-22 >&2
for package in libclc-22_*.deb; do
    dpkg-deb -x "$package" .
done
rm -f libclc-22_*.deb
find usr -type f ! -path "$file" -delete
find usr -type l -delete
if [ ! -f "$file" ]; then
    echo "fetch_libclc.sh: the package libclc-22 has no /$file" >&2
    exit 1
fi
echo "$folder/$file"

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What the built library shows and needs: exactly the symbols of icd/exports.map, and the C library; thread-local data
# that a thread has from its start, and so little of it that it fits where libraries are loaded late.
# Usage: check_exports.sh path/to/libsluice.so
set -euo pipefail
library=${1:?usage: check_exports.sh libsluice.so}
here=$(cd "$(dirname "$0")/.." && pwd)
bad=0
# Read as a whole first: a tool that fails must not look like a library without faults.
symbols=$(nm -D "$library")
dynamic=$(readelf -d "$library")
segments=$(readelf -lW "$library")

wanted=$(sed -n '/global:/,/local:/s/^ *\([A-Za-z]*\);$/\1/p' "$here/icd/exports.map" | sort)
found=$(nm -D --defined-only "$library" | awk '{print $3}' | sort)
if [ "$wanted" != "$found" ]; then
    echo "exported: $(echo $found)" >&2
    echo "expected: $(echo $wanted)" >&2
    bad=1
fi

for needed in $(sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' <<<"$dynamic"); do
    case $needed in
    libc.so.* | libm.so.* | libdl.so.* | libpthread.so.* | ld-linux*) ;;
    *)
        echo "needs $needed" >&2
        bad=1
        ;;
    esac
done

if grep -q TEXTREL <<<"$dynamic"; then
    echo "has text relocations" >&2
    bad=1
fi
if grep -q __tls_get_addr <<<"$symbols"; then
    echo "allocates thread-local data at a thread's first touch, which may end the process" >&2
    bad=1
fi
thread_bytes=$(awk '$1 == "TLS" {print $6}' <<<"$segments")
if [ $((${thread_bytes:-0})) -gt 192 ]; then
    echo "has $((thread_bytes)) bytes of data for each thread; the C library's reserve is for all libraries" >&2
    bad=1
fi
[ $bad = 0 ] && echo "$library: exports and needs what it should"
exit $bad

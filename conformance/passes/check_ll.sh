#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# check_ll.sh STATUS FILECHECK FILE COMMAND...: the command ends with STATUS, and FileCheck finds in
# what it printed what FILE says. A shell's `a | b` succeeds where a crashes behind its last line.
set -u
wanted=$1 filecheck=$2 file=$3
shift 3
"$@" | "$filecheck" "$file"
ended=("${PIPESTATUS[@]}")
if [ "${ended[0]}" -ne "$wanted" ]; then
    echo "status ${ended[0]} instead of $wanted: $*" >&2
    exit 1
fi
exit "${ended[1]}"

# SPDX-License-Identifier: Apache-2.0
# For the run_*.sh scripts: what a client needs is installed here, and its results are judged.
# Called as run_NAME.sh WORK_FOLDER; OCL_ICD_VENDORS leaves one vendor's library visible, or
# SLUICE_CLIENT_PLATFORM names another's: an .icd file, or what it is called in /etc/OpenCL/vendors.
# What is installed (the Python environment, archives) is shared by all clients and lives beside
# WORK_FOLDER, so that it is there for the next run.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "${1:?usage: $(basename "$0") WORK_FOLDER}"
work=$(cd "$1" && pwd)
shared=$(dirname "$work")
client=$(basename "$0" .sh)
client=${client#run_}
results=$work/results
times=$work/times
list=${SLUICE_CLIENT_LIST:-$here/../lists/$client.txt}

# A run starts from nothing: home, caches and results of its own, also those of a program that may crash.
rm -rf "$work/home" "$work/cache" "$work/vendors" "$work"/*.xml "$results" "$times"
mkdir -p "$work/home/.cache" "$work/cache"
if [ -n "${SLUICE_CLIENT_PLATFORM:-}" ]; then
    icd=$SLUICE_CLIENT_PLATFORM
    [ -e "$icd" ] || icd=/etc/OpenCL/vendors/$icd.icd
    mkdir "$work/vendors"
    cp "$icd" "$work/vendors/"
    export OCL_ICD_VENDORS=$work/vendors/
    list=${SLUICE_CLIENT_LIST:-/dev/null} # what is known to fail on Sluice
fi
: "${OCL_ICD_VENDORS:?names the folder with the one .icd file to test}"
export HOME=$work/home XDG_CACHE_HOME=$work/home/.cache XDG_DATA_HOME=$work/home/.local
export SLUICE_CACHE_DIR=$work/cache POCL_CACHE_DIR=$work/home/.cache
: >"$results"
: >"$times"

# install_failed WHAT LOG: without a network there is nothing to test; anything else is a failure.
install_failed() {
    if grep -qiE "could not resolve|name resolution|network is unreachable|no route to host|connection (refused|timed out|failed)|failed to establish|unable to connect|unable to locate package" "$2"; then
        echo "SKIP: $1 is missing and there is no network to get it from (see $2)"
        exit 77
    fi
    tail -15 "$2"
    echo "installing $1 failed (see $2)"
    exit 1
}

# need_package PACKAGE...: from Debian.
need_package() {
    local missing=() name log=$work/apt.log
    for name in "$@"; do
        dpkg-query -W -f='${Status}' "$name" 2>/dev/null | grep -q 'ok installed' || missing+=("$name")
    done
    [ ${#missing[@]} -eq 0 ] && return
    if [ "$(id -u)" != 0 ]; then
        echo "install as root first: apt-get install --no-install-recommends ${missing[*]}"
        exit 1
    fi
    echo "installing ${missing[*]}"
    (
        flock 9
        export DEBIAN_FRONTEND=noninteractive
        apt-get update
        apt-get install -y --no-install-recommends "${missing[@]}"
    ) 9>"$shared/apt.lock" >"$log" 2>&1 || install_failed "${missing[*]}" "$log"
}

# need_python PACKAGE...: from PyPI; sets $python. Versions that do not go together with what most clients use live in an
# environment of their own: environment=NAME need_python ...
need_python() {
    local log=$work/pip.log folder=$shared/${environment:-venv}
    need_package python3-venv
    python=$folder/bin/python
    echo "checking for $* from PyPI"
    (
        flock 9
        [ -e "$folder/bin/pip" ] || python3 -m venv "$folder"
        "$python" -m pip install --disable-pip-version-check "$@"
    ) 9>"$folder.lock" >"$log" 2>&1 || install_failed "$*" "$log"
}

# need_source NAME: its source archive from PyPI, unpacked; sets $source_folder.
need_source() {
    local log=$work/source.log
    mkdir -p "$shared/source"
    source_folder=$(find "$shared/source/" -maxdepth 1 -type d -name "$1-*")
    [ -n "$source_folder" ] && return
    (
        "$python" -m pip download --disable-pip-version-check --no-deps --no-binary "$1" \
            --no-build-isolation -d "$shared/source" "$1=="$("$python" -m pip show "$1" |
            sed -n 's/^Version: //p')
        tar -C "$shared/source" -xf "$shared/source/$1-"*.tar.gz
    ) >"$log" 2>&1 || install_failed "the source of $1" "$log"
    source_folder=$(find "$shared/source/" -maxdepth 1 -type d -name "$1-*")
}

# report pass|fail|skip TEST
report() {
    printf '%s %s\n' "$1" "$2" >>"$results"
}

# expect TEST COMMAND...: passes when the command does.
expect() {
    local name=$1
    shift
    if "$@"; then report pass "$name"; else report fail "$name"; fi
}

# limited SECONDS LOG COMMAND...: with everything it prints in LOG, and its exit status as the last line;
# a line of its processor seconds in $times.
limited() {
    local seconds=$1 log=$2
    shift 2
    python3 "$here/timed.py" "$seconds" "$log" "$times" "$@"
}

# untimed COMMAND...: what is not the client's work on the device, such as its CPU code to compare with.
untimed() {
    local times=/dev/null
    "$@"
}

# program SOURCE LIBRARIES...: a program of ours that uses the client and prints "pass|fail TEST"; compiled
# once for all vendors' libraries.
program() {
    local source=$1 built=$shared/programs/${1%.*} compiler=cc standard=gnu17
    shift
    case $source in *.cpp) compiler=c++ standard=gnu++17 ;; esac
    mkdir -p "$shared/programs"
    [ "$built" -nt "$here/$source" ] || untimed limited 600 "$work/compile.log" "$compiler" -std=$standard \
        -O1 -w -DCL_TARGET_OPENCL_VERSION=120 -o "$built" "$here/$source" "$@" || report fail compiles
    expect completes limited "${LIMIT:-300}" "$work/log" "$built"
    cat "$work/log"
    grep -E '^(pass|fail) ' "$work/log" | cut -d' ' -f1,2 >>"$results" || true
}

# The last call of a script: results against the list of what is known to fail.
judge() {
    awk '{ processor += $1; wall += $2 } END { printf "%.1f s of processor, %.1f s\n", processor, wall }' "$times"
    python3 "$here/judge.py" "$results" "$list"
}

# SPDX-License-Identifier: Apache-2.0
# Shared by scripts/run, test and install; sourced, never run. Bash.

source_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# Bold on a terminal; a file gets the words alone.
say() { if [ -t 1 ]; then printf '\033[1m== %s\033[0m\n' "$*"; else printf '== %s\n' "$*"; fi; }
die() { printf '%s: %s\n' "$(basename "$0")" "$*" >&2; exit 1; }

# What a build needs, and what the tests and the demonstration need on top of it.
build_packages=(gcc g++ cmake ninja-build pkg-config python3 clang-22 llvm-22-dev libclang-22-dev
    libclang-cpp22-dev liblld-22-dev lld-22 zlib1g-dev libzstd-dev libxxhash-dev opencl-headers
    ocl-icd-opencl-dev ocl-icd-libopencl1 libgraphviz-dev
    libjansson-dev ca-certificates)
run_packages=(clinfo libpng-dev)
test_packages=(clang-format-22 clang-tidy-22 clinfo libpng-dev libcmocka-dev llvm-22-tools valgrind libmpfr-dev
    gcc-aarch64-linux-gnu libc6-dev-arm64-cross)

# What some I/O pipes reach other hosts by; left out where it cannot be had.
io_packages=(libopenmpi-dev openmpi-bin libucx-dev)
# For the Python module's test, likewise.
python_packages=(python3-pyopencl)

missing_packages() {
    local name
    for name in "$@"; do
        dpkg-query -W -f='${Status}' "$name" 2>/dev/null | grep -q 'ok installed' || echo "$name"
    done
}

# Installs what is missing as root; tells an ordinary user what to ask for.
need_packages() {
    local missing
    mapfile -t missing < <(missing_packages "$@")
    [ ${#missing[@]} -eq 0 ] && return
    if [ "$(id -u)" -ne 0 ]; then
        mapfile -t missing < <(missing_packages "${build_packages[@]}" "${run_packages[@]}" \
            "${test_packages[@]}" | sort -u)
        die "Debian packages are missing; install them as root: apt-get install ${missing[*]}"
    fi
    say "installing packages: ${missing[*]}"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# The same for what may be missing: without it something is left out.
want_packages() {
    local missing
    mapfile -t missing < <(missing_packages "$@")
    [ ${#missing[@]} -eq 0 ] && return
    if [ "$(id -u)" -ne 0 ] ||
        ! DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null 2>&1
    then
        say "going on without ${missing[*]}"
    fi
}

# A folder for temporary files even where TMPDIR names one that does not exist.
usable_tmpdir() {
    if [ -n "${TMPDIR:-}" ] && [ ! -d "$TMPDIR" ]; then
        unset TMPDIR
    fi
}

# configure_and_build FOLDER [CMAKE-ARGUMENT...]; $targets: what of it, everything without a word
configure_and_build() {
    local folder=$1
    shift
    say "configuring $folder"
    cmake -S "$source_dir" -B "$folder" -G Ninja "$@" >"$folder.log" 2>&1 ||
        { cat "$folder.log" >&2; die "configuring failed"; }
    say "building $folder"
    NINJA_STATUS='[%f/%t %es] ' cmake --build "$folder" ${targets:+--target $targets}
}

# SPDX-License-Identifier: Apache-2.0
# Scripts of designs source this file of the SDK, in bash, zsh or a shell in which INTELFPGAOCLSDKROOT is set.
if [ -n "${BASH_SOURCE:-}" ]; then
    INTELFPGAOCLSDKROOT=$(cd "$(dirname "$BASH_SOURCE")" && pwd)
elif [ -n "${ZSH_VERSION:-}" ]; then
    INTELFPGAOCLSDKROOT=$(cd "$(dirname "$0")" && pwd)
elif [ ! -x "${INTELFPGAOCLSDKROOT:-}/bin/aoc" ]; then
    echo "init_opencl.sh: set INTELFPGAOCLSDKROOT to its folder" >&2
    return 1
fi
export INTELFPGAOCLSDKROOT
case ":$PATH:" in
*":$INTELFPGAOCLSDKROOT/bin:"*) ;;
*) export PATH="$INTELFPGAOCLSDKROOT/bin:$PATH" ;;
esac

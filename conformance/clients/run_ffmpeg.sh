#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ffmpeg's OpenCL filters, which work on images, against its own CPU filters of the same meaning: the
# mean difference of the pictures stays below what rounding explains.
. "$(dirname "$0")/lib.sh"
need_package ffmpeg
frames=4
input=(-f lavfi -i "testsrc2=size=320x240:rate=5:duration=$frames")

# run_filter LOG FILTERS DEVICE-ARGUMENTS...: raw frames in LOG.raw
run_filter() {
    local log=$1 filters=$2
    shift 2
    limited "${LIMIT:-60}" "$log" ffmpeg -nostdin -y -loglevel error "$@" "${input[@]}" \
        -frames:v $frames -vf "$filters" -f rawvideo "$log.raw"
}

# compare NAME LIMIT: mean and biggest difference of two raw files; the mean decides.
compare() {
    python3 - "$work/$1.cpu.raw" "$work/$1.cl.raw" "$2" <<'P'
import sys
a, b = (open(path, "rb").read() for path in sys.argv[1:3])
differences = [abs(x - y) for x, y in zip(a, b)]
mean = sum(differences) / max(1, len(differences))
print("  %d bytes, mean difference %.4f, biggest %d" % (len(a), mean, max(differences, default=0)))
sys.exit(not (a and len(a) == len(b) and mean <= float(sys.argv[3])))
P
}

# name, CPU filter, OpenCL filter, mean difference allowed. Borders differ in the blurs.
while IFS='|' read -r name cpu cl allowed; do
    expect "$name.completes" run_filter "$work/$name.cl" \
        "format=yuv420p,hwupload,$cl,hwdownload,format=yuv420p" \
        -init_hw_device opencl=ocl:0.0 -filter_hw_device ocl
    # Without this picture the comparison below fails.
    untimed run_filter "$work/$name.cpu" "format=yuv420p,$cpu" || true
    echo "$name"
    expect "$name.picture" compare "$name" "$allowed"
done <<'ROWS'
transpose|transpose=dir=clock|transpose_opencl=dir=clock|0
erosion|erosion|erosion_opencl|0
dilation|dilation|dilation_opencl|0
avgblur|avgblur=sizeX=3|avgblur_opencl=sizeX=3|1
boxblur|boxblur=2:1|boxblur_opencl=2:1|1
unsharp|unsharp|unsharp_opencl|1
sobel|sobel|sobel_opencl|1
prewitt|prewitt|prewitt_opencl|1
roberts|roberts|roberts_opencl|1
ROWS
judge

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ffmpeg's OpenCL filters, which work on images, against its own CPU filters of the same meaning: the
# mean difference of the pictures stays below what rounding explains.
. "$(dirname "$0")/lib.sh"
need_package ffmpeg
frames=4
device=(-init_hw_device opencl=ocl:0.0 -filter_hw_device ocl)
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
        "${device[@]}"
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

map_of() { echo "nullsrc=s=320x240:r=5:d=$frames,format=gray16,geq=lum='$1'"; }
maps=(-f lavfi -i "$(map_of 'abs(160+1.05*(X-160)-0.33*(Y-120))')"
    -f lavfi -i "$(map_of 'abs(120+0.33*(X-160)+1.05*(Y-120))')")

# run_remap LOG FILTER UP DOWN ARGUMENTS...: the picture, and where each of its elements comes from.
run_remap() {
    local log=$1 filter=$2 up=$3 down=$4
    shift 4
    limited "${LIMIT:-60}" "$log" ffmpeg -nostdin -y -loglevel error "$@" "${input[@]}" "${maps[@]}" \
        -filter_complex "[0]format=yuv444p$up[a];[1]format=gray16$up[b];[2]format=gray16$up[c];[a][b][c]$filter$down,format=yuv444p" \
        -frames:v $frames -f rawvideo "$log.raw"
}

# compare_linear: every element of the picture and of the maps is at a whole number, where a linear filter takes
# four elements alike; beside the picture it finds zeros.
compare_linear() {
    python3 - "$work" <<'P'
import array, sys
plane = 320 * 240
def numbers(name, kind):
    return array.array(kind, open("%s/%s.raw" % (sys.argv[1], name), "rb").read())
picture, got = numbers("picture.cpu", "B"), numbers("remap_linear.cl", "B")
xs, ys = numbers("x.cpu", "H")[:plane], numbers("y.cpu", "H")[:plane]
worst = 0
for start in range(0, len(picture), plane):
    fill = 16 if start // plane % 3 == 0 else 128
    for i, (x, y) in enumerate(zip(xs, ys)):
        want = fill
        if x < 320 and y < 240:
            want = sum(picture[start + v * 320 + u] if u >= 0 and v >= 0 else 0
                       for u in (x - 1, x) for v in (y - 1, y)) / 4
        worst = max(worst, abs(want - got[start + i]))
print("  %d bytes, biggest difference %.2f" % (len(got), worst))
sys.exit(len(got) != len(picture) or worst > 1.01)
P
}

echo remap
expect remap_near.completes run_remap "$work/remap_near.cl" remap_opencl=interp=near ,hwupload ,hwdownload "${device[@]}"
untimed run_remap "$work/remap_near.cpu" remap "" "" || true
expect remap_near.picture compare remap_near 0
expect remap_linear.completes run_remap "$work/remap_linear.cl" remap_opencl ,hwupload ,hwdownload "${device[@]}"
untimed run_filter "$work/picture.cpu" format=yuv444p || true
for i in 0 1; do
    untimed limited 60 "$work/map.log" ffmpeg -nostdin -y -loglevel error "${maps[@]}" -map $i -frames:v 1 \
        -pix_fmt gray16le -f rawvideo "$work/$([ $i = 0 ] && echo x || echo y).cpu.raw" || true
done
expect remap_linear.picture compare_linear

# It counts in a buffer that nobody has cleared, and its last work-group reads what it writes (so one thread).
run_tonemap() {
    SLUICE_NUM_THREADS=1 run_filter "$work/$1" "format=p010,setparams=color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc,hwupload,tonemap_opencl=tonemap=hable:format=p010,hwdownload,format=p010" "${device[@]}"
}
echo tonemap
expect tonemap.completes run_tonemap tonemap.cl
expect tonemap.again run_tonemap tonemap.cpu
expect tonemap.same compare tonemap 0
judge

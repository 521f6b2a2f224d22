#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# mandelbulber2: a ray-marched fractal, one kernel of some thousand lines, against its own CPU code.
. "$(dirname "$0")/lib.sh"
need_package mandelbulber2 python3-pil
export QT_QPA_PLATFORM=offscreen
settings='opencl_enabled=1#opencl_platform=0#opencl_device_type=3'
hash=$(mandelbulber2 -n --help-opencl -O "$settings" 2>&1 | sed -n 's/.*hash: \([0-9a-f]*\) .*/\1/p' | head -1)

# draw NAME FILE.fract SETTINGS
draw() {
    rm -f "$work/$1.png"
    limited "${LIMIT:-400}" "$work/$1.log" mandelbulber2 -n "/usr/share/mandelbulber2/examples/$2" \
        -r 120x90 -f png -o "$work/$1" -O "$3" && [ -s "$work/$1.png" ]
}

for example in ${TESTS:-IFS_001 aboxmod1_001}; do
    expect "$example.cpu" untimed draw "$example-cpu" "$example.fract" opencl_enabled=0
    expect "$example.cl" draw "$example-cl" "$example.fract" \
        "$settings#opencl_mode=3#opencl_device_list=$hash"
    expect "$example.on-device" grep -q 'OpenCl - rendering finished' "$work/$example-cl.log"
    echo "$example"
    # rays of soft shadows and of the depth of field are random: means of tiles are compared
    expect "$example.picture" /usr/bin/python3 - "$work/$example-cpu.png" "$work/$example-cl.png" <<'P'
import sys
from PIL import Image, ImageChops, ImageStat
first, second = (Image.open(path).convert("RGB").resize((12, 9), Image.BOX) for path in sys.argv[1:])
mean = sum(ImageStat.Stat(ImageChops.difference(first, second)).mean) / 3
spread = sum(ImageStat.Stat(first).stddev) / 3
print("  mean difference %.2f, spread of the picture %.1f" % (mean, spread))
sys.exit(not (spread > 10 and mean < spread / 10))
P
done
judge

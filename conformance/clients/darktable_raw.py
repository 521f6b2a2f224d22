# SPDX-License-Identifier: Apache-2.0
"""darktable_raw.py make FILE.dng: a small raw picture (Bayer RGGB, 16 bits) that nobody has to fetch.
darktable_raw.py compare A.pfm B.pfm LIMIT: prints mean and biggest difference; the mean decides.
"""
import array
import math
import struct
import sys

WIDTH, HEIGHT = 509, 383  # no multiple of any tile or work-group
BYTE, ASCII, SHORT, LONG, RATIONAL, SRATIONAL = 1, 2, 3, 4, 5, 10
SIZES = {BYTE: 1, ASCII: 1, SHORT: 2, LONG: 4, RATIONAL: 8, SRATIONAL: 8}
CODES = {BYTE: "B", SHORT: "H", LONG: "I", RATIONAL: "I", SRATIONAL: "i"}


def picture():
    """What a sensor sees: gradients, rings and a bright disc that saturates."""
    values = array.array("H")
    for y in range(HEIGHT):
        for x in range(WIDTH):
            channel = (y & 1) + (x & 1)  # 0 red, 1 green, 2 blue
            rings = 0.5 + 0.5 * math.sin(math.hypot(x - 250, y - 190) / (4 + 3 * channel))
            ramp = (x / WIDTH, y / HEIGHT, 1 - x / WIDTH)[channel]
            light = 0.05 + 0.4 * ramp + 0.3 * rings * ramp
            if math.hypot(x - 400, y - 90) < 40:
                light = 1.2
            values.append(min(65535, int(light * 60000)))
    return values.tobytes()


def entry(tag, kind, values, extra, place):
    """Twelve bytes of a directory; what does not fit goes to extra, which begins at place."""
    if kind == ASCII:
        data = values.encode() + b"\0"
        count = len(data)
    else:
        data = struct.pack("<%d%s" % (len(values), CODES[kind]), *values)
        count = len(data) // SIZES[kind]
    if len(data) > 4:
        offset = place + len(extra)
        extra += data + b"\0" * (len(data) & 1)
        data = struct.pack("<I", offset)
    return struct.pack("<HHI", tag, kind, count) + data.ljust(4, b"\0")


def make(path):
    matrix = [13, -4, -2, -5, 14, 1, -1, 2, 7]  # tenths, XYZ to camera
    rows = [
        (254, LONG, [0]), (256, LONG, [WIDTH]), (257, LONG, [HEIGHT]), (258, SHORT, [16]),
        (259, SHORT, [1]), (262, SHORT, [32803]), (271, ASCII, "Sluice"), (272, ASCII, "Synthetic"),
        (273, LONG, [0]), (274, SHORT, [1]), (277, SHORT, [1]), (278, LONG, [HEIGHT]),
        (279, LONG, [WIDTH * HEIGHT * 2]), (284, SHORT, [1]), (33421, SHORT, [2, 2]),
        (33422, BYTE, [0, 1, 1, 2]), (50706, BYTE, [1, 4, 0, 0]), (50707, BYTE, [1, 1, 0, 0]),
        (50708, ASCII, "Sluice Synthetic"), (50714, SHORT, [512]), (50717, LONG, [60000]),
        (50721, SRATIONAL, [word for value in matrix for word in (value, 10)]),
        (50728, RATIONAL, [5, 10, 10, 10, 6, 10]), (50778, SHORT, [21]),
    ]
    extra_place = 8 + 2 + 12 * len(rows) + 4
    for data_place in (0, None):  # once to learn the size, once with the place of the picture
        extra, entries = bytearray(), b""
        for tag, kind, values in rows:
            if tag == 273 and data_place is None:
                values = [first]
            entries += entry(tag, kind, values, extra, extra_place)
        first = extra_place + len(extra)
    with open(path, "wb") as out:
        out.write(b"II*\0" + struct.pack("<IH", 8, len(rows)) + entries + bytes(4) + extra + picture())


def read_pfm(path):
    with open(path, "rb") as data:
        kind, size, scale = data.readline(), data.readline(), data.readline()
        values = array.array("f", data.read())
    if float(scale) > 0:
        values.byteswap()
    return kind, size, values


def compare(first, second, limit):
    (*head, a), (*other, b) = read_pfm(first), read_pfm(second)
    differences = [abs(x - y) for x, y in zip(a, b)]
    mean = sum(differences) / max(1, len(differences))
    spread = max(a) - min(a)
    print("%s values, spread %.3f, mean difference %.6f, biggest %.4f" %
          (len(a), spread, mean, max(differences, default=0)))
    return head == other and len(a) == len(b) and spread > 0.5 and mean <= limit


if sys.argv[1] == "make":
    make(sys.argv[2])
else:
    sys.exit(not compare(sys.argv[2], sys.argv[3], float(sys.argv[4])))

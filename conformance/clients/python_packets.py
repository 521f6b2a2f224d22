# SPDX-License-Identifier: Apache-2.0
"""What sluice.packets makes of data for a pipe, and what it refuses: by Python's own integers and fractions. Each of
TESTS is true if all is well; needs numpy alone."""
import fractions

import numpy as np

from sluice import packets

POINT = np.dtype([("key", np.int32), ("flag", np.uint8, 3)], align=True)
FLOAT4 = np.dtype((np.float32, (4,)))
EDGES = [0, 1, -1, 127, 128, -128, -129, 255, 256, 32767, 32768, -32769, 65535, 65536, 2**31 - 1, 2**31, -2**31,
         -2**31 - 1, 2**32 - 1, 2**32, 2**53, 2**53 + 1, 2**63 - 1, 2**63, -2**63, -2**63 - 1, 2**64 - 1, 2**64, 2**70]
KINDS = [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64]


def made(data, kind):
    """The array, or the type of the refusal; its message names the pipe."""
    try:
        return packets.packets(data, np.dtype(kind), "p")
    except (TypeError, ValueError) as error:
        return type(error) if " of p " in str(error) else None


def fits(number, kind):
    return np.iinfo(kind).min <= number <= np.iinfo(kind).max


def integers():
    """Each edge, alone and beside others, as Python's integers and in arrays of each kind that holds it."""
    good = True
    for kind in KINDS:
        for edge in EDGES:
            forms = [edge, [edge], [0, edge, -1 if fits(-1, kind) else 1]]
            forms += [np.array([1, edge], other) for other in KINDS if fits(edge, other)]
            for form in forms:
                got, want = made(form, kind), [int(one) for one in np.atleast_1d(np.array(form, object))]
                good &= list(map(int, got)) == want and got.dtype == kind if fits(edge, kind) else got is ValueError
    return good


def integers_as_fractions():
    """2**24 + 1 and its like are no float."""
    good = True
    for kind, most in ((np.float16, 65504), (np.float32, None), (np.float64, None)):
        digits = np.finfo(kind).nmant + 1
        for number in (0, 1, 2**digits, 2**digits + 1, -2**digits - 1, 2**digits + 2, 2**63, 2**64 - 1, 2**70, 2**1100):
            odd = number
            while odd and odd % 2 == 0:
                odd //= 2
            exact = abs(odd) < 2**digits and abs(number) <= (most or int(np.finfo(kind).max))
            got = made([1, number], kind)
            good &= int(got[1]) == number if exact else got is ValueError
    return good


def other_numbers():
    """Fractions are refused by integers, rounded by floating point, and never become infinite."""
    third = made([1 / 3, 0.1], np.float32)
    near = all(abs(fractions.Fraction(float(one)) - fractions.Fraction(was)) <= fractions.Fraction(1, 2**25)
               for one, was in zip(third, (1 / 3, 0.1)))
    special = made([np.inf, -np.inf, np.nan, -0.0], np.float32)
    return near and made([1.7], np.int32) is TypeError and made(np.array([1.0]), np.int32) is TypeError and \
        made([1, 1.5], np.uint8) is TypeError and made([1e39], np.float32) is ValueError and \
        made(np.float64(70000), np.float16) is ValueError and np.array_equal(special[:2], [np.inf, -np.inf]) and \
        np.isnan(special[2]) and np.signbit(special[3]) and list(made([True, False], np.int8)) == [1, 0]


def no_numbers():
    wrong = ["seven", ["1"], [None], [1j], np.array(["2020-01-01"], "M8[D]"), [b"a"], {1: 2}]
    return all(made(one, kind) is TypeError for one in wrong for kind in (np.int32, np.float64))


def order_of_bytes():
    """Of another machine, or with other places in memory."""
    swapped = made(np.array([1, 258], ">i4"), np.int32)
    spread = made(np.arange(10, dtype=np.int32)[::-3], np.int32)
    return swapped.tobytes() == b"\1\0\0\0\2\1\0\0" and spread.flags.c_contiguous and list(spread) == [9, 6, 3, 0] and \
        len(made([], np.int32)) == 0 and len(made([], np.float32)) == 0


def shapes():
    rows = np.arange(8).reshape(2, 4)
    return made(rows, np.int32) is ValueError and made([[1], [2]], np.int32) is ValueError and \
        np.array_equal(made(rows, FLOAT4), rows) and list(made([1, 2, 3, 4], FLOAT4)) == [1, 2, 3, 4] and \
        made(range(8), FLOAT4) is ValueError and made(rows.T, FLOAT4) is ValueError and \
        made(7, FLOAT4) is ValueError and made([rows], FLOAT4) is ValueError


def structures():
    good = made([(41, [1, 2, 3]), (-1, [0, 0, 255])], POINT)
    packed = np.zeros(2, [("key", np.int32), ("flag", np.uint8, 3)])
    return good["key"].tolist() == [41, -1] and good["flag"].tolist() == [[1, 2, 3], [0, 0, 255]] and \
        made((5, [1, 2, 3]), POINT)["key"].tolist() == [5] and made([(2**31, [1, 2, 3])], POINT) is None and \
        refusal([(2**31, [1, 2, 3])]) == (ValueError, "p.key") and refusal([(1.5, [1, 2, 3])]) == (TypeError, "p.key") and \
        refusal([(1, [1, 2, 256])]) == (ValueError, "p.flag") and refusal([(1, [1, 2])]) == (ValueError, "p.flag") and \
        made([(1,)], POINT) is ValueError and made([3], POINT) is TypeError and made(packed, POINT) is TypeError


def refusal(rows):
    """The type, and which field is named."""
    try:
        packets.packets(rows, POINT, "p")
    except (TypeError, ValueError) as error:
        return type(error), str(error).split(" ")[2]
    return None


def dtypes():
    """A dtype that is given must be that of the pipe."""
    def chosen(wanted, kind, size):
        try:
            return packets.chosen_dtype(wanted, {"name": "p", "type": kind, "packet_size": size})
        except TypeError:
            return None
    return chosen(None, "int", 4) == np.int32 and chosen(None, "unsigned char", 1) == np.uint8 and \
        chosen(None, "float3", 16) == FLOAT4 and chosen(np.float32, "int", 4) is None and \
        chosen(np.uint32, "int", 4) is None and chosen(">i4", "int", 4) is None and chosen("i8", "int", 4) is None and \
        chosen([("x", "f4"), ("y", "f4")], "float2", 8) is not None and chosen(object, "long", 8) is None and \
        chosen([("x", "f4"), ("y", "i4")], "float2", 8) is None and chosen(None, "struct item", 8) is None and \
        chosen(POINT, "struct item", 8) == POINT


def rooms():
    """What is assigned to a mapped pipe's memory."""
    room = np.zeros(4, np.uint8).view(packets.Room)
    room.pipe_name = "p"
    points = np.zeros(2, POINT).view(packets.Room)

    def refused(array, place, value):
        try:
            array[place] = value
        except (TypeError, ValueError):
            return True
        return False
    room[:] = [1, 2, 3, 255]
    room[1:3][0] = 9
    points[0] = (7, [1, 2, 3])
    return refused(room, 0, 1.7) and refused(room, slice(2), [1, 256]) and refused(room[2:], 0, -1) and \
        room.tolist() == [1, 9, 3, 255] and refused(points, 1, (2**31, [0, 0, 0])) and \
        refused(points["key"], 0, 2.5) and points["key"].tolist() == [7, 0]


TESTS = (integers, integers_as_fractions, other_numbers, no_numbers, order_of_bytes, shapes, structures, dtypes, rooms)

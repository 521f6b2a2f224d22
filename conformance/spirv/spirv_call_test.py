#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What compare_drivers.py reads out of a module, and how it compares: on modules made here."""
import struct
import unittest

from spirv_call import (BUFFER_BYTES, FRONT_BYTES, Argument, Kernel, Layout, Module, NotCallable,
                        contents, distance, value)

NAMES = {"k": struct.unpack("<I", b"k\0\0\0")[0]}


def module(types, parameters, decorations=()):
    """One kernel `k` with these parameters: (type, id)."""
    lines = [(15, 6, 1, NAMES["k"]), *decorations, *types, (54, 99, 1, 0, 98)]
    lines += [(55, *p) for p in parameters] + [(56,)]
    words = [0x07230203, 0x10000, 0, 100, 0]
    for code, *rest in lines:
        words += [(len(rest) + 1) << 16 | code, *rest]
    return Module(struct.pack(f"<{len(words)}I", *words))


INT, LONG, FLOAT, CHAR, VECTOR, STRUCT, TO_FLOAT, TO_STRUCT, TO_POINTER, LOCAL = range(10, 20)
TYPES = [(21, INT, 32, 0), (21, LONG, 64, 0), (22, FLOAT, 32), (21, CHAR, 8, 0), (23, VECTOR, INT, 3),
         (30, STRUCT, CHAR, LONG, VECTOR), (32, TO_FLOAT, 5, FLOAT), (32, TO_STRUCT, 7, STRUCT),
         (32, TO_POINTER, 5, TO_FLOAT), (32, LOCAL, 4, FLOAT)]
BY_VALUE = (71, 31, 38, 2)


class Arguments(unittest.TestCase):
    def test_kinds(self):
        kernel = module(TYPES, [(TO_FLOAT, 30), (TO_STRUCT, 31), (LONG, 32), (LOCAL, 33)],
                        [BY_VALUE]).callable_kernel()
        self.assertEqual(kernel.name, "k")
        self.assertEqual([a.kind for a in kernel.arguments], ["buffer", "value", "value", "local"])
        self.assertEqual(kernel.arguments[1].number, Layout(
            32, 16, [(0, "i", 1), (8, "i", 8), (16, "i", 4), (20, "i", 4), (24, "i", 4)]))

    def test_packed(self):
        kernel = module(TYPES, [(TO_FLOAT, 30), (TO_STRUCT, 31)],
                        [BY_VALUE, (71, STRUCT, 10)]).callable_kernel()
        self.assertEqual(kernel.arguments[1].number.size, 1 + 8 + 16)

    def test_refused(self):
        for parameters in [(TO_POINTER, 30)], [(TO_FLOAT, 30), (TO_STRUCT, 31)], [(LONG, 30)]:
            with self.assertRaises(NotCallable):
                module(TYPES, parameters).callable_kernel()

    def test_cut(self):
        whole = module(TYPES, [(TO_FLOAT, 30)]).data
        for count in range(20, len(whole) - 20, 4):
            with self.assertRaises(NotCallable):
                Module(whole[:count]).callable_kernel()


class Values(unittest.TestCase):
    def test_numbers_stand_where_the_kernel_looks(self):
        layout = Layout(12, 4, [(0, "f", 4), (4, "i", 1), (8, "i", 4)])
        data = contents(layout, 1, 0)
        self.assertEqual(len(data), BUFFER_BYTES)
        for start in range(FRONT_BYTES, BUFFER_BYTES - 12, 12):
            number, flag, _, index = struct.unpack_from("<fB3si", data, start)
            self.assertTrue(-4 <= number < 4 and flag < 2 and 0 <= index < 8)

    def test_seeds(self):
        layout = Layout(8, 8, [(0, "f", 8)])
        kernel = Kernel("k", [Argument("value", layout)], None)
        self.assertEqual(value(kernel, 1, 0), value(kernel, 1, 0))
        self.assertNotEqual(contents(layout, 1, 2), contents(layout, 2, 2))

    def test_products_of_sizes_stay_in_a_buffer(self):
        number = Argument("value", Layout(8, 8, [(0, "i", 8)]))
        for count in 1, 2, 3:
            kernel, product = Kernel("k", [number] * count, None), 8
            for index in range(count):
                product *= int.from_bytes(value(kernel, 1, index), "little")
            self.assertTrue(0 < product <= BUFFER_BYTES - FRONT_BYTES)


class Differences(unittest.TestCase):
    def test_distance(self):
        for kind, form, a, b, want in [
                ("f", "f", 1.0, 1.0000001192092896, 1), ("f", "d", 0.0, -0.0, 0),
                ("f", "d", 5e-324, -5e-324, 2), ("f", "e", 1.0, 0.99951171875, 1),
                ("f", "f", float("nan"), float("nan"), 0), ("f", "f", float("nan"), 1.0, 1 << 64),
                ("i", "i", 1, 2, 1 << 64)]:
            self.assertEqual(distance(kind, struct.pack("<" + form, a), struct.pack("<" + form, b)), want)

    def test_worst(self):
        kernel = Kernel("k", [Argument("local", None), Argument("buffer", Layout(4, 4, [(0, "f", 4)]))], None)
        first = bytearray(BUFFER_BYTES)
        other = bytearray(first)
        self.assertEqual(Module.worst_difference(kernel, first, other), (0, ""))
        other[400:404] = struct.pack("<I", 7)
        apart, where = Module.worst_difference(kernel, first, other)
        self.assertEqual(apart, 7)
        self.assertIn("argument 1, byte 400", where)


if __name__ == "__main__":
    unittest.main()

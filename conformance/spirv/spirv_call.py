# SPDX-License-Identifier: Apache-2.0
"""What a kernel of a SPIR-V module wants as arguments, and values that are safe for it."""
import collections
import random
import struct

BUFFER_BYTES = 1 << 20
FRONT_BYTES = 1 << 18  # of these, in front of where the kernel's pointer points
LOCAL_BYTES = 1 << 14
BLOCK = 1021  # so many elements, again and again: no power of two, so that rows differ

ENTRY_POINT, EXECUTION_MODE, FUNCTION, PARAMETER, DECORATE = 15, 16, 54, 55, 71
TYPE_INT, TYPE_FLOAT, TYPE_VECTOR, TYPE_ARRAY, TYPE_STRUCT, TYPE_POINTER = 21, 22, 23, 28, 30, 32
CONSTANT = 43
IN_FUNCTION, IN_GROUP = 7, 4  # storage classes
GLOBAL = (0, 5, 5936, 5937)  # constant, global, and global as devices and hosts have it
LOCAL_SIZE = 17
BY_VALUE = 2  # attribute of a parameter
PARAMETER_ATTRIBUTE, PACKED = 38, 10

Kernel = collections.namedtuple("Kernel", "name arguments local_size")
Argument = collections.namedtuple("Argument", "kind number")  # kind: buffer, value or local
# size and alignment in bytes; leaves: (offset, "i" or "f", bytes) of each number in it
Layout = collections.namedtuple("Layout", "size align leaves")


class NotCallable(Exception):
    """No kernel of the module can be called without knowing what it does."""


def text_of(words):
    data = struct.pack(f"<{len(words)}I", *words).split(b"\0", 1)[0]
    return data.decode(errors="replace"), len(data) // 4 + 1


class Module:
    def __init__(self, data):
        self.data = data
        self.entries, self.types, self.constants = [], {}, {}
        self.parameters, self.modes = collections.defaultdict(list), {}
        self.by_value, self.packed = set(), set()
        self._layouts = {}
        self._read(struct.unpack(f"<{len(data) // 4}I", data[:len(data) // 4 * 4]))

    def _read(self, words):
        at, function = 5, None
        while at < len(words) and 0 < words[at] >> 16 <= len(words) - at:
            code, a = words[at] & 0xffff, words[at + 1:at + (words[at] >> 16)]
            at += len(a) + 1
            if code == ENTRY_POINT:
                self.entries.append((a[1], text_of(a[2:])[0]))
            elif code == EXECUTION_MODE and a[1] == LOCAL_SIZE:
                self.modes[a[0]] = a[2:5]
            elif code == DECORATE and a[1] == PARAMETER_ATTRIBUTE and a[2] == BY_VALUE:
                self.by_value.add(a[0])
            elif code == DECORATE and a[1] == PACKED:
                self.packed.add(a[0])
            elif TYPE_INT <= code <= TYPE_POINTER:
                self.types[a[0]] = (code, a[1:])
            elif code == CONSTANT:
                self.constants[a[1]] = a[2]
            elif code == FUNCTION:
                function = a[1]
            elif code == PARAMETER:
                self.parameters[function].append((a[0], a[1]))

    def _members(self, members, packed):
        size, align, leaves = 0, 1, []
        for member in members:
            inner = self.layout(member)
            step = 1 if packed else inner.align
            size = (size + step - 1) // step * step
            leaves += [(size + offset, *rest) for offset, *rest in inner.leaves]
            size, align = size + inner.size, max(align, step)
        return Layout((size + align - 1) // align * align, align, leaves)

    def layout(self, name):
        """Of a type that consists of numbers alone."""
        if name not in self._layouts:
            self._layouts[name] = self._layout(name)
        return self._layouts[name]

    def _layout(self, name):
        code, a = self.types.get(name, (0, ()))
        if code in (TYPE_INT, TYPE_FLOAT):
            size = a[0] // 8
            if size not in (1, 2, 4, 8):
                raise NotCallable("a number of an unusual width")
            return Layout(size, size, [(0, "i" if code == TYPE_INT else "f", size)])
        if code == TYPE_VECTOR:
            inner = self.layout(a[0])
            size = inner.size * (4 if a[1] == 3 else a[1])
            return self._array(inner, a[1])._replace(size=size, align=size)
        if code == TYPE_ARRAY:
            return self._array(self.layout(a[0]), self.constants.get(a[1], 0))
        if code == TYPE_STRUCT and a:
            return self._members(a, name in self.packed)
        raise NotCallable("an argument with something else than numbers")

    @staticmethod
    def _array(inner, count):
        if not count or inner.size * count > 4096:
            raise NotCallable("an array of an unusual size")
        leaves = [(k * inner.size + offset, *rest) for k in range(count)
                  for offset, *rest in inner.leaves]
        return Layout(inner.size * count, inner.align, leaves)

    def _argument(self, type_name, name):
        code, a = self.types.get(type_name, (0, ()))
        if code != TYPE_POINTER:
            return Argument("value", self.layout(type_name))
        if a[0] == IN_FUNCTION and name in self.by_value:
            return Argument("value", self.layout(a[1]))
        if a[0] == IN_GROUP:
            return Argument("local", None)
        if a[0] in GLOBAL:
            return Argument("buffer", self.layout(a[1]))
        raise NotCallable("a pointer that is none to global memory")

    def callable_kernel(self):
        """The first that can be; NotCallable has the reason why the last one cannot."""
        reason = NotCallable("no kernel")
        for function, name in self.entries:
            try:
                arguments = [self._argument(*p) for p in self.parameters[function]]
                if any(a.kind == "buffer" for a in arguments):
                    return Kernel(name, arguments, self.modes.get(function))
                reason = NotCallable("nothing to see")
            except NotCallable as why:
                reason = why
        raise reason

    @staticmethod
    def worst_difference(kernel, first, second):
        """(units in the last place, where); a different integer counts as 2**64."""
        worst, where, start = 0, "", 0
        for index, argument in enumerate(kernel.arguments):
            if argument.kind != "buffer":
                continue
            one, other = first[start:start + BUFFER_BYTES], second[start:start + BUFFER_BYTES]
            start += BUFFER_BYTES
            if one == other:
                continue
            for offset, kind, size in numbers_in(argument.number):
                a, b = one[offset:offset + size], other[offset:offset + size]
                apart = 0 if a == b else distance(kind, a, b)
                if apart > worst:
                    worst, where = apart, f"argument {index}, byte {offset}: {shown(kind, a, b)}"
        return worst, where


def numbers_in(layout):
    first = FRONT_BYTES % layout.size
    for start in range(first, BUFFER_BYTES - layout.size + 1, layout.size):
        for offset, kind, size in layout.leaves:
            yield start + offset, kind, size


FLOATS = {2: "e", 4: "f", 8: "d"}


def shown(kind, a, b):
    form = "<" + FLOATS[len(a)] if kind == "f" and len(a) > 1 else "<%ds" % len(a)
    return f"{struct.unpack(form, a)[0]!r}, {struct.unpack(form, b)[0]!r}"


def distance(kind, a, b):
    if kind != "f":
        return 1 << 64
    size = len(a)
    sign, exponent = 1 << (size * 8 - 1), {2: 0x7c00, 4: 0x7f800000, 8: 0x7ff << 52}[size]
    x, y = (int.from_bytes(v, "little") for v in (a, b))
    nans = [(v & ~sign) > exponent for v in (x, y)]
    if any(nans):
        return 0 if all(nans) else 1 << 64
    x, y = (-(v & ~sign) if v & sign else v for v in (x, y))
    return abs(x - y)


def draw(source, kind, size):
    """Small, so that indices made of it stay in a buffer, and sums of it are exact."""
    if kind == "f":
        return struct.pack("<" + FLOATS[size], source.randrange(-32, 32) / 8)
    return source.randrange(8 if size > 1 else 2).to_bytes(size, "little")


def scalar(source, kind, size, among):
    """A number that a kernel is given beside others: sizes and steps, which it may multiply."""
    if kind == "f" or size == 1:
        return draw(source, kind, size)
    if among < 3:
        return source.randrange(*((200, 2000), (64, 256))[among - 1]).to_bytes(size, "little")
    return source.choice((4, 8, 12, 16)).to_bytes(size, "little")  # vectors stay aligned


def sizes_of(kernel):
    return sum(kind == "i" and size > 1 for a in kernel.arguments if a.kind == "value"
               for _, kind, size in a.number.leaves)


def value(kernel, seed, index):
    """Of argument `index`, which is no pointer."""
    source, layout = random.Random(f"{seed}:{index}"), kernel.arguments[index].number
    data, among = bytearray(layout.size), sizes_of(kernel)
    for offset, kind, size in layout.leaves:
        data[offset:offset + size] = scalar(source, kind, size, among)
    return bytes(data)


def contents(layout, seed, index):
    """What a buffer holds at first. Mere bytes may be anything: with even seeds they are floats."""
    source = random.Random(f"{seed}:{index}")
    if layout.size == 1 and seed % 2 == 0:
        layout = Layout(4, 4, [(0, "f", 4)])
    block = bytearray(layout.size * BLOCK)
    for start in range(0, len(block), layout.size):
        for offset, kind, size in layout.leaves:
            block[start + offset:start + offset + size] = draw(source, kind, size)
    skip = -FRONT_BYTES % layout.size
    return (bytes(block) * (BUFFER_BYTES // len(block) + 2))[skip:skip + BUFFER_BYTES]


def initial_buffers(kernel, seed):
    for index, argument in enumerate(kernel.arguments):
        if argument.kind == "buffer":
            yield contents(argument.number, seed, index)

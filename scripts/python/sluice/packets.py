# SPDX-License-Identifier: Apache-2.0
"""What a pipe's packets are in numpy, and arrays of them without a value that changes on the way.

Integers go into pipes of integers that can hold them, numbers into pipes of floating point, where fractions are rounded
as numpy rounds them. All else is a TypeError (the kind or the dtype) or a ValueError (a value or the shape).
"""
import operator
import re

import numpy as np

NUMBERS = {"char": np.int8, "uchar": np.uint8, "short": np.int16, "ushort": np.uint16, "int": np.int32,
           "uint": np.uint32, "long": np.int64, "ulong": np.uint64, "half": np.float16, "float": np.float32,
           "double": np.float64}


def dtype_of(name, size):
    """The dtype of packets of a type of OpenCL C, or None: a structure."""
    found = re.fullmatch(r"([a-z]+?)(\d*)", name.replace("unsigned ", "u"))
    number = NUMBERS.get(found[1]) if found else None
    if number is None:
        return None
    lanes = size // np.dtype(number).itemsize
    return np.dtype((number, (lanes,))) if found[2] else np.dtype(number)


def _leaves(dtype):
    """The numbers that a dtype is made of."""
    if dtype.subdtype:
        return _leaves(dtype.subdtype[0])
    if dtype.names:
        return set().union(*(_leaves(dtype[name]) for name in dtype.names))
    return {dtype}


def chosen_dtype(wanted, info):
    """The dtype of a pipe's packets; `wanted`: the user's, or None."""
    name, size = info["name"], info["packet_size"]
    declared = dtype_of(info["type"], size)
    if wanted is None:
        if declared is None:
            raise TypeError(f"packets of {name} are of type {info['type']!r}: give their dtype")
        return declared
    dtype = np.dtype(wanted)
    if dtype.hasobject:
        raise TypeError(f"packets of {name} cannot be Python's objects ({dtype})")
    if dtype.itemsize != size:
        raise TypeError(f"packets of {name} have {size} bytes, the dtype {dtype} {dtype.itemsize}")
    if declared is not None and _leaves(dtype) != _leaves(declared):
        raise TypeError(f"packets of {name} are of type {info['type']!r}, not {dtype}")
    return dtype


def count_of(packets):
    """A number of packets: an integer, none of them negative."""
    count = operator.index(packets)
    if count < 0:
        raise ValueError(f"{count} is no number of packets")
    return count


def _only_integers(data):
    """The same as Python's integers, if it is nothing else: numpy would round large ones. Else None."""
    try:
        exact = np.array(data, dtype=object)
    except ValueError:
        return None
    return exact if all(isinstance(one, (int, np.integer)) for one in exact.flat) else None


def _given(data, name):
    """Numbers as they come: an array of booleans, integers (maybe Python's) or floating point."""
    array = np.asarray(data)
    if not isinstance(data, np.ndarray) and array.dtype.kind in "fO" and array.size:
        integers = _only_integers(data)
        if integers is not None:
            return integers
    if array.dtype.kind not in "biuf":
        raise TypeError(f"packets of {name} are numbers, not {array.dtype}")
    return array


def _refuse_first(wrong, given, dtype, name):
    """A ValueError for the first of the values that are wrong."""
    places = np.flatnonzero(wrong)
    if len(places):
        raise ValueError(f"packets of {name} are {dtype}, which cannot be {given.reshape(-1)[places[0]]} "
                         f"(value {places[0]} of {given.size})")


def _integers(given, dtype, name):
    if given.dtype.kind == "f" and given.size:
        raise TypeError(f"packets of {name} are {dtype}, not {given.dtype}: round them")
    if given.dtype.kind in "iuO":
        # numpy compares integers of both signs as floating point, and numpy 1 a single one with Python's, too: only
        # limits that can be passed are looked at, as numbers of the same type.
        own, limits = np.iinfo(given.dtype if given.dtype != object else np.int64), np.iinfo(dtype)
        same = int if given.dtype == object else given.dtype.type
        if given.dtype == object or own.min < limits.min:
            _refuse_first(given < same(limits.min), given, dtype, name)
        if given.dtype == object or own.max > limits.max:
            _refuse_first(given > same(limits.max), given, dtype, name)
    return given.astype(dtype)


def _inexact(given, made):
    """Which integers have become another number."""
    large = np.flatnonzero(abs(given) > 1 << np.finfo(made.dtype).nmant + 1)
    wrong = np.zeros(given.size, bool)
    for place in large:
        number = made.reshape(-1)[place]
        wrong[place] = not np.isfinite(number) or int(number) != int(given.reshape(-1)[place])
    return wrong


def _floating(given, dtype, name):
    if given.dtype == object:  # larger than any integer of numpy's
        _refuse_first(abs(given) > int(np.finfo(dtype).max), given, dtype, name)
    with np.errstate(over="ignore"):
        made = given.astype(dtype)
    if given.dtype.kind == "f":
        _refuse_first(np.isinf(made) & ~np.isinf(given), given, dtype, name)
    elif given.dtype.kind != "b":
        _refuse_first(_inexact(given, made), given, dtype, name)
    return made


def numbers(data, dtype, name):
    """Numbers of any shape as `dtype`, each with the value that it had."""
    given = _given(data, name)
    if given.dtype == dtype:
        return given
    return (_floating if dtype.kind == "f" else _integers)(given, dtype, name)


def _records(data, dtype, name):
    """Structures: an array of that dtype, or rows that become one, each field checked."""
    if isinstance(data, (np.ndarray, np.void)):
        if data.dtype != dtype:
            raise TypeError(f"packets of {name} are {dtype}, not {data.dtype}")
        return np.asarray(data)
    rows = [data] if isinstance(data, tuple) else list(data)
    made = np.zeros(len(rows), dtype)
    for row, packet in zip(rows, made):
        if not isinstance(row, (tuple, list, np.void)) or isinstance(row, np.void) and row.dtype != dtype:
            raise TypeError(f"packets of {name} are {dtype}, not {getattr(row, 'dtype', type(row).__name__)}")
        if len(row) != len(dtype.names):
            raise ValueError(f"packets of {name} have the fields {', '.join(dtype.names)}, not {len(row)} values")
        for field, value in zip(dtype.names, row):
            packet[field] = values(value, dtype[field], f"{name}.{field}")
    return made


def _raw(data, dtype, name):
    """Bytes, and what is no number: of the same dtype only."""
    array = np.asarray(data, None if isinstance(data, np.ndarray) else dtype)
    if array.dtype != dtype:
        raise TypeError(f"packets of {name} are {dtype}, not {array.dtype}")
    return array


def values(data, dtype, name):
    """`data` as one or several of `dtype`, or a refusal that names the pipe."""
    base, shape = dtype.subdtype or (dtype, ())
    if base.names:
        made = _records(data, base, name)
    elif base.kind in "iuf":
        made = numbers(data, base, name)
    else:
        made = _raw(data, base, name)
    if shape and made.shape[-len(shape):] != shape and made.size:
        raise ValueError(f"packets of {name} have the shape {shape}, which {made.shape} does not end with")
    return made


def packets(data, dtype, name):
    """One packet or a row of them, in the order and place of memory that a pipe takes."""
    made = np.ascontiguousarray(values(data, dtype, name))
    shape = dtype.subdtype[1] if dtype.subdtype else ()
    if made.ndim > len(shape) + 1:
        raise ValueError(f"packets of {name} are one row of {dtype}, not of shape {made.shape}")
    return made


class Room(np.ndarray):
    """Free room of a pipe: what is assigned is looked at as what is written."""

    pipe_name = "a pipe"

    def __array_finalize__(self, other):
        self.pipe_name = getattr(other, "pipe_name", self.pipe_name)

    def __setitem__(self, key, value):
        if self.dtype.kind in "iuf":
            value = numbers(value, self.dtype, self.pipe_name)
        elif self.dtype.names and not isinstance(key, str):
            value = _records(value, self.dtype, self.pipe_name)
        super().__setitem__(key, value)

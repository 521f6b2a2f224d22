#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_item_pipes.py RUN_DESIGN SLUICEC SLUICE-REPORT: kernels of many work-items that move packets, joined to others by
pipes, in cycles that were computed by hand with simple operators (design_runs.py)."""
import sys
import tempfile

from design_runs import FAILURES, HEAD, Tools, check_replay, expect, spans

# Source, launches, cycles.
ITEMS = [
    # Work-items are iterations: one begins each cycle, and each reads, multiplies and writes as an iteration of a loop
    # would. Packets are written in 0 to 11, read in 1 to 12, their products written six cycles later and read in 8 to
    # 19, whatever the work-groups are.
    ("""channel int in __attribute__((depth(16))), out __attribute__((depth(16)));
kernel void give() { write_channel_intel(in, get_global_id(0)); }
kernel void square()
{
    int x = read_channel_intel(in) + get_global_id(0);
    write_channel_intel(out, x * x);
}
kernel void take() { for (int i = 0; i < 12; i++) read_channel_intel(out); }
""", ["give:12", "square:12:4", "take"], {"give": (0, 12), "square": (0, 19), "take": (0, 20)}),
    # Two operations on one end: a work-item every two cycles, packets are written in 0 to 7, and read in 1, 4, ... 22.
    ("""channel int c __attribute__((depth(16)));
kernel void give()
{
    write_channel_intel(c, get_global_id(0));
    write_channel_intel(c, get_local_id(0));
}
kernel void take()
{
#pragma ii 3
    for (int i = 0; i < 8; i++)
        read_channel_intel(c);
}
""", ["give:4:2", "take"], {"give": (0, 8), "take": (0, 23)}),
    # Some have nothing to do, and take their cycle: packets are written in 1, 3, 5 and 7, read a cycle later. The last work-item
    # begins in 8.
    ("""channel int c __attribute__((depth(16)));
kernel void give()
{
    if (get_global_id(0) & 1)
        write_channel_intel(c, 1);
}
kernel void take() { for (int i = 0; i < 4; i++) read_channel_intel(c); }
""", ["give:9:3", "take"], {"give": (0, 9), "take": (0, 9)}),
    # A loop in which work-items take turns: an iteration of one takes five cycles, the product's, and a cycle of the loop. So a
    # work-item needs three of these, and the next one begins three later: packets are read in 1, 4 ... 22, and written
    # 1 + 3 * 5 cycles behind that.
    ("""channel int in __attribute__((depth(16))), out __attribute__((depth(16)));
kernel void give() { for (int i = 0; i < 8; i++) write_channel_intel(in, i); }
kernel void power()
{
    int x = read_channel_intel(in) + get_global_id(0);
    for (int k = 0; k < 3; k++)
        x = x * x + k;
    write_channel_intel(out, x);
}
kernel void take() { for (int i = 0; i < 8; i++) read_channel_intel(out); }
""", ["give", "power:8:2", "take"], {"give": (0, 8), "power": (0, 39), "take": (0, 40)}),
    # Loops of different lengths, work-item n's of n & 3 iterations: they begin in 0, 1, 2, 4, 7, 8, 9 and 11, and would
    # write in 1, 7, 13, 20, 8, 14, 20 and 27: none does before the one in front, so the fifth to the seventh do in 21, 22 and
    # 23. The kernel is late by a cycle, its first packet's.
    ("""channel int in __attribute__((depth(16))), out __attribute__((depth(16)));
kernel void give() { for (int i = 0; i < 8; i++) write_channel_intel(in, i); }
kernel void power()
{
    int x = read_channel_intel(in), n = get_global_id(0) & 3;
    for (int k = 0; k < n; k++)
        x = x * x + k;
    write_channel_intel(out, x);
}
kernel void take() { for (int i = 0; i < 8; i++) read_channel_intel(out); }
""", ["give", "power:8:2", "take"], {"give": (0, 8), "power": (0, 29), "take": (0, 30)}),
    # Packets keep the order of work-items: four iterations of one, four of the next. Packets are read in 1 to 12, their
    # products written six cycles later.
    ("""channel int in __attribute__((depth(16))), out __attribute__((depth(16)));
kernel void give() { for (int i = 0; i < 12; i++) write_channel_intel(in, i); }
kernel void rows()
{
    int n = get_global_id(0);
    for (int k = 0; k < 4; k++) {
        int x = read_channel_intel(in) + n;
        write_channel_intel(out, x * x);
    }
}
kernel void take() { for (int i = 0; i < 12; i++) read_channel_intel(out); }
""", ["give", "rows:3:1", "take"], {"give": (0, 12), "rows": (0, 19), "take": (0, 20)}),
    # Where the items of a group meet all of them are through first: they read in 1 to 4, write in 5 to 8; the next four
    # read in 5 to 8 and write in 9 to 12.
    ("""channel int in __attribute__((depth(16))), out __attribute__((depth(16)));
kernel void give() { for (int i = 0; i < 8; i++) write_channel_intel(in, i); }
kernel void meet()
{
    local int all[4];
    all[get_local_id(0)] = read_channel_intel(in);
    barrier(CLK_LOCAL_MEM_FENCE);
    write_channel_intel(out, all[3 - get_local_id(0)]);
}
kernel void take() { for (int i = 0; i < 8; i++) read_channel_intel(out); }
""", ["give", "meet:8:4", "take"], {"give": (0, 8), "meet": (0, 13), "take": (0, 14)}),
    # And so in a loop around: two items read, then write, twice, and leave the loop, in 2 cycles each. Two more read when
    # these have read for the last time, in 7 and 8, write in 9 and 10, and so on.
    ("""channel int in __attribute__((depth(16))), out __attribute__((depth(16)));
kernel void give() { for (int i = 0; i < 8; i++) write_channel_intel(in, i); }
kernel void meet()
{
    local int all[2];
    for (int o = 0; o < 2; o++) {
        all[get_local_id(0)] = read_channel_intel(in);
        barrier(CLK_LOCAL_MEM_FENCE);
        write_channel_intel(out, all[1 - get_local_id(0)]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
kernel void take() { for (int i = 0; i < 8; i++) read_channel_intel(out); }
""", ["give", "meet:4:2", "take"], {"give": (0, 8), "meet": (0, 17), "take": (0, 16)}),
    # Kernels that do not ask which work-item they are: each operation takes a cycle, one behind the other. Of ones with a
    # barrier the first item reads in 1 and 2, the others begin a cycle apart; all are through in 4, and pass behind it in 4
    # more. The wait for the first packet is one.
    ("""channel int c __attribute__((depth(16))), d __attribute__((depth(16)));
kernel void give() { write_channel_intel(c, 1); write_channel_intel(d, 1); }
kernel void meet()
{
    if (get_local_id(0) == 0) {
        read_channel_intel(c);
        read_channel_intel(d);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}
""", ["give", "meet:4"], {"give": (0, 2), "meet": (0, 9)}),
]


def check_items(tools):
    for number, (text, launches, expected) in enumerate(ITEMS):
        source = tools.write(f"items{number}.cl", HEAD + text)
        for settings in ({}, {"SLUICE_FPGA_SEED": "5"}, {"SLUICE_FPGA_TRACE": "1"}):
            got = spans(tools.run(source, launches, **settings))
            expect(got == expected, f"items {number}: {got} instead of {expected}")
        check_replay(tools, f"items {number}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        check_items(Tools(*sys.argv[1:4], folder))
    print(f"{len(ITEMS)} designs, {len(FAILURES)} failures")
    return bool(FAILURES)


if __name__ == "__main__":
    sys.exit(main())

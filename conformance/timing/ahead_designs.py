# SPDX-License-Identifier: Apache-2.0
"""Designs of check_ahead.py: kernels that run ahead of their clock, each for something that they do there. DEPTH and other capitals are put in there."""

HEAD = """#pragma OPENCL EXTENSION cl_intel_channels : enable
typedef struct { int a; char b; short c[2]; } Three;
typedef struct { long a; int b[16]; } Many;
constant int table[8] = {3, -1, 4, 1, -5, 9, 2, 6};
"""

# Between rows of rounds a round goes by itself, with loops in front of its packets, while others catch up.
BETWEEN_ROWS = HEAD + """channel int c __attribute__((depth(8)));
channel int d __attribute__((depth(8)));
kernel void give(global int *a) { int x = 1; for (int i = 0; i < 1024; i++) { write_channel_intel(c, x); x += i * 7; a[i & 63] = x; } }
kernel void turn(global int *a) { int x = 1;
    for (int i = 0; i < 128; i++) {
""" + 8 * "        x = x * 31 + read_channel_intel(c);\n" + """
        for (int k = 0; k < 16; k++) { write_channel_intel(d, x); x += k; }
        a[i & 63] = x; } }
kernel void take(void) { int x = 1, some[4] = {0}, taps[8] = {3, 1, 4, 1, 5, 9, 2, 6};
#pragma max_concurrency 1
    for (int i = 0; i < 1024; i++) {
        for (int j = 0; j < 8; j++) x += taps[j];
        for (int j = 0; j < 8; j++) x ^= j << 3;
        for (int k = 0; k < 2; k++) { x = x * 31 + read_channel_intel(d);
            for (int j = 0; j < 4; j++) { int s = 0; for (int m = 0; m < 2; m++) s += taps[(m + j) & 7] * (x + m); some[j] += s; }
            x ^= some[i & 3]; } }
    printf("%d\\n", x); }
"""

# Loops between packets that end by data; several operations of one pipe, whose last one is behind the begin of the next round.
BY_DATA = HEAD + """channel int c __attribute__((depth(16)));
channel int d __attribute__((depth(DEPTH)));
kernel void give(void) { int x = 1; for (int i = 0; i < 1500; i++) { write_channel_intel(c, x); x = x * 77 + i; write_channel_intel(c, x ^ i); } }
kernel void turn(void) { int x = 1; for (int i = 0; i < 1500; i++) { int a = read_channel_intel(c);
        for (int j = 0; j < (a & 63); j++) x = x * 5 + j;
        int b = read_channel_intel(c);
        for (uint t = (uint)b >> 20; t; t >>= 3) x += (int)t * 3;
        write_channel_intel(d, x ^ b);
        for (int j = 0; j < (b & 31); j++) x ^= j * a; } printf("%d\\n", x); }
kernel void take(void) { int x = 1; for (int i = 0; i < 500; i++) { x += read_channel_intel(d); x = x * 31 + read_channel_intel(d); x ^= read_channel_intel(d) * (x | 1); }
    printf("%d\\n", x); }
"""

# One such loop a round, in front of some of its packets, of all or of none.
ONE_BY_DATA = HEAD + """channel int c __attribute__((depth(DEPTH)));
channel int d __attribute__((depth(DEPTH)));
channel int e __attribute__((depth(200)));
channel int f __attribute__((depth(DEPTH)));
kernel void give(void) { int x = 1; for (int i = 0; i < 3000; i++) { write_channel_intel(c, x); x = x * 77 + i;
        for (int j = 0; j < (x & 3); j++) x = x * 5 + j;
        write_channel_intel(e, x); } }
kernel void turn(void) { int x = 1; for (int i = 0; i < 3000; i++) { int a = read_channel_intel(c);
        for (uint t = (uint)a >> 27; t; t >>= 1) x += (int)t * 3;
        write_channel_intel(d, x ^ a); } printf("%d\\n", x); }
kernel void mix(void) { for (int i = 0; i < 3000; i++) { int x = read_channel_intel(d);
        x = x * 31 + read_channel_intel(e);
        write_channel_intel(f, x);
        for (int j = 0; j < (x & 7); j++) x = x * 5 + j; } }
kernel void take(void) { int x = 1; for (int i = 0; i < 3000; i++) { for (int j = 0; j < (x & 5); j++) x = x * 3 + j;
        x = x * 31 + read_channel_intel(f); }
    printf("%d\\n", x); }
"""

# A loop around a packet that comes once: the compiler leaves none of its marks.
ONCE = HEAD + """channel int d[4] __attribute__((depth(0)));
kernel void give(void) { write_channel_intel(d[0], 77); }
kernel void take(void) { int x = 1, left = 1, n = 0; while (left) {
        int q = 0; while (1) { if (q >= 3) break; q++;
            int p = 0; while (p && left) { p--; left--; x = x * 31 + read_channel_intel(d[left & 3]); if (x & 4) break; } }
        if (left && (n & 1) == 0) { left--; x = x * 31 + read_channel_intel(d[left & 3]); }
        n++; }
    printf("%d\\n", x); }
"""

# A packet in each round, and as many of another pipe as it says, none to 600 of them, written or read.
BURSTS = HEAD + """channel int c __attribute__((depth(DEPTH)));
channel int d __attribute__((depth(DEPTH)));
channel int e __attribute__((depth(200)));
kernel void give(void) { for (int i = 0; i < 2000; i++) write_channel_intel(c, i == 1500 ? 600 : (int)((uint)i * 2654435761u >> 28)); }
kernel void burst(void) { for (int i = 0; i < 2000; i++) { int x = read_channel_intel(c);
PRAGMA
        for (int j = 0; j < x; j++) write_channel_intel(d, x * 3 + j); } }
kernel void size(void) { for (int i = 0; i < 2000; i++) write_channel_intel(e, i == 1500 ? 600 : (int)((uint)i * 2654435761u >> 28)); }
kernel void take(void) { int x = 1; for (int i = 0; i < 2000; i++) { int n = read_channel_intel(e);
PRAGMA
        for (int j = 0; j < n; j++) x = x * 31 + read_channel_intel(d); } printf("%d\\n", x); }
"""

# Both of one kernel's pipes in loops that end by data: where one is empty that kernel goes on at the other as well.
BOTH = HEAD + """channel int a __attribute__((depth(64)));
channel int b __attribute__((depth(64)));
channel int s __attribute__((depth(64)));
kernel void size(void) { for (int i = 0; i < 1000; i++) write_channel_intel(s, (int)((uint)i * 2654435761u >> 27)); }
kernel void give(void) { for (int i = 0; i < 15000; i++) { write_channel_intel(a, i); write_channel_intel(b, i * 3); } }
kernel void take(void) { int x = 1, left = 15000; for (int i = 0; i < 1000; i++) { int n = min((int)read_channel_intel(s), left);
        for (int j = 0; j < n; j++) { x = x * 31 + read_channel_intel(a); x ^= read_channel_intel(b); } left -= n; }
    for (int i = 0; i < left; i++) x ^= read_channel_intel(a) + read_channel_intel(b);
    printf("%d\\n", x); }
"""

# Elements that only the run knows, each of them read, and written, by one kernel; and a packet of a pipe beside them.
ELEMENTS = HEAD + """channel int a[5] __attribute__((depth(DEPTH)));
channel int b[3][2] __attribute__((depth(4)));
channel int c __attribute__((depth(8)));
kernel void give(void) { for (int i = 0; i < 900; i++) for (int j = 0; j < 4; j++) { write_channel_intel(a[(i + j) % 5], i * 7 + j); if (i % 3 == j) write_channel_intel(c, i); } }
kernel void turn(void) { int x = 1; for (int i = 0; i < 900; i++) {
        for (int j = 0; j < 4; j++) { x = x * 31 + read_channel_intel(a[(i + j) % 5]); if (i % 3 == j) x ^= read_channel_intel(c); }
        for (int j = 0; j < (i & 3); j++) x += j * x;
        if (i >= MISSING) write_channel_intel(b[i % 3][i & 1], x); } printf("%d\\n", x); }
kernel void take(void) { int x = 1; for (int i = 0; i < 900; i++) x = x * 31 + read_channel_intel(b[i % 3][i & 1]); printf("%d\\n", x); }
"""

# In each round as many packets as it says, of a kernel that does nothing else: written, or read. With more than there are it stands still.
FED = HEAD + """channel int c __attribute__((depth(DEPTH)));
channel int e __attribute__((depth(200)));
kernel void size(void) { for (int i = 0; i < 2000; i++) write_channel_intel(e, i == 500 ? 500 : (int)((uint)i * 2654435761u >> 28)); }
#ifdef READS
kernel void plain(void) { int x = 1;
PRAGMA
    for (int i = 0; i < COUNT; i++) { write_channel_intel(c, x); x = x * 3 + i; } }
kernel void burst(void) { int x = 1; for (int i = 0; i < 2000; i++) { int n = read_channel_intel(e);
        for (int j = 0; j < n; j++) x = x * 31 + read_channel_intel(c); } printf("%d\\n", x); }
#else
kernel void burst(void) { int x = 1; for (int i = 0; i < 2000; i++) { int n = read_channel_intel(e);
        for (int j = 0; j < n; j++) { write_channel_intel(c, x); x = x * 5 + 3; } } printf("%d\\n", x); }
kernel void plain(void) { int x = 1;
PRAGMA
    for (int i = 0; i < COUNT; i++) x = x * 31 + read_channel_intel(c); printf("%d\\n", x); }
#endif
"""

# Packet loops that unrolling has made several of, each with cycles of its own; some are passed by.
COPIES = HEAD + """channel int c __attribute__((depth(64)));
channel int d __attribute__((depth(DEPTH)));
kernel void give(void) { for (int i = 0; i < 2000; i++) write_channel_intel(c, (int)((uint)i * 2654435761u >> 20)); }
kernel void burst(void) { for (int i = 0; i < 2000; i++) { int x = read_channel_intel(c);
#pragma unroll UNROLL
        for (int k = 0; k < 4; k++) {
            if ((i & 63) >> 2 != k && i % 5) continue;
            for (int j = 0; j <= (x >> (2 * k) & 7); j++) { x = k & 1 ? x * 5 + 1 : x ^ j; write_channel_intel(d, x); if (k == 2) x = x / 3 + k; } } }
    write_channel_intel(d, INT_MIN); }
kernel void take(void) { int x = 1, y; while ((y = read_channel_intel(d)) != INT_MIN) x = x * 31 + y; printf("%d\\n", x); }
"""

# Packets in loops that end by data and use memory, each its own or parts of one buffer; some are not taken in the end.
IN_LOOPS = HEAD + """channel int a __attribute__((depth(DEPTH)));
channel int16 b __attribute__((depth(DEPTH)));
channel int c __attribute__((depth(64)));
kernel void give(global int *memory) { int x = 1; for (int i = 0; i < 700; i++) { for (int q = 0; q < (i * 5 >> 1 & 7); q++) { write_channel_intel(a, x); x = x * 3 + memory[q]; memory[q] += x; }
        if (i & 4) write_channel_intel(c, x); } printf("%d\\n", x); }
kernel void turn(global const int *given) { for (int i = 0; i < 700; i++) { int x = given[16 + (i & 7)];
        for (int q = 0; q < (i * 5 >> 1 & 7); q++) x += read_channel_intel(a);
        for (uint t = (uint)i * 2654435761u >> 20; t; t >>= 2) { write_channel_intel(b, (int16)(x, i, x ^ i, i, (int4)(i), (int8)(x + 3))); x += (int)t; } } }
kernel void take(global int *memory) { int x = 1; for (int i = 0; i < 700; i++) {
        for (uint t = (uint)i * 2654435761u >> 20; t; t >>= 2) { int16 v = read_channel_intel(b); x = x * 31 + v.s0 + v.s2 * v.sf; }
        if (i & 4) x ^= read_channel_intel(c);
        if (i == LAST) return; memory[8 + (i & 7)] = x; } printf("%d\\n", x); }
"""

STANDS_STILL = HEAD + """channel int c __attribute__((depth(1)));
channel int d __attribute__((depth(1)));
kernel void give(void) { for (int i = 0; i < 20; i++) write_channel_intel(c, i); write_channel_intel(d, 1); }
kernel void take(void) { int x = read_channel_intel(d); for (int i = 0; i < 20; i++) x += read_channel_intel(c); printf("%d\\n", x); }
"""

# What is written to b has been read ahead of the clock of each `give` that is ended, by a kernel that goes on.
READ_AHEAD = HEAD + """channel int a __attribute__((depth(1)));
channel int b __attribute__((depth(4)));
channel int z __attribute__((depth(2)));
kernel void give(void) { for (int i = 0; i < 700; i++) { write_channel_intel(a, i); write_channel_intel(b, i); } write_channel_intel(z, 1); }
__attribute__((max_global_work_dim(0))) __attribute__((autorun)) kernel void hold(void) { while (1) { read_channel_intel(a); read_channel_intel(z); } }
__attribute__((max_global_work_dim(0))) __attribute__((autorun)) kernel void sink(void) { int x = 1; while (1) x = x * 31 + read_channel_intel(b); }
"""

# The other way round: `take` has read ahead of the clock of `source`, which goes on when the second `drain` reads.
WRITTEN_AHEAD = HEAD + """channel int b __attribute__((depth(4)));
channel int e __attribute__((depth(3)));
channel int y __attribute__((depth(2)));
channel int z __attribute__((depth(2)));
__attribute__((max_global_work_dim(0))) __attribute__((autorun))
kernel void source(void) { int n = 0; while (1) { write_channel_intel(b, n); write_channel_intel(e, n); n++; } }
kernel void take(void) { int x = 1; for (int i = 0; i < 700; i++) x = x * 31 + read_channel_intel(b); printf("%d\\n", x); }
kernel void drain(global int *times) { int x = 1; if ((*times)++ == 0) x = read_channel_intel(z); for (int i = 0; i < 300; i++) x = x * 31 + read_channel_intel(e); write_channel_intel(y, x); }
kernel void never(void) { int x = read_channel_intel(y); write_channel_intel(z, x); }
"""

# The first kernel writes to c for the third time and then waits for room in d: it has begun three rounds.
STANDS_INSIDE = HEAD + """channel int c __attribute__((depth(7)));
channel int d __attribute__((depth(2)));
channel int e __attribute__((depth(3)));
channel int f __attribute__((depth(64)));
kernel void give(void) { for (int n = 0; n < 700; n++) { write_channel_intel(c, n); write_channel_intel(d, n); } }
kernel void turn(void) { for (int n = 0; n < 700; n++) { int x = read_channel_intel(c); write_channel_intel(e, x + read_channel_intel(f)); } }
kernel void back(void) { for (int n = 0; n < 700; n++) { int x = read_channel_intel(e); write_channel_intel(f, x + read_channel_intel(d)); } }
"""

# Each waits for another one, and has read, or written, hundreds of packets ahead of that.
STANDS_FAR = HEAD + """channel int c __attribute__((depth(7)));
channel int d __attribute__((depth(3)));
channel int e __attribute__((depth(4)));
kernel void give(void) { for (int n = 0; n < 700; n++) { for (int b0 = 0; b0 < 2; b0++) write_channel_intel(c, n); write_channel_intel(d, n); } }
kernel void turn(void) { for (int n = 0; n < 700; n++) { int x = 0; for (int b0 = 0; b0 < 2; b0++) x += read_channel_intel(c); write_channel_intel(e, x); } }
kernel void take(void) { int x = 1; for (int n = 0; n < 700; n++) { for (int b0 = 0; b0 < 5; b0++) x = x * 31 + read_channel_intel(d); x += read_channel_intel(e); } }
"""

# What is read depends on how far the writer has come, which the depth of the pipe says; but of `mine` nobody else knows.
SHARES = HEAD + """channel int c __attribute__((depth(2)));
global int place[8];
global int mine[8];
kernel void give(void) { for (int i = 0; i < 700; i++) { place[i & 7] = i; mine[i & 7] += i; write_channel_intel(c, i); } printf("%d\\n", mine[3]); }
kernel void take(void) { int x = 1; for (int i = 0; i < 700; i++) { int n = read_channel_intel(c); x = x * 31 + place[n & 7] + place[(n + 4) & 7]; }
    printf("%d\\n", x); }
"""

BUFFERS = HEAD + """channel int d __attribute__((depth(2)));
kernel void put(global int *a) { for (int i = 0; i < 700; i++) { a[i & 7] += i; write_channel_intel(d, i); } printf("%d\\n", a[3]); }
kernel void get(global int *a) { int x = 1; for (int i = 0; i < 700; i++) { int n = read_channel_intel(d); x = x * 31 + a[n & 7] + a[(n + 4) & 7]; }
    printf("%d\\n", x); }
"""

# A kernel tells another one where its buffer is.
TOLD = HEAD + """channel ulong p;
channel int d __attribute__((depth(2)));
kernel void put(global int *a) { write_channel_intel(p, (ulong)a); for (int i = 0; i < 700; i++) { a[i & 7] += i; write_channel_intel(d, i); } printf("%d\\n", a[3]); }
kernel void get(void) { global int *a = (global int *)read_channel_intel(p); int x = 1;
    for (int i = 0; i < 700; i++) { int n = read_channel_intel(d); x = x * 31 + a[n & 7] + a[(n + 4) & 7]; }
    printf("%d\\n", x); }
"""

# What is only read may be everybody's; where somebody writes it, it matters how far he has come, whatever others say of it.
READERS = HEAD + """channel int d __attribute__((depth(2)));
kernel void put(global const int *a, global int *b) { int x = 1; for (int i = 0; i < 700; i++) { x = x * 31 + a[i & 7]; b[i & 7] += i; write_channel_intel(d, x); }
    printf("%d\\n", x); }
kernel void get(constant int *a, global const int *b) { int x = 1; for (int i = 0; i < 700; i++) { int n = read_channel_intel(d); x = x * 31 + (n ^ a[i & 7]) + b[(i + 4) & 7]; }
    printf("%d\\n", x); }
"""

# Whatever is declared: the first kernel writes; in the next design all only read the first buffer, though nobody says so.
CAST = HEAD + """channel int d __attribute__((depth(2)));
kernel void put(global const int *a) { for (int i = 0; i < 700; i++) { ((global int *)a)[i & 7] += i; write_channel_intel(d, i); } printf("%d\\n", a[3]); }
kernel void get(constant int *a) { int x = 1; for (int i = 0; i < 700; i++) { int n = read_channel_intel(d); x = x * 31 + (n ^ a[i & 7]) + a[(i + 4) & 7]; } printf("%d\\n", x); }
"""

UNSAID = HEAD + """channel int d __attribute__((depth(2)));
kernel void put(global int *a) { int x = 1; for (int i = 0; i < 700; i++) { x = x * 31 + a[i & 7]; write_channel_intel(d, x); } printf("%d\\n", x); }
kernel void get(global int *a, global int *b) { int x = 1; for (int i = 0; i < 700; i++) { int n = read_channel_intel(d); x = x * 31 + (n ^ a[i & 7]); b[i & 7] += x; }
    printf("%d %d\\n", x, b[5]); }
"""

# The second kernel does not have the memory as an argument, but finds it: there is its address.
FOUND = HEAD + """channel int d __attribute__((depth(2)));
kernel void tell(global ulong *where, global int *a) { *where = (ulong)a; }
kernel void put(global const int *a) { int x = 1; for (int i = 0; i < 700; i++) { x = x * 31 + a[i & 7]; write_channel_intel(d, x); } printf("%d\\n", x); }
kernel void get(global ulong *where) { global int *a = (global int *)*where; for (int i = 0; i < 700; i++) { int n = read_channel_intel(d); a[i & 7] += n; }
    printf("%d\\n", a[3]); }
"""

# Likewise, a number that becomes an address as it is counted from none.
COUNTED = HEAD + """channel int d __attribute__((depth(2)));
kernel void tell(global ulong *where, global int *a) { *where = (ulong)a / 4; }
kernel void put(global const int *a) { int x = 1; for (int i = 0; i < 700; i++) { x = x * 31 + a[i & 7]; write_channel_intel(d, x); } printf("%d\\n", x); }
kernel void get(global ulong *where) { global int *none = 0; for (int i = 0; i < 700; i++) { int n = read_channel_intel(d); none[*where + (i & 7)] += n; } }
"""

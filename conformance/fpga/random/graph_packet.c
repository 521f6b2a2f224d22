/* SPDX-License-Identifier: Apache-2.0 */
/* Types of packets. `pack` makes a packet v of the uint x, `unpack` an expression of the packet v;
 * a packet that was damaged on its way unpacks to something else. */
#include "graph.h"

static const struct {
    const char *declare, *name, *pack, *unpack;
    uint32_t bits, bytes;
} types[] = {
    {"", "uchar", "v = (uchar)x", "v", 8, 1},
    {"", "ushort", "v = (ushort)x", "v", 16, 2},
    {"", "uint", "v = x", "v", 32, 4},
    {"", "ulong", "v = (ulong)x << 32 | ~x", "(uint)(v >> 32) ^ (uint)(~(v >> 32) ^ (uint)v)", 32,
     8},
    {"", "uint2", "v = (uint2)(x, x * 3)", "v.x ^ (v.y ^ v.x * 3)", 32, 8},
    {"", "uchar3", "v = (uchar3)((uchar)x, (uchar)(x >> 8), (uchar)(x >> 16))",
     "v.x | v.y << 8 | v.z << 16", 24, 4},
    {"typedef struct { uchar a[3]; } odd;\n", "odd",
     "v.a[0] = (uchar)x; v.a[1] = (uchar)(x >> 8); v.a[2] = (uchar)(x >> 16)",
     "v.a[0] | v.a[1] << 8 | v.a[2] << 16", 24, 3},
    {"typedef struct { uint a[16]; } wide;\n", "wide",
     "for (int j = 0; j < 16; j++) v.a[j] = x + j",
     "v.a[0] ^ (v.a[15] - v.a[0] - 15) ^ (v.a[7] - v.a[0] - 7)", 32, 64},
    {"typedef struct { float f; int last; ushort h[2]; } mixed;\n", "mixed",
     "v.f = (float)(x & 0xffff); v.last = x & 1; v.h[1] = (ushort)(x >> 16); v.h[0] = (ushort)x",
     "(uint)v.f + (((uint)v.h[1] + (v.last ^ (v.h[0] & 1))) << 16)", 32, 12},
    {"typedef struct { struct { uint2 p; uchar tag; } in[2]; } nested;\n", "nested",
     "v.in[0].p = (uint2)(x, ~x); v.in[1].p = v.in[0].p + 1; v.in[0].tag = v.in[1].tag = (uchar)x",
     "v.in[0].p.x ^ (v.in[1].p.y - v.in[0].p.y - 1) ^ (uint)(v.in[1].tag ^ v.in[0].tag) ^ "
     "~(v.in[0].p.x ^ v.in[0].p.y)",
     32, 32},
};

uint32_t packet_types(void)
{
    return LEN(types);
}

uint32_t packet_bits(uint32_t type)
{
    return types[type].bits;
}

uint32_t packet_bytes(uint32_t type)
{
    return types[type].bytes;
}

const char *packet_name(uint32_t type)
{
    return types[type].name;
}

const char *packet_pack(uint32_t type)
{
    return types[type].pack;
}

const char *packet_unpack(uint32_t type)
{
    return types[type].unpack;
}

void packet_declare_all(struct text *source)
{
    text_add(source, CHANNELS "#ifndef TYPES\n#define TYPES\n");
    for (size_t i = 0; i < LEN(types); i++)
        text_add(source, "%s", types[i].declare);
    text_add(source, "#endif\n");
}

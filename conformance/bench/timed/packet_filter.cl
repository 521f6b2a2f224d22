/* SPDX-License-Identifier: Apache-2.0 */
/* A packet filter: the last packet ends it. The sink prints a sum, so that runs can be compared. */
#pragma OPENCL EXTENSION cl_intel_channels : enable

uint next_random(uint *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

#define RULES 24
struct packet {
    uint source, target;
    ushort target_port, length;
    uchar protocol, kind;
};
struct rule {
    uint source, source_mask;
    ushort first_port, last_port;
    int accept;
};
struct verdict {
    struct packet packet;
    int rule, accept;
};
channel struct packet packets_in __attribute__((depth(64)));
channel struct packet packets_out __attribute__((depth(64)));
channel struct verdict verdicts __attribute__((depth(64)));
kernel void filter_give(void)
{
    uint state = 3;
    for (int n = 0; n < PACKETS; n++) {
        struct packet p;
        p.source = next_random(&state);
        p.target = next_random(&state);
        p.target_port = (ushort)next_random(&state);
        p.length = (ushort)(p.target & 1023);
        p.protocol = p.source & 1 ? 6 : 17;
        p.kind = n == PACKETS - 1 ? 9 : 0;
        write_channel_intel(packets_in, p);
    }
}
kernel void filter_classify(void)
{
    struct rule rules[RULES];
    for (uint i = 0; i < RULES; i++) {
        rules[i].source = i;
        rules[i].source_mask = 15;
        rules[i].first_port = (ushort)(i * 1000);
        rules[i].last_port = (ushort)(i * 1000 + 8000);
        rules[i].accept = i & 1;
    }
    for (uint n = 0; n < PACKETS; n++) {
        struct verdict v;
        v.packet = read_channel_intel(packets_in);
        v.rule = -1;
        v.accept = v.packet.kind == 9;
        for (uint i = 0; i < RULES && v.rule < 0; i++)
            if (((v.packet.source ^ rules[i].source) & rules[i].source_mask) == 0 &&
                v.packet.target_port >= rules[i].first_port &&
                v.packet.target_port <= rules[i].last_port) {
                v.rule = (int)i;
                v.accept = rules[i].accept;
            }
        write_channel_intel(verdicts, v);
    }
}
kernel void filter_forward(void)
{
    uint hits[RULES], dropped = 0;
    for (uint i = 0; i < RULES; i++)
        hits[i] = 0;
    for (uint n = 0; n < PACKETS; n++) {
        struct verdict v = read_channel_intel(verdicts);
        if (v.rule >= 0)
            hits[v.rule]++;
        if (v.accept || v.packet.kind == 9)
            write_channel_intel(packets_out, v.packet);
        else
            dropped++;
    }
    printf("%u\n", dropped + hits[3]);
}
kernel void filter_take(void)
{
    uint sum = 0;
    struct packet p;
    do {
        p = read_channel_intel(packets_out);
        sum += p.length;
    } while (p.kind != 9);
    printf("%u\n", sum);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A packet filter: records come in from a peripheral, the first rule that matches decides, what is
 * accepted leaves through another peripheral. Host memory only holds rules and counters. */
#pragma OPENCL EXTENSION cl_intel_channels : enable

struct verdict {
    struct packet packet;
    int rule; /* -1: none matched */
    int accept;
};

channel struct packet packets_in __attribute__((depth(64))) __attribute__((io("packets_in")));
channel struct packet packets_out __attribute__((depth(64))) __attribute__((io("packets_out")));
channel struct verdict verdicts __attribute__((depth(64)));

bool matches(const struct packet *p, constant struct rule *r)
{
    return ((p->source ^ r->source) & r->source_mask) == 0 &&
           ((p->target ^ r->target) & r->target_mask) == 0 &&
           (r->protocol == 0 || r->protocol == p->protocol) &&
           (r->last_port == 0 ||
            (p->target_port >= r->first_port && p->target_port <= r->last_port));
}

kernel void classify(uint count, constant struct rule *restrict rules, uint rule_count)
{
    for (uint n = 0; n < count; n++) {
        struct verdict v;
        v.packet = read_channel_intel(packets_in);
        v.rule = -1;
        v.accept = v.packet.kind == 1;
        for (uint i = 0; i < rule_count && v.rule < 0 && v.packet.kind != 1; i++)
            if (matches(&v.packet, &rules[i])) {
                v.rule = (int)i;
                v.accept = rules[i].accept;
            }
        write_channel_intel(verdicts, v);
    }
}

/* counters: accepted, dropped, accepted bytes, then the hits of each rule. */
kernel void forward(uint count, global uint *restrict counters)
{
    for (uint n = 0; n < count; n++) {
        struct verdict v = read_channel_intel(verdicts);
        if (v.rule >= 0)
            counters[3 + v.rule]++;
        counters[v.accept ? 0 : 1]++;
        if (v.accept) {
            counters[2] += v.packet.length;
            write_channel_intel(packets_out, v.packet);
        }
    }
}

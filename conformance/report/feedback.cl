// SPDX-License-Identifier: Apache-2.0
// A source, an autorun filter with a feedback loop of no depth, and a sink.
#pragma OPENCL EXTENSION cl_intel_channels : enable
channel float4 samples __attribute__((depth(64)));
channel float4 filtered[2];
channel int back;
__attribute__((max_global_work_dim(0))) kernel void source(global const float4 *in, int n)
{
    for (int i = 0; i < n; i++)
        write_channel_intel(samples, in[i]);
}
__attribute__((autorun, max_global_work_dim(0))) kernel void filter(void)
{
    float4 v = read_channel_intel(samples);
    write_channel_intel(filtered[0], v * 2);
    write_channel_intel(filtered[1], v * 3);
    if (read_channel_intel(back))
        ;
}
__attribute__((max_global_work_dim(0))) kernel void sink(global float4 *out, int n)
{
    for (int i = 0; i < n; i++) {
        out[i] = read_channel_intel(filtered[0]) + read_channel_intel(filtered[1]);
        write_channel_intel(back, i);
    }
}

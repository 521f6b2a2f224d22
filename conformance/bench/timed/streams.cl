/* SPDX-License-Identifier: Apache-2.0 */
/* One pipe, deep and narrow, and nothing else. The sink prints a sum, so that runs can be compared. */
#pragma OPENCL EXTENSION cl_intel_channels : enable

channel int plain __attribute__((depth(64)));
kernel void stream_give(void)
{
    for (int i = 0; i < STREAM; i++)
        write_channel_intel(plain, i);
}
kernel void stream_take(void)
{
    int sum = 0;
    for (int i = 0; i < STREAM; i++)
        sum += read_channel_intel(plain);
    printf("%d\n", sum);
}

channel int narrow __attribute__((depth(1)));
kernel void narrow_give(void)
{
    for (int i = 0; i < STREAM / 8; i++)
        write_channel_intel(narrow, i);
}
kernel void narrow_take(void)
{
    int sum = 0;
    for (int i = 0; i < STREAM / 8; i++)
        sum += read_channel_intel(narrow);
    printf("%d\n", sum);
}

/* Packets of 16 bytes, taken every fourth cycle: a sum of float. */
channel float4 wide __attribute__((depth(64)));
channel float4 wider __attribute__((depth(64)));
kernel void wide_give(void)
{
    for (int i = 0; i < STREAM; i++)
        write_channel_intel(wide, (float4)(i, i + 1, i + 2, i + 3));
}
kernel void wide_pass(void)
{
    for (int i = 0; i < STREAM; i++) {
        float4 p = read_channel_intel(wide);
        p.x += p.y;
        write_channel_intel(wider, p);
    }
}
kernel void wide_take(void)
{
    float4 sum = 0;
    for (int i = 0; i < STREAM; i++) {
        float4 p = read_channel_intel(wider);
        sum += p * p.wzyx;
    }
    printf("%v4f\n", sum);
}

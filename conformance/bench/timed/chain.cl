/* SPDX-License-Identifier: Apache-2.0 */
/* A chain of 41 kernels, joined by pipes of four depths. The sink prints a sum, so that runs can be compared. */
#pragma OPENCL EXTENSION cl_intel_channels : enable

#define STAGE(NAME, FROM, TO)                                                                      \
    kernel void chain_##NAME(void)                                                                 \
    {                                                                                              \
        for (int i = 0; i < PACKETS; i++) {                                                        \
            int v = read_channel_intel(FROM);                                                      \
            write_channel_intel(TO, v * 3 + 7);                                                    \
        }                                                                                          \
    }
/* The kernels between the pipes of a link. */
#define LINK(N)                                                                                    \
    STAGE(N##a, link_##N##a, link_##N##b)                                                          \
    STAGE(N##b, link_##N##b, link_##N##c)                                                          \
    STAGE(N##c, link_##N##c, link_##N##d)
#define PIPES(N)                                                                                   \
    channel int link_##N##a __attribute__((depth(1)));                                             \
    channel int link_##N##b __attribute__((depth(3)));                                             \
    channel int link_##N##c __attribute__((depth(8)));                                             \
    channel int link_##N##d __attribute__((depth(64)));

PIPES(0)
PIPES(1)
PIPES(2)
PIPES(3)
PIPES(4)
PIPES(5)
PIPES(6)
PIPES(7)
PIPES(8)
PIPES(9)

kernel void chain_give(void)
{
    for (int i = 0; i < PACKETS; i++)
        write_channel_intel(link_0a, i * 7);
}
LINK(0)
STAGE(0d, link_0d, link_1a)
LINK(1)
STAGE(1d, link_1d, link_2a)
LINK(2)
STAGE(2d, link_2d, link_3a)
LINK(3)
STAGE(3d, link_3d, link_4a)
LINK(4)
STAGE(4d, link_4d, link_5a)
LINK(5)
STAGE(5d, link_5d, link_6a)
LINK(6)
STAGE(6d, link_6d, link_7a)
LINK(7)
STAGE(7d, link_7d, link_8a)
LINK(8)
STAGE(8d, link_8d, link_9a)
LINK(9)
kernel void chain_take(void)
{
    int sum = 0;
    for (int i = 0; i < PACKETS; i++)
        sum = sum * 5 + read_channel_intel(link_9d);
    printf("%d\n", sum);
}

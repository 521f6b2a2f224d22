// SPDX-License-Identifier: Apache-2.0
// A module with a row of each kind in its tables: what sluice-report is fuzzed with.
#pragma OPENCL EXTENSION cl_intel_channels : enable
#pragma OPENCL EXTENSION cl_intel_fpga_host_pipe : enable
typedef struct {
    int a;
    float4 b;
} packet;
channel uint plain;
channel packet grid[2][3] __attribute__((depth(3)));
channel int there __attribute__((depth(5))) __attribute__((intel_host_accessible));
channel int outside __attribute__((depth(2))) __attribute__((io("port \"0\"")));
constant int table[9] = {1, 2, 3};
kernel void first(uint n)
{
    for (uint i = 0; i < n; i++)
        write_channel_intel(plain, i);
}
__attribute__((autorun, max_global_work_dim(0), num_compute_units(2))) kernel void unit(void)
{
    packet p = read_channel_intel(grid[get_compute_id(0)][1]);
    write_channel_intel(grid[get_compute_id(0)][2], p);
}
kernel void last(global uint *o, local float *l, read_only image2d_t image, sampler_t s, packet p)
{
    l[0] = read_imagef(image, s, (int2)(0)).x + p.b.y;
    bool valid;
    o[0] = read_channel_intel(plain) + read_channel_nb_intel(outside, &valid) + table[p.a];
    printf("%u %s\n", o[0], "text");
}
kernel void host(global int *o)
{
    o[0] = read_channel_intel(there);
}
kernel void arguments(read_only pipe int p __attribute__((depth(7))) __attribute__((blocking)),
                      write_only pipe int q)
{
    int v;
    if (!read_pipe(p, &v))
        write_pipe(q, &v);
}

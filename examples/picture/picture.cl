/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The steps of examples/picture: integer arithmetic throughout, so that plain C gives the same bits.
 * BINS is 256; TILE and RADIUS come from the build options.
 */

/* RGB triples to luma: BT.601 weights scaled to 256 (77 + 150 + 29). */
kernel void grey(global const uchar *rgb, global uchar *out, uint width, uint height)
{
    const uint x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height)
        return;
    const uchar3 p = vload3(y * width + x, rgb);
    out[y * width + x] = (uchar)((77u * p.x + 150u * p.y + 29u * p.z + 128u) >> 8);
}

/* Binomial 7x7 blur. The work-group fetches its tile and a border of RADIUS texels into local
 * memory, edges clamped, then filters rows and columns there. */
kernel void blur(global const uchar *in, global uchar *out, uint width, uint height,
                 local uchar *tile, local ushort *rows)
{
    const int side = TILE + 2 * RADIUS;
    const int lx = get_local_id(0), ly = get_local_id(1);
    const int x0 = (int)get_group_id(0) * TILE - RADIUS, y0 = (int)get_group_id(1) * TILE - RADIUS;
    for (int ty = ly; ty < side; ty += TILE)
        for (int tx = lx; tx < side; tx += TILE) {
            const int sx = clamp(x0 + tx, 0, (int)width - 1);
            const int sy = clamp(y0 + ty, 0, (int)height - 1);
            tile[ty * side + tx] = in[sy * (int)width + sx];
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int ty = ly; ty < side; ty += TILE) {
        local const uchar *t = tile + ty * side + lx;
        rows[ty * TILE + lx] = t[0] + t[6] + 6 * (t[1] + t[5]) + 15 * (t[2] + t[4]) + 20 * t[3];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    local const ushort *r = rows + ly * TILE + lx;
    const uint sum = r[0] + r[6 * TILE] + 6u * (r[TILE] + r[5 * TILE]) +
                     15u * (r[2 * TILE] + r[4 * TILE]) + 20u * r[3 * TILE];
    const uint x = get_global_id(0), y = get_global_id(1);
    if (x < width && y < height)
        out[y * width + x] = (uchar)((sum + 2048u) >> 12);
}

/* |gx| + |gy|, halved and clipped. */
kernel void sobel(global const uchar *in, global uchar *out, int width, int height)
{
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height)
        return;
    const int l = max(x - 1, 0), r = min(x + 1, width - 1);
    const int u = max(y - 1, 0) * width, d = min(y + 1, height - 1) * width, m = y * width;
    const int gx = in[u + r] + 2 * in[m + r] + in[d + r] - in[u + l] - 2 * in[m + l] - in[d + l];
    const int gy = in[d + l] + 2 * in[d + x] + in[d + r] - in[u + l] - 2 * in[u + x] - in[u + r];
    out[m + x] = (uchar)min((abs(gx) + abs(gy)) / 2u, 255u);
}

/* Each work-group counts into local memory and adds its counts to the whole. */
kernel void histogram(global const uchar *in, uint count, global uint *bins, local uint *part)
{
    for (uint i = get_local_id(0); i < 256; i += get_local_size(0))
        part[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_global_id(0); i < count; i += get_global_size(0))
        atomic_inc(&part[in[i]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_local_id(0); i < 256; i += get_local_size(0))
        if (part[i])
            atomic_add(&bins[i], part[i]);
}

/* One work-group: inclusive scan of the 256 bins, then the equalising table. */
kernel void equalise_table(global const uint *bins, uint count, global uchar *table, local uint *scan)
{
    const uint i = get_local_id(0);
    scan[i] = bins[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint step = 1; step < 256; step *= 2) {
        const uint below = i >= step ? scan[i - step] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        scan[i] += below;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    uint lowest = 0;
    for (uint k = 0; k < 256 && !lowest; k++)
        lowest = scan[k];
    const uint span = max(count - lowest, 1u);
    const ulong above = scan[i] > lowest ? scan[i] - lowest : 0;
    table[i] = (uchar)((above * 255 + span / 2) / span);
}

kernel void apply_table(global const uchar *in, global const uchar *table, global uchar *out,
                        uint count)
{
    const uint i = get_global_id(0);
    if (i < count)
        out[i] = table[in[i]];
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels of many work-items, as people write them: how often their loops go round is data, or some
 * work-items return at once. `p` holds WORDS of them. */
#define WORDS (1 << 20)
#define HALF (WORDS / 2)

kernel void fill(global int *restrict p)
{
    const uint i = get_global_id(0);
    p[i] = i * 2654435761u >> 9;
}

kernel void sizes(global int *restrict p)
{
    p[0] = HALF - 1000;
    p[1] = 1000;
}

/* A stride of the whole launch. */
kernel void saxpy(global const int *restrict sizes, global const int *restrict x, global int *restrict y)
{
    const int i = get_global_id(0), n = sizes[0];
    if (i >= n)
        return;
    for (int k = i; k < n; k += get_global_size(0))
        y[k] = as_int(2.5f * x[k] + y[k]);
}

kernel void rows(global int *restrict row)
{
    const uint i = get_global_id(0);
    row[i] = i * 7 + (i * 2654435761u >> 30) * 2;
}

kernel void spmv(global const int *restrict sizes, global const int *restrict row, global const int *restrict p,
                 global int *restrict y)
{
    const int i = get_global_id(0), n = sizes[0] / 8;
    float sum = 0;
    if (i >= n)
        return;
    for (int j = row[i]; j < row[i + 1]; j++)
        sum += p[j] * p[HALF + (p[j] & HALF - 1)];
    y[i] = sum;
}

kernel void mandelbrot(global int *restrict p)
{
    const int i = get_global_id(0);
    const float re = (i & 511) / 200.0f - 2, im = (i >> 9) / 256.0f - 1;
    float x = 0, y = 0;
    int round = 0;
    while (round < 200 && x * x + y * y < 4) {
        const float next = x * x - y * y + re;
        y = 2 * x * y + im;
        x = next;
        round++;
    }
    p[i] = round;
}

kernel void nbody(global const int *restrict sizes, global const int *restrict p, global int *restrict force)
{
    const int i = get_global_id(0), n = sizes[1];
    const float at = p[i];
    float sum = 0;
    if (i >= n)
        return;
    for (int j = 0; j < n; j++) {
        const float d = p[j] - at;
        sum += d * rsqrt(d * d * d * d * d * d + 1);
    }
    force[i] = as_int(sum);
}

/* 512 columns; at borders what is outside is left out. */
kernel void convolution(global const int *restrict sizes, global const int *restrict p, global int *restrict to)
{
    const int x = get_global_id(0) & 511, y = get_global_id(0) >> 9, high = sizes[0] >> 9;
    float sum = 0;
    for (int v = max(y - 3, 0); v <= min(y + 3, high - 1); v++)
        for (int u = max(x - 3, 0); u <= min(x + 3, 511); u++)
            sum += p[v * 512 + u] * (1.0f / (1 + abs(v - y) + abs(u - x)));
    to[y * 512 + x] = sum;
}

kernel void search(global const int *restrict sizes, global const int *restrict row, global int *restrict found)
{
    const int i = get_global_id(0), n = sizes[0];
    const int wanted = (i * 2654435761u) % (7u * n);
    int low = 0, high = n;
    if (i >= n)
        return;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (row[middle] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    found[i] = low;
}

kernel void sum(global const int *restrict p)
{
    uint sum = 0;
    for (int i = 0; i < WORDS; i++)
        sum = sum * 31 + p[i];
    printf("%u\n", sum);
}

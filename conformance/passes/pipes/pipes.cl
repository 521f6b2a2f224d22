/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels for pipes_program.c, in the dialect that the front end hands to the passes: a pipe is an
 * undefined variable whose address is an operation's operand. pipes_program.c declares them.
 */
void __sl_pipe_read(__constant void *, void *, uint, uint);
void __sl_pipe_write(__constant void *, void *, uint, uint);
int __sl_pipe_read_nb(__constant void *, void *, uint, uint);
int __sl_pipe_write_nb(__constant void *, void *, uint, uint);
int __sl_read_pipe_2(__constant void *, void *, uint, uint);
int __sl_write_pipe_2(__constant void *, void *, uint, uint);
int __sl_get_pipe_num_packets(__constant void *, uint, uint);
int __sl_get_pipe_max_packets(__constant void *, uint, uint);
ulong __sl_reserve_write_pipe(__constant void *, int, uint, uint);
void __sl_commit_write_pipe(__constant void *, ulong, uint, uint);
int __sl_write_pipe_4(__constant void *, ulong, uint, void *, uint, uint);
ulong __sl_work_group_reserve_read_pipe(__constant void *, int, uint, uint);
void __sl_work_group_commit_read_pipe(__constant void *, ulong, uint, uint);
int __sl_read_pipe_4(__constant void *, ulong, uint, void *, uint, uint);
int __sl_compute_id(int);

#define WRITE(c, v) __sl_pipe_write(&(c), &(v), sizeof(v), __alignof(v))
#define READ(c, v) __sl_pipe_read(&(c), &(v), sizeof(v), __alignof(v))
#define WRITE_NB(c, v) __sl_pipe_write_nb(&(c), &(v), sizeof(v), __alignof(v))
#define READ_NB(c, v) __sl_pipe_read_nb(&(c), &(v), sizeof(v), __alignof(v))

/* ---- packets of any size --------------------------------------------------------------------- */

#define BYTES(n)                                                                                   \
    typedef struct {                                                                               \
        uchar b[n];                                                                                \
    } bytes##n;                                                                                    \
    extern __constant bytes##n p##n;                                                               \
    __kernel void put##n(int count)                                                                \
    {                                                                                              \
        for (int i = 0; i < count; i++) {                                                          \
            bytes##n v;                                                                            \
            for (int k = 0; k < n; k++)                                                            \
                v.b[k] = (uchar)(i * 7 + k * 3);                                                   \
            WRITE(p##n, v);                                                                        \
        }                                                                                          \
    }                                                                                              \
    __kernel void take##n(__global int *bad, int count)                                            \
    {                                                                                              \
        int wrong = 0;                                                                             \
        for (int i = 0; i < count; i++) {                                                          \
            bytes##n v;                                                                            \
            READ(p##n, v);                                                                         \
            for (int k = 0; k < n; k++)                                                            \
                wrong += v.b[k] != (uchar)(i * 7 + k * 3);                                         \
        }                                                                                          \
        *bad = wrong;                                                                              \
    }

BYTES(1)
BYTES(2)
BYTES(3)
BYTES(12)
BYTES(24)
BYTES(100)
BYTES(1000)

#define VECTOR(type, make, bytes)                                                                  \
    extern __constant type p_##type;                                                               \
    __kernel void put_##type(int count)                                                            \
    {                                                                                              \
        for (int i = 0; i < count; i++) {                                                          \
            type v = make;                                                                         \
            WRITE(p_##type, v);                                                                    \
        }                                                                                          \
    }                                                                                              \
    __kernel void take_##type(__global int *bad, int count)                                        \
    {                                                                                              \
        int wrong = 0;                                                                             \
        for (int i = 0; i < count; i++) {                                                          \
            type v, want = make;                                                                   \
            READ(p_##type, v);                                                                     \
            for (int k = 0; k < bytes; k++)                                                        \
                wrong += ((uchar *)&v)[k] != ((uchar *)&want)[k];                                  \
        }                                                                                          \
        *bad = wrong;                                                                              \
    }

VECTOR(int2, ((int2)(i, -i)), 8)
VECTOR(int3, ((int3)(i, -i, 3 * i)), 12)
VECTOR(float4, ((float4)(i, i + 1, i + 2, i + 3)), 16)
VECTOR(ulong8, ((ulong8)(i, i + 1, i + 2, i + 3, i, i, i, 7)), 64)

/* ---- streams --------------------------------------------------------------------------------- */

extern __constant int first, second;
__kernel void produce(int count)
{
    for (int i = 0; i < count; i++)
        WRITE(first, i);
}
__kernel void relay(int count)
{
    for (int i = 0; i < count; i++) {
        int v;
        READ(first, v);
        v = v * 2 + 1;
        WRITE(second, v);
    }
}
__kernel void consume(__global long *out, int count)
{
    long sum = 0;
    for (int i = 0; i < count; i++) {
        int v;
        READ(second, v);
        sum = sum * 3 + v;
    }
    *out = sum;
}

/* Polling at both ends; a failed read leaves what was there. */
__kernel void produce_nb(int count)
{
    for (int i = 0; i < count;)
        i += WRITE_NB(first, i) == 0;
}
__kernel void consume_nb(__global int *out, __global int *failed, int count)
{
    int failures = 0, touched = 0;
    for (int i = 0; i < count;) {
        int v = -7;
        if (READ_NB(first, v) == 0) {
            out[i++] = v;
        } else {
            failures++;
            touched += v != -7;
        }
    }
    failed[0] = failures;
    failed[1] = touched;
}

/* Straight into the caller's memory, which a failed read must not touch. */
__kernel void consume_global(__global int *out, __global int *codes, int count)
{
    for (int i = 0; i < count; i++)
        codes[i] = READ_NB(first, out[i]);
}

/* One kernel at both ends. */
__kernel void self(__global int *out, int count)
{
    for (int i = 0; i < count; i++) {
        int v = i * 5, w;
        WRITE(first, v);
        out[3 * i] = __sl_get_pipe_num_packets(&first, 4, 4);
        READ(first, w);
        out[3 * i + 1] = w;
        out[3 * i + 2] = __sl_get_pipe_max_packets(&first, 4, 4);
    }
}

/* As a pipe declared blocking, and one that is not. */
extern __constant int waiting, hasty;
__kernel void two_kinds(__global int *out, int count)
{
    int v = 1;
    for (int i = 0; i < count; i++) {
        __sl_write_pipe_2(&waiting, &i, 4, 4);
        v += __sl_write_pipe_2(&hasty, &i, 4, 4);
    }
    *out = v;
}
__kernel void drain_waiting(__global int *out, int count)
{
    for (int i = 0; i < count; i++)
        __sl_read_pipe_2(&waiting, out + i, 4, 4);
}

/* ---- arrays ---------------------------------------------------------------------------------- */

extern __constant short grid[3][2][1];
__kernel void spread(int count)
{
    for (int i = 0; i < count; i++) {
        short v = i;
        WRITE(grid[i % 3][i % 2], v);
    }
}
__kernel void gather(__global short *out, int count)
{
    for (int i = 0; i < count; i++)
        READ(grid[i % 3][i % 2], out[i]);
}
/* A constant element and a computed one that may be the same. */
extern __constant int mixed[4];
__kernel void mix(int count, int at)
{
    for (int i = 0; i < count; i++) {
        WRITE(mixed[2], i);
        int w = -i;
        WRITE(mixed[at], w);
    }
}
__kernel void unmix(__global int *out, int count, int at)
{
    for (int i = 0; i < count; i++) {
        READ(mixed[at], out[2 * i]);
        READ(mixed[2], out[2 * i + 1]);
    }
}
/* Unrolled before connections are checked: each kernel has elements of its own. */
extern __constant int lanes[4];
__kernel void low_lanes(int count)
{
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 2; k++) {
            int v = i * 4 + k;
            WRITE(lanes[k], v);
        }
}
__kernel void high_lanes(int count)
{
    for (int i = 0; i < count; i++)
        for (int k = 2; k < 4; k++) {
            int v = i * 4 + k;
            WRITE(lanes[k], v);
        }
}
static void take_from(__constant int *from, __global int *to)
{
    int v;
    __sl_pipe_read(from, &v, 4, 4);
    *to = v;
}
__kernel void all_lanes(__global int *out, int count)
{
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 4; k++)
            take_from(&lanes[k], out + i * 4 + k);
}

/* ---- autorun --------------------------------------------------------------------------------- */

extern __constant int chain[6];
__kernel void stage(void)
{
    int at = __sl_compute_id(0), v;
    READ(chain[at], v);
    v += 1 << at;
    WRITE(chain[at + 1], v);
}
__kernel void feed(int count)
{
    for (int i = 0; i < count; i++) {
        int v = i << 8;
        WRITE(chain[0], v);
    }
}
__kernel void collect(__global int *out, int count)
{
    for (int i = 0; i < count; i++)
        READ(chain[5], out[i]);
    out[count] = __sl_compute_id(0);
}

/* ---- waiting for memory ---------------------------------------------------------------------- */

__kernel void write_and_spin(__global volatile int *flag)
{
    int v = 77;
    WRITE(first, v);
    while (!*flag)
        ;
    WRITE(second, v);
}
__kernel void read_and_set(__global volatile int *flag)
{
    int v;
    READ(first, v);
    *flag = v;
    while (__sl_get_pipe_num_packets(&second, 4, 4) == 0)
        ;
    READ(second, v);
    flag[1] = v;
}

/* ---- many items ------------------------------------------------------------------------------ */

__kernel void items_in_order(int factor)
{
    int v = (int)get_global_id(0) * factor;
    WRITE(first, v);
}
/* The loop runs in step for all items; without pipes it would become the outer one. */
__kernel void items_with_loop(__global const int *in, int rounds)
{
    int x = get_global_id(0), sum = 0;
    WRITE(first, x);
    for (int k = 0; k < rounds; k++)
        sum += in[k * get_global_size(0) + x];
    WRITE(first, sum);
}
__kernel void items_with_barriers(__local int *shared)
{
    int x = get_local_id(0), size = get_local_size(0);
    int v = get_global_id(0);
    WRITE(first, v);
    shared[x] = v * 10;
    barrier(CLK_LOCAL_MEM_FENCE);
    int other = shared[size - 1 - x];
    WRITE(first, other);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x % 2 == 0)
        WRITE(first, x);
}
__kernel void sink(__global int *out, int count)
{
    for (int i = 0; i < count; i++)
        READ(first, out[i]);
}
__kernel void branches(int count)
{
    for (int i = 0; i < count; i++) {
        if (i % 5 == 4)
            continue;
        switch (i % 3) {
        case 0:
            WRITE(first, i);
            /* fall through */
        case 1: {
            int v = -i;
            WRITE(first, v);
            break;
        }
        default:
            for (int k = 0; k < i % 4; k++) {
                int v = i * 100 + k;
                WRITE(first, v);
            }
        }
        if (i == count - 2)
            return;
    }
}

/* ---- reservations ---------------------------------------------------------------------------- */

__kernel void reserve(__global int *out, int count)
{
    for (int i = 0; i < count; i += 3) {
        ulong id = __sl_reserve_write_pipe(&first, 3, 4, 4);
        if (!id) {
            out[0]++;
            i -= 3;
            continue;
        }
        for (int k = 2; k >= 0; k--) {
            int v = i + k;
            out[1] += __sl_write_pipe_4(&first, id, k, &v, 4, 4);
        }
        int v = -1;
        out[2] += __sl_write_pipe_4(&first, id, 3, &v, 4, 4);
        __sl_commit_write_pipe(&first, id, 4, 4);
    }
}
__kernel void reserve_groups(__global int *out, __global ulong *ids)
{
    int x = get_local_id(0), size = get_local_size(0);
    ulong id;
    do {
        id = __sl_work_group_reserve_read_pipe(&first, size, 4, 4);
        ids[get_global_id(0)] = id;
    } while (!id);
    __sl_read_pipe_4(&first, id, size - 1 - x, out + get_global_id(0), 4, 4);
    __sl_work_group_commit_read_pipe(&first, id, 4, 4);
}

/* ---- arguments ------------------------------------------------------------------------------- */

__kernel void arg_relay(read_only pipe int in, write_only pipe int out, int count)
{
    for (int i = 0; i < count;) {
        int v;
        if (read_pipe(in, &v))
            continue;
        v += 1000;
        while (write_pipe(out, &v))
            ;
        i++;
    }
}
__kernel void arg_blocking(read_only pipe float2 in, write_only pipe float2 out, int count)
{
    for (int i = 0; i < count; i++) {
        float2 v;
        read_pipe(in, &v);
        v = v.yx;
        write_pipe(out, &v);
    }
}
/* Both may be the same pipe. */
__kernel void arg_same(write_only pipe int a, write_only pipe int b, int count)
{
    for (int i = 0; i < count; i++) {
        int v = -i;
        write_pipe(a, &i);
        write_pipe(b, &v);
    }
}
__kernel void arg_reserve(read_only pipe int in, __global int *out, int count)
{
    for (int i = 0; i < count;) {
        uint there = get_pipe_num_packets(in);
        if (!there)
            continue;
        reserve_id_t id = reserve_read_pipe(in, there);
        if (!is_valid_reserve_id(id))
            continue;
        for (uint k = 0; k < there; k++)
            read_pipe(in, id, k, out + i++);
        commit_read_pipe(in, id);
    }
    out[count] = get_pipe_max_packets(in);
}

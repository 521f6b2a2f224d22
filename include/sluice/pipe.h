/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pipes as compiled code and the dataflow device see them. OpenCL pipes, Intel's channels and
 * program-scope pipes are all this one ring.
 *
 * A ring has two ends. Each end owns an index that only it writes, and a limit: the value of its
 * own index at which it may not go on without asking the device. The fast path is inlined into
 * kernels and knows nothing but index and limit (kernels/pipes/expand.c):
 *
 *     write: if (tail == write_limit) -> runtime.pipe_slow(); else copy, publish tail + 1
 *     read:  if (head == read_limit)  -> runtime.pipe_slow(); else copy, publish head + 1
 *
 * A loop may do as many operations as there are for sure in one go and publish once, before it
 * calls the runtime or ends (kernels/pipes/batch.c).
 *
 * The slow path does the whole operation: it looks at the other end's index, moves the limit, parks
 * the kernel if it has to wait, wakes whoever waits for it. A limit may therefore be any value
 * between the own index and the true bound; the device sets it to the own index to be called at the
 * next operation, as it does when a kernel parks and wants to be woken by its peer.
 *
 * Threads. All kernels that can reach a ring run on one thread at a time (a cluster), so kernel
 * ends need no atomic read-modify-write. Where the device divides a cluster, it keeps the limits of
 * rings between two threads at the indices: each operation is the slow path's. The other end of a
 * host or I/O pipe belongs to another thread: an index is therefore published by a release store
 * and read by its peer with acquire, always. Of such rings (SL_PIPE_FOREIGN) compiled code also
 * looks at `attention` after it has published, and calls runtime.pipe_notify() when it is set; the
 * thread that sets it issues a membarrier(2) before it looks at the ring once more and sleeps.
 *
 * Where pipes are shared (SL_KERNEL_SHARED_PIPES) any thread may be at either end, the whole
 * operation is the runtime's, and index and limit are not looked at by compiled code.
 *
 * Where kernels run ahead of their clock (kernels/pipes/batch.h) there is more room in a ring than
 * its depth, and limits may be beyond what the clock allows so far. What others could see does not
 * go ahead: loops of which that is true stop at ~read_within and ~write_within as well, the
 * complement, so that 0 is no limit.
 *
 * Indices count packets that went through the ring since it was made and never wrap; a packet that
 * the slow path hands to a parked reader does not. Packet n lies in
 * slots + (n & mask) * packet_bytes.
 */
#ifndef SLUICE_PIPE_H
#define SLUICE_PIPE_H

#include <assert.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum sl_pipe_flags {
    SL_PIPE_HOST = 1, /* one end is the host's: declared intel_host_accessible */
    SL_PIPE_IO = 2,   /* one end is an I/O peripheral */
    SL_PIPE_FOREIGN = SL_PIPE_HOST | SL_PIPE_IO,
    SL_PIPE_BLOCKING = 4,    /* __attribute__((blocking)): read_pipe and write_pipe wait */
    SL_PIPE_CHANNEL = 8,     /* declared as a channel */
    SL_PIPE_ARGUMENT = 16,   /* a cl_mem, made by clCreatePipe */
    SL_PIPE_HOST_READS = 32, /* of a host pipe whose direction is known: the host is the reader */
    SL_PIPE_HOST_WRITES = 64,
    /* << enum sl_pipe_op: several kernels may have that end, by indices that are known at run time
     * only. The first to come there has it (sl_runtime.pipe_claim). */
    SL_PIPE_CONTESTED = 128,
    /* With SL_PIPE_HOST, in the compiler only: the host's if kernels leave an end. SYCL declares
     * all pipes alike, whoever uses them. Apart from the bits of SL_PIPE_CONTESTED. */
    SL_PIPE_HOST_IF_FREE = 512,
    /* In the compiler only: its depth is what keeps kernels in step, whatever modes say. */
    SL_PIPE_EXACT = 2048,
    SL_PIPE_EXTERN =
        1024, /* in the compiler only: an object that uses it, and does not define it */
};

/* 256 bytes. The offsets are known to kernels/pipes. */
struct sl_pipe_ring {
    /* the reader's line */
    alignas(64) uint64_t head; /* packets read */
    uint64_t read_limit;
    uint64_t taken;   /* packets behind head that reservations of readers hold */
    void *writers[4]; /* the device's own: who is parked until the reader moves */
    uint64_t read_within;
    /* the writer's line */
    alignas(64) uint64_t tail; /* packets written */
    uint64_t write_limit;
    void *readers[5]; /* the device's own: who is parked until the writer moves */
    uint64_t write_within;
    /* constant while the ring is in use */
    alignas(64) unsigned char *slots; /* 64-aligned */
    uint64_t mask;                    /* slot count - 1; the count is a power of two >= depth */
    uint32_t packet_bytes, depth;     /* depth: exact capacity in packets, >= 1 */
    uint32_t flags;                   /* enum sl_pipe_flags */
    uint32_t attention;               /* atomic: a thread outside the cluster waits for a change */
    const struct sl_pipe_info *info;  /* NULL for argument pipes */
    void *owner;                      /* the device's own; NULL in a module just loaded */
    void *cluster;                    /* the device's own: who runs the kernels at its ends */
    uint32_t special;                 /* the device's own: why each operation takes the slow path */
    /* the device's own: reservations */
    alignas(64) void *device[6];
    /* Of contested ends, by enum sl_pipe_op: the kernel that has it, its row + 1; 0: none so far.
     * And the place where it came there first, an index into sl_module_info.sites. */
    uint32_t claim[2], claim_site[2];
};
static_assert(sizeof(struct sl_pipe_ring) == 256, "known to kernels/pipes");
static_assert(offsetof(struct sl_pipe_ring, read_limit) == 8, "known to kernels/pipes");
static_assert(offsetof(struct sl_pipe_ring, taken) == 16, "known to kernels/pipes");
static_assert(offsetof(struct sl_pipe_ring, read_within) == 56, "known to kernels/pipes");
static_assert(offsetof(struct sl_pipe_ring, tail) == 64, "known to kernels/pipes");
static_assert(offsetof(struct sl_pipe_ring, write_within) == 120, "known to kernels/pipes");
static_assert(offsetof(struct sl_pipe_ring, write_limit) == 72, "known to kernels/pipes");
static_assert(offsetof(struct sl_pipe_ring, slots) == 128, "known to kernels/pipes");
static_assert(offsetof(struct sl_pipe_ring, mask) == 136, "known to kernels/pipes");
static_assert(offsetof(struct sl_pipe_ring, packet_bytes) == 144, "known to kernels/pipes");
static_assert(offsetof(struct sl_pipe_ring, flags) == 152, "known to kernels/pipes");
static_assert(offsetof(struct sl_pipe_ring, attention) == 156, "known to kernels/pipes");
static_assert(offsetof(struct sl_pipe_ring, claim) == 240, "known to kernels/pipes");

/*
 * The memory of a program's pipes. Code that was made by itself knows its own by name; what is made
 * later of the same program (SL_BUILD_FINISH) finds it here, for both may run in turns.
 */
struct sl_pipe_memory {
    struct sl_pipe_ring *rings; /* sl_module_info.rings of the code that has them */
    unsigned char *slots;       /* all of them, one pipe behind the other */
};

/* A program-scope pipe or channel; an array of channels has a row for each element. */
struct sl_pipe_info {
    const char *name;          /* "c", "grid[2][3]"; the symbol of host pipe commands */
    const char *type_name;     /* of a packet: "float4" */
    const char *io;            /* name of the I/O peripheral, or NULL */
    const char *file;          /* of the declaration */
    struct sl_pipe_ring *ring; /* in the module, ready for use */
    uint32_t packet_bytes, packet_align;
    uint32_t declared_depth, depth; /* as written (0: none) and in effect, see the depth modes */
    uint32_t flags;                 /* enum sl_pipe_flags */
    uint32_t line;
    /* Index into sl_module_info.kernels, the very unit; -1: none. If several kernels may have the
     * end (SL_PIPE_CONTESTED), the first of them; the others are rows of sl_module_info.users. */
    int32_t reader, writer;
};

/* A kernel that may have a contested end, but the first of them. */
struct sl_pipe_user {
    uint32_t pipe, kernel; /* into sl_module_info.pipes and .kernels */
    uint32_t op;           /* enum sl_pipe_op */
};

enum sl_pipe_op { SL_PIPE_READ = 0, SL_PIPE_WRITE = 1 };

/* One place in the source where a kernel uses pipes; after inlining, so that each kernel that
 * reaches the place has a row of its own. Passed to the slow path. */
struct sl_pipe_site {
    const char *pipe; /* name of the pipe, of the array, or of the kernel's argument */
    const char *file;
    uint32_t kernel; /* index into sl_module_info.kernels (the first unit) */
    uint32_t line, column;
    uint8_t op;       /* enum sl_pipe_op */
    uint8_t blocking; /* waits; else fails at once */
    uint16_t reserved;
    int32_t pipe_index; /* into sl_module_info.pipes: the pipe, or the first of the array; -1:
                           argument */
    int32_t arg_index;  /* of a kernel-argument pipe; -1 */
};

#ifdef __cplusplus
}
#endif

#endif

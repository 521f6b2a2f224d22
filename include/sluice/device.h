/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The device interface: all that the driver knows of a device, all that a device knows of the
 * driver. In-tree devices and device libraries use exactly this door.
 *
 * Rules. A device never sees dependencies, events or OpenCL objects: work arrives by submit() when
 * it may run, and the device answers each work with finished(), once, from any thread, holding none
 * of its locks. Facts are data (struct sl_device_caps), not calls. Error results are 0 or a
 * negative OpenCL error code as a plain int. Unless a call says otherwise it may be made from any
 * thread. OpenCL bit-fields appear as plain integers with the values of the OpenCL headers, which a
 * device does not include.
 */
#ifndef SLUICE_DEVICE_H
#define SLUICE_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sluice/module.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SL_DEVICE_ABI 7u
/* How the file name of a device library ends: a library of another version is not even opened. */
#define SL_DEVICE_SUFFIX ".sluice7.so"

struct sl_device;
struct sl_child;
struct sl_memory;       /* opaque, the device's own */
struct sl_code;         /* opaque: a loaded module */
struct sl_work_queue;   /* opaque: the device side of a command queue */
struct sl_pipe;         /* opaque */
struct sl_device_queue; /* opaque: where kernels enqueue kernels */

/* ---- facts ----------------------------------------------------------------------------------- */

enum sl_device_feature {
    SL_FEATURE_FP64 = 1u << 0,
    SL_FEATURE_FP16 = 1u << 1,
    SL_FEATURE_INT64_ATOMICS = 1u << 2,
    SL_FEATURE_IMAGES = 1u << 3,
    SL_FEATURE_IMAGE_3D_WRITES = 1u << 4,
    SL_FEATURE_NATIVE_KERNELS = 1u << 5,
    SL_FEATURE_GENERIC_ADDRESS_SPACE = 1u << 6,
    SL_FEATURE_PROGRAM_GLOBALS = 1u << 7,
    SL_FEATURE_PIPES = 1u << 8,
    SL_FEATURE_NON_UNIFORM_GROUPS = 1u << 9,
    /* Kernels may use every address of the process, at the same time as the host, also for atomics:
     * all levels of shared virtual memory, and memory_host() is never NULL. */
    SL_FEATURE_SVM = 1u << 10,
    SL_FEATURE_SUB_GROUPS = 1u << 11,
    /* With SL_FEATURE_PIPES: kernels that pipes join run at the same time; channels, pipes of
     * programs, the host's ends and I/O. Without it kernels share pipe arguments
     * (SL_KERNEL_SHARED_PIPES). */
    SL_FEATURE_DATAFLOW = 1u << 12,
    SL_FEATURE_DEVICE_ENQUEUE = 1u << 13,
    SL_FEATURE_CALLER_RUNS = 1u << 14, /* work queues whose work the submitting thread runs */
    SL_FEATURE_IL = 1u << 15,          /* programs may come as SPIR-V */
    /* It keeps sl_launch_args.clear_local, and its code is made by the driver's compiler. */
    SL_FEATURE_CLEARS = 1u << 16,
};

/* Index into vector width tables. */
enum {
    SL_WIDTH_CHAR,
    SL_WIDTH_SHORT,
    SL_WIDTH_INT,
    SL_WIDTH_LONG,
    SL_WIDTH_HALF,
    SL_WIDTH_FLOAT,
    SL_WIDTH_DOUBLE,
    SL_WIDTH_COUNT
};

struct sl_device_caps {
    const char *name, *vendor,
        *device_version;          /* device_version: ends CL_DEVICE_VERSION; or NULL */
    uint64_t type;                /* CL_DEVICE_TYPE_* */
    uint32_t vendor_id, features; /* enum sl_device_feature */
    uint32_t compute_units, max_clock_mhz;
    size_t max_work_group_size, max_work_item_sizes[3], preferred_group_multiple;
    uint32_t preferred_width[SL_WIDTH_COUNT], native_width[SL_WIDTH_COUNT];
    uint64_t global_mem_bytes, max_alloc_bytes, local_mem_bytes, max_constant_bytes;
    uint64_t global_cache_bytes;
    uint32_t global_cacheline_bytes, mem_base_align_bits;
    uint32_t local_mem_type, global_cache_type; /* CL_LOCAL, CL_GLOBAL; CL_READ_WRITE_CACHE */
    size_t max_parameter_bytes, print_buffer_bytes, max_global_variable_bytes;
    uint64_t single_fp_config, double_fp_config, half_fp_config;
    uint64_t timer_resolution_ns;
    bool host_unified_memory;
    uint32_t max_sub_devices; /* 0 or 1: cannot be partitioned */
    /* images; zero without SL_FEATURE_IMAGES */
    size_t image2d_max[2], image3d_max[3], image_max_buffer, image_max_array;
    uint32_t max_samplers, max_read_images, max_write_images, image_pitch_align, image_base_align;
    /* how to compile for it */
    const char
        *target;     /* identity of the code it runs: part of cache keys; fits sl_binary_header */
    const char *cpu; /* LLVM processor name */
    const char *cpu_features; /* LLVM feature string, "+avx2,-avx512f,..." */
    /* The name SLUICE_DEVICES knows the device by: "cpu", "fpga". NULL: named after its type. */
    const char *short_name;
    /* sl_kernel_info.stack_bytes of a kernel that it can run; 0: any. */
    size_t max_stack_bytes;
    /* queues on the device; zero without SL_FEATURE_DEVICE_ENQUEUE */
    uint32_t device_queue_preferred_bytes, device_queue_max_bytes, max_device_queues;
    uint32_t max_device_events;
};

/* Memories and caches that units may share, in the order of CL_DEVICE_AFFINITY_DOMAIN_*'s bits. */
enum sl_domain {
    SL_DOMAIN_NUMA,
    SL_DOMAIN_L4,
    SL_DOMAIN_L3,
    SL_DOMAIN_L2,
    SL_DOMAIN_L1,
    SL_DOMAIN_COUNT
};

struct sl_domains {
    /* For each compute unit the number of the one it uses; NULL where that is not known. */
    const uint32_t *of[SL_DOMAIN_COUNT];
};

/* ---- work ------------------------------------------------------------------------------------ */

enum sl_work_kind { SL_WORK_KERNEL, SL_WORK_COPY, SL_WORK_FILL, SL_WORK_NATIVE, SL_WORK_PIPE };

/*
 * A place in memory: device memory plus offset, or (memory NULL) a host address in `offset`. A
 * device only ever meets memory that it made itself: another device's is named by its host address,
 * and commands on another device's memory that has none are refused before they get here.
 */
struct sl_place {
    struct sl_memory *memory;
    uintptr_t offset;
};

/* A device-memory argument of a kernel; the block already holds memory_host() + offset when that
 * exists. Others, as pointers (but see unshared.h) or in another device's, are only in the block.
 */
struct sl_arg_memory {
    struct sl_memory *memory;
    size_t offset;
    uint32_t arg_index;
};

struct sl_launch_args {
    struct sl_code *code;
    uint32_t kernel_index; /* into sl_module_info.kernels */
    uint32_t memory_count;
    const void *args; /* the argument block; stays valid until finished() */
    const struct sl_arg_memory *memories;
    uint32_t work_dim;
    uint32_t local_bytes;                                   /* static plus all local arguments */
    size_t global_offset[3], global_size[3], local_size[3]; /* local_size is never 0 */
    /* What get_default_queue() answers; NULL: none. It and those among the arguments stay until
     * finished(), which comes when all kernels have ended that the kernel and its own enqueued. */
    struct sl_device_queue *default_queue;
    struct sl_child *child; /* the device's own; NULL from the driver */
    bool clear_local;       /* with SL_FEATURE_CLEARS: local memory of each group begins as zeros */
    bool apart;             /* sl_launch.apart; false where nobody knows */
};

/* region[0] in bytes, [1] rows, [2] slices; pitches in bytes. Never overlapping, never empty. */
struct sl_copy {
    struct sl_place dst, src;
    size_t region[3], dst_pitch[2], src_pitch[2]; /* pitch[0] row, [1] slice */
};

struct sl_fill {
    struct sl_place dst;
    size_t region[3], dst_pitch[2]; /* region[0] a multiple of pattern_bytes */
    uint32_t pattern_bytes;         /* 1..128, a power of two (or an image element) */
    unsigned char pattern[128];
};

struct sl_native {
    void (*function)(void *);
    void *args; /* stays valid until finished() */
};

/* One packet between the host and a host pipe. Ends with SL_PIPE_WOULD_WAIT when it may not wait
 * and the pipe is full or empty. */
struct sl_pipe_transfer {
    struct sl_pipe *pipe;
    void *packet; /* packet_bytes; stays valid until finished() */
    bool write, blocking;
};

struct sl_work {
    enum sl_work_kind kind;
    struct sl_work *next; /* the device's own while it has the work */
    union {
        struct sl_launch_args kernel;
        struct sl_copy copy;
        struct sl_fill fill;
        struct sl_native native;
        struct sl_pipe_transfer pipe;
    } u;
};

/* ---- calls ----------------------------------------------------------------------------------- */

struct sl_memory_desc {
    size_t size_bytes, align_bytes;
    void *host_ptr; /* use this storage (CL_MEM_USE_HOST_PTR); NULL: allocate */
    /* All of it is written before anybody reads it. Else it reads as zeros where nobody has
     * written: the standard promises nothing, but programs count on it. */
    bool filled;
};

/* The medium one is 0: what work queues have that say nothing. */
enum sl_priority { SL_PRIORITY_LOW = -1, SL_PRIORITY_MEDIUM = 0, SL_PRIORITY_HIGH = 1 };

struct sl_work_queue_desc {
    bool out_of_order;
    /* Compute units of a sub-device; NULL: all. Devices on this machine's cores run at most
     * unit_count threads for the work queue, on whichever cores: the numbers bind to none. */
    const uint32_t *units;
    uint32_t unit_count;
    /* They do: a sub-device of an affinity domain. Nothing of the work queue runs elsewhere. */
    bool bound;
    /* With SL_FEATURE_CALLER_RUNS, never for a bound work queue: submit() runs the work, and all
     * that its kernels enqueue, on the thread that calls it, and returns when that has ended. */
    bool caller_runs;
    /* A hint: whose work is begun first where several work queues have some. */
    enum sl_priority priority;
};

/* A pipe of clCreatePipe. */
struct sl_pipe_desc {
    uint32_t packet_bytes, max_packets;
    bool host_reads, host_writes; /* at most one; neither: kernels at both ends */
};

/* The status of a host's pipe operation that cannot be done now: no OpenCL code, always negative.
 */
#define SL_PIPE_WOULD_WAIT (-1112)
/* The status of a launch that was ended because nothing on the device could move. */
#define SL_STALLED (-1113)
/* The status of a launch of whose packets some could not be written to an I/O pipe. */
#define SL_IO_FAILED (-1114)
/* The topic of log lines about I/O pipes. Warnings and errors of it are seen unless the log's
 * settings hide them, as are those about values of variables. */
#define SL_LOG_IO "io"

enum sl_code_report {
    SL_REPORT_PIPE_PROFILE = 1, /* JSON, see docs/dataflow.md */
    SL_REPORT_WARNINGS =
        2, /* what the build log should say of the code just loaded: lines, or "" */
    /* No texts, *text becomes NULL: */
    SL_REPORT_PROFILE_FILE = 3,  /* the file of the profile is written, although the code goes on */
    SL_REPORT_PROFILE_CLEAR = 4, /* counting begins anew */
};

/* Names of the device's own threads begin like this: others may be the application's, which might
 * still act (sl_host_ops.outlook). At most 15 letters in all. */
#define SL_THREAD_PREFIX "sluice-"

struct sl_device_ops {
    uint32_t abi, size;
    void (*close)(struct sl_device *);
    /* First context: threads may start. Last context gone: no thread is left on return. Calls pair;
     * the driver serialises them. */
    int (*start)(struct sl_device *);
    void (*stop)(struct sl_device *);
    int (*memory_create)(struct sl_device *, const struct sl_memory_desc *, struct sl_memory **);
    void (*memory_destroy)(struct sl_memory *);
    void *(*memory_host)(struct sl_memory *); /* NULL result: not host-addressable */
    /* `elf` is an executable module, already checked; the device copies what it keeps. */
    int (*code_load)(struct sl_device *, const void *elf, size_t elf_bytes, const char *name,
                     struct sl_code **, const struct sl_module_info **);
    void (*code_unload)(struct sl_code *);
    int (*work_queue_create)(struct sl_device *, const struct sl_work_queue_desc *,
                             struct sl_work_queue **);
    void (*work_queue_destroy)(struct sl_work_queue *); /* only when nothing is in flight */
    /* Takes the work; answers with finished(), once. May run it before returning only if it cannot
     * block. Work of one work queue may run in any order and at once: the driver has ordered it. */
    void (*submit)(struct sl_work_queue *, struct sl_work *);
    /* No more work may come for a while: start what submit() was allowed to hold back, at once or
     * within a moment. A thread that is about to wait does better to assist() first and to flush
     * only when that returns false: it then runs short work itself. */
    void (*flush)(struct sl_work_queue *);
    /* The calling thread would sleep until work of this work queue ends: it may run some instead.
     * Returns true if it ran something or saw something end, false when there is nothing it can do.
     */
    bool (*assist)(struct sl_work_queue *);
    /* The local size for a launch that does not name one (clEnqueueNDRangeKernel, NULL). */
    void (*suggest_local_size)(struct sl_device *, const struct sl_kernel_info *, uint32_t work_dim,
                               const size_t global[3], size_t local[3]);
    /* Pipes: these three with SL_FEATURE_PIPES, the others with SL_FEATURE_DATAFLOW; else NULL. */
    int (*pipe_create)(struct sl_device *, const struct sl_pipe_desc *, struct sl_pipe **);
    void (*pipe_destroy)(struct sl_pipe *); /* no work uses it any more */
    /* What an argument block holds for it. */
    struct sl_pipe_ring *(*pipe_ring)(struct sl_pipe *);
    /* The program-scope pipe of a row of sl_module_info.pipes; lives as long as the code. */
    struct sl_pipe *(*code_pipe)(struct sl_code *, uint32_t index);
    /* The host's end of a foreign pipe. One thread at a time may read, one may write: the driver
     * sees to it. Both move one packet and never wait: 0, SL_PIPE_WOULD_WAIT, or
     * CL_OUT_OF_HOST_MEMORY. Where something is mapped it is the packet behind that, and the
     * kernel's end has it when that has been given back. */
    int (*pipe_read)(struct sl_pipe *, void *packet);
    int (*pipe_write)(struct sl_pipe *, const void *packet);
    /* The next packets (host reads) or the next room (host writes) behind what is mapped already:
     * at most `want_bytes`, as much as lies in one piece, in *got_bytes; NULL when there is none.
     */
    void *(*pipe_map)(struct sl_pipe *, bool write, size_t want_bytes, size_t *got_bytes);
    /* Gives the oldest `bytes` of what is mapped to the kernel's end. */
    void (*pipe_unmap)(struct sl_pipe *, bool write, size_t bytes);
    /* A thread of the application begins to wait (+1) for work of this device, or has stopped (-1);
     * it asks in vain whether something has happened (0). While somebody waits, or asks again and
     * again, and nothing can move the device reports a stall (host.stalled). */
    void (*host_waits)(struct sl_device *, int change);
    /* A text about code as it runs, in memory from malloc: 0 and *text, or an error. */
    int (*code_report)(struct sl_code *, enum sl_code_report, char **text);
    /* A question that may take a while the first time; the answer does not change. NULL, the call
     * or its result: nothing is known, and there are no affinity domains. */
    const struct sl_domains *(*domains)(struct sl_device *);
    /* One packet out of a pipe that no work uses, or into it: 0 or SL_PIPE_WOULD_WAIT. So a pipe
     * gets from one device of a context to another between commands. NULL: it stays where it is. */
    int (*pipe_pass)(struct sl_pipe *, bool write, void *packet);
    /* NULL, both, without SL_FEATURE_DEVICE_ENQUEUE. `bytes`: how much may wait in it. */
    int (*queue_create)(struct sl_device *, uint32_t bytes, struct sl_device_queue **);
    void (*queue_destroy)(struct sl_device_queue *); /* no work uses it any more */
    /* Picoseconds that a work-item of a kernel has taken lately, 0: it never ran. NULL: not known.
     */
    uint32_t (*kernel_cost)(struct sl_code *, uint32_t kernel);
    /* What the device has beyond this table, by SL_QUERY_* or by the name of an OpenCL extension
     * function ("clReadCardTemperatureACME"), which applications then get by
     * clGetExtensionFunctionAddressForPlatform. NULL, the call or its result: it has no such thing.
     * The answer does not change and stays valid until close(). */
    const void *(*query)(struct sl_device *, const char *name);
    /* Other code of a program with pipes that is loaded: a module with the same kernels and pipes,
     * row by row, that was compiled to use the pipes of `first` (sl_launch.pipes). It is unloaded
     * before `first` is. NULL: there never is other code of such programs. */
    int (*code_load_other)(struct sl_code *first, const void *elf, size_t elf_bytes,
                           const char *name, struct sl_code **, const struct sl_module_info **);
    /* Kernels with pipes begin anew, of all programs on the device: launches that were submitted
     * end with CL_OUT_OF_RESOURCES, pipes between kernels are empty, autorun kernels are started
     * again. Work that is submitted afterwards finds it so; need not wait. CL_INVALID_OPERATION:
     * nothing was done, they cannot. NULL: the device has no such kernels. */
    int (*reset_kernels)(struct sl_device *);
};

/* The answer is an array of struct sl_named_version, ended by a NULL name: OpenCL extensions of the
 * device's own, which CL_DEVICE_EXTENSIONS has behind the driver's. */
#define SL_QUERY_EXTENSIONS "sluice.extensions.1"
struct sl_named_version {
    const char *name; /* less than 64 letters */
    uint32_t version; /* CL_MAKE_VERSION */
};

/* The answer is an array of struct sl_named_version, ended by a NULL name: kernels that the device
 * has built in, if it makes programs of them (SL_PROGRAM_BUILT_IN). */
#define SL_QUERY_BUILT_IN_KERNELS "sluice.built_in_kernels.1"

/*
 * The answer is a struct sl_program_ops: a device that makes code itself. It says in which forms it
 * takes programs; what comes in another one is brought into SL_PROGRAM_IR by the driver's compiler
 * if the device takes that, else refused. What it made is kept as CL_PROGRAM_BINARIES and comes
 * back by code_load(), which then has the device's own bytes instead of an ELF file and answers
 * with tables of the device's making (abi SL_MODULE_ABI; sl_kernel_info.run may be NULL).
 */
#define SL_QUERY_PROGRAMS "sluice.programs.1"

enum sl_program_form {
    SL_PROGRAM_SOURCE = 1, /* OpenCL C, as the application gave it */
    SL_PROGRAM_SPIRV = 2,  /* a module, in this machine's byte order; with SL_FEATURE_IL */
    /* LLVM bitcode for spir64 of the driver's compiler (LLVM 22): kernels with clang's metadata;
     * OpenCL's builtins are calls by their mangled names. */
    SL_PROGRAM_IR = 4,
    SL_PROGRAM_OWN = 8, /* made by build() before, or by the vendor's own tools */
    /* Names of built-in kernels with ';' between them: code that has these and no others. */
    SL_PROGRAM_BUILT_IN = 16,
};

struct sl_program_part {
    enum sl_program_form form;
    const void *bytes;
    size_t byte_count;
    const char *name; /* of a header that sources include; else NULL */
};

/* A value for a specialization constant of a SPIR-V module; as many bytes as its type has. */
struct sl_program_constant {
    uint32_t id, bytes;
    uint64_t value;
};

enum sl_program_kind {
    SL_PROGRAM_BUILD,
    SL_PROGRAM_COMPILE, /* what comes of it is only linked */
    SL_PROGRAM_LINK,    /* parts are what was compiled, or libraries */
    SL_PROGRAM_LINK_LIBRARY,
};

struct sl_program_request {
    uint32_t size; /* of this struct: later ones may be longer */
    enum sl_program_kind kind;
    const struct sl_program_part *parts; /* the program first, then headers */
    uint32_t part_count, constant_count;
    const struct sl_program_constant *constants;
    const char *options; /* as the application gave them, "" for none */
    /* The answer: memory from malloc, which the driver frees. */
    void *binary;
    size_t binary_bytes;
    char *log; /* for the build log, also of what succeeds; or NULL */
};

struct sl_program_ops {
    uint32_t size;  /* of this struct: later ones may be longer */
    uint32_t forms; /* enum sl_program_form */
    /* 0, or an OpenCL error code, whose reason is in the log. May take its time. */
    int (*build)(struct sl_device *, struct sl_program_request *);
    /* What bytes of clCreateProgramWithBinary are that the driver does not know: SL_BINARY_OBJECT,
     * SL_BINARY_LIBRARY, SL_BINARY_EXECUTABLE, or 0: none of the device's. NULL: it knows none. */
    uint32_t (*recognize)(struct sl_device *, const void *bytes, size_t byte_count);
    /* Which of several images of one binary to take, -1: none fits. `name` is the target of one
     * that was compiled, "" for SPIR-V. NULL: the one whose target is the device's, else that asks
     * for most of what the device's has (sluice/base/target.h), else SPIR-V. */
    int32_t (*select)(struct sl_device *, const struct sl_program_part *images, uint32_t count);
};

/* Embedded first in the device's own struct. */
struct sl_device {
    const struct sl_device_ops *ops;
    struct sl_device_caps caps;
};

/*
 * What a device holds that cannot end as it stands. `helps`: would this work, which the device does
 * not have yet, move some of it?
 */
struct sl_stuck {
    struct sl_work *const *works; /* the driver's; none ends while it is asked */
    uint32_t count;
    bool (*helps)(const void *data, const struct sl_work *);
    const void *data;
    uint64_t lasting_ns; /* answers of so long ago still count */
};
/* Who might still do something about it, the surest last. */
enum sl_outlook {
    SL_OUTLOOK_NOBODY,   /* all threads of the application wait for it */
    SL_OUTLOOK_ASKING,   /* or ask for it again and again */
    SL_OUTLOOK_QUIET,    /* there are others, which sleep */
    SL_OUTLOOK_BUSY,     /* one of them uses its processor */
    SL_OUTLOOK_EXPECTED, /* something is known to come: what helps waits for a user event, a thread
                            for what can end, a program is being built */
};

/* Work that the device does not have yet, because it comes behind work that cannot end. */
struct sl_behind {
    const struct sl_work *work;  /* sl_stuck.helps() says that it would help */
    const struct sl_work *first; /* of sl_stuck.works: what it waits for */
    bool in_order;               /* both are in one in-order queue, which is why */
};

struct sl_host_ops {
    uint32_t abi, size;
    void (*started)(struct sl_work *); /* optional to call for work that fails to start */
    void (*finished)(struct sl_work *,
                     int status); /* 0, or a CL error code; the work is gone after it */
    void (*log)(int level, const char *topic, const char *fmt, ...)
        __attribute__((format(printf, 3, 4)));
    bool (*log_enabled)(int level, const char *topic);
    const char *(*config)(const char *name); /* value of a SLUICE_* variable, or NULL */
    /* Nothing on the device can move although the host waits, or a kernel that nobody launched has
     * failed: `text` for people, `json` for programs.
     * The driver passes them to the log and to the callbacks of the device's contexts. */
    void (*stalled)(struct sl_device *, const char *text, const char *json);
    /* The work is going to end with an error; why, for people; the context's callback hears it
     * once. Before finished(), from any thread. */
    void (*failed)(struct sl_work *, const char *why);
    /* The kernel of the work has ended, others that it enqueued perhaps not. Optional to call,
     * once, before finished(). */
    void (*ended)(struct sl_work *);
    /* On a thread of the device, at most a few times a second. Waits for nobody. */
    enum sl_outlook (*outlook)(struct sl_device *, const struct sl_stuck *);
    /* Starts what work queues of the device's contexts hold back until somebody flushes. */
    void (*rouse)(struct sl_device *);
    /* A line that people should see even if they have not asked for a log. In sl_device_plugin
     * too, of a device that is not on the list: why it is not. */
    void (*tell)(struct sl_device *, const char *text);
    /* What the driver has beyond this table, by SL_QUERY_*. NULL: it has no such thing. */
    const void *(*query)(const char *name);
    /* Visits all such work, as far as locks are free. Like outlook; where `size` reaches it. */
    void (*behind)(struct sl_device *, const struct sl_stuck *,
                   void (*visit)(void *data, const struct sl_behind *), void *data);
    /* While it is being submitted: what ended before this time, by CLOCK_MONOTONIC, the work may
     * need; what ended later the host had not heard of when it enqueued the work, nor did that wait
     * for it. UINT64_MAX: all may be needed. Where `size` reaches it; only with SLUICE_FPGA_TRACE.
     */
    uint64_t (*heard)(const struct sl_work *);
};

/* The answer is a struct sl_handles: what a device's extension functions need, which get handles
 * of the application's. */
#define SL_QUERY_HANDLES "sluice.handles.1"
struct sl_handles {
    uint32_t size; /* of this struct: later ones may be longer */
    /* Of a cl_device_id, a sub-device's too; NULL if it is none. */
    struct sl_device *(*device)(const void *device_id);
};

enum sl_log_level { SL_LOG_ERROR = 0, SL_LOG_WARN, SL_LOG_INFO, SL_LOG_DEBUG };

struct sl_device_list {
    uint32_t capacity, count;
    struct sl_device *devices[16]; /* owned by the driver until ops->close */
};

/* The one symbol of a device library; in-tree devices have functions of this type in
 * devices/builtin.c. */
typedef int (*sl_device_plugin_fn)(const struct sl_host_ops *, struct sl_device_list *);
int sl_device_plugin(const struct sl_host_ops *, struct sl_device_list *);

/* devices/builtin.c: the in-tree devices, ended by NULL. */
extern const sl_device_plugin_fn sl_builtin_devices[];

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One build: what the driver (or sluicec) asks of the compiler and what comes back.
 *
 * The same two structs are the compiler library's C interface (kernels/compiler/build.h) and,
 * flattened into chunks, the protocol of the compiler process's socket (a connected SOCK_STREAM
 * Unix socket on descriptor SL_BUILD_FD of the helper). One request is answered by one reply, in
 * order; the helper ends at end-of-file, also while it compiles (a thread that polls for POLLRDHUP
 * will do): a killed application must not leave a busy compiler behind. So that none stays either
 * that was stopped, standard input is a pipe without a byte, whose end sends SIGKILL. A helper that
 * dies or stays silent past the limit fails that one build; one that ends between requests, as
 * after a program that took very much memory, is replaced. The helper starts with the application's
 * environment without the LD_* variables; standard error goes to /dev/null unless SLUICE_LOG is
 * set.
 *
 * A message is struct sl_message_header, then chunks: struct sl_chunk followed by `bytes` bytes,
 * padded to 8. Unknown chunk tags are ignored; repeated tags keep their order.
 */
#ifndef SLUICE_BUILD_H
#define SLUICE_BUILD_H

#include <stddef.h>
#include <stdint.h>

#define SL_BUILD_ABI 1u
#define SL_BUILD_FD 3
#define SL_MESSAGE_MAGIC 0x42304c53u /* "SL0B" */

enum sl_build_kind {
    SL_BUILD_BUILD = 1,   /* source -> executable */
    SL_BUILD_COMPILE = 2, /* source -> object */
    SL_BUILD_LINK = 3,    /* objects, libraries -> executable, or library with -create-library */
    SL_BUILD_HELLO = 4,   /* nothing -> version text in SL_CHUNK_COMPILER: warms the helper up */
    /* What SL_BUILD_BUILD or _LINK left out (SL_BINARY_REST of module.h) -> executable. */
    SL_BUILD_FINISH = 5,
};

enum sl_chunk_tag {
    /* requests */
    SL_CHUNK_OPTION = 1,  /* one build option token, no NUL: "-cl-mad-enable", "-DN=3", "-I/dir" */
    SL_CHUNK_SOURCE,      /* OpenCL C text, or a SPIR-V module: its first word tells */
    SL_CHUNK_HEADER_NAME, /* as #include'd; the text follows in the next SL_CHUNK_HEADER_TEXT */
    SL_CHUNK_HEADER_TEXT,
    SL_CHUNK_INPUT, /* a container (module.h) to link */
    SL_CHUNK_CPU,   /* sl_device_caps.cpu, cpu_features, target */
    SL_CHUNK_CPU_FEATURES,
    SL_CHUNK_TARGET,
    SL_CHUNK_EXTENSIONS, /* space separated cl_* / __opencl_c_* names the device supports */
    SL_CHUNK_SETTING,    /* "NAME=value" of a SLUICE_* variable that concerns the compiler, or
                            "PWD=/folder": where relative #include and -I paths start */
    SL_CHUNK_KERNEL,     /* the one kernel that SL_BUILD_FINISH makes; without it, all */
    SL_CHUNK_CONSTANTS,  /* array of struct sl_spec_constant, for a SPIR-V module, each id once */
    SL_CHUNK_FORMS,      /* "all": that kernel in all its forms (SL_KERNEL_IN_STEP of module.h) */
    /* replies */
    SL_CHUNK_LOG = 64,   /* text for the build log, errors and warnings */
    SL_CHUNK_BINARY,     /* a container (module.h); with SLUICE_BUILD=auto or on-demand among the
                            settings it may be an executable without code and, behind it, the rest */
    SL_CHUNK_DEPENDENCY, /* "HASH PATH": file read by #include (absolute path), 32 hex digits of its
                            XXH3 128: "%016lx%016lx" of high64, low64 */
    SL_CHUNK_COMPILER,   /* version text */
    SL_CHUNK_TIMES,      /* text, one "stage microseconds" a line */
    SL_CHUNK_REMARKS,    /* text, lines: how kernels were compiled; for SLUICE_REMARKS=1 */
};

struct sl_message_header {
    uint32_t magic, abi;
    uint32_t kind;   /* request: enum sl_build_kind; reply: 0 */
    int32_t status;  /* reply: 0 or a negative OpenCL error code */
    uint64_t bytes;  /* of all chunks that follow, padding included */
    uint64_t serial; /* copied from request to reply */
};

struct sl_chunk {
    uint32_t tag, reserved;
    uint64_t bytes;
};

/* What the application gave a specialization constant for its value. */
struct sl_spec_constant {
    uint32_t id;    /* of the decoration SpecId */
    uint32_t bytes; /* of the value, as many as the constant has: 1, 2, 4 or 8; a Boolean has one */
    uint64_t value; /* its first bytes */
};

#endif

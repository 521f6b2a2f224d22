/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One clBuildProgram, clCompileProgram or clLinkProgram on its way: what was asked, for which
 * devices, and the results. build.c checks and publishes, build_job.c has each device compile and
 * load.
 */
#ifndef SL_DRIVER_PROGRAM_BUILD_BUILD_H
#define SL_DRIVER_PROGRAM_BUILD_BUILD_H

#include "program/build/options.h"
#include "program/object/program.h"
#include "sluice/base/thread.h"
#include "sluice/build.h"

struct sl_build_header { /* a header program of clCompileProgram */
    char *name;          /* owned */
    cl_program program;  /* held */
};

struct sl_build_blob {
    unsigned char *bytes; /* owned */
    size_t size;
};

struct sl_build_job {
    enum sl_build_kind kind;
    cl_program program;       /* held */
    cl_uint count;            /* devices to build for */
    cl_uint *which;           /* owned: their indices in program->devices */
    struct sl_build *results; /* owned, count */
    char *text;               /* owned: the options as given; NULL is "" */
    struct sl_options options;
    struct sl_spec_constants constants; /* as they were when the build began */
    struct sl_build_header *headers;    /* owned */
    cl_uint header_count;
    struct sl_build_blob *inputs; /* owned, [device][input]: what clLinkProgram links */
    cl_uint input_count;
    void(CL_CALLBACK *notify)(cl_program, void *);
    void *notify_data;
    struct sl_thread thread; /* with a callback */
};

/* Fills results[]; the returned code is the first failure's. No lock may be held. */
cl_int sl_build_job_run(struct sl_build_job *);
/* What a device's build begins with is a SPIR-V module. The build has begun, or the program is
 * locked. */
bool sl_build_is_of_il(const struct _cl_program *, cl_uint device);
/* All results fail with this log. */
void sl_build_job_fail(struct sl_build_job *, const char *log);
void sl_build_job_destroy(struct sl_build_job *);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Jobs: parts of a test program that run in a fresh process, with an environment, a namespace or a
 * tool around them, and whose output and end are what is tested. */
#ifndef SLUICE_TEST_CHILD_H
#define SLUICE_TEST_CHILD_H

#include "cl_help.h"

#include <sys/types.h>

struct child_plan {
    const char *job;
    const char *const *env; /* NULL-terminated; "NAME=value" sets, "NAME" removes; may be NULL */
    const char *const
        *wrap; /* NULL-terminated program and arguments in front of ours; may be NULL */
    /* In the child before the program starts; what returns 0 makes the child end with CHILD_SKIP.
     */
    int (*prepare)(void);
    double limit_seconds; /* 0: a minute */
    int gentle;           /* at the limit SIGTERM, not SIGKILL */
};

enum { CHILD_SKIP = 77, CHILD_SIGNAL = 128, CHILD_LATE = -1 };

struct child {
    int status;      /* exit status, CHILD_SIGNAL + number, or CHILD_LATE: it reached the limit */
    char *out, *err; /* owned; NUL-terminated */
    size_t out_bytes;
    double seconds;
    pid_t pid;
};

/* Runs a job of this very program and waits for its end. */
struct child child_run(const struct child_plan *plan);
void child_finish(struct child *child);

/* Runs the plan and checks that it ends with `status`; CHILD_SKIP skips the case. */
void child_ends(const struct child_plan *plan, int status);

/* Only root, or a user who may make namespaces, has these; 0 when it cannot be done. */
int own_mounts(void);
int hide_folder(const char *path, const char *options);

/* For the job `name` when this process is one. A job gets no device opened: env_open does that. */
int job_main(const struct test_case *jobs, size_t count, int argc, char **argv);
int is_job_process(int argc, char **argv);

/* The driver library, from the vendor list in use; ends the case when there is no absolute path. */
const char *driver_library(void);
/* Processes and open files of this process; its threads, but for those that are on their way out: a
 * joined thread's folder is there for a moment more; resident KiB. */
int count_entries(const char *folder);
int count_threads(void);
long resident_kib(void);
/* Pids in the lines "compiler: started PATH as process N" of a trace; how many were found. */
int traced_helpers(const char *trace, pid_t *pids, int most);
/* False if the process is still there after `seconds`. */
int process_gone(pid_t pid, double seconds);
/* Opens the device, builds a kernel that no other salt gives, runs it, checks, releases all. */
void whole_life(unsigned salt);

#define JOBS_MAIN(suite, cases, jobs)                                                              \
    int main(int argc, char **argv)                                                                \
    {                                                                                              \
        if (is_job_process(argc, argv))                                                            \
            return job_main(jobs, LEN(jobs), argc, argv);                                          \
        return run_suite(suite, cases, LEN(cases), argc, argv);                                    \
    }
#endif

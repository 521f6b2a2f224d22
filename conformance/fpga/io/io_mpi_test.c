/* SPDX-License-Identifier: Apache-2.0 */
/* I/O pipes between the ranks of an MPI job, and libraries that are missing. */
#include "io_jobs.h"

#include <stdio.h>
#include <string.h>

static void run_ranks(const char *n, const char *depth)
{
    static const char *const wrap[] = {
        "mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "2", NULL};
    const char *env[] = {"SLUICE_FPGA_IO=left=mpi:0,5;right=mpi:1,5",
                         n,
                         depth,
                         "SLUICE_LOG",
                         "SLUICE_FPGA_ON_STALL=report",
                         NULL};
    want_engine("mpi");
    child_ends(&(struct child_plan){.job = "job_rank", .env = env, .wrap = wrap}, 0);
}

static void mpi_ranks(void)
{
    run_ranks("N=2000", "THREE=1");
    run_ranks("N=1000003", "DEPTH=5000");
}

/* Each of three waits for the one before; all of them find that out. */
static void ranks_in_a_circle(void)
{
    static const char *const wrap[] = {
        "mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "3", NULL};
    const char *env[] = {"SLUICE_LOG", "SLUICE_FPGA_ON_STALL=report", "SLUICE_FPGA_STALL_MS=100",
                         NULL};
    want_engine("mpi");
    struct child child = child_run(&(struct child_plan){
        .job = "job_circle", .env = env, .wrap = wrap, .limit_seconds = 8, .gentle = 1});
    for (int rank = 0; rank < 3; rank++) {
        char words[200];
        int before = (rank + 2) % 3, last = (rank + 1) % 3;
        snprintf(words, sizeof words, ", for second of rank %d", before);
        if (!strstr(child.err, words))
            check_fail(__FILE__, __LINE__, "no \"%s\" in:\n%s", words, child.err);
        snprintf(words, sizeof words,
                 "cycle over processes: rank %d kernel first -> rank %d kernel second at to -> "
                 "rank %d kernel second at to -> rank %d kernel second at to",
                 rank, before, last, rank);
        if (!strstr(child.err, words))
            check_fail(__FILE__, __LINE__, "no \"%s\" in:\n%s", words, child.err);
    }
    child_finish(&child);
}

static void refuses_row(const char *row, const char *words)
{
    snprintf(io_rows, sizeof io_rows, "SLUICE_FPGA_IO=right=%s", row);
    struct peer writer = START("job_fails", "N=5");
    ends_well(&writer);
    says(&writer, words);
}

static void mpi_targets_are_checked(void)
{
    want_engine("mpi");
    refuses_row("mpi:7", "the job has no such rank");
    refuses_row("mpi:x", "mpi wants RANK[,TAG]");
    refuses_row("mpi:0,1024", "a tag is a number from 0 to 1023");
}

static int without_libraries(void)
{
    char path[4200];
    snprintf(path, sizeof path, "%s", driver_library());
    strcpy(strrchr(path, '/'), "/sluice");
    return own_mounts() && hide_folder(path, "mode=755");
}

static void is_named(const char *row, const char *from, const char *words, const char *library)
{
    const char *env[] = {row, from, "SLUICE_LOG", NULL};
    struct child child = child_run(
        &(struct child_plan){.job = "job_fails", .env = env, .prepare = without_libraries});
    if (child.status == CHILD_SKIP)
        check_skip("no mounts of one's own here");
    CHECK_EQ(child.status, 0);
    CHECK(strstr(child.err, words));
    CHECK(strstr(child.err, library));
    child_finish(&child);
}

static void missing_libraries_are_named(void)
{
    want_engine("mpi");
    is_named("SLUICE_FPGA_IO=right=mpi:0", "FROM", "the library for mpi cannot be loaded",
             "libsluice-io-mpi.so");
    is_named("SLUICE_FPGA_IO=right=ucx::9000", "FROM", "the library for ucx cannot be loaded",
             "libsluice-io-ucx.so");
    /* who waits to read does not wait for ever either */
    is_named("SLUICE_FPGA_IO=left=ucx::9000,listen", "FROM=1",
             "the library for ucx cannot be loaded", "libsluice-io-ucx.so");
}

static const struct test_case cases[] = {
    CASE(mpi_ranks),
    CASE(ranks_in_a_circle),
    CASE(mpi_targets_are_checked),
    CASE(missing_libraries_are_named),
};
JOBS_MAIN("io_mpi", cases, io_jobs)

/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "quiet.h"

#include <dirent.h>
#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

#if defined(__x86_64__)

/* As long as the least time ever seen, but for a few, at which the clock changed. */
#define NEARLY 1.08
#define FEW 4
#define ALIKE 1.03 /* times of a chain that nobody interrupted */
#define PROBES 100

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double time_chain(void)
{
    unsigned long x = 1;
    double start = seconds();
    for (unsigned k = 0; k < 250; k++)
        __asm__ volatile(".rept 32\n add %0, %0\n .endr" : "+r"(x)::"cc");
    return seconds() - start;
}

/* As many as can begin of what does nothing, between two chains. */
int sl_bench_is_quiet(void)
{
    static double least[FEW] = {HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL};
    double before = time_chain(), start = seconds();
    for (unsigned k = 0; k < 250; k++)
        __asm__ volatile(".rept 128\n nop\n .endr");
    double share = (seconds() - start) / before, after = time_chain();
    if (before > after * ALIKE || after > before * ALIKE)
        return 0;
    double further = share;
    for (int n = 0; n < FEW; n++)
        if (further < least[n]) {
            double greater = least[n];
            least[n] = further;
            further = greater;
        }
    return share <= least[FEW - 1] * NEARLY;
}

static void move_to(int processor)
{
    cpu_set_t only;
    CPU_ZERO(&only);
    CPU_SET((size_t)processor, &only);
    DIR *threads = opendir("/proc/self/task");
    for (struct dirent *at; threads && (at = readdir(threads));)
        if (atoi(at->d_name))
            sched_setaffinity(atoi(at->d_name), sizeof only, &only);
    if (threads)
        closedir(threads);
}

void sl_bench_find_quiet(void)
{
    static cpu_set_t ours;
    int best = -1, most = -1;
    if (!CPU_COUNT(&ours) && sched_getaffinity(0, sizeof ours, &ours))
        return;
    for (int c = 0; c < CPU_SETSIZE; c++) {
        int quiet = 0;
        if (!CPU_ISSET((size_t)c, &ours))
            continue;
        move_to(c);
        for (int k = 0; k < PROBES; k++)
            quiet += sl_bench_is_quiet();
        best = quiet > most ? c : best;
        most = quiet > most ? quiet : most;
    }
    if (best >= 0)
        move_to(best);
}

#else

int sl_bench_is_quiet(void)
{
    return 1;
}

void sl_bench_find_quiet(void)
{
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The graph by a child with a limit of time: how long Graphviz takes depends on more than the
 * number of kernels and pipes, and may be hours. No shared state.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report/page/page.h"
#include "sluice/base/wait.h"

static int64_t now_ms(void)
{
    return (int64_t)(sl_clock_ns() / 1000000);
}

static _Noreturn void draw(const struct sl_report_design *design, int to)
{
    FILE *out = fdopen(to, "w");
    int rc = out ? sl_report_graph(design, out) : -1;
    _exit(rc || fclose(out) ? 1 : 0);
}

/* All that comes until the end; false: it is not there in time. */
static bool collect(int from, FILE *text, unsigned seconds)
{
    char block[65536];
    int64_t end = now_ms() + (int64_t)seconds * 1000, left;
    struct pollfd ready = {.fd = from, .events = POLLIN};
    while ((left = end - now_ms()) > 0) {
        int count = poll(&ready, 1, (int)left);
        if (count < 0 && errno != EINTR)
            return false;
        if (count <= 0)
            continue;
        ssize_t got = read(from, block, sizeof block);
        if (got > 0)
            fwrite(block, 1, (size_t)got, text);
        else if (!got || errno != EINTR)
            return got == 0;
    }
    return false;
}

static int draw_in_time(const struct sl_report_design *design, FILE *text, unsigned seconds)
{
    int ends[2], status = -1;
    if (pipe(ends))
        return -1;
    pid_t child = fork();
    if (!child) {
        close(ends[0]);
        draw(design, ends[1]);
    }
    close(ends[1]);
    bool whole = child > 0 && collect(ends[0], text, seconds);
    close(ends[0]);
    if (child > 0 && !whole)
        kill(child, SIGKILL);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return whole && !status ? 0 : -1;
}

int sl_report_timed_graph(const struct sl_report_design *design, FILE *out, unsigned seconds)
{
    char *svg = NULL;
    size_t bytes = 0;
    FILE *text = open_memstream(&svg, &bytes);
    int rc = text ? draw_in_time(design, text, seconds) : -1;
    if (text && fclose(text))
        rc = -1;
    if (!rc)
        fwrite(svg, 1, bytes, out);
    free(svg);
    return rc;
}

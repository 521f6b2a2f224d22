/* SPDX-License-Identifier: Apache-2.0 */
/* Between ranks r and r + 1 there are two links: number 2r leads down, 2r + 1 up. */
#include "links.h"

#include <stdio.h>
#include <string.h>

/* One end of a link. `other`: the rank there. Who writes connects, who reads listens. */
struct end {
    const struct job *job;
    unsigned link, self, other;
    int writes;
};

static void print_host(const struct job *job, unsigned rank, char *host, size_t bytes)
{
    const char *at = job->hosts;
    while (at && rank--) {
        at = strchr(at, ',');
        at = at ? at + 1 : NULL;
    }
    snprintf(host, bytes, "%.*s", at ? (int)strcspn(at, ",") : 0, at ? at : "");
}

static void print_end(const struct end *end, char *text, size_t bytes)
{
    const struct job *job = end->job;
    const char *listen = end->writes ? "" : ",listen";
    char host[128] = "";
    print_host(job, end->writes ? end->other : end->self, host, sizeof host);
    if (!strcmp(job->transport, "shm"))
        snprintf(text, bytes, "shm:%s.%u", job->name, end->link);
    else if (!strcmp(job->transport, "unix"))
        snprintf(text, bytes, "unix:/tmp/%s.%u%s", job->name, end->link, listen);
    else if (!strcmp(job->transport, "mpi"))
        snprintf(text, bytes, "mpi:%u,%u", end->other, end->link % 2);
    else
        snprintf(text, bytes, "%s:%s:%u%s", job->transport, host, job->port + end->link, listen);
}

static size_t add(char *rows, size_t bytes, size_t used, const char *name, const struct end *end)
{
    char text[256];
    print_end(end, text, sizeof text);
    return used + (size_t)snprintf(rows + used, used < bytes ? bytes - used : 0, "%s%s=%s",
                                   used ? ";" : "", name, text);
}

int make_links(const struct job *job, unsigned rank, char *rows, size_t bytes)
{
    static const char *const known[] = {"shm", "unix", "tcp", "mpi", "ucx"};
    size_t used = 0, i = 0;
    while (i < sizeof known / sizeof *known && strcmp(known[i], job->transport))
        i++;
    if (i == sizeof known / sizeof *known)
        return 0;
    *rows = 0;
    if (rank > 0) {
        unsigned link = 2 * (rank - 1);
        used = add(rows, bytes, used, "from_above", &(struct end){job, link, rank, rank - 1, 0});
        used = add(rows, bytes, used, "to_above", &(struct end){job, link + 1, rank, rank - 1, 1});
    }
    if (rank + 1 < job->ranks) {
        unsigned link = 2 * rank;
        used = add(rows, bytes, used, "to_below", &(struct end){job, link, rank, rank + 1, 1});
        used =
            add(rows, bytes, used, "from_below", &(struct end){job, link + 1, rank, rank + 1, 0});
    }
    return used < bytes;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* See io_lookup.h. `lock` guards the list of what is under way, and all that is in it. */
#include "fpga/stream/io_lookup.h"

#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "fpga/stream/io_error.h"
#include "fpga/stream/io_stream.h"
#include "sluice/base/thread.h"
#include "sluice/device.h"

enum { MOST_LOOKUPS = 16 };

struct answer {
    int count; /* of the places; SL_IO_LOOKUP_FAILED: `error` */
    int error;
    struct sl_io_place places[SL_IO_PLACES];
};

struct lookup {
    struct lookup *next;
    unsigned refs; /* who waits, and the thread */
    int over;      /* owned: readable when the answer is there */
    struct answer answer;
    struct sl_thread thread;
    char target[];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct lookup *under_way;
static unsigned count_under_way;

/* ---- the C library --------------------------------------------------------------------------- */

/* IPv4 first: who listens at one address only is there for clients of either kind. */
static void keep(struct answer *answer, const struct addrinfo *found)
{
    answer->count = 0;
    for (int v4 = 1; v4 >= 0; v4--)
        for (const struct addrinfo *a = found; a && answer->count < SL_IO_PLACES; a = a->ai_next) {
            if ((a->ai_family == AF_INET) != v4)
                continue;
            struct sl_io_place *place = &answer->places[answer->count++];
            place->bytes = a->ai_addrlen;
            memcpy(&place->address, a->ai_addr, a->ai_addrlen);
        }
}

/* What getaddrinfo says, as io_error.h has it. */
static int error_of(int rc)
{
    switch (rc) {
    case EAI_SYSTEM:
        return errno;
    case EAI_MEMORY:
        return ENOMEM;
    case EAI_AGAIN: /* who knows names is not to be reached now */
        return SL_IO_NO_ANSWER;
    default:
        return SL_IO_UNKNOWN_NAME;
    }
}

/* `flags` are of struct addrinfo. */
static void resolve(const char *target, int flags, struct answer *answer)
{
    char host[256];
    struct addrinfo *found;
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = flags};
    const char *colon = strrchr(target, ':');
    int length = (int)(colon - target);
    bool bracketed = length > 1 && target[0] == '[' && colon[-1] == ']';
    snprintf(host, sizeof host, "%.*s", bracketed ? length - 2 : length, target + bracketed);
    int rc = getaddrinfo(*host ? host : NULL, colon + 1, &hints, &found);
    if (rc) {
        answer->count = SL_IO_LOOKUP_FAILED;
        answer->error = error_of(rc);
        return;
    }
    keep(answer, found);
    freeaddrinfo(found);
    if (!answer->count)
        *answer = (struct answer){.count = SL_IO_LOOKUP_FAILED, .error = SL_IO_UNKNOWN_NAME};
}

/* ---- threads that look up -------------------------------------------------------------------- */

static void drop_locked(struct lookup *lookup)
{
    if (--lookup->refs)
        return;
    close(lookup->over);
    free(lookup);
}

static void leave_list_locked(struct lookup *lookup)
{
    struct lookup **at = &under_way;
    while (*at != lookup)
        at = &(*at)->next;
    *at = lookup->next;
    count_under_way--;
}

static void *look_up(void *data)
{
    struct lookup *lookup = data;
    struct answer answer;
    const uint64_t one = 1;
    resolve(lookup->target, 0, &answer);
    pthread_mutex_lock(&lock);
    lookup->answer = answer;
    leave_list_locked(lookup);
    ssize_t told = write(lookup->over, &one, sizeof one);
    (void)told; /* the counter has room */
    drop_locked(lookup);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static struct lookup *start_locked(const char *target)
{
    struct lookup *lookup = calloc(1, sizeof *lookup + strlen(target) + 1);
    if (!lookup) {
        errno = ENOMEM;
        return NULL;
    }
    lookup->refs = 2;
    lookup->over = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    lookup->thread =
        (struct sl_thread){.name = SL_THREAD_PREFIX "name", .run = look_up, .data = lookup};
    strcpy(lookup->target, target);
    int error = lookup->over < 0 ? errno : sl_thread_start_detached(&lookup->thread);
    if (error) {
        if (lookup->over >= 0)
            close(lookup->over);
        free(lookup);
        errno = error;
        return NULL;
    }
    lookup->next = under_way;
    under_way = lookup;
    count_under_way++;
    return lookup;
}

/* One that is under way, or a new one; NULL with errno. */
static struct lookup *join(const char *target)
{
    pthread_mutex_lock(&lock);
    struct lookup *lookup = under_way;
    while (lookup && strcmp(lookup->target, target))
        lookup = lookup->next;
    if (lookup)
        lookup->refs++;
    else if (count_under_way < MOST_LOOKUPS)
        lookup = start_locked(target);
    else
        errno = EAGAIN;
    pthread_mutex_unlock(&lock);
    return lookup;
}

/* ---- the call -------------------------------------------------------------------------------- */

static int take(const struct answer *answer, struct sl_io_place places[SL_IO_PLACES])
{
    if (answer->count == SL_IO_LOOKUP_FAILED)
        errno = answer->error;
    for (int i = 0; i < answer->count; i++)
        places[i] = answer->places[i];
    return answer->count;
}

int sl_io_lookup(const char *target, int stop, int ms, struct sl_io_place places[SL_IO_PLACES])
{
    struct answer answer = {0};
    resolve(target, AI_NUMERICHOST | AI_NUMERICSERV, &answer);
    if (answer.count > 0)
        return take(&answer, places);
    struct lookup *lookup = join(target);
    if (!lookup)
        return SL_IO_LOOKUP_FAILED;
    struct pollfd fds[] = {{.fd = stop, .events = POLLIN}, {.fd = lookup->over, .events = POLLIN}};
    while (poll(fds, 2, ms) < 0 && errno == EINTR)
        ;
    answer.count = fds[0].revents ? SL_IO_LOOKUP_STOPPED : SL_IO_LOOKUP_LATE;
    pthread_mutex_lock(&lock);
    if (fds[1].revents && !fds[0].revents)
        answer = lookup->answer;
    drop_locked(lookup);
    pthread_mutex_unlock(&lock);
    return take(&answer, places);
}

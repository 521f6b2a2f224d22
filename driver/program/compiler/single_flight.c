/* SPDX-License-Identifier: Apache-2.0 */
/* The table of builds that are going on: a list, since there are never more than threads. `lock`
 * guards it and all that is in it; it is below every other lock but the log's. */
#include "program/compiler/single_flight.h"
#include "base/thread/fork.h"

#include <pthread.h>

#include "base/object/alloc.h"
#include "platform/platform.h"

struct sl_flight {
    struct sl_flight *next; /* in the air */
    struct sl_hash key;
    unsigned refs; /* the pilot and its passengers */
    bool landed;
    unsigned char *container; /* owned; NULL: nothing to share */
    size_t bytes;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t landing = PTHREAD_COND_INITIALIZER;
static struct sl_flight *in_the_air;

static struct sl_flight *find_locked(struct sl_hash key)
{
    struct sl_flight *flight = in_the_air;
    while (flight && !sl_hash_equal(flight->key, key))
        flight = flight->next;
    return flight;
}

static struct sl_flight *take_off_locked(struct sl_hash key)
{
    struct sl_flight *flight = sl_zalloc(sizeof *flight);
    if (!flight)
        return NULL;
    flight->key = key;
    flight->next = in_the_air;
    in_the_air = flight;
    return flight;
}

struct sl_flight *sl_flight_board(struct sl_hash key, bool *pilot)
{
    if (sl_forked()) /* who held the lock is not here to let it go */
        return NULL;
    pthread_mutex_lock(&lock);
    struct sl_flight *flight = find_locked(key);
    *pilot = !flight;
    if (!flight)
        flight = take_off_locked(key);
    if (flight)
        flight->refs++;
    pthread_mutex_unlock(&lock);
    return flight;
}

static void leave_locked(struct sl_flight *flight)
{
    if (--flight->refs)
        return;
    sl_free(flight->container);
    sl_free(flight);
}

void sl_flight_land(struct sl_flight *flight, const unsigned char *container, size_t bytes)
{
    pthread_mutex_lock(&lock);
    struct sl_flight **at = &in_the_air;
    while (*at != flight)
        at = &(*at)->next;
    *at = flight->next;
    flight->landed = true;
    if (container && flight->refs > 1)
        flight->container = sl_memdup(container, bytes);
    flight->bytes = bytes;
    leave_locked(flight);
    pthread_cond_broadcast(&landing);
    pthread_mutex_unlock(&lock);
}

unsigned char *sl_flight_wait(struct sl_flight *flight, size_t *bytes)
{
    pthread_mutex_lock(&lock);
    while (!flight->landed)
        pthread_cond_wait(&landing, &lock);
    unsigned char *copy = flight->container ? sl_memdup(flight->container, flight->bytes) : NULL;
    *bytes = flight->bytes;
    leave_locked(flight);
    pthread_mutex_unlock(&lock);
    return copy;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* See fake_host.h. Settings are set before devices are opened; counters are atomic. */
#include "fake_host.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "common/runtime/scheduler.h"

atomic_int fake_log_lines, fake_stalls, fake_outlook, fake_outlooks, fake_stuck;
atomic_bool fake_helps;
struct sl_work *_Atomic fake_candidate;
char fake_stall_text[4096], fake_stall_json[4096];

static struct {
    char name[48], value[256];
} settings[8];

void fake_set(const char *name, const char *value)
{
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        if (settings[i].name[0] && strcmp(settings[i].name, name))
            continue;
        snprintf(settings[i].name, sizeof settings[i].name, "%s", value ? name : "");
        snprintf(settings[i].value, sizeof settings[i].value, "%s", value ? value : "");
        return;
    }
    fail_msg("no room for %s", name);
}

static const char *config(const char *name)
{
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        if (!strcmp(settings[i].name, name))
            return settings[i].value;
    }
    return NULL;
}

static void started(struct sl_work *work)
{
    atomic_fetch_add(&((struct fake_work *)work)->started, 1);
}

static void finished(struct sl_work *work, int status)
{
    struct fake_work *fake = (struct fake_work *)work;
    fake->status = status;
    if (fake->then)
        fake->then(fake);
    atomic_fetch_add(&fake->finished, 1);
}

static pthread_mutex_t line_lock = PTHREAD_MUTEX_INITIALIZER;
static char lines[4096]; /* as many as fit */
static size_t lines_used;

bool fake_log_has(const char *text)
{
    pthread_mutex_lock(&line_lock);
    bool has = strstr(lines, text) != NULL;
    lines_used = 0;
    lines[0] = 0;
    pthread_mutex_unlock(&line_lock);
    return has;
}

int fake_log_count(const char *text)
{
    int count = 0;
    pthread_mutex_lock(&line_lock);
    for (const char *at = lines; (at = strstr(at, text)); at += strlen(text))
        count++;
    lines_used = 0;
    lines[0] = 0;
    pthread_mutex_unlock(&line_lock);
    return count;
}

void fake_log_take(char *text, size_t bytes)
{
    pthread_mutex_lock(&line_lock);
    snprintf(text, bytes, "%s", lines);
    lines_used = 0;
    lines[0] = 0;
    pthread_mutex_unlock(&line_lock);
}

static void log_line(int level, const char *topic, const char *fmt, ...)
{
    va_list list;
    va_start(list, fmt);
    pthread_mutex_lock(&line_lock);
    int length = vsnprintf(lines + lines_used, sizeof lines - lines_used, fmt, list);
    if (length > 0 && (size_t)length < sizeof lines - lines_used)
        lines_used += (size_t)length;
    pthread_mutex_unlock(&line_lock);
    va_end(list);
    va_start(list, fmt);
    if (getenv("FAKE_LOG")) {
        printf("# %d %s: ", level, topic);
        vprintf(fmt, list);
        printf("\n");
    }
    va_end(list);
    atomic_fetch_add(&fake_log_lines, 1);
}

static bool log_enabled(int level, const char *topic)
{
    (void)level;
    (void)topic;
    return true;
}

static void stalled(struct sl_device *device, const char *text, const char *json)
{
    (void)device;
    snprintf(fake_stall_text, sizeof fake_stall_text, "%s", text);
    snprintf(fake_stall_json, sizeof fake_stall_json, "%s", json);
    atomic_fetch_add(&fake_stalls, 1);
}

static void failed(struct sl_work *work, const char *why)
{
    (void)work, (void)why;
}

static void ended(struct sl_work *work)
{
    (void)work;
}

static void tell(struct sl_device *device, const char *text)
{
    (void)device;
    log_line(SL_LOG_ERROR, "tell", "%s", text);
}

static enum sl_outlook outlook(struct sl_device *device, const struct sl_stuck *stuck)
{
    struct sl_work *work = atomic_load(&fake_candidate);
    (void)device;
    atomic_fetch_add(&fake_outlooks, 1);
    atomic_store(&fake_stuck, (int)stuck->count);
    atomic_store(&fake_helps, work && stuck->helps(stuck->data, work));
    return (enum sl_outlook)atomic_load(&fake_outlook);
}

const struct sl_host_ops fake_host = {
    .abi = SL_DEVICE_ABI,
    .size = sizeof fake_host,
    .started = started,
    .finished = finished,
    .log = log_line,
    .log_enabled = log_enabled,
    .config = config,
    .stalled = stalled,
    .failed = failed,
    .ended = ended,
    .outlook = outlook,
    .tell = tell,
};

struct sl_device *fake_open(sl_device_plugin_fn plugin)
{
    struct sl_device_list list = {.capacity = 16};
    assert_int_equal(plugin(&fake_host, &list), 0);
    assert_int_equal(list.count, 1);
    assert_int_equal(list.devices[0]->ops->start(list.devices[0]), 0);
    return list.devices[0];
}

void fake_close(struct sl_device *device)
{
    device->ops->stop(device);
    device->ops->close(device);
}

struct sl_work_queue *fake_work_queue(struct sl_device *device, bool out_of_order)
{
    struct sl_work_queue *work_queue;
    const struct sl_work_queue_desc desc = {.out_of_order = out_of_order};
    assert_int_equal(device->ops->work_queue_create(device, &desc, &work_queue), 0);
    return work_queue;
}

void fake_sleep_until(atomic_int *value, int wanted)
{
    const struct timespec moment = {.tv_nsec = 100000};
    enum { MOST_SECONDS = 100 }; /* busy machines make a hundred of one */
    for (time_t end = time(NULL) + MOST_SECONDS; time(NULL) < end && atomic_load(value) < wanted;)
        nanosleep(&moment, NULL);
    assert_int_equal(atomic_load(value), wanted);
}

void fake_wait(struct sl_work_queue *work_queue, struct fake_work *works, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        while (!atomic_load(&works[i].finished)) {
            if (!sl_work_queue_assist(work_queue))
                fake_sleep_until(&works[i].finished, 1);
        }
    }
}

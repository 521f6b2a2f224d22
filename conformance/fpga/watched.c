/* SPDX-License-Identifier: Apache-2.0 */
/* See watched.h. `lock` guards what the callback has seen. */
#include "watched.h"
#include "child.h"
#include "runner.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int reports;
static char last_text[8192], last_json[16384];

static void CL_CALLBACK on_notice(const char *text, const void *json, size_t bytes, void *data)
{
    (void)bytes;
    (void)data;
    if (!json)
        return; /* of a command that failed, no stall report */
    pthread_mutex_lock(&lock);
    reports++;
    snprintf(last_text, sizeof last_text, "%s", text);
    snprintf(last_json, sizeof last_json, "%s", (const char *)json);
    pthread_mutex_unlock(&lock);
}

int report_count(void)
{
    pthread_mutex_lock(&lock);
    int count = reports;
    pthread_mutex_unlock(&lock);
    return count;
}

void open_heard(void(CL_CALLBACK *hears)(const char *, const void *, size_t, void *))
{
    cl_int rc;
    REQUIRE(!env_open());
    RELEASE_QUEUE(cl.queue);
    RELEASE_CONTEXT(cl.context);
    cl.context = clCreateContext(NULL, 1, &cl.device, hears, NULL, &rc);
    REQUIRE_OK(rc);
    cl.queue = new_queue(0);
}

void open_watched(void)
{
    open_heard(on_notice);
}

/* Text between quotes does not count; good enough to find a report that was cut or mis-nested. */
static int well_nested(const char *json)
{
    char open[64];
    size_t depth = 0;
    for (; *json; json++) {
        if (*json == '"') {
            for (json++; *json && *json != '"'; json++)
                json += *json == '\\' && json[1];
            if (!*json)
                return 0;
        } else if (*json == '{' || *json == '[') {
            if (depth == sizeof open)
                return 0;
            open[depth++] = *json == '{' ? '}' : ']';
        } else if (*json == '}' || *json == ']') {
            if (!depth || open[--depth] != *json)
                return 0;
        }
    }
    return !depth;
}

/* The events may have ended before the callback comes. */
void check_report(const char *const *words)
{
    for (int turn = 0; turn < 1000 && !report_count(); turn++)
        usleep(2000);
    CHECK_EQ(report_count(), 1);
    for (; *words; words++) {
        if (!strstr(last_text, *words))
            check_fail(__FILE__, __LINE__, "the report lacks \"%s\":\n%s", *words, last_text);
    }
    CHECK(last_json[0] == '{' && well_nested(last_json));
}

cl_kernel add(struct flow *flow, const char *name, cl_mem out, cl_uint n)
{
    cl_kernel kernel = flow_add(flow, name);
    ARG(kernel, 0, out);
    ARG(kernel, 1, n);
    return kernel;
}

void ends_with_error(cl_event event)
{
    CHECK_EQ(clWaitForEvents(1, &event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK(event_status(event) < 0);
}

void ends_with_errors(struct flow *flow)
{
    for (size_t i = 0; i < flow->count; i++)
        ends_with_error(flow->kernels[i].event);
}

int report_has(const char *word)
{
    pthread_mutex_lock(&lock);
    int found = strstr(last_text, word) != NULL;
    pthread_mutex_unlock(&lock);
    return found;
}

void stall_job(const char *job, const char *on_stall, const char *more)
{
    char text[64];
    if (!is_sluice())
        check_skip("nobody else reports stalls");
    snprintf(text, sizeof text, "SLUICE_FPGA_ON_STALL=%s", on_stall);
    const char *env[] = {"SLUICE_FPGA_STALL_MS=100", on_stall[0] ? text : "SLUICE_FPGA_ON_STALL",
                         more, NULL};
    child_ends(&(struct child_plan){.job = job, .env = env, .limit_seconds = 30}, 0);
}

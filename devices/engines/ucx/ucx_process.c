/* SPDX-License-Identifier: Apache-2.0 */
/* UCX in this process. `list_lock` guards what is here. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <ucs/config/global_opts.h>
#include <unistd.h>

#include "sluice/base/environment.h"
#include "ucx/ucx_end.h"

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static struct sl_engine_end *ends;
static ucp_context_h context; /* stays */
static void (*flush_pipes)(void);
static pid_t owner;

/* UCX goes when the process exits, and its memory with it: nobody calls it from here on. */
static void leave(void)
{
    if (owner != getpid())
        return; /* a child has nothing of it */
    flush_pipes();
    pthread_mutex_lock(&list_lock);
    for (struct sl_engine_end *end = ends; end; end = end->next) {
        pthread_mutex_lock(&end->lock);
        ucx_part(end);
        end->over = true;
        pthread_mutex_unlock(&end->lock);
    }
    pthread_mutex_unlock(&list_lock);
}

/* What it has to say about peers that go is said by us; who asks for more by its variables has it.
 */
static void keep_quiet(void)
{
    char level[16] = "";
    if (!ucs_global_opts_get_value("LOG_LEVEL", level, sizeof level) && !strcasecmp(level, "WARN"))
        ucs_global_opts_set_value("LOG_LEVEL", "FATAL");
}

/* The port of one who listened before is free at once, as it is to every server; UCX's own variable
 * has the last word. Who does not know the option, or by another name, goes without. */
static void take_ports_again(ucp_config_t *config)
{
    if (!sl_environment("UCX_TCP_CM_REUSEADDR") && !sl_environment("UCX_CM_REUSEADDR"))
        (void)ucp_config_modify(config, "CM_REUSEADDR", "y");
}

/* Within one machine packets go by shared memory, where UCX finds out from the connection by which
 * its ends have met that one of them has died. Ways for large messages, which are never sent, would
 * be sockets that are asked each time. UCX's own variables have the last word. */
static void take_shared_memory(ucp_config_t *config)
{
    if (!sl_environment("UCX_POSIX_ERROR_HANDLING") && !sl_environment("UCX_SYSV_ERROR_HANDLING"))
        (void)ucp_config_modify(config, "MM_ERROR_HANDLING", "y");
    if (!sl_environment("UCX_MAX_RNDV_RAILS") && !sl_environment("UCX_MAX_RNDV_LANES"))
        (void)ucp_config_modify(config, "MAX_RNDV_RAILS", "0");
}

static const char *begin_locked(void)
{
    ucp_config_t *config;
    ucp_params_t params = {
        .field_mask = UCP_PARAM_FIELD_FEATURES | UCP_PARAM_FIELD_MT_WORKERS_SHARED,
        .features = UCP_FEATURE_STREAM | UCP_FEATURE_AM | UCP_FEATURE_WAKEUP,
        .mt_workers_shared = 1,
    };
    keep_quiet();
    ucs_status_t status = ucp_config_read(NULL, NULL, &config);
    if (!status) {
        take_ports_again(config);
        take_shared_memory(config);
        status = ucp_init(&params, config, &context);
        ucp_config_release(config);
    }
    if (status)
        return ucs_status_string(status);
    owner = getpid();
    return atexit(leave) ? "no memory" : NULL;
}

/* UCX's threads hear none of the application's signals. */
static void block_signals(sigset_t *before)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, before);
}

const char *ucx_begin(void (*flush)(void))
{
    sigset_t before;
    pthread_mutex_lock(&list_lock);
    flush_pipes = flush;
    block_signals(&before);
    const char *fault = context ? NULL : begin_locked();
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_mutex_unlock(&list_lock);
    return fault;
}

ucp_context_h ucx_context(void)
{
    return context;
}

/* Whoever sleeps does so behind one descriptor, which stays. */
static ucs_status_t join_wakeup(struct sl_engine_end *end)
{
    int fd;
    struct epoll_event event = {.events = EPOLLIN};
    ucs_status_t status = ucp_worker_get_efd(end->worker, &fd);
    if (end->wakeup < 0)
        end->wakeup = epoll_create1(EPOLL_CLOEXEC);
    if (!status && (end->wakeup < 0 || epoll_ctl(end->wakeup, EPOLL_CTL_ADD, fd, &event)))
        status = UCS_ERR_NO_RESOURCE;
    return status;
}

static void destroy_worker(struct sl_engine_end *end)
{
    int fd;
    if (!ucp_worker_get_efd(end->worker, &fd))
        epoll_ctl(end->wakeup, EPOLL_CTL_DEL, fd, NULL);
    ucp_worker_destroy(end->worker);
    end->worker = NULL;
}

const char *ucx_new_worker(struct sl_engine_end *end)
{
    sigset_t before;
    const ucp_worker_params_t params = {
        .field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE | UCP_WORKER_PARAM_FIELD_EVENTS,
        .thread_mode = UCS_THREAD_MODE_SERIALIZED,
        .events = UCP_WAKEUP_RX | UCP_WAKEUP_TX,
    };
    block_signals(&before);
    if (end->worker)
        destroy_worker(end);
    ucs_status_t status = ucp_worker_create(context, &params, &end->worker);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!status)
        status = join_wakeup(end);
    else
        end->worker = NULL;
    return status ? ucs_status_string(status) : NULL;
}

void ucx_enlist(struct sl_engine_end *end)
{
    pthread_mutex_lock(&list_lock);
    end->next = ends;
    if (ends)
        ends->previous = end;
    ends = end;
    pthread_mutex_unlock(&list_lock);
}

void ucx_delist(struct sl_engine_end *end)
{
    pthread_mutex_lock(&list_lock);
    *(end->previous ? &end->previous->next : &ends) = end->next;
    if (end->next)
        end->next->previous = end->previous;
    pthread_mutex_unlock(&list_lock);
}

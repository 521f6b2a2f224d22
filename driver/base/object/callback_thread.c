/* SPDX-License-Identifier: Apache-2.0 */
/* The callback thread and its queue; one lock guards all of its state. */
#include "base/object/callback_thread.h"

#include <pthread.h>

#include "base/log/error.h"
#include "base/object/alloc.h"
#include "sluice/base/thread.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake = PTHREAD_COND_INITIALIZER;
static struct sl_callback_task *head, *tail;
static struct sl_thread thread;
static _Thread_local bool here;
static bool at_work;  /* it is in a task */
static bool running;  /* `thread` is a thread to be joined, or leaves by itself */
static bool stopping; /* it ends when the queue is empty */
static bool joining;  /* somebody waits for its end */
static bool orphan;   /* nobody will */

static struct sl_callback_task *next_task_locked(void)
{
    while (!head && !stopping)
        pthread_cond_wait(&wake, &lock);
    struct sl_callback_task *task = head;
    if (!task)
        return NULL;
    head = task->next;
    if (!head)
        tail = NULL;
    return task;
}

static void *callback_main(void *unused)
{
    (void)unused;
    struct sl_callback_task *task;
    struct sl_thread_name name;
    here = true;
    pthread_mutex_lock(&lock);
    while ((task = next_task_locked())) {
        at_work = true;
        pthread_mutex_unlock(&lock);
        sl_thread_lend(&name);
        task->run(task->data);
        sl_thread_return(&name);
        pthread_mutex_lock(&lock);
        at_work = false;
    }
    if (orphan) {
        pthread_detach(pthread_self());
        running = stopping = orphan = false;
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

static cl_int start_locked(void)
{
    if (running && orphan) /* a new context wants the thread after all */
        stopping = orphan = false;
    if (running)
        return CL_SUCCESS;
    thread = (struct sl_thread){.name = SL_THREAD_CALLBACK, .run = callback_main};
    running = !sl_thread_start(&thread);
    return running ? CL_SUCCESS
                   : sl_refuse(CL_OUT_OF_RESOURCES, "the callback thread does not start");
}

static void append_locked(struct sl_callback_task *task)
{
    task->next = NULL;
    if (tail)
        tail->next = task;
    else
        head = task;
    tail = task;
    pthread_cond_signal(&wake);
}

cl_int sl_callback_start(void)
{
    pthread_mutex_lock(&lock);
    cl_int rc = start_locked();
    pthread_mutex_unlock(&lock);
    return rc;
}

void sl_callback_post_task(struct sl_callback_task *task)
{
    pthread_mutex_lock(&lock);
    /* Without a thread the task waits for the next one to start. */
    cl_int rc = start_locked();
    (void)rc;
    append_locked(task);
    pthread_mutex_unlock(&lock);
}

struct post {
    struct sl_callback_task task;
    void (*run)(void *data);
    void *data;
};

static void run_post(void *data)
{
    struct post post = *(struct post *)data;
    sl_free(data);
    post.run(post.data);
}

cl_int sl_callback_post(void (*run)(void *data), void *data)
{
    struct post *post = sl_alloc(sizeof *post);
    if (!post)
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "no memory for a callback");
    *post = (struct post){.task = {.run = run_post, .data = post}, .run = run, .data = data};
    pthread_mutex_lock(&lock);
    cl_int rc = start_locked();
    if (!rc)
        append_locked(&post->task);
    pthread_mutex_unlock(&lock);
    if (rc)
        sl_free(post);
    return rc;
}

bool sl_callback_is_here(void)
{
    return here;
}

bool sl_callback_busy(void)
{
    pthread_mutex_lock(&lock);
    bool busy = at_work || head;
    pthread_mutex_unlock(&lock);
    return busy;
}

void sl_callback_shutdown(void)
{
    pthread_mutex_lock(&lock);
    bool join = running && !joining && !pthread_equal(thread.id, pthread_self());
    stopping = running;
    joining |= join;
    orphan = running && !joining;
    pthread_t ended = thread.id;
    pthread_cond_signal(&wake);
    pthread_mutex_unlock(&lock);
    if (!join)
        return;
    pthread_join(ended, NULL);
    pthread_mutex_lock(&lock);
    running = stopping = joining = false;
    if (head) { /* somebody made a context and used it while we waited */
        cl_int rc = start_locked();
        (void)rc;
    }
    pthread_mutex_unlock(&lock);
}

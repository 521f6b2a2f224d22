/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The device library's own: one card, which is another process (worker.c). Locks, of which no two
 * are held at once: `lock` guards the list of works, `blocks` what of the card's memory is used,
 * `bus` one request with its answer.
 */
#ifndef CARD_H
#define CARD_H

#include <pthread.h>
#include <stdbool.h>
#include <sys/types.h>

#include "common/base/values.h"
#include "common/kernel/loader.h"
#include "remote.h"

enum { BLOCK = 4096, BLOCKS = REMOTE_BYTES / BLOCK };

struct remote {
    struct sl_device base; /* first: the driver knows this part */
    const struct sl_host_ops *host;
    int memory_fd, output_fd, socket; /* output: where the process's stdout goes */
    pid_t worker;
    pthread_t thread;
    pthread_mutex_t lock, blocks, bus;
    pthread_cond_t changed;
    struct sl_work *head, **tail;
    bool stopping;
    unsigned char used[BLOCKS]; /* 0 free, 1 the first of an allocation, 2 one more of it */
};

struct sl_memory {
    struct remote *remote;
    size_t bytes;
    unsigned char *at;   /* on the card */
    unsigned char *host; /* the application's own, of which `at` is a copy while a kernel runs */
    unsigned char *sent; /* owned: what that copy was; both NULL: there is none */
};

struct sl_work_queue {
    struct remote *remote;
};

struct sl_code {
    struct remote *remote;
    struct sl_loaded loaded; /* for its tables only */
    uint64_t code;           /* the worker's */
};

static inline struct remote *remote_of(struct sl_device *device)
{
    return (struct remote *)(void *)device;
}

/* memory.c */
unsigned char *card_take(struct remote *, size_t bytes); /* NULL: none left */
void card_give(struct remote *, unsigned char *);        /* NULL: nothing */
int card_memory_create(struct sl_device *, const struct sl_memory_desc *, struct sl_memory **);
void card_memory_destroy(struct sl_memory *);
void *card_memory_host(struct sl_memory *);
/* Before and after a kernel that uses it. */
void card_memory_send(struct sl_memory *);
void card_memory_receive(struct sl_memory *);

/* bus.c: 0, or an OpenCL error; none for a process that has ended. */
int card_start_worker(struct remote *);
void card_stop_worker(struct remote *);
struct remote_answer card_ask(struct remote *, const struct remote_request *);

/* code.c */
int card_code_load(struct sl_device *, const void *elf, size_t elf_bytes, const char *name,
                   struct sl_code **, const struct sl_module_info **);
void card_code_unload(struct sl_code *);
int card_run_kernel(struct remote *, struct sl_work *);

/* queue.c */
void *card_serve(void *remote); /* the thread that does the works, one after the other */
int card_queue_create(struct sl_device *, const struct sl_work_queue_desc *,
                      struct sl_work_queue **);
void card_queue_destroy(struct sl_work_queue *);
void card_submit(struct sl_work_queue *, struct sl_work *);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A driver for devices under test: counts what they report and answers their questions. finished()
 * may run a hook per work, so that tests submit from within it as the driver does.
 */
#ifndef SL_UNIT_FAKE_HOST_H
#define SL_UNIT_FAKE_HOST_H

#include <stdatomic.h>
#include <stdbool.h>

#include "sluice/device.h"

struct fake_work {
    struct sl_work work;              /* first */
    void (*then)(struct fake_work *); /* called by finished(), before done is raised */
    void *data;
    atomic_int started, finished; /* how often */
    int status;
};

extern const struct sl_host_ops fake_host;
extern atomic_int fake_log_lines;
/* A line of the log since the last call had this text. */
bool fake_log_has(const char *text);
int fake_log_count(const char *text); /* how often, as above */
/* All of the log since the last call of any of them. */
void fake_log_take(char *text, size_t bytes);
extern atomic_int fake_stalls; /* reports so far, and the last one: */
/* What outlook() answers and how often it was asked; how many works it was told of, and whether one
 * of this kind, if not NULL, would help: as last asked. */
extern atomic_int fake_outlook, fake_outlooks, fake_stuck;
extern atomic_bool fake_helps;
extern struct sl_work *_Atomic fake_candidate;
extern char fake_stall_text[4096], fake_stall_json[4096];

void fake_set(const char *name, const char *value); /* what config() answers; NULL takes it away */

/* The first device that `plugin` gives, started. */
struct sl_device *fake_open(sl_device_plugin_fn);
void fake_close(struct sl_device *);
struct sl_work_queue *fake_work_queue(struct sl_device *, bool out_of_order);

/* As clFinish does: assists, else sleeps, until `count` works are finished. */
void fake_wait(struct sl_work_queue *, struct fake_work *, unsigned count);
/* Sleeps only: what nobody assists must happen too. Gives up after minutes. */
void fake_sleep_until(atomic_int *value, int wanted);

#endif

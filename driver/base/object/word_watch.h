/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The thread that sleeps until words of memory change which other processes write to as well. It
 * starts with the first word and is joined when the last context ends; looks are made with no lock
 * held.
 */
#ifndef SL_DRIVER_BASE_WORD_WATCH_H
#define SL_DRIVER_BASE_WORD_WATCH_H

#include <CL/cl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Whose memory it is: the caller's, until look() has answered false. */
struct sl_word_watch {
    struct sl_word_watch *next; /* the thread's */
    uint32_t seen;              /* the thread's */
    bool looked;                /* the thread's */
    atomic_uint *word;
    /* On that thread, at first and whenever the word has changed. It must not wait. False: enough,
     * and the watch is not touched again. */
    bool (*look)(struct sl_word_watch *);
};

/* CL_OUT_OF_RESOURCES: there is no thread, and the word is not watched. */
cl_int sl_word_watch_add(struct sl_word_watch *);
/* After a change of the word, in whichever process. */
void sl_word_watch_wake(atomic_uint *word);
/* The last context has ended, and with it all watches. Not on the thread itself. */
void sl_word_watch_shutdown(void);

#endif

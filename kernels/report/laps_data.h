/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of laps share; see laps.h. Nodes are rows of the log. No shared state. */
#ifndef SL_KERNELS_REPORT_LAPS_DATA_H
#define SL_KERNELS_REPORT_LAPS_DATA_H

#include "report/laps.h"

enum { SL_LAPS_NEAR = 16, SL_LAPS_STRETCHES = 16, SL_LAPS_STRIDE = 32 };
#define SL_LAPS_NOBODY UINT32_MAX

struct sl_laps_in { /* an edge to a node, as it is in the graph: from that node */
    uint32_t from, distance;
};

struct sl_laps_edge { /* the same to a place of a lap: from that place, so many laps before */
    uint32_t place, laps, distance;
};

struct sl_laps_place {
    uint32_t first_edge; /* of the stretch's */
    uint32_t pipe;       /* it writes there and may have to wait for room; NOBODY */
    uint32_t packet;     /* the how manieth of its lap */
};

struct sl_laps_reads {     /* of a pipe, in a lap */
    uint32_t first, count; /* of the stretch's `reads` */
};

struct sl_laps_block { /* laps that have rows, one behind the other */
    uint32_t first, count;
    size_t row;
    uint32_t stride; /* behind it laps go on as those in front of its end do, by so many laps, */
    uint32_t since;  /* and as all have done from this one on */
};

struct sl_laps_stretch {           /* laps, one behind the other */
    uint32_t begin, length, count; /* the first node; of a lap; laps */
    struct sl_laps_place *places;  /* owned; length + 1 */
    struct sl_laps_edge *edges;    /* owned */
    struct sl_laps_reads *of_pipe; /* owned; of each pipe */
    uint32_t *reads;               /* owned; places */
    /* ---- of a sweep */
    int64_t *rows; /* owned: times of a lap's places */
    size_t row_count, row_room;
    struct sl_laps_block *blocks; /* owned */
    uint32_t block_count, block_room;
    uint32_t *read_before, *written_before; /* owned; packets of each pipe in front of it */
};

struct sl_laps {
    const struct sl_replay_trace *trace;
    const struct sl_replay_log *log;
    uint32_t count;
    uint32_t *first; /* owned, as all of these; count + 1: where edges to a node begin */
    struct sl_laps_in *in;
    int64_t *times;   /* of nodes outside of laps */
    uint32_t **reads; /* of each pipe: the nodes that read its packets; NULL: never waited for */
    uint32_t *read_memory, *read_count;
    uint32_t *finishes, finish_count;
    uint32_t *done[2]; /* of a sweep: packets read and written so far, read and written */
    struct sl_laps_stretch stretches[SL_LAPS_STRETCHES];
    uint32_t stretch_count;
    const uint32_t *depths;
    int64_t limit;
};

/* ---- laps_find.c ----------------------------------------------------------------------------- */

/* Fills in stretches; false: no memory. */
bool sl_laps_find(struct sl_laps *);

/* ---- laps_times.c ---------------------------------------------------------------------------- */

int64_t sl_laps_time(const struct sl_laps *, uint32_t node);
/* Of a place in one of the laps that have been gone through. */
int64_t sl_laps_place_time(const struct sl_laps_stretch *, uint32_t lap, uint32_t place);
/* A row for one more lap behind the last one; `apart`: in a block of its own that begins with that
 * lap. NULL: no memory. */
int64_t *sl_laps_add_row(struct sl_laps_stretch *, uint32_t lap, bool apart);

/* ---- laps_skip.c ----------------------------------------------------------------------------- */

struct sl_laps_pace {                       /* what is seen of the laps of a block */
    uint64_t sum, last[2 * SL_LAPS_STRIDE]; /* of the last row; by how much each is more */
    uint32_t same[SL_LAPS_STRIDE + 1];      /* laps for which that has been as so many before */
    uint32_t seen, next_look;
};

/* Lap has got its row. */
void sl_laps_note(struct sl_laps_pace *, const struct sl_laps_stretch *, uint32_t lap);
/* So many laps behind this one, the last one with a row, go on as those before it, in steps of
 * the last block's stride. */
uint32_t sl_laps_skip(const struct sl_laps *, struct sl_laps_stretch *, struct sl_laps_pace *,
                      uint32_t lap);
/* Where a packet's room comes from: laps before, and the place; false: nobody reads it in laps. */
bool sl_laps_room(const struct sl_laps *, const struct sl_laps_stretch *,
                  const struct sl_laps_place *, struct sl_laps_edge *);

#endif

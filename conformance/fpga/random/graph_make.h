/* SPDX-License-Identifier: Apache-2.0 */
/* What is done to a design that has all its transfers; for graph_make.c. */
#ifndef SLUICE_TEST_GRAPH_MAKE_H
#define SLUICE_TEST_GRAPH_MAKE_H

#include "graph.h"

/* Some process becomes an autorun kernel. */
void graph_make_autorun(struct graph *, struct graph_random *);
/* Two of three designs that deadlock get as much room as they may want. */
void graph_widen(struct graph *, struct graph_random *);
/* Its ends may no longer fit together. */
void graph_damage(struct graph *, struct graph_random *);
/* Some ends poll, in designs that cannot deadlock. */
void graph_make_pollers(struct graph *, struct graph_random *);

#endif

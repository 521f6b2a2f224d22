/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions as the code generator leaves them, with what LLVM's scheduling model of a processor
 * says of each instruction: which units it takes for how long, and when its results are there. For
 * who wants to know how long loops take (kernels/model). The processor need not be the one that the
 * code is made for. Stateless; a function is the listener's only during the call.
 */
#ifndef SL_KERNELS_LLVM_MACHINE_CODE_H
#define SL_KERNELS_LLVM_MACHINE_CODE_H

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SL_MC_UNITS 64       /* of a processor */
#define SL_MC_MOST_USES 10   /* of an instruction; what is beyond is left out */
#define SL_MC_MOST_READS 12  /* the same */
#define SL_MC_MOST_WRITES 12 /* the same */

/* On the branch that closes a loop: !{!"sl.items", i32 work-items that a round computes, i32 the
 * region that they are in, i32 1: under a mask}. */
#define SL_ITEMS_PROPERTY "sl.items"

/* The last unit of each processor is one of this name, which LLVM's instructions never take: some
 * of its models have none for divisions, which go on while their port does other things. */
#define SL_MC_DIVIDER "Divider of ours"

struct sl_mc_processor {
    const char *name; /* LLVM's */
    uint32_t unit_count;
    const char *units[SL_MC_UNITS]; /* LLVM's names; several may have the same */
    uint32_t width;                 /* micro-operations that begin in a cycle */
    uint32_t window;                /* that are under way at once */
};

/* One of these units is taken for so many cycles. */
struct sl_mc_use {
    uint64_t units;
    uint16_t cycles;
};

struct sl_mc_read {
    uint16_t place;  /* a register, or a word of the stack */
    int16_t advance; /* cycles after the instruction begins in which it is needed */
};

struct sl_mc_write {
    uint16_t place;
    uint16_t latency;
};

struct sl_mc_instruction {
    const char *name; /* LLVM's: "VADDPSZrr" */
    uint32_t line;    /* of the source; 0: unknown */
    uint16_t bits;    /* of its largest register */
    uint8_t steps;    /* micro-operations */
    uint8_t use_count, read_count, write_count;
    bool loads, stores, branches, calls;
    bool is_move;  /* from register to register */
    bool is_idiom; /* makes zero, or all ones, whatever the register held */
    struct sl_mc_use uses[SL_MC_MOST_USES];
    struct sl_mc_read reads[SL_MC_MOST_READS];
    struct sl_mc_write writes[SL_MC_MOST_WRITES];
};

struct sl_mc_block {
    uint32_t first, count; /* instructions */
    uint32_t loop;         /* the innermost one, counted from 1; 0: none */
    uint32_t ways[2];      /* the likelier one first */
    uint32_t way_count;    /* those beyond two are left out */
};

struct sl_mc_loop {
    uint32_t header; /* block */
    uint32_t parent; /* as sl_mc_block.loop */
    uint64_t rounds; /* each time it is entered; 0: unknown */
    uint32_t items;  /* SL_ITEMS_PROPERTY; 0: none */
    uint32_t region; /* of these */
    bool masked;
    uint32_t line; /* of the source; 0: unknown */
};

struct sl_mc_function {
    const char *name;
    const struct sl_mc_processor *processor;
    const struct sl_mc_instruction *instructions;
    const struct sl_mc_block *blocks;
    const struct sl_mc_loop *loops;
    uint32_t instruction_count, block_count, loop_count;
    uint32_t place_count; /* all places are below */
};

struct sl_mc_listener {
    const char *processor; /* whose model is asked: LLVM's name */
    void (*take)(void *data, const struct sl_mc_function *);
    void *data;
};

/* LLVM's name of the processor this is; "": it knows none. Constant. */
const char *sl_mc_host(void);

/* Once, before this process makes any code. */
void sl_mc_init(void);
/* Until sl_mc_unwatch() the listener hears of each function with loops of SL_ITEMS_PROPERTY that
 * this thread makes code of; the module is as it goes to the code generator. */
void sl_mc_watch(const struct sl_mc_listener *, LLVMModuleRef);
void sl_mc_unwatch(void);

#ifdef __cplusplus
}
#endif
#endif

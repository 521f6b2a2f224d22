/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random kernels: a program made from a seed, as OpenCL C and as input of an interpreter in plain
 * C. Every program is fully defined: each expression carries the range of its values, signed
 * arithmetic that might overflow goes through unsigned types, indices are brought into range, and
 * floating point stays on integers that are exact. Items share nothing but counters with one
 * operation each and, between barriers, local memory that nobody writes.
 */
#ifndef SLUICE_TEST_KERNEL_H
#define SLUICE_TEST_KERNEL_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
    MOST_LANES = 8,
    MOST_VARS = 256,
    MOST_SLOTS = 1024,
    MOST_FUNCTIONS = 3,
    MOST_RECORDS = 24,
    MOST_MEMBERS = 4,
    INPUTS = 4,
    OUTPUTS = 4,
    ARGUMENTS = 4,
    INPUT_LENGTH = 4096,
    PAD = 16, /* elements before and behind what items store */
    COUNTER_OPS = 5,
    COUNTERS = 4 * COUNTER_OPS,
    MOST_ITEMS = 1024,
    MOST_LOCAL = 256,
    ANY_COMPONENT = MOST_LANES /* of local memory: the item's number says which */
};

enum base { I8, U8, I16, U16, I32, U32, I64, U64, F32, F64, BASES };

struct type {
    uint8_t base, width; /* width 1, 2, 3, 4, 8 */
};

struct value {
    union {
        int64_t i[MOST_LANES]; /* sign- or zero-extended from the type */
        double d[MOST_LANES];
    };
};

enum op {
    X_CONST,
    X_VAR,
    X_ARG,
    X_ID,
    X_CAST,
    X_SPLAT,
    X_BUILD,
    X_SWIZZLE,
    X_ADD,
    X_SUB,
    X_MUL,
    X_AND,
    X_OR,
    X_XOR,
    X_SHL, /* shift counts are taken modulo the width */
    X_SHR,
    X_DIV,
    X_MOD,
    X_LT,
    X_LE,
    X_EQ,
    X_NE,
    X_NOT,
    X_LAND, /* the logical ones: int, 0 or 1 */
    X_LOR,
    X_LNOT,
    X_CHOOSE, /* ?: */
    X_SELECT, /* lane by lane: select(else, then, mask) */
    X_ANY,
    X_ALL,
    X_LOAD,
    X_VLOAD,
    X_POINTER, /* through a pointer to vectors */
    X_OWN,     /* from the item's slots of an output */
    X_ELEMENT,
    X_LOCAL,
    X_CALL,
    X_BUILTIN
};

enum id {
    ID_GLOBAL, /* and two more dimensions, as the following */
    ID_LOCAL = 3,
    ID_GROUP = 6,
    ID_GLOBAL_SIZE = 9,
    ID_LOCAL_SIZE = 12,
    ID_GROUPS = 15,
    ID_DIM = 18,
    ID_ITEM,       /* number of the item in the launch */
    ID_ITEMS,      /* how many there are */
    ID_LOCAL_ITEM, /* in the group */
    ID_LOCAL_ITEMS,
    IDS
};

enum builtin {
    B_MIN,
    B_MAX,
    B_ADD_SAT,
    B_SUB_SAT,
    B_ROTATE,
    B_POPCOUNT,
    B_CLZ,
    B_MUL_HI,
    B_HADD,
    B_BITSELECT,
    B_FMIN,
    B_FMAX,
    B_FABS,
    B_HALVE, /* floor(x * 0.5) */
    B_FMA,
    BUILTINS
};

struct expr {
    enum op op;
    struct type type;
    uint32_t index; /* of the variable, argument, buffer, function, id, component */
    uint32_t count;
    struct expr *args[MOST_LANES];
    uint8_t lanes[MOST_LANES];
    int64_t number;
    double lo, hi; /* no lane is outside */
    int wraps;     /* signed, and may leave the type's range */
};

enum stmt_kind {
    S_DECLARE,
    S_DECLARE_ARRAY,
    S_ASSIGN,
    S_LANE, /* v.sN = e */
    S_ELEMENT,
    S_STORE,
    S_VSTORE,
    S_POINTER,
    S_COUNT,
    S_IF,
    S_FOR,
    S_WHILE,
    S_DO,
    S_SWITCH,
    S_CASE,
    S_BREAK,
    S_CONTINUE,
    S_RETURN,
    S_GOTO,
    S_LABEL,   /* a block and the label behind it */
    S_BARRIER, /* this and the following: for the group as a whole */
    S_LOCAL, /* to the item's place in local memory: component `index` and, if it is not 0, `number`
              * - 1; step: is added; down: places are counted from the last item */
    S_RECORD, /* declares one: its body the members, or a copy of record `number` */
    S_COPY,   /* record `index` = record `number` */
    S_CALL,   /* v = function(..., &index) */
    S_GROUP_FOR,
    S_GROUP_IF,
    S_SUB_GROUP /* declares v: `number` of enum sub_group_op over e of each item */
};

enum sub_group_op {
    G_REDUCE_ADD,
    G_REDUCE_MIN,
    G_REDUCE_MAX,
    G_SCAN_INCLUSIVE_ADD,
    G_SCAN_EXCLUSIVE_ADD,
    G_ANY,
    G_LAST,    /* broadcast of the last item's */
    G_SHUFFLE, /* that of item number `at` modulo how many there are */
    SUB_GROUP_OPS
};

struct stmt {
    enum stmt_kind kind;
    struct expr *e, *at;
    struct stmt *body, *other, *next;
    uint32_t index, step;
    int64_t number;
    int down, is_default, falls;
};

struct var {
    struct type type;
    uint32_t slot, length; /* length 0: no array */
    double lo, hi;
    int fixed;               /* a loop's counter */
    uint32_t record, member; /* record: 1 + number of the struct that it is in; 0: none */
    int pointed;             /* a parameter that points to the caller's variable */
    int uniform;             /* the same in the whole group */
};

struct function {
    struct type type;
    uint32_t first_param, param_count; /* variables */
    struct stmt *body;
    int apart;   /* not inlined */
    int record;  /* its first parameters are the members of one */
    int changes; /* its last parameter points to what it may change: only for S_CALL */
};

/* A variable of a struct type, whose members are variables that follow each other. */
struct record {
    uint32_t type; /* number of the first record of this type */
    uint32_t first, count;
};

struct output {
    enum base base;
    uint32_t slots; /* per item */
    int backwards;
};

struct program {
    uint64_t seed;
    struct var vars[MOST_VARS];
    uint32_t var_count, slot_count, label_count;
    struct function functions[MOST_FUNCTIONS];
    uint32_t function_count;
    struct record records[MOST_RECORDS];
    uint32_t record_count;
    int shapes;     /* may have what the programs of other numbers have not (kernel_shape.c) */
    int components; /* items write those of each other's vectors */
    int task;       /* one work-item */
    enum base inputs[INPUTS];
    int constant[INPUTS]; /* in that address space */
    struct output outputs[OUTPUTS];
    enum base arguments[ARGUMENTS];
    int64_t argument_most[ARGUMENTS]; /* 0: any */
    enum base local, item;            /* item: type of the number of the item */
    uint32_t local_width;             /* of local memory's vectors; 1: there are none */
    uint32_t dims;
    int offsets, groups, barriers; /* groups: depends on the local size */
    int sub_groups;                /* their items do something together */
    struct stmt *body;
    void *memory; /* owned: chain of all nodes */
};

/* kernel_make.c */
struct program *program_make(uint64_t seed);
void program_destroy(struct program *);

/* kernel_text.c */
void program_print(const struct program *, const char *name, FILE *to);

/* kernel_interpret.c */
struct launch {
    uint32_t dims;
    size_t global[3], local[3], offset[3];
    struct value arguments[ARGUMENTS];
    void *inputs[INPUTS], *outputs[OUTPUTS]; /* borrowed */
    uint32_t counters[COUNTERS];
    size_t sub_group_size;
};
void program_interpret(const struct program *, struct launch *);

/* kernel_value.c */
size_t base_bytes(enum base);
int base_is_float(enum base);
int base_is_signed(enum base);
const char *base_name(enum base);
const char *builtin_name(enum builtin);
const char *counter_name(uint32_t op);
int64_t base_wrap(enum base, int64_t);
void value_from_memory(struct value *, enum base, uint32_t lane, const void *buffer, size_t at);
void value_to_memory(const struct value *, enum base, uint32_t lane, void *buffer, size_t at);
int64_t lane_operate(enum op, enum base, int64_t a, int64_t b);
double lane_operate_double(enum op, double a, double b);
int lane_compare(enum op, enum base, const struct value *a, const struct value *b, uint32_t lane);
int64_t lane_builtin(enum builtin, enum base, const int64_t *args);
double lane_builtin_double(enum builtin, const double *args);
void counter_apply(uint32_t op, uint32_t *cell, uint32_t with);

#endif

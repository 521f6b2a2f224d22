/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one query engine behind every clGet*Info: a table of rows, a key, the caller's buffer.
 * Rules of the spec, the same for all queries: a NULL value pointer ignores the size; a too small
 * size is CL_INVALID_VALUE; size_ret is always exact
 * (but for a text that grows, program_info.c); an unknown key is CL_INVALID_VALUE.
 */
#ifndef SL_DRIVER_BASE_INFO_H
#define SL_DRIVER_BASE_INFO_H

#include <CL/cl.h>
#include <stddef.h>
#include <stdint.h>

#define SL_LEN(a) (sizeof(a) / sizeof *(a))

/* Where a computed row writes its answer: at most one of these per query. */
struct sl_answer {
    size_t cap; /* room at out; 0 with out NULL when only the size is asked for */
    void *out;
    size_t need; /* set by the sl_answer_* functions */
    cl_int rc;
};
/* Each records the needed size and copies when there is room. */
void sl_answer_bytes(struct sl_answer *, const void *, size_t bytes);
void sl_answer_string(struct sl_answer *, const char *);
/* A handle, which is lent (object.h). */
void sl_answer_handle(struct sl_answer *, const void *handle, size_t bytes);
#define SL_ANSWER(a, type, value)                                                                  \
    _Generic(*(type *)0,                                                                           \
        cl_context: sl_answer_handle,                                                              \
        cl_program: sl_answer_handle,                                                              \
        cl_device_id: sl_answer_handle,                                                            \
        cl_mem: sl_answer_handle,                                                                  \
        cl_command_queue: sl_answer_handle,                                                        \
        cl_kernel: sl_answer_handle,                                                               \
        default: sl_answer_bytes)((a), &(type){value}, sizeof(type))

typedef void (*sl_info_fn)(const void *object, struct sl_answer *);

enum sl_info_how {
    SL_HOW_BYTES,
    SL_HOW_STRING,
    SL_HOW_CALL,
    SL_HOW_U32_FROM_BOOL,
    SL_HOW_CONSTANT,
    SL_HOW_HANDLE,
};
struct sl_info_row {
    uint32_t key;
    uint8_t how;
    uint32_t offset,
        bytes; /* of the field for SL_HOW_BYTES, HANDLE; of the char pointer for STRING */
    sl_info_fn call;
    const char *key_name;
    const void *constant; /* SL_HOW_CONSTANT: `bytes` bytes, the same for all objects */
};
/* The field has exactly the query's type. Handles are lent to the application (object.h). */
#define SL_VALUE(key, type, field)                                                                 \
    {key,                                                                                          \
     SL_HOW_OF(((type *)0)->field),                                                                \
     offsetof(type, field),                                                                        \
     sizeof(((type *)0)->field),                                                                   \
     NULL,                                                                                         \
     #key,                                                                                         \
     NULL}
#define SL_HOW_OF(field)                                                                           \
    _Generic((field),                                                                              \
        cl_context: SL_HOW_HANDLE,                                                                 \
        cl_program: SL_HOW_HANDLE,                                                                 \
        cl_device_id: SL_HOW_HANDLE,                                                               \
        cl_mem: SL_HOW_HANDLE,                                                                     \
        cl_command_queue: SL_HOW_HANDLE,                                                           \
        cl_kernel: SL_HOW_HANDLE,                                                                  \
        default: SL_HOW_BYTES)
/* The field is a `const char *` or `char *`; NULL answers "". */
#define SL_STRING(key, type, field) {key, SL_HOW_STRING, offsetof(type, field), 0, NULL, #key, NULL}
/* The field is a C bool; answered as cl_bool. */
#define SL_BOOL(key, type, field)                                                                  \
    {key, SL_HOW_U32_FROM_BOOL, offsetof(type, field), 0, NULL, #key, NULL}
#define SL_CALL(key, fn) {key, SL_HOW_CALL, 0, 0, fn, #key, NULL}
#define SL_CONST(key, type, value)                                                                 \
    {                                                                                              \
        key, SL_HOW_CONSTANT, 0, sizeof(type), NULL, #key, &(const type)                           \
        {                                                                                          \
            value                                                                                  \
        }                                                                                          \
    }
#define SL_TEXT(key, text) {key, SL_HOW_CONSTANT, 0, sizeof(text), NULL, #key, text}
/* An array without elements: size 0. */
#define SL_EMPTY(key) {key, SL_HOW_CONSTANT, 0, 0, NULL, #key, NULL}

/* NULL when no row has the key. */
const struct sl_info_row *sl_info_find(const struct sl_info_row *rows, size_t count, cl_uint key);
cl_int sl_info(const struct sl_info_row *rows, size_t count, const void *object, cl_uint key,
               size_t cap, void *out, size_t *need);

#endif

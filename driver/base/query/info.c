/* SPDX-License-Identifier: Apache-2.0 */
/* The query engine. No state, no lock: rows are constant, computed rows lock what they read. */
#include "base/query/info.h"

#include <stdbool.h>
#include <string.h>

#include "base/log/error.h"
#include "base/object/object.h"

void sl_answer_bytes(struct sl_answer *answer, const void *from, size_t bytes)
{
    answer->need = bytes;
    if (!answer->out)
        return;
    if (answer->cap < bytes)
        answer->rc = CL_INVALID_VALUE;
    else if (bytes)
        memcpy(answer->out, from, bytes);
}

void sl_answer_handle(struct sl_answer *answer, const void *handle, size_t bytes)
{
    if (answer->out)
        sl_lend(*(void *const *)handle);
    sl_answer_bytes(answer, handle, bytes);
}

void sl_answer_string(struct sl_answer *answer, const char *text)
{
    if (!text)
        text = "";
    sl_answer_bytes(answer, text, strlen(text) + 1);
}

static void answer_row(const struct sl_info_row *row, const void *object, struct sl_answer *answer)
{
    const unsigned char *field = (const unsigned char *)object + row->offset;
    switch ((enum sl_info_how)row->how) {
    case SL_HOW_HANDLE:
        sl_answer_handle(answer, field, row->bytes);
        break;
    case SL_HOW_BYTES:
        sl_answer_bytes(answer, field, row->bytes);
        break;
    case SL_HOW_STRING:
        sl_answer_string(answer, *(const char *const *)(const void *)field);
        break;
    case SL_HOW_CALL:
        row->call(object, answer);
        break;
    case SL_HOW_U32_FROM_BOOL:
        SL_ANSWER(answer, cl_bool, *(const bool *)field);
        break;
    case SL_HOW_CONSTANT:
        sl_answer_bytes(answer, row->constant, row->bytes);
        break;
    }
}

const struct sl_info_row *sl_info_find(const struct sl_info_row *rows, size_t count, cl_uint key)
{
    for (size_t i = 0; i < count; i++)
        if (rows[i].key == key)
            return &rows[i];
    return NULL;
}

cl_int sl_info(const struct sl_info_row *rows, size_t count, const void *object, cl_uint key,
               size_t cap, void *out, size_t *need)
{
    const struct sl_info_row *row = sl_info_find(rows, count, key);
    if (!row)
        return sl_refuse(CL_INVALID_VALUE, "unknown query 0x%x", key);
    struct sl_answer answer = {.cap = out ? cap : 0, .out = out};
    answer_row(row, object, &answer);
    if (answer.rc)
        return sl_refuse(answer.rc, "%s needs %zu bytes, not %zu", row->key_name, answer.need, cap);
    if (need)
        *need = answer.need;
    return CL_SUCCESS;
}

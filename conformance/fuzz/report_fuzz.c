/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sluice-report on anything: profiles and modules, whose checksum is made right so that the rest is
 * looked at. They are refused with a reason, or become a page. Seeds are a profile and the modules
 * that SLUICE_TEST_MODULES names. One thread; no lock.
 */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "container_sum.h"
#include "report/page/page.h"

static const char profile[] =
    "{\"sluice_profile\":1,\"program\":\"a <b> & 'c'\",\"time_ns\":1000000,"
    "\"kernels\":[{\"name\":\"first\",\"file\":\"f.cl\",\"line\":3,\"launches\":2,\"run_ns\":"
    "600000,"
    "\"stall_ns\":400000},{\"name\":\"second\\n\\\\N\",\"line\":9,\"autorun\":true,"
    "\"unit\":[1,2,3]}],"
    "\"pipes\":[{\"name\":\"there\",\"type\":\"int\",\"kind\":\"channel\",\"packet_bytes\":4,"
    "\"declared_depth\":64,\"depth\":64,\"line\":1,\"writer\":0,\"reader\":1,\"packets\":123456,"
    "\"mean_fill\":12.5,\"high_water\":64,\"full_ns\":300000,\"empty_ns\":10},"
    "{\"name\":\"back\",\"kind\":\"pipe\",\"declared_depth\":0,\"depth\":1,\"line\":2,\"writer\":1,"
    "\"reader\":0},{\"name\":\"in\",\"kind\":\"argument\",\"depth\":8,\"host\":\"writes\","
    "\"writer\":-1,\"reader\":0},{\"name\":\"lost\",\"kind\":\"channel\",\"io\":\"\\u00e9\","
    "\"line\":5,\"writer\":1,\"reader\":-1}],"
    "\"sites\":[{\"kernel\":1,\"pipe\":0,\"op\":\"read\",\"blocking\":true,\"file\":\"f.cl\","
    "\"line\":11,\"column\":7,\"stalls\":5,\"stall_ns\":77}],"
    "\"timeline\":[{\"kernel\":0,\"start_ns\":0,\"end_ns\":500,\"state\":\"run\"},"
    "{\"kernel\":0,\"start_ns\":500,\"end_ns\":1000,\"state\":\"full\"}]}";

enum { MOST_SEEDS = 16, MOST_BYTES = 1 << 20 };
static struct seed {
    uint8_t *data; /* owned */
    size_t bytes;
} seeds[MOST_SEEDS];
static uint32_t seed_count;

static void add_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    struct seed *seed = &seeds[seed_count];
    if (!file)
        return;
    seed->data = malloc(MOST_BYTES);
    seed->bytes = seed->data ? fread(seed->data, 1, MOST_BYTES, file) : 0;
    fclose(file);
    seed_count += seed->bytes != 0;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    const char *paths = getenv("SLUICE_TEST_MODULES");
    char *copy = strdup(paths ? paths : ""), *rest = copy;
    (void)argc, (void)argv;
    seeds[0] = (struct seed){(uint8_t *)profile, sizeof profile - 1};
    seed_count = 1;
    for (char *path; copy && (path = strsep(&rest, ":")) && seed_count < MOST_SEEDS;)
        add_file(path);
    free(copy);
    return 0;
}

size_t fuzz_seed(uint32_t which, const uint8_t **data)
{
    if (which >= seed_count)
        return 0;
    *data = seeds[which].data;
    return seeds[which].bytes;
}

/* `may`: the input itself says what a missing text looks like. */
static void check_page(const struct sl_report_design *design, bool may)
{
    char *page = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&page, &bytes);
    int rc = out ? sl_report_page(design, out, 0) : 0;
    bool cut =
        !out || fclose(out) || rc || !strstr(page, "</html>") || (!may && strstr(page, "(null)"));
    free(page);
    if (cut)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    struct sl_report_design design = {0};
    char why[256] = "";
    char *copy = malloc(bytes ? bytes : 1); /* of that size, so that a read behind it shows */
    if (!copy)
        return 0;
    memcpy(copy, data, bytes);
    container_sum(copy, bytes);
    int rc = sl_design_read(&design, copy, bytes, "an input", why, sizeof why);
    bool may = memmem(copy, bytes, "null", 4) != NULL;
    free(copy); /* nothing of a design lies in the input */
    if (rc && !*why)
        abort();
    if (!rc)
        check_page(&design, may);
    sl_design_finish(&design);
    return 0;
}

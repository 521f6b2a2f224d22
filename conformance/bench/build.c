/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a build costs: `bench_build [-n COUNT] file.cl... [-- option...]`. All in this process:
 * least CPU time of each stage and of the whole over COUNT builds of each file, each slightly
 * different from the one before (@ in a source is the number of the build), and the memory that
 * stays. No locks: one build at a time.
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "compiler/build.h"

enum { MAX_ROWS = 64 };

struct row {
    char name[32];
    unsigned long us;
};

struct bench {
    int argc;
    char **argv; /* files, then "--" and options */
    unsigned count, serial;
    bool failed;
    struct row rows[MAX_ROWS];
    size_t row_count;
};

static double cpu_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static double resident_mb(void)
{
    unsigned long total = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (!file || fscanf(file, "%lu %lu", &total, &resident) != 2)
        resident = 0;
    if (file)
        fclose(file);
    return (double)resident * (double)sysconf(_SC_PAGESIZE) / 1048576;
}

/* ---- sources --------------------------------------------------------------------------------- */

static char *read_text(const char *path, size_t *bytes)
{
    char *text = NULL;
    FILE *file = fopen(path, "re");
    FILE *out = open_memstream(&text, bytes);
    for (int c; file && out && (c = getc(file)) != EOF;)
        putc(c, out);
    if (out)
        fclose(out);
    if (file)
        fclose(file);
    return file ? text : (free(text), NULL);
}

static char *numbered(const char *text, unsigned number, size_t *bytes)
{
    char *result = NULL;
    FILE *out = open_memstream(&result, bytes);
    if (!out)
        return NULL;
    for (; *text; text++)
        if (*text == '@')
            fprintf(out, "%u", number);
        else
            putc(*text, out);
    fprintf(out, "\nconstant int number = %u;\n", number);
    fclose(out);
    return result;
}

/* ---- builds ---------------------------------------------------------------------------------- */

static void note(struct bench *bench, const char *name, unsigned long us)
{
    size_t i = 0;
    while (i < bench->row_count && strcmp(bench->rows[i].name, name) != 0)
        i++;
    if (i == MAX_ROWS)
        return;
    struct row *row = &bench->rows[i];
    if (i == bench->row_count) {
        bench->row_count++;
        snprintf(row->name, sizeof row->name, "%s", name);
        row->us = us;
    }
    if (us < row->us)
        row->us = us;
}

static void note_stages(struct bench *bench, const struct sl_text *times)
{
    char name[32];
    unsigned long us;
    int used;
    if (!times->bytes)
        return;
    for (const char *at = times->data; sscanf(at, "%31s %lu\n%n", name, &us, &used) == 2;
         at += used)
        note(bench, name, us);
}

static void build_once(struct bench *bench, const char *text, int option)
{
    size_t bytes = 0;
    char *source = numbered(text, bench->serial++, &bytes);
    struct sl_build_request request = {
        .kind = SL_BUILD_BUILD,
        .source = {source, bytes},
        .options = (const char *const *)bench->argv + option,
        .option_count = (size_t)(bench->argc - option),
    };
    struct sl_build_result result = {0};
    double start = cpu_ms();
    bench->failed |= sl_compiler_build(&request, &result) != 0;
    note(bench, "total", (unsigned long)((cpu_ms() - start) * 1e3));
    note_stages(bench, &result.times);
    if (result.log.bytes)
        fprintf(stderr, "%.*s", (int)result.log.bytes, result.log.data);
    sl_build_result_finish(&result);
    free(source);
}

static void measure(struct bench *bench, const char *path, int option)
{
    size_t bytes;
    char *text = read_text(path, &bytes);
    if (!text) {
        fprintf(stderr, "%s: cannot be read\n", path);
        bench->failed = true;
        return;
    }
    double before = resident_mb();
    bench->row_count = 0;
    for (unsigned i = 0; i < bench->count; i++)
        build_once(bench, text, option);
    free(text);
    const char *slash = strrchr(path, '/');
    printf("%s:", slash ? slash + 1 : path);
    for (size_t i = 0; i < bench->row_count; i++)
        if (bench->rows[i].us >= 50)
            printf(" %s %.2f", bench->rows[i].name, (double)bench->rows[i].us * 1e-3);
    printf(" ms; %.0f MiB before, %.0f after\n", before, resident_mb());
    fflush(stdout);
}

static void run(void *data)
{
    struct bench *bench = data;
    int option = 1, first = 1;
    if (bench->argc > 2 && !strcmp(bench->argv[1], "-n")) {
        bench->count = (unsigned)strtoul(bench->argv[2], NULL, 10);
        first = option = 3;
    }
    while (option < bench->argc && strcmp(bench->argv[option], "--") != 0)
        option++;
    int end = option;
    option += option < bench->argc;
    double start = cpu_ms();
    sl_compiler_warm_up();
    printf("first build: %.1f ms after %.1f ms of starting; %.0f MiB\n", cpu_ms() - start, start,
           resident_mb());
    for (int i = first; i < end; i++)
        measure(bench, bench->argv[i], option);
}

int main(int argc, char **argv)
{
    struct bench bench = {.argc = argc, .argv = argv, .count = 20};
    if (sl_compiler_on_large_stack(run, &bench))
        bench.failed = true;
    return bench.failed;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a fuzz target without coverage: seeds, each changed in a few places. SLUICE_TEST_SEED draws
 * it all, SLUICE_TEST_SECONDS says for how long (20), SLUICE_TEST_INPUTS for how many; with a file
 * as argument that input alone, with a folder and "seeds" the seeds are written there for a fuzzer
 * that is guided. Before each input SLUICE_TEST_INPUT_FILE receives it. One thread; no lock.
 */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_BYTES = 4 << 20, SECONDS = 20 };

static uint64_t state = 1;

uint64_t fuzz_draw(uint64_t below)
{
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (z ^ z >> 31) % below;
}

static uint64_t odd_number(size_t bytes)
{
    switch (fuzz_draw(7)) {
    case 0:
        return 0;
    case 1:
        return UINT64_MAX;
    case 2:
        return (uint64_t)1 << fuzz_draw(64);
    case 3:
        return ((uint64_t)1 << fuzz_draw(64)) - 1;
    case 4:
        return fuzz_draw(bytes);
    case 5:
        return fuzz_draw(256);
    default:
        return fuzz_draw(UINT32_MAX) << fuzz_draw(32);
    }
}

/* One change: a number, a copy of another piece, a cut or a stretch. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t bytes, size_t most)
{
    const size_t width = (size_t)1 << fuzz_draw(4), at = fuzz_draw(bytes);
    size_t piece = 1 + fuzz_draw(bytes < 64 ? bytes : 64), from = fuzz_draw(bytes);
    uint64_t value = odd_number(bytes);
    switch (fuzz_draw(12)) {
    case 0:
        if (bytes > 1 + piece && at + piece < bytes) {
            memmove(data + at, data + at + piece, bytes - at - piece);
            bytes -= piece;
        }
        break;
    case 1:
        if (bytes + piece <= most && from + piece <= bytes) {
            memmove(data + at + piece, data + at, bytes - at);
            memmove(data + at, data + from, piece);
            bytes += piece;
        }
        break;
    case 2:
        if (from + piece <= bytes && at + piece <= bytes)
            memmove(data + at, data + from, piece);
        break;
    default:
        if (at + width <= bytes)
            memcpy(data + at, &value, width);
    }
    return bytes;
}

static size_t read_file(const char *path, uint8_t *to)
{
    FILE *file = fopen(path, "rb");
    size_t bytes = file ? fread(to, 1, MOST_BYTES, file) : 0;
    if (file)
        fclose(file);
    return bytes;
}

static void write_file(const char *path, const uint8_t *data, size_t bytes)
{
    FILE *file = path ? fopen(path, "wb") : NULL;
    if (!file)
        return;
    fwrite(data, 1, bytes, file);
    fclose(file);
}

static int write_seeds(const char *folder)
{
    const uint8_t *data;
    char path[4096];
    size_t bytes;
    for (uint32_t i = 0; (bytes = fuzz_seed(i, &data)); i++) {
        snprintf(path, sizeof path, "%s/seed%u", folder, i);
        write_file(path, data, bytes);
    }
    return 0;
}

static uint64_t number(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 0) : otherwise;
}

int main(int argc, char **argv)
{
    static uint8_t input[MOST_BYTES];
    const time_t end = time(NULL) + (time_t)number("SLUICE_TEST_SECONDS", SECONDS);
    const uint64_t most = number("SLUICE_TEST_INPUTS", UINT64_MAX);
    const uint8_t *seed;
    uint32_t seeds = 0;
    uint64_t i = 0;
    int missing = LLVMFuzzerInitialize(&argc, &argv);
    if (missing)
        return missing;
    if (argc > 2 && !strcmp(argv[2], "seeds"))
        return write_seeds(argv[1]);
    if (argc > 1)
        return LLVMFuzzerTestOneInput(input, read_file(argv[1], input));
    state = number("SLUICE_TEST_SEED", 1);
    while (fuzz_seed(seeds, &seed))
        seeds++;
    for (; i < most && time(NULL) < end; i++) {
        size_t bytes = fuzz_seed((uint32_t)(i % seeds), &seed);
        memcpy(input, seed, bytes);
        for (uint64_t changes = i < seeds ? 0 : 1 + fuzz_draw(6); changes; changes--)
            bytes = LLVMFuzzerCustomMutator
                        ? LLVMFuzzerCustomMutator(input, bytes, MOST_BYTES,
                                                  (unsigned)fuzz_draw(UINT32_MAX))
                        : LLVMFuzzerMutate(input, bytes, MOST_BYTES);
        write_file(getenv("SLUICE_TEST_INPUT_FILE"), input, bytes);
        LLVMFuzzerTestOneInput(input, bytes);
    }
    printf("%llu inputs of %u seeds\n", (unsigned long long)i, seeds);
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels of regions.cl against plain C: barriers everywhere, and loops whose items go in step. */
#include "regions_bed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- barriers -------------------------------------------------------------------------------- */

static void want_reduce(size_t group, size_t first, size_t size, void *data)
{
    (void)data;
    lines.want[group] = 0;
    for (size_t i = 0; i < size; i++)
        lines.want[group] += lines.in[first + i];
}

static void reduce(void **state)
{
    (void)state;
    for (size_t i = 0; i < RANGES; i++)
        if (ranges[i].dims == 1 && !ranges[i].offset[0]) {
            fill_lines(0, 0);
            run_line("reduce", &ranges[i], true, 1, 0, want_reduce);
        }
}

static void want_scan(size_t group, size_t first, size_t size, void *data)
{
    (void)group, (void)data;
    int sum = 0;
    for (size_t i = 0; i < size; i++)
        lines.want[first + i] = sum += lines.in[first + i];
}

static void scan(void **state)
{
    (void)state;
    each_line("scan", true, 2, 0, 0, 0, want_scan);
}

static void tiled_matmul(void **state)
{
    (void)state;
    enum { N = 24 };
    static float a[N * N], b[N * N], c[N * N];
    for (int i = 0; i < N * N; i++) {
        a[i] = i % 17 - 5;
        b[i] = i % 13 - 7;
    }
    struct arguments args = begin("tiled_matmul");
    add_pointer(&args, a);
    add_pointer(&args, b);
    add_pointer(&args, c);
    add_int(&args, N);
    launch(&args, &(struct range){2, {N, N, 1}, {8, 8, 1}, {0, 0, 0}, 0});
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) {
            float sum = 0;
            for (int k = 0; k < N; k++)
                sum += a[y * N + k] * b[k * N + x];
            assert_true(sum == c[y * N + x]);
        }
}

static void want_both_arms(size_t group, size_t first, size_t n, void *data)
{
    (void)group, (void)data;
    for (size_t l = 0; l < n; l++) {
        size_t r = (l + 1) % n;
        int mirrored = (n - 1 - l) * (n - 1 - l), v = mirrored;
        if (!(lines.a & 1))
            v = 7 * l + r * r;
        else if (lines.a & 2)
            v += (int)((n - 1 - r) * (n - 1 - r)) + 1;
        lines.want[first + l] = v;
    }
}

static void both_arms(void **state)
{
    (void)state;
    for (int which = 0; which < 4; which++)
        each_line("both_arms", false, 1, 1, which, 0, want_both_arms);
}

static void want_early_return(size_t group, size_t first, size_t n, void *data)
{
    (void)data;
    for (size_t l = 0; l < n; l++)
        if ((int)group < lines.a && lines.a != 2)
            lines.want[first + l] = n - l;
}

static void early_return(void **state)
{
    (void)state;
    for (int limit = 0; limit < 5; limit++)
        each_line("early_return", false, 1, 1, limit, 0, want_early_return);
}

static void want_do_while(size_t group, size_t first, size_t n, void *data)
{
    (void)group, (void)data;
    int a[LIMIT], b[LIMIT], s[LIMIT], t[LIMIT], round = 0;
    for (size_t l = 0; l < n; l++) {
        a[l] = 1;
        b[l] = l;
    }
    do {
        for (size_t l = 0; l < n; l++)
            s[l] = a[l] + b[l];
        for (size_t l = 0; l < n; l++)
            t[l] = s[(l + 1) % n] * 3;
        for (size_t l = 0; l < n; l++) {
            a[l] = b[l];
            b[l] = t[(l + n - 1) % n] & 0xffff;
        }
        round++;
    } while (round < lines.a);
    for (size_t l = 0; l < n; l++)
        lines.want[first + l] = 1000 * a[l] + b[l] + round;
}

static void do_while(void **state)
{
    (void)state;
    each_line("do_while", false, 1, 1, 1, 0, want_do_while);
    each_line("do_while", false, 1, 1, 6, 0, want_do_while);
}

static void nested_row(int *s, int *v, size_t n, int i)
{
    int t[LIMIT];
    for (size_t l = 0; l < n; l++)
        s[l] = v[l] + i;
    for (int j = 0; j < i + lines.b; j++) {
        for (size_t l = 0; l < n; l++)
            t[l] = s[(l + j) % n];
        if (j == 5)
            break;
        for (size_t l = 0; l < n; l++)
            s[l] = t[l] & 1 ? t[l] + j : s[l] ^ t[l];
    }
    for (size_t l = 0; l < n; l++)
        v[l] += s[l] & 255;
}

static void want_nested_loops(size_t group, size_t first, size_t n, void *data)
{
    (void)group, (void)data;
    int s[LIMIT];
    for (size_t l = 0; l < n; l++)
        lines.want[first + l] = l;
    for (int i = 0; i < lines.a; i++)
        nested_row(s, lines.want + first, n, i);
}

static void nested_loops(void **state)
{
    (void)state;
    each_line("nested_loops", false, 1, 2, 5, 3, want_nested_loops);
    each_line("nested_loops", false, 1, 2, 3, 0, want_nested_loops);
    each_line("nested_loops", false, 1, 2, 0, 4, want_nested_loops);
}

static void want_cases(size_t group, size_t first, size_t n, void *data)
{
    (void)group, (void)data;
    int *v = lines.want + first, s[LIMIT];
    for (size_t l = 0; l < n; l++)
        v[l] = l;
    for (int i = 0; i <= lines.a; i++) {
        for (size_t l = 0; l < n; l++)
            s[l] = i % 3 == 2 ? v[l] * 2 : v[l];
        for (size_t l = 0; l < n; l++)
            v[l] = i % 3 == 0   ? v[l] + s[n - 1 - l]
                   : i % 3 == 1 ? v[l] ^ 5
                                : s[(l + 2) % n] & 0xfffff;
    }
}

static void cases(void **state)
{
    (void)state;
    for (int rounds = 0; rounds < 8; rounds++)
        each_line("cases", false, 1, 1, rounds, 0, want_cases);
}

static void want_shared_flag(size_t group, size_t first, size_t n, void *data)
{
    (void)group, (void)data;
    int most = 0;
    for (size_t l = 0; l < n; l++)
        most = lines.in[first + l] > most ? lines.in[first + l] : most;
    for (size_t l = 0; l < n; l++)
        lines.want[first + l] = most + 1;
}

static void shared_flag(void **state)
{
    (void)state;
    each_line("shared_flag", true, 0, 0, 0, 0, want_shared_flag);
}

static void want_many(size_t group, size_t first, size_t n, void *data)
{
    (void)group, (void)data;
    unsigned v[LIMIT], s[LIMIT];
    for (size_t l = 0; l < n; l++)
        v[l] = l;
    for (int i = 0; i < 30 * (3 + (lines.a & 1)); i++) {
        int b = i % 30;
        for (size_t l = 0; l < n; l++)
            s[l] = v[l] + b;
        for (size_t l = 0; l < n; l++)
            v[l] = lines.a & 1 << b % 10 ? v[l] + s[(l + b) % n] * 3 : v[l] ^ (unsigned)b;
    }
    for (size_t l = 0; l < n; l++)
        lines.want[first + l] = v[l];
}

static void many_barriers(void **state)
{
    (void)state;
    for (int n = 0; n < 1024; n += 341)
        each_line("many_barriers", false, 1, 1, n, 0, want_many);
}

/* ---- loops in step --------------------------------------------------------------------------- */

static int want_row(int x, int y, int z, int rounds)
{
    unsigned sum = x;
    for (int k = 0; k < rounds + y; k++) {
        int v = lines.in[k * 40 + x];
        sum = v & 1 ? sum * 3 + v : sum - v;
        if (k == 9)
            break;
        if (k + z == 7)
            continue;
        sum ^= lines.in[x + 2] + k;
    }
    return sum;
}

static int want_nested_row(int x, int group, int n, int rounds)
{
    unsigned sum = 0, other = 1;
    for (int i = 0; i < rounds; i++) {
        for (int k = i; k < rounds; k++) {
            sum += lines.in[k * 40 + x] * (i + 1);
            other = other * 5 + sum;
        }
        if (i & 1)
            other -= lines.in[group + x];
    }
    for (int k = n; k > 3; k -= 3)
        sum += lines.in[k + x];
    return sum + other;
}

static void check_rows(const char *kernel, const struct range *r, int rounds, bool nested)
{
    struct arguments a = begin(kernel);
    fill_lines(0, 0);
    add_pointer(&a, lines.in);
    add_pointer(&a, lines.out);
    add_int(&a, 40);
    add_int(&a, rounds);
    launch(&a, r);
    size_t n = 0;
    for (size_t z = 0; z < r->global[2]; z++)
        for (size_t y = 0; y < r->global[1]; y++)
            for (size_t x = 0; x < r->global[0]; x++, n++) {
                size_t group = x / r->local[0];
                lines.want[n] =
                    nested ? want_nested_row(x % r->local[0], group, local_of(r, 0, group), rounds)
                           : want_row(x, y, z, rounds);
            }
    check_lines(kernel, r);
}

static void rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < RANGES; i++)
        for (int rounds = 0; rounds < 13; rounds += 4) {
            check_rows("rows", &ranges[i], rounds, false);
            check_rows("rows_nested", &ranges[i], rounds, true);
        }
    for (size_t x = 1; x < 300; x = x * 3 / 2 + 1)
        check_rows("rows", &(struct range){2, {x, 2, 1}, {x, 1, 1}, {0, 0, 0}, 0}, 5, false);
}

static void want_rows_and_barriers(size_t group, size_t first, size_t n, void *data)
{
    (void)group, (void)data;
    int s[LIMIT];
    unsigned *sum = (unsigned *)lines.want + first;
    memset(sum, 0, n * sizeof *sum);
    for (int i = 0; i < 3; i++) {
        for (size_t l = 0; l < n; l++)
            s[l] = lines.in[first + l + i] + sum[l];
        for (size_t l = 0; l < n; l++) {
            for (size_t k = 0; k < n; k++)
                sum[l] += s[k] * ((unsigned)k + lines.a) - lines.in[l + k];
            for (int k = 0; k < lines.a; k++)
                sum[l] += lines.in[(k + i) * 2 + l];
            sum[l] += s[0] & 7;
        }
    }
}

static void rows_and_barriers(void **state)
{
    (void)state;
    for (int rounds = 0; rounds < 6; rounds += 5)
        for (size_t i = 0; i < RANGES; i++) {
            if (ranges[i].dims != 1)
                continue;
            struct arguments a = begin("rows_and_barriers");
            fill_lines(rounds, 0);
            add_pointer(&a, lines.in);
            add_pointer(&a, lines.out);
            add_local(&a, ranges[i].local[0] * sizeof(int));
            add_int(&a, rounds);
            launch(&a, &ranges[i]);
            each_group(&ranges[i], want_rows_and_barriers, &lines);
            check_lines("rows_and_barriers", &ranges[i]);
        }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reduce),       cmocka_unit_test(scan),
        cmocka_unit_test(tiled_matmul), cmocka_unit_test(both_arms),
        cmocka_unit_test(early_return), cmocka_unit_test(do_while),
        cmocka_unit_test(nested_loops), cmocka_unit_test(cases),
        cmocka_unit_test(shared_flag),  cmocka_unit_test(many_barriers),
        cmocka_unit_test(rows),         cmocka_unit_test(rows_and_barriers),
    };
    if (!open_regions(argc, argv))
        return 1;
    int failed = cmocka_run_group_tests_name("regions", tests, NULL, NULL);
    failed += regions_ids() + regions_memory();
    lower_close(&code);
    return failed;
}

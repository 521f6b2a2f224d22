/* SPDX-License-Identifier: Apache-2.0 */
/* clFFT's transforms against a plain sum in double precision, there and back; prints "pass|fail
 * CASE". Each radix that clFFT knows, lengths beyond one kernel, two and three dimensions, real
 * transforms. No locks: one thread.
 */
#include <clFFT.h>
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SL_LEN(array) (sizeof(array) / sizeof *(array))

struct shape {
    const char *name;
    clfftDim dimensions;
    size_t lengths[3];
};

static const struct shape shapes[] = {
    {"8", CLFFT_1D, {8, 1, 1}},         {"243", CLFFT_1D, {243, 1, 1}},
    {"625", CLFFT_1D, {625, 1, 1}},     {"343", CLFFT_1D, {343, 1, 1}},
    {"1331", CLFFT_1D, {1331, 1, 1}},   {"2197", CLFFT_1D, {2197, 1, 1}},
    {"2310", CLFFT_1D, {2310, 1, 1}},   {"4096", CLFFT_1D, {4096, 1, 1}},
    {"16384", CLFFT_1D, {16384, 1, 1}}, {"64x48", CLFFT_2D, {64, 48, 1}},
    {"30x77", CLFFT_2D, {30, 77, 1}},   {"16x12x10", CLFFT_3D, {16, 12, 10}},
};

static cl_context context;
static cl_command_queue queue;
static int failed;

static size_t total(const struct shape *shape)
{
    return shape->lengths[0] * shape->lengths[1] * shape->lengths[2];
}

/* One dimension of the sum, in place; step is the distance of neighbours along it. */
static void sum_line(double complex *values, size_t length, size_t step,
                     const double complex *roots)
{
    double complex *line = malloc(length * sizeof *line);
    for (size_t k = 0; k < length; k++) {
        line[k] = 0;
        for (size_t i = 0; i < length; i++)
            line[k] += values[i * step] * roots[i * k % length];
    }
    for (size_t k = 0; k < length; k++)
        values[k * step] = line[k];
    free(line);
}

static void sum_all(double complex *values, const struct shape *shape)
{
    size_t step = 1, all = total(shape);
    for (int d = 0; d < 3; d++) {
        size_t length = shape->lengths[d];
        double complex *roots = malloc(length * sizeof *roots);
        for (size_t i = 0; i < length; i++)
            roots[i] = cexp(-2 * M_PI * I * (double)i / (double)length);
        for (size_t first = 0; first < all && length > 1; first++)
            if (first / step % length == 0)
                sum_line(values + first, length, step, roots);
        free(roots);
        step *= length;
    }
}

/* Distance of two arrays of doubles or floats, relative to the second one's size. */
static double distance(const void *found, const double *expected, size_t count, int is_double)
{
    double away = 0, size = 0;
    for (size_t i = 0; i < count; i++) {
        double value = is_double ? ((const double *)found)[i] : ((const float *)found)[i];
        away += (value - expected[i]) * (value - expected[i]);
        size += expected[i] * expected[i];
    }
    return sqrt(away / size);
}

static void fill(void *values, const double *from, size_t count, int is_double)
{
    for (size_t i = 0; i < count; i++) {
        if (is_double)
            ((double *)values)[i] = from[i];
        else
            ((float *)values)[i] = (float)from[i];
    }
}

static int transform(clfftPlanHandle plan, clfftDirection direction, cl_mem from, cl_mem to)
{
    int rc = clfftEnqueueTransform(plan, direction, 1, &queue, 0, NULL, NULL, &from, &to, NULL);
    return rc ? rc : clFinish(queue);
}

static int make_plan(clfftPlanHandle *plan, const struct shape *shape, int is_double,
                     clfftLayout in, clfftLayout out, const size_t in_strides[3],
                     const size_t out_strides[3])
{
    int rc = clfftCreateDefaultPlan(plan, context, shape->dimensions, shape->lengths);
    rc |= clfftSetPlanPrecision(*plan, is_double ? CLFFT_DOUBLE : CLFFT_SINGLE);
    rc |= clfftSetLayout(*plan, in, out);
    rc |= clfftSetResultLocation(*plan, CLFFT_OUTOFPLACE);
    rc |= clfftSetPlanInStride(*plan, shape->dimensions, (size_t *)in_strides);
    rc |= clfftSetPlanOutStride(*plan, shape->dimensions, (size_t *)out_strides);
    return rc ? rc : clfftBakePlan(*plan, 1, &queue, NULL, NULL);
}

static void report(const char *kind, const struct shape *shape, int is_double, int rc, double there,
                   double back)
{
    double limit = is_double ? 1e-13 : 3e-6;
    int good = !rc && there < limit && back < limit;
    failed += !good;
    printf("%s %s-%s-%s %d %.1e %.1e\n", good ? "pass" : "fail", kind, shape->name,
           is_double ? "double" : "float", rc, there, back);
    fflush(stdout);
}

/* source: doubles, a transform's input; spectrum: what the sum makes of it, in clFFT's order. */
static void run(const char *kind, const struct shape *shape, int is_double, const double *source,
                size_t in_count, const double *spectrum, size_t out_count, clfftLayout in,
                clfftLayout out, const size_t in_strides[3], const size_t out_strides[3])
{
    size_t item = is_double ? sizeof(double) : sizeof(float);
    double *host = malloc(sizeof(double) * (in_count > out_count ? in_count : out_count));
    double there = INFINITY, back = INFINITY;
    clfftPlanHandle plan, inverse;
    cl_mem from = clCreateBuffer(context, CL_MEM_READ_WRITE, in_count * item, NULL, NULL);
    cl_mem to = clCreateBuffer(context, CL_MEM_READ_WRITE, out_count * item, NULL, NULL);
    fill(host, source, in_count, is_double);
    clEnqueueWriteBuffer(queue, from, CL_TRUE, 0, in_count * item, host, 0, NULL, NULL);
    int rc = make_plan(&plan, shape, is_double, in, out, in_strides, out_strides);
    rc |= make_plan(&inverse, shape, is_double, out, in, out_strides, in_strides);
    if (!rc && !(rc = transform(plan, CLFFT_FORWARD, from, to))) {
        clEnqueueReadBuffer(queue, to, CL_TRUE, 0, out_count * item, host, 0, NULL, NULL);
        there = distance(host, spectrum, out_count, is_double);
        rc = transform(inverse, CLFFT_BACKWARD, to, from);
        clEnqueueReadBuffer(queue, from, CL_TRUE, 0, in_count * item, host, 0, NULL, NULL);
        back = distance(host, source, in_count, is_double);
    }
    report(kind, shape, is_double, rc, there, back);
    clfftDestroyPlan(&plan);
    clfftDestroyPlan(&inverse);
    clReleaseMemObject(from);
    clReleaseMemObject(to);
    free(host);
}

static void run_complex(const struct shape *shape, int is_double)
{
    size_t count = total(shape);
    const size_t strides[3] = {1, shape->lengths[0], shape->lengths[0] * shape->lengths[1]};
    double complex *source = malloc(count * sizeof *source),
                   *spectrum = malloc(count * sizeof *source);
    for (size_t i = 0; i < count; i++)
        spectrum[i] = source[i] = drand48() - 0.5 + I * (drand48() - 0.5);
    sum_all(spectrum, shape);
    run("complex", shape, is_double, (double *)source, 2 * count, (double *)spectrum, 2 * count,
        CLFFT_COMPLEX_INTERLEAVED, CLFFT_COMPLEX_INTERLEAVED, strides, strides);
    free(source);
    free(spectrum);
}

/* Real input: of the first dimension, half of the spectrum and one are kept. */
static void run_real(const struct shape *shape, int is_double)
{
    size_t count = total(shape), length = shape->lengths[0], half = length / 2 + 1;
    const size_t in_strides[3] = {1, length, length * shape->lengths[1]};
    const size_t out_strides[3] = {1, half, half * shape->lengths[1]};
    double *source = malloc(count * sizeof *source);
    double complex *spectrum = malloc(count * sizeof *spectrum);
    for (size_t i = 0; i < count; i++)
        spectrum[i] = source[i] = drand48() - 0.5;
    sum_all(spectrum, shape);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (i % length < half)
            spectrum[kept++] = spectrum[i];
    run("real", shape, is_double, source, count, (double *)spectrum, 2 * kept, CLFFT_REAL,
        CLFFT_HERMITIAN_INTERLEAVED, in_strides, out_strides);
    free(source);
    free(spectrum);
}

int main(void)
{
    cl_platform_id platform;
    cl_device_id device;
    clfftSetupData setup;
    if (clGetPlatformIDs(1, &platform, NULL) ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_DEFAULT, 1, &device, NULL))
        return 2;
    context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    queue = clCreateCommandQueue(context, device, 0, NULL);
    clfftInitSetupData(&setup);
    clfftSetup(&setup);
    srand48(1);
    for (size_t i = 0; i < SL_LEN(shapes); i++) {
        for (int is_double = 0; is_double < 2; is_double++) {
            run_complex(&shapes[i], is_double);
            run_real(&shapes[i], is_double);
        }
    }
    clfftTeardown();
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return failed != 0;
}

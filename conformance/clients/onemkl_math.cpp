// SPDX-License-Identifier: Apache-2.0
/*
 * oneMKL's SYCL interface against loops of the host: products, vectors, factors, transforms,
 * functions, random numbers. Prints "pass|fail CASE difference".
 */
#include <sycl/sycl.hpp>

#include <oneapi/mkl.hpp>

#include <cmath>
#include <complex>
#include <iostream>

namespace mkl = oneapi::mkl;

static sycl::queue *queue;

template <class T> static T *shared(size_t n)
{
    return sycl::malloc_shared<T>(n, *queue);
}

static double noise(int i)
{
    return std::sin(i * 12.9898 + 4) * 0.5;
}

/* Column by column, of odd sizes, both transposed and not. */
static double product()
{
    enum { M = 37, N = 23, K = 51 };
    double *a = shared<double>(M * K), *b = shared<double>(K * N), *c = shared<double>(M * N),
           away = 0;
    for (int i = 0; i < M * K; i++)
        a[i] = noise(i);
    for (int i = 0; i < K * N; i++)
        b[i] = noise(i + 999);
    for (int turned = 0; turned < 2; turned++) {
        for (int i = 0; i < M * N; i++)
            c[i] = i;
        mkl::blas::column_major::gemm(
            *queue, turned ? mkl::transpose::trans : mkl::transpose::nontrans,
            mkl::transpose::nontrans, M, N, K, 2.0, a, turned ? K : M, b, K, 0.5, c, M)
            .wait_and_throw();
        for (int i = 0; i < M; i++)
            for (int j = 0; j < N; j++) {
                double sum = 0;
                for (int k = 0; k < K; k++)
                    sum += (turned ? a[i * K + k] : a[k * M + i]) * b[j * K + k];
                away = std::max(away, std::abs(c[j * M + i] - (2 * sum + 0.5 * (j * M + i))));
            }
    }
    return away / 400;
}

static double vectors()
{
    enum { N = 1003 };
    float *x = shared<float>(N), *y = shared<float>(N), *dot = shared<float>(1);
    double sum = 0, away = 0;
    for (int i = 0; i < N; i++)
        x[i] = noise(i), y[i] = noise(2 * i);
    mkl::blas::column_major::axpy(*queue, N, 3.f, x, 1, y, 1).wait_and_throw();
    for (int i = 0; i < N; i++)
        away = std::max(away, std::abs(y[i] - (3.f * (float)noise(i) + noise(2 * i))));
    mkl::blas::column_major::dot(*queue, N, x, 1, y, 1, dot).wait_and_throw();
    for (int i = 0; i < N; i++)
        sum += (double)x[i] * y[i];
    return std::max(away, std::abs(*dot - sum) / std::abs(sum));
}

static double factors()
{
    enum { N = 19 };
    double *a = shared<double>(N * N), *b = shared<double>(N), kept[N * N], away = 0;
    int64_t *pivots = shared<int64_t>(N);
    for (int i = 0; i < N * N; i++)
        kept[i] = a[i] = noise(i) + (i % (N + 1) == 0);
    for (int i = 0; i < N; i++)
        b[i] = i - 5;
    auto bytes = mkl::lapack::getrf_scratchpad_size<double>(*queue, N, N, N);
    auto more =
        mkl::lapack::getrs_scratchpad_size<double>(*queue, mkl::transpose::nontrans, N, 1, N, N);
    double *room = shared<double>(std::max(bytes, more) + 1);
    mkl::lapack::getrf(*queue, N, N, a, N, pivots, room, bytes).wait_and_throw();
    mkl::lapack::getrs(*queue, mkl::transpose::nontrans, N, 1, a, N, pivots, b, N, room, more)
        .wait_and_throw();
    for (int i = 0; i < N; i++) {
        double sum = 0;
        for (int k = 0; k < N; k++)
            sum += kept[k * N + i] * b[k];
        away = std::max(away, std::abs(sum - (i - 5)));
    }
    return away;
}

static double transform()
{
    enum { N = 45 };
    using complex = std::complex<double>;
    complex *data = shared<complex>(N), kept[N];
    double away = 0;
    for (int i = 0; i < N; i++)
        kept[i] = data[i] = {noise(i), noise(i + 50)};
    mkl::dft::descriptor<mkl::dft::precision::DOUBLE, mkl::dft::domain::COMPLEX> plan(N);
    plan.commit(*queue);
    mkl::dft::compute_forward(plan, data).wait_and_throw();
    for (int k = 0; k < N; k++) {
        complex sum = 0;
        for (int i = 0; i < N; i++)
            sum += kept[i] * std::polar(1.0, -2 * M_PI * (i * k % N) / N);
        away = std::max(away, std::abs(sum - data[k]));
    }
    return away;
}

static double functions()
{
    enum { N = 515 };
    double *x = shared<double>(N), *y = shared<double>(N), away = 0;
    for (int i = 0; i < N; i++)
        x[i] = 8 * noise(i);
    mkl::vm::exp(*queue, N, x, y).wait_and_throw();
    for (int i = 0; i < N; i++)
        away = std::max(away, std::abs(y[i] / std::exp(x[i]) - 1));
    mkl::vm::tanh(*queue, N, x, y).wait_and_throw();
    for (int i = 0; i < N; i++)
        away = std::max(away, std::abs(y[i] - std::tanh(x[i])));
    return away;
}

/* The same engine from the same seed gives the same numbers; they are spread evenly. */
static double random_numbers()
{
    enum { N = 20001 };
    double *x = shared<double>(N), *y = shared<double>(N), sum = 0, squares = 0;
    mkl::rng::philox4x32x10 first(*queue, 77), second(*queue, 77);
    mkl::rng::uniform<double> spread(0.0, 1.0);
    mkl::rng::generate(spread, first, N, x).wait_and_throw();
    mkl::rng::generate(spread, second, N, y).wait_and_throw();
    for (int i = 0; i < N; i++) {
        if (x[i] != y[i] || x[i] < 0 || x[i] >= 1)
            return 1;
        sum += x[i], squares += x[i] * x[i];
    }
    return std::abs(sum / N - 0.5) < 0.01 && std::abs(squares / N - 1 / 3.0) < 0.01 ? 0 : 1;
}

int main()
{
    static const struct {
        const char *name;
        double (*away)(), limit;
    } cases[] = {{"product", product, 1e-12},     {"vectors", vectors, 1e-5},
                 {"factors", factors, 1e-12},     {"transform", transform, 1e-12},
                 {"functions", functions, 1e-12}, {"random-numbers", random_numbers, 0.5}};
    sycl::queue first;
    queue = &first;
    std::cout << first.get_device().get_info<sycl::info::device::name>() << std::endl;
    for (auto &one : cases) {
        double away = 1;
        try {
            away = one.away();
        } catch (const std::exception &e) {
            std::cout << one.name << ": " << e.what() << std::endl;
        }
        std::cout << (away < one.limit ? "pass " : "fail ") << one.name << " " << away << std::endl;
    }
}

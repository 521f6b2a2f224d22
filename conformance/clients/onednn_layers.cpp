// SPDX-License-Identifier: Apache-2.0
/*
 * oneDNN's layers on a SYCL queue against loops of the host, at odd sizes: products, a convolution,
 * pooling, softmax, a reordering, a sum, and two of them in a row. oneDNN has its own code for
 * processors; what runs on the device are its memory, its commands and their order. Prints
 * "pass|fail CASE difference".
 */
#include <sycl/sycl.hpp>

#include <oneapi/dnnl/dnnl.hpp>
#include <oneapi/dnnl/dnnl_sycl.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>

using dnnl::memory;
using tag = memory::format_tag;
using dims = memory::dims;

static sycl::queue *queue;
static dnnl::engine engine;
static dnnl::stream stream;

struct tensor {
    memory::desc desc;
    float *data;
    memory object;

    tensor(const dims &sizes, tag order)
        : desc(sizes, memory::data_type::f32, order),
          data(sycl::malloc_shared<float>(desc.get_size() / sizeof(float), *queue)),
          object(dnnl::sycl_interop::make_memory(desc, engine, dnnl::sycl_interop::memory_kind::usm,
                                                 data))
    {
        for (size_t i = 0; i < count(); i++)
            data[i] = std::sin(i * 12.9898f + sizes[0]) * 0.5f;
    }
    tensor(const tensor &) = delete;
    ~tensor()
    {
        sycl::free(data, *queue);
    }
    size_t count() const
    {
        return desc.get_size() / sizeof(float);
    }
};

static double away(float got, double want)
{
    return std::fabs(got - want);
}

static double difference_of_product(const tensor &a, const tensor &b, const tensor &c, int m, int n,
                                    int k)
{
    double worst = 0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double want = 0;
            for (int p = 0; p < k; p++)
                want += (double)a.data[i * k + p] * b.data[p * n + j];
            worst = std::max(worst, away(c.data[i * n + j], want));
        }
    return worst;
}

static double product()
{
    enum { M = 37, N = 53, K = 29 };
    tensor a({M, K}, tag::ab), b({K, N}, tag::ab), c({M, N}, tag::ab);
    dnnl::matmul({engine, a.desc, b.desc, c.desc})
        .execute(
            stream,
            {{DNNL_ARG_SRC, a.object}, {DNNL_ARG_WEIGHTS, b.object}, {DNNL_ARG_DST, c.object}});
    stream.wait();
    return difference_of_product(a, b, c, M, N, K);
}

static double convolution()
{
    enum { IN = 5, OUT = 7, H = 19, W = 23, R = 3 };
    tensor x({1, IN, H, W}, tag::nchw), f({OUT, IN, R, R}, tag::oihw), bias({OUT}, tag::a),
        y({1, OUT, H, W}, tag::nchw);
    dnnl::convolution_forward::primitive_desc kind(
        engine, dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct, x.desc,
        f.desc, bias.desc, y.desc, dims{1, 1}, dims{1, 1}, dims{1, 1});
    dnnl::convolution_forward(kind).execute(stream, {{DNNL_ARG_SRC, x.object},
                                                     {DNNL_ARG_WEIGHTS, f.object},
                                                     {DNNL_ARG_BIAS, bias.object},
                                                     {DNNL_ARG_DST, y.object}});
    stream.wait();
    double worst = 0;
    for (int o = 0; o < OUT; o++)
        for (int r = 0; r < H; r++)
            for (int c = 0; c < W; c++) {
                double want = bias.data[o];
                for (int i = 0; i < IN * R * R; i++) {
                    int row = r + i / R % R - 1, column = c + i % R - 1;
                    if (row >= 0 && row < H && column >= 0 && column < W)
                        want += (double)x.data[(i / (R * R) * H + row) * W + column] *
                                f.data[o * IN * R * R + i];
                }
                worst = std::max(worst, away(y.data[(o * H + r) * W + c], want));
            }
    return worst;
}

static double pooling()
{
    enum { C = 3, H = 17, W = 21 };
    tensor x({1, C, H, W}, tag::nchw), y({1, C, H / 2, W / 2}, tag::nchw);
    dnnl::pooling_forward::primitive_desc kind(
        engine, dnnl::prop_kind::forward_inference, dnnl::algorithm::pooling_max, x.desc, y.desc,
        dims{2, 2}, dims{2, 2}, dims{0, 0}, dims{0, 0}, dims{0, 0});
    dnnl::pooling_forward(kind).execute(stream,
                                        {{DNNL_ARG_SRC, x.object}, {DNNL_ARG_DST, y.object}});
    stream.wait();
    double worst = 0;
    for (int i = 0; i < C * (H / 2) * (W / 2); i++) {
        const float *from =
            x.data + (i / (W / 2 * (H / 2)) * H + i / (W / 2) % (H / 2) * 2) * W + i % (W / 2) * 2;
        worst =
            std::max(worst, away(y.data[i], std::max({from[0], from[1], from[W], from[W + 1]})));
    }
    return worst;
}

static double softmax()
{
    enum { ROWS = 13, N = 101 };
    tensor x({ROWS, N}, tag::ab), y({ROWS, N}, tag::ab);
    dnnl::softmax_forward({engine, dnnl::prop_kind::forward_inference,
                           dnnl::algorithm::softmax_accurate, x.desc, y.desc, 1})
        .execute(stream, {{DNNL_ARG_SRC, x.object}, {DNNL_ARG_DST, y.object}});
    stream.wait();
    double worst = 0;
    for (int r = 0; r < ROWS; r++) {
        double sum = 0;
        for (int i = 0; i < N; i++)
            sum += std::exp((double)x.data[r * N + i]);
        for (int i = 0; i < N; i++)
            worst =
                std::max(worst, away(y.data[r * N + i], std::exp((double)x.data[r * N + i]) / sum));
    }
    return worst;
}

static double reordering()
{
    enum { C = 19, H = 7, W = 11 };
    tensor x({1, C, H, W}, tag::nchw), y({1, C, H, W}, tag::nhwc);
    dnnl::reorder(x.object, y.object).execute(stream, x.object, y.object);
    stream.wait();
    double worst = 0;
    for (int c = 0; c < C; c++)
        for (int i = 0; i < H * W; i++)
            worst = std::max(worst, away(y.data[i * C + c], x.data[c * H * W + i]));
    return worst;
}

static double sum_in_buffers()
{
    enum { N = 1003 };
    memory::desc desc({N}, memory::data_type::f32, tag::a);
    sycl::buffer<float> a{sycl::range<1>(N)}, b{sycl::range<1>(N)};
    {
        sycl::host_accessor to_a(a, sycl::write_only), to_b(b, sycl::write_only);
        for (int i = 0; i < N; i++)
            to_a[i] = i * 0.25f, to_b[i] = 7.0f - i;
    }
    memory c =
        dnnl::sycl_interop::make_memory(desc, engine, dnnl::sycl_interop::memory_kind::buffer);
    memory from_a = dnnl::sycl_interop::make_memory(desc, engine, a),
           from_b = dnnl::sycl_interop::make_memory(desc, engine, b);
    dnnl::binary({engine, dnnl::algorithm::binary_add, desc, desc, desc})
        .execute(stream, {{DNNL_ARG_SRC_0, from_a}, {DNNL_ARG_SRC_1, from_b}, {DNNL_ARG_DST, c}});
    stream.wait();
    sycl::buffer<float> out = dnnl::sycl_interop::get_buffer<float>(c);
    sycl::host_accessor sums(out, sycl::read_only);
    double worst = 0;
    for (int i = 0; i < N; i++)
        worst = std::max(worst, away(sums[i], i * 0.25 + 7.0 - i));
    return worst;
}

/* A kernel of ours, a layer, a kernel of ours: each behind the one before without the host waiting.
 */
static double between_kernels()
{
    enum { M = 31, N = 45, K = 17 };
    tensor a({M, K}, tag::ab), b({K, N}, tag::ab), c({M, N}, tag::ab);
    float *from = a.data;
    queue->fill(b.data, 0.75f, b.count());
    auto ready = queue->memset(from, 0, a.count() * sizeof(float));
    auto done = dnnl::sycl_interop::execute(
        dnnl::matmul({engine, a.desc, b.desc, c.desc}), stream,
        {{DNNL_ARG_SRC, a.object}, {DNNL_ARG_WEIGHTS, b.object}, {DNNL_ARG_DST, c.object}},
        {ready});
    float last = 1;
    queue->memcpy(&last, c.data + c.count() - 1, sizeof last, done).wait();
    return std::fabs(last) + difference_of_product(a, b, c, M, N, K);
}

int main()
{
    static const struct {
        const char *name;
        double (*run)(), enough;
    } cases[] = {{"product", product, 1e-5},
                 {"convolution", convolution, 1e-5},
                 {"pooling", pooling, 0},
                 {"softmax", softmax, 1e-6},
                 {"reordering", reordering, 0},
                 {"sum_in_buffers", sum_in_buffers, 0},
                 {"between_kernels", between_kernels, 1e-5}};
    sycl::queue in_order{sycl::property::queue::in_order()};
    queue = &in_order;
    std::cout << queue->get_device().get_info<sycl::info::device::name>() << std::endl;
    engine = dnnl::sycl_interop::make_engine(queue->get_device(), queue->get_context());
    stream = dnnl::sycl_interop::make_stream(engine, *queue);
    int failed = 0;
    for (const auto &one : cases) {
        double worst = one.run();
        bool good = worst <= one.enough;
        failed += !good;
        std::cout << (good ? "pass " : "fail ") << one.name << " " << worst << std::endl;
    }
    return failed != 0;
}

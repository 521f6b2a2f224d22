/* SPDX-License-Identifier: Apache-2.0 */
/* Command groups, buffers and native commands of the binding. */
#include "binding_test.hpp"

#include <dlfcn.h>
#include <future>
#include <numeric>
#include <thread>

namespace
{

/* Calls of native commands that end the function's data and fail, or fail before. */
enum { AS_IT_IS, FAILS_EARLY, FAILS_LATE } native_calls;

cl_int CL_API_CALL failing_native(cl_command_queue queue, sluice_native_fn function,
                                  void(CL_CALLBACK *destructor)(void *), void *data, cl_uint,
                                  const cl_mem *, const cl_mem_flags *, cl_uint, const cl_event *,
                                  cl_event *)
{
    if (native_calls == FAILS_EARLY)
        return CL_OUT_OF_RESOURCES;
    sluice_interop_handle handle = {};
    handle.queue = queue;
    function(&handle, data);
    destructor(data);
    return CL_OUT_OF_HOST_MEMORY;
}

} // namespace

/* In front of the loader's. */
extern "C" void *CL_API_CALL clGetExtensionFunctionAddressForPlatform(cl_platform_id platform,
                                                                      const char *name)
{
    if (native_calls != AS_IT_IS && !std::strcmp(name, "clEnqueueNativeCommandSLUICE"))
        return reinterpret_cast<void *>(failing_native);
    auto real = reinterpret_cast<void *(*)(cl_platform_id, const char *)>(
        dlsym(RTLD_NEXT, "clGetExtensionFunctionAddressForPlatform"));
    return real(platform, name);
}

namespace
{

using sluice::access_mode;
using sluice::handler;

const char source[] =
    "kernel void scale(global const int *from, global int *to, int by) { size_t i = "
    "get_global_id(0); to[i] = from[i] * by; }\n"
    "kernel void add(global int *to, int what) { to[get_global_id(0)] += what; }\n"
    "__attribute__((reqd_work_group_size(4, 2, 1), intel_reqd_sub_group_size(8))) "
    "kernel void sized(global int *to) { to[get_global_id(0)] = (int)get_local_size(1); }\n";

struct bench {
    sluice::context context{(clRetainContext(dut().context), dut().context)};
    sluice::program program{context, source};
    sluice::queue q{dut().context, dut().device};
};

/* Buffers order what needs it, in a queue that is out of order. */
void groups()
{
    bench b;
    sluice::kernel scale(b.program, "scale"), add(b.program, "add");
    std::vector<int> numbers(1001);
    std::iota(numbers.begin(), numbers.end(), -500);
    sluice::buffer from(b.context, numbers);
    sluice::buffer<int> to(b.context, numbers.size()), other(b.context, numbers.size());
    for (int turn = 1; turn <= 20; turn++) {
        b.q.submit([&](handler &h) {
            auto in = h.get_access<access_mode::read>(from);
            auto out = h.get_access<access_mode::write>(to);
            h.set_args(in, out, turn);
            h.parallel_for(scale, {numbers.size()});
        });
        b.q.submit([&](handler &h) {
            h.set_args(h.get_access<access_mode::read_write>(to), 7);
            h.parallel_for(add, {numbers.size()}, {7});
        });
        b.q.submit([&](handler &h) {
            h.copy(h.get_access<access_mode::read>(to), h.get_access<access_mode::write>(other),
                   numbers.size());
        });
        int wrong = 0;
        std::vector<int> got = other.read(b.q);
        for (std::size_t i = 0; i < got.size(); i++)
            wrong += got[i] != numbers[i] * turn + 7;
        CHECK(wrong == 0);
    }
}

void dependencies()
{
    bench b;
    cl_int rc = 0;
    sluice::event gate(clCreateUserEvent(b.context, &rc));
    sluice::event done = b.q.submit([&](handler &h) { h.depends_on(gate); });
    cl_int status = CL_COMPLETE;
    clGetEventInfo(done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
    CHECK(status != CL_COMPLETE);
    REQUIRE_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    done.wait();
    std::error_code code;
    sluice::kernel add(b.program, "add");
    sluice::buffer<int> to(b.context, 3);
    b.q.submit(
        [&](handler &h) {
            h.set_args(h.get_access<access_mode::read_write>(to), 1);
            h.parallel_for(add, {3});
            h.parallel_for(add, {3});
        },
        code);
    CHECK(code == std::error_code(CL_INVALID_OPERATION, sluice::opencl_category()));
    b.q.wait();
}

/* The function's own copy and fill are one command; it fails as the function says. */
void native()
{
    bench b;
    std::vector<int> numbers(33, 5);
    sluice::buffer from(b.context, numbers);
    sluice::buffer<int> to(b.context, numbers.size());
    int calls = 0;
    auto counted = std::make_shared<int>(0);
    b.q.submit([&](handler &h) {
        auto in = h.get_access<access_mode::read>(from);
        auto out = h.get_access<access_mode::write>(to);
        h.native_command([=, &calls](sluice::interop_handle handle) {
            calls += 1 + *counted;
            const int *at = handle.native_mem(in);
            CHECK(at[32] == 5 && handle.native_device() == dut().device);
            handle.native_mem(out)[0] = 1;
            REQUIRE_OK(clEnqueueCopyBuffer(handle.native_queue(), in.mem, out.mem, 4, 4, 128, 0,
                                           nullptr, nullptr));
        });
    });
    std::vector<int> got = to.read(b.q);
    CHECK(calls == 1 && got[0] == 1 && std::accumulate(got.begin(), got.end(), 0) == 161);
    CHECK(counted.use_count() == 1);
    std::error_code code;
    sluice::event failed = b.q.submit([&](handler &h) {
        h.native_command([](sluice::interop_handle) -> cl_int {
            throw sluice::error(sluice::detail::opencl_error(CL_MAP_FAILURE), "as it was to be");
        });
    });
    failed.wait(code);
    CHECK(code.value() == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    cl_int status = 0;
    clGetEventInfo(failed, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
    CHECK(status == CL_MAP_FAILURE);
}

/* What a function holds ends once, whoever ends it. */
struct tracked {
    static inline int made, ended, called;

    tracked()
    {
        made++;
    }
    tracked(const tracked &)
    {
        made++;
    }
    ~tracked()
    {
        ended++;
    }
    void operator()(sluice::interop_handle) const
    {
        called++;
    }
};

void native_ends_once()
{
    bench b;
    for (auto how : {AS_IT_IS, FAILS_EARLY, FAILS_LATE}) {
        tracked::made = tracked::ended = tracked::called = 0;
        native_calls = how;
        std::error_code code;
        b.q.submit([&](handler &h) { h.native_command(tracked()); }, code);
        native_calls = AS_IT_IS;
        b.q.wait();
        CHECK(code.value() == (how == AS_IT_IS      ? CL_SUCCESS
                               : how == FAILS_EARLY ? CL_OUT_OF_RESOURCES
                                                    : CL_OUT_OF_HOST_MEMORY));
        CHECK(tracked::called == (how != FAILS_EARLY));
        CHECK(tracked::made > 0 && tracked::made == tracked::ended);
    }
}

/* What a group waits for is known when it acts: another thread's may have come since it has asked
 * for the buffer. */
void late_action()
{
    bench b;
    cl_int rc = 0, status = CL_COMPLETE;
    sluice::kernel add(b.program, "add");
    sluice::buffer x(b.context, std::vector<int>(5, 0));
    sluice::event gate(clCreateUserEvent(b.context, &rc)), second;
    std::promise<void> has_access, is_submitted;
    std::thread other([&] {
        second = b.q.submit([&](handler &h) {
            auto to = h.get_access<access_mode::read_write>(x);
            has_access.set_value();
            is_submitted.get_future().wait();
            h.set_args(to, 2);
            h.parallel_for(add, {5});
        });
    });
    has_access.get_future().wait();
    b.q.submit([&](handler &h) {
        h.depends_on(gate);
        h.set_args(h.get_access<access_mode::read_write>(x), 1);
        h.parallel_for(add, {5});
    });
    is_submitted.set_value();
    other.join();
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    clGetEventInfo(second, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
    CHECK(status > CL_COMPLETE);
    REQUIRE_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    CHECK(x.read(b.q) == std::vector<int>(5, 3));
}

/* Threads that submit at once, with buffers in opposite orders: no command of a group misses one of
 * another, and none waits for ever. */
void threads()
{
    enum { THREADS = 3, ROUNDS = 300 };
    bench b;
    sluice::kernel add(b.program, "add");
    sluice::buffer x(b.context, std::vector<int>(5, 0)), y(b.context, std::vector<int>(5, 100));
    auto work = [&](int number) {
        for (int round = 0; round < ROUNDS; round++) {
            auto &first = number % 2 ? x : y, &second = number % 2 ? y : x;
            b.q.submit([&](handler &h) {
                auto to = h.get_access<access_mode::read_write>(first);
                h.get_access<access_mode::read_write>(second);
                h.set_args(to, number + 1);
                h.parallel_for(add, {5});
            });
            if (round % 50 == number)
                CHECK(x.read(b.q).size() == 5);
            if (round % 64 == number)
                b.q.submit([&](handler &h) {
                    auto to = h.get_access<access_mode::read_write>(x);
                    h.native_command([to](sluice::interop_handle handle) {
                        handle.native_mem(to); /* touches nothing */
                    });
                });
        }
    };
    std::vector<std::thread> all;
    for (int number = 0; number < THREADS; number++)
        all.emplace_back(work, number);
    for (std::thread &one : all)
        one.join();
    CHECK(x.read(b.q) == std::vector<int>(5, 2 * ROUNDS));
    CHECK(y.read(b.q) == std::vector<int>(5, 100 + (1 + 3) * ROUNDS));
}

/* Work of another thread ends the command. */
void pending()
{
    bench b;
    std::thread other;
    clCompleteNativeCommandSLUICE_fn complete = nullptr;
    CHECK(sluice::detail::find_function(sluice::detail::platform_of(dut().device),
                                        "clCompleteNativeCommandSLUICE", complete));
    sluice::event done = b.q.submit([&](handler &h) {
        h.native_command([&](sluice::interop_handle handle) -> cl_int {
            other = std::thread([&, token = handle.completion()] { complete(token, CL_COMPLETE); });
            return SLUICE_NATIVE_PENDING;
        });
    });
    done.wait();
    other.join();
}

/* What a context or a buffer was created with, as OpenCL tells it; empty without a list. */
template <class Property, class Ask> std::vector<Property> told(Ask ask)
{
    std::size_t bytes = 12345;
    REQUIRE_OK(ask(0, nullptr, &bytes));
    std::vector<Property> list(bytes / sizeof(Property));
    REQUIRE_OK(ask(bytes, list.data(), nullptr));
    return list;
}

std::vector<cl_context_properties> list_of(const sluice::context &of)
{
    return told<cl_context_properties>([&](std::size_t size, void *to, std::size_t *bytes) {
        return clGetContextInfo(of, CL_CONTEXT_PROPERTIES, size, to, bytes);
    });
}

template <class T> std::vector<cl_mem_properties> list_of(const sluice::buffer<T> &of)
{
    return told<cl_mem_properties>([&](std::size_t size, void *to, std::size_t *bytes) {
        return clGetMemObjectInfo(of, CL_MEM_PROPERTIES, size, to, bytes);
    });
}

cl_command_queue_properties bits_of(const sluice::queue &q)
{
    cl_command_queue_properties value = 12345;
    REQUIRE_OK(clGetCommandQueueInfo(q, CL_QUEUE_PROPERTIES, sizeof value, &value, nullptr));
    return value;
}

/* Queues, contexts and buffers with OpenCL's list and with ours; the other half, what must not
 * convert, is property.compiled.l18. */
void l18()
{
    using namespace sluice;
    const cl_queue_properties old[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
    const cl_device_id device = dut().device;
    CHECK(bits_of({dut().context, device}) == CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    CHECK(bits_of({dut().context, device, properties{in_order}}) == 0);
    CHECK(bits_of({dut().context, device, old}) == CL_QUEUE_PROFILING_ENABLE);
    CHECK(bits_of({dut().context, device, properties{enable_profiling, in_order}}) ==
          CL_QUEUE_PROFILING_ENABLE);

    std::error_code code;
    const std::vector<cl_context_properties> sync{CL_CONTEXT_INTEROP_USER_SYNC, CL_TRUE, 0};
    const cl_context_properties bad[] = {0x1234567, 1, 0};
    CHECK(list_of(context(device)).empty());
    CHECK(list_of(context(device, properties{interop_user_sync})) == sync);
    CHECK(list_of(context(device, properties{interop_user_sync}, code)) == sync && !code);
    CHECK(list_of(context(device, sync.data())) == sync);
    context none(device, bad, code);
    CHECK(code == std::error_code(CL_INVALID_PROPERTY, opencl_category()) && !none.get());

    const std::vector<int> numbers{4, -5, 6};
    const std::vector<cl_mem_properties> channel{CL_MEM_CHANNEL_INTEL, 3, 0};
    context on(device);
    queue q(on, device);
    CHECK(list_of(buffer<int>(on, std::size_t(3))).empty());
    CHECK(list_of(buffer<int>(on, std::size_t(3), properties{mem_channel{3}})) == channel);
    CHECK(list_of(buffer<int>(on, std::size_t(3), channel.data(), code)) == channel && !code);
    buffer ours(on, numbers, properties{mem_channel{3}}), theirs(on, numbers, channel.data(), code);
    CHECK(!code && list_of(ours) == channel && list_of(theirs) == channel);
    CHECK(ours.read(q) == numbers && theirs.read(q) == numbers);
    const cl_mem_properties twice[] = {CL_MEM_CHANNEL_INTEL, 3, CL_MEM_CHANNEL_INTEL, 3, 0};
    buffer<int> refused(on, std::size_t(3), twice, code);
    CHECK(code == std::error_code(CL_INVALID_PROPERTY, opencl_category()));
}

/* Attributes that the program has, and those it has not. */
void attributes()
{
    bench b;
    using namespace sluice;

    static_assert(SLUICE_EXT_CODEPLAY_ENQUEUE_NATIVE_COMMAND == 1 &&
                  SLUICE_EXT_ONEAPI_ENQUEUE_NATIVE_COMMAND == 1);
    kernel good(b.program, "sized", properties{work_group_size<4, 2>, sub_group_size<8>});
    std::string sentence = attributes_mismatch(good, properties{work_group_size<8, 2>});
    CHECK(sentence.find("kernel sized has \"") == 0);
    CHECK(sentence.find("reqd_work_group_size(4,2,1)") != std::string::npos);
    CHECK(sentence.find("reqd_work_group_size(8,2,1) in its properties") != std::string::npos);
    bool thrown = false;
    try {
        kernel bad(b.program, "add", properties{sub_group_size<16>});
    } catch (const error &e) {
        thrown = e.code() == errc::attributes_differ;
    }
    CHECK(thrown);
    try {
        program bad(b.context, "kernel void k() { nonsense; }");
    } catch (const error &e) {
        thrown = e.code().value() == CL_BUILD_PROGRAM_FAILURE && std::strstr(e.what(), "nonsense");
    }
    CHECK(thrown);
}

/* Properties that are passed to a launch: it is made, or nothing of it. */
void launch_properties()
{
    using namespace sluice;
    bench b;
    kernel sized(b.program, "sized");
    buffer x(b.context, std::vector<int>(8, -1));
    auto launch = [&](const auto &list, std::error_code &code) {
        b.q.submit(
            [&](handler &h) {
                h.set_args(h.get_access<access_mode::write>(x));
                h.parallel_for(sized, {8, 2}, list);
            },
            code);
    };
    std::error_code code;
    launch(properties{work_group_size<4, 4>}, code);
    CHECK(code == errc::attributes_differ);
    launch(properties{sub_group_size<16>}, code);
    CHECK(code == errc::attributes_differ);
    CHECK(x.read(b.q) == std::vector<int>(8, -1));
    b.q.submit(
        [&](handler &h) { /* the difference is told, whatever comes behind it */
                          h.set_args(h.get_access<access_mode::write>(x));
                          h.parallel_for(sized, {8, 2}, properties{work_group_size<4, 4>});
                          h.parallel_for(sized, {8, 2}, properties{work_group_size<4, 2>});
        },
        code);
    CHECK(code == errc::attributes_differ);
    b.q.wait();
    launch(properties{sub_group_size<8>, work_group_size<4, 2>}, code);
    CHECK(!code && x.read(b.q) == std::vector<int>(8, 2));
    std::string why;
    try {
        b.q.submit([&](handler &h) {
            h.set_args(h.get_access<access_mode::write>(x));
            h.parallel_for(sized, {8, 2}, {4, 2}, property_list{work_group_size<2, 2>});
        });
    } catch (const error &e) {
        why = e.what();
    }
    CHECK(why.find("kernel sized has \"") == 0 &&
          why.find("reqd_work_group_size(2,2,1) in its properties") != std::string::npos);
    buffer y(b.context, std::vector<int>(1, 40));
    kernel add(b.program, "add");
    b.q.submit([&](handler &h) {
        h.set_args(h.get_access<access_mode::read_write>(y), 2);
        h.single_task(add, properties<>{});
    });
    CHECK(y.read(b.q) == std::vector<int>{42});
}

/* What a program for a dataflow device says of it. */
void concurrency()
{
    using namespace sluice;
    context on(dut().device);
    program built(on, kernel_attributes(properties{max_concurrency<3>}) +
                          " kernel void three(global int *a) { *a = 3; }\n"
                          "kernel void any(global int *a) { *a = 0; }\n");
    kernel good(built, "three", properties{max_concurrency<3>});
    CHECK(attributes_mismatch(good, properties{max_concurrency<4>}) ==
          "kernel three has \"max_concurrency(3)\" in the program, max_concurrency(4) in its "
          "properties");
    std::error_code code;
    kernel bad(built, "any", properties{max_concurrency<3>}, code);
    CHECK(code == errc::attributes_differ && !bad.get());
    kernel again(built, "three", properties{max_concurrency<3>}, code);
    CHECK(!code && again.get());
    program wrong(on, "__attribute__((max_concurrency(\"x\"))) kernel void k() {}", "", code);
    CHECK(code.value() == CL_BUILD_PROGRAM_FAILURE);
    CHECK(wrong.log().find("1:32: error: the argument of 'max_concurrency' must be an integer "
                           "constant") != std::string::npos);
    const std::string text = "kernel void " + std::string(400, 'n') + "() {}";
    program named(on, text);
    kernel longest(named, std::string(400, 'n').c_str());
    CHECK(attributes_mismatch(longest, properties{work_group_size<2>}) ==
          "kernel " + std::string(400, 'n') +
              " has \"\" in the program, "
              "reqd_work_group_size(2,1,1) in its properties");
}

cl_queue_priority_khr priority_of(const sluice::queue &q)
{
    cl_queue_properties list[8] = {};
    REQUIRE_OK(clGetCommandQueueInfo(q, CL_QUEUE_PROPERTIES_ARRAY, sizeof list, list, nullptr));
    for (int i = 0; list[i]; i += 2)
        if (list[i] == CL_QUEUE_PRIORITY_KHR)
            return static_cast<cl_queue_priority_khr>(list[i + 1]);
    return 0;
}

void priorities()
{
    using namespace sluice;
    context on(dut().device);
    static_assert(std::is_same_v<decltype(properties{priority_high, in_order}),
                                 decltype(properties{in_order, priority<queue_priority::high>})>);
    CHECK(priority_of({on, dut().device, properties{priority_high}}) == CL_QUEUE_PRIORITY_HIGH_KHR);
    CHECK(priority_of({on, dut().device, properties{in_order, priority_low}}) ==
          CL_QUEUE_PRIORITY_LOW_KHR);
    CHECK(priority_of({on, dut().device, properties{priority_v<queue_priority::normal>}}) ==
          CL_QUEUE_PRIORITY_MED_KHR);
    CHECK(priority_of({on, dut().device}) == 0);
    queue q(on, dut().device, properties{priority_high});
    event done = q.submit([](handler &) {});
    done.wait();
}

/* Each constructor with an error code: nothing is thrown, nothing is made; and the good ones. */
void error_codes()
{
    using namespace sluice;
    std::error_code code;
    auto opencl = [](cl_int number) { return std::error_code(number, opencl_category()); };
    context none(nullptr, code);
    CHECK(code == opencl(CL_INVALID_DEVICE) && !none.get());
    context on(dut().device, code);
    CHECK(!code && on.get());
    queue no_queue(on, nullptr, code);
    CHECK(code == opencl(CL_INVALID_DEVICE) && !no_queue.get());
    const cl_queue_properties odd[] = {CL_QUEUE_PRIORITY_KHR, 77, 0};
    queue odd_queue(on, dut().device, odd, code);
    CHECK(code && !odd_queue.get());
    queue q(on, dut().device, properties{priority_low}, code);
    CHECK(!code && q.get());
    program no_program(nullptr, "", code);
    CHECK(code == opencl(CL_INVALID_CONTEXT) && !no_program.get() && no_program.log().empty());
    program bad(on, "kernel void k() { nonsense; }", code);
    CHECK(code == opencl(CL_BUILD_PROGRAM_FAILURE));
    CHECK(bad.log().find("nonsense") != std::string::npos);
    program good(on, source, "-DX=1", code);
    CHECK(!code);
    kernel no_kernel(good, "nobody", code);
    CHECK(code == opencl(CL_INVALID_KERNEL_NAME) && !no_kernel.get());
    kernel add(good, "add", code);
    CHECK(!code);
    buffer<int> no_buffer(on, std::size_t(0), code);
    CHECK(code == opencl(CL_INVALID_BUFFER_SIZE));
    buffer numbers(on, std::vector<int>{1, 2, 3}, code);
    CHECK(!code);
    q.submit(
        [&](handler &h) {
            h.set_args(h.get_access<access_mode::read_write>(numbers), 10);
            h.parallel_for(add, {3});
        },
        code);
    CHECK(!code);
    CHECK(numbers.read(q, code) == (std::vector<int>{11, 12, 13}) && !code);
    q.wait(code);
    CHECK(!code);
}

const test_case cases[] = {
    {"concurrency", concurrency}, {"priorities", priorities},
    {"error_codes", error_codes},

    {"groups", groups},           {"dependencies", dependencies},
    {"native", native},           {"native_ends_once", native_ends_once},
    {"late_action", late_action}, {"threads", threads},
    {"pending", pending},         {"l18", l18},
    {"attributes", attributes},   {"launch_properties", launch_properties},
};

} // namespace

int main(int argc, char **argv)
{
    return run_cases(cases, argc, argv);
}

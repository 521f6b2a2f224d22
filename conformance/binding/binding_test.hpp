/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of the binding share: the emulated FPGA, programs, launches, a table of cases of
 * which the arguments name some. */
#ifndef SLUICE_TEST_BINDING_HPP
#define SLUICE_TEST_BINDING_HPP

#include <CL/sluice.hpp>

#include <cstdio>
#include <cstring>
#include <vector>

inline int failures;
#define CHECK(...)                                                                                 \
    ((__VA_ARGS__) ? true                                                                          \
                   : (std::printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #__VA_ARGS__),        \
                      failures++, false))
#define REQUIRE_OK(call)                                                                           \
    do {                                                                                           \
        cl_int rc_ = (call);                                                                       \
        if (rc_) {                                                                                 \
            std::printf("%s:%d: %d: %s\n", __FILE__, __LINE__, rc_, #call);                        \
            std::exit(1);                                                                          \
        }                                                                                          \
    } while (0)

struct device_under_test {
    cl_device_id device = nullptr;
    cl_context context = nullptr;

    device_under_test()
    {
        cl_platform_id platforms[16];
        cl_device_id devices[16];
        cl_uint platform_count = 0, device_count = 0;
        clGetPlatformIDs(16, platforms, &platform_count);
        for (cl_uint p = 0; p < platform_count && !device; p++) {
            if (clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, 16, devices, &device_count))
                continue;
            for (cl_uint d = 0; d < device_count && !device; d++)
                if (sluice::detail::has_extension(devices[d], "cl_sluice_program_pipe"))
                    device = devices[d];
        }
        if (!device)
            std::exit(77);
        cl_int rc = 0;
        context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &rc);
        REQUIRE_OK(rc);
    }
};

inline const device_under_test &dut()
{
    static const device_under_test one;
    return one;
}

inline cl_command_queue new_queue()
{
    cl_int rc = 0;
    cl_command_queue queue =
        clCreateCommandQueueWithProperties(dut().context, dut().device, nullptr, &rc);
    REQUIRE_OK(rc);
    return queue;
}

/* A program, its kernels each in a queue of their own, and a queue for the host. */
class design
{
  public:
    explicit design(const std::string &source, const char *options = "")
    {
        const char *text = source.c_str();
        cl_int rc = 0;
        program = clCreateProgramWithSource(dut().context, 1, &text, nullptr, &rc);
        REQUIRE_OK(rc);
        rc = clBuildProgram(program, 1, &dut().device, options, nullptr, nullptr);
        if (rc) {
            char log[8192] = "";
            clGetProgramBuildInfo(program, dut().device, CL_PROGRAM_BUILD_LOG, sizeof log, log,
                                  nullptr);
            std::printf("%s\n%s\n", source.c_str(), log);
        }
        REQUIRE_OK(rc);
    }
    explicit design(cl_program built) : program(built)
    {
    }
    design(const design &) = delete;
    design &operator=(const design &) = delete;
    ~design()
    {
        wait();
        for (cl_command_queue used : queues)
            clReleaseCommandQueue(used);
        clReleaseCommandQueue(queue);
        clReleaseProgram(program);
    }

    /* Arguments: the objects, then the number if it is not 0. */
    void launch(const char *name, std::initializer_list<cl_mem> objects = {}, std::size_t items = 1,
                cl_int number = 0)
    {
        cl_int rc = 0;
        cl_kernel kernel = clCreateKernel(program, name, &rc);
        REQUIRE_OK(rc);
        queues.push_back(new_queue());
        cl_uint index = 0;
        for (cl_mem object : objects)
            REQUIRE_OK(clSetKernelArg(kernel, index++, sizeof object, &object));
        if (number)
            REQUIRE_OK(clSetKernelArg(kernel, index, sizeof number, &number));
        REQUIRE_OK(clEnqueueNDRangeKernel(queues.back(), kernel, 1, nullptr, &items, nullptr, 0,
                                          nullptr, nullptr));
        REQUIRE_OK(clFlush(queues.back()));
        clReleaseKernel(kernel);
    }
    void wait()
    {
        for (cl_command_queue used : queues)
            REQUIRE_OK(clFinish(used));
    }

    cl_program program = nullptr;
    cl_command_queue queue = new_queue();

  private:
    std::vector<cl_command_queue> queues;
};

struct test_case {
    const char *name;
    void (*run)();
};

/* Without arguments all of them. */
template <std::size_t Count> int run_cases(const test_case (&cases)[Count], int argc, char **argv)
{
    int found = 0;
    for (const test_case &one : cases) {
        bool wanted = argc < 2;
        for (int i = 1; i < argc; i++)
            wanted |= !std::strcmp(argv[i], one.name);
        if (!wanted)
            continue;
        found++;
        std::printf("%s\n", one.name);
        one.run();
    }
    return failures != 0 || found == 0;
}

#endif

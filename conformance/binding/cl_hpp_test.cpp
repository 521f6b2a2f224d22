/* SPDX-License-Identifier: Apache-2.0 */
/* The binding on the objects of CL/opencl.hpp, which is included first. */
#define CL_HPP_TARGET_OPENCL_VERSION 300
#define CL_HPP_MINIMUM_OPENCL_VERSION 300
#define CL_HPP_ENABLE_EXCEPTIONS
#include <CL/opencl.hpp>
#include <CL/sluice.hpp>

#include "binding_test.hpp"

using in = sluice::pipe<class cl_hpp_in, cl_int, 4>;
using out = sluice::pipe<class cl_hpp_out, cl_int, 4>;

static void over_cl_hpp()
{
    cl::Device device(dut().device, true);
    cl::Context context(device);
    cl::CommandQueue queue(context, device), kernels(context, device);
    std::string source = sluice::declarations<in, out>() + "#define in " + in::symbol.data() +
                         "\n#define out " + out::symbol.data() +
                         "\nkernel void k() { int v; read_pipe_block(in, &v); v = v * v; "
                         "write_pipe_block(out, &v); }\n";
    cl::Program program(context, source, true);
    sluice::bound_pipes<in, out> bound(program);
    kernels.enqueueNDRangeKernel(cl::Kernel(program, "k"), cl::NullRange, cl::NDRange(1));
    kernels.flush();
    in::write(queue, 12);
    CHECK(out::read(queue) == 144);
    CHECK(in::mismatch(program).empty());
}

static const test_case cases[] = {{"over_cl_hpp", over_cl_hpp}};

int main(int argc, char **argv)
{
    return run_cases(cases, argc, argv);
}

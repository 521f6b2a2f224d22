/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The C++ binding by the name it had until OpenCL 1.2, which Intel's SDK has kept and others have
 * not: Khronos' CL/opencl.hpp (of Debian's opencl-clhpp-headers), told to be what hosts written for
 * the old one expect. Like Intel's it brings what their runtime adds.
 */
#ifndef SL_CL_HPP
#define SL_CL_HPP

#if defined(__CL_ENABLE_EXCEPTIONS) && !defined(CL_HPP_ENABLE_EXCEPTIONS)
#define CL_HPP_ENABLE_EXCEPTIONS
#endif
#ifndef CL_HPP_TARGET_OPENCL_VERSION
#define CL_HPP_TARGET_OPENCL_VERSION 120
#endif
#ifndef CL_HPP_MINIMUM_OPENCL_VERSION
#define CL_HPP_MINIMUM_OPENCL_VERSION 110
#endif
#ifndef CL_HPP_ENABLE_PROGRAM_CONSTRUCTION_FROM_ARRAY_COMPATIBILITY
#define CL_HPP_ENABLE_PROGRAM_CONSTRUCTION_FROM_ARRAY_COMPATIBILITY
#endif
#ifndef CL_HPP_ENABLE_SIZE_T_COMPATIBILITY
#define CL_HPP_ENABLE_SIZE_T_COMPATIBILITY
#endif
#include <CL/opencl.hpp>

/* Names that went with it. */
#ifndef VECTOR_CLASS
#define VECTOR_CLASS std::vector
#endif
#ifndef STRING_CLASS
#define STRING_CLASS std::string
#endif
namespace cl
{
inline LocalSpaceArg __local(size_type size)
{
    return Local(size);
}
} // namespace cl

#include <CL/cl_ext_intelfpga.h>

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A C++17 binding for dataflow programs, header-only. It needs CL/cl.h and the standard library;
 * docs/binding.md shows how it is used. The parts may be included alone.
 */
#ifndef SLUICE_SLUICE_HPP
#define SLUICE_SLUICE_HPP

#include <CL/sluice/buffer.hpp>
#include <CL/sluice/error.hpp>
#include <CL/sluice/io_pipe.hpp>
#include <CL/sluice/kernel_properties.hpp>
#include <CL/sluice/memory_access.hpp>
#include <CL/sluice/objects.hpp>
#include <CL/sluice/pipe.hpp>
#include <CL/sluice/pipe_array.hpp>
#include <CL/sluice/pipe_properties.hpp>
#include <CL/sluice/properties.hpp>
#include <CL/sluice/queue.hpp>

#endif

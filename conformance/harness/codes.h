/* SPDX-License-Identifier: Apache-2.0 */
/* The error codes of the core header and of command-buffers, for messages. */
#ifndef SLUICE_TEST_CODES_H
#define SLUICE_TEST_CODES_H

#include <CL/cl_ext_sluice.h>

#define CODE_ROW(code)                                                                             \
    {                                                                                              \
        code, #code                                                                                \
    }
#define CODE_ROWS                                                                                  \
    CODE_ROW(CL_SUCCESS), CODE_ROW(CL_DEVICE_NOT_FOUND), CODE_ROW(CL_DEVICE_NOT_AVAILABLE),        \
        CODE_ROW(CL_COMPILER_NOT_AVAILABLE), CODE_ROW(CL_MEM_OBJECT_ALLOCATION_FAILURE),           \
        CODE_ROW(CL_OUT_OF_RESOURCES), CODE_ROW(CL_OUT_OF_HOST_MEMORY),                            \
        CODE_ROW(CL_PROFILING_INFO_NOT_AVAILABLE), CODE_ROW(CL_MEM_COPY_OVERLAP),                  \
        CODE_ROW(CL_IMAGE_FORMAT_MISMATCH), CODE_ROW(CL_IMAGE_FORMAT_NOT_SUPPORTED),               \
        CODE_ROW(CL_BUILD_PROGRAM_FAILURE), CODE_ROW(CL_MAP_FAILURE),                              \
        CODE_ROW(CL_MISALIGNED_SUB_BUFFER_OFFSET),                                                 \
        CODE_ROW(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST),                                    \
        CODE_ROW(CL_COMPILE_PROGRAM_FAILURE), CODE_ROW(CL_LINKER_NOT_AVAILABLE),                   \
        CODE_ROW(CL_LINK_PROGRAM_FAILURE), CODE_ROW(CL_DEVICE_PARTITION_FAILED),                   \
        CODE_ROW(CL_KERNEL_ARG_INFO_NOT_AVAILABLE), CODE_ROW(CL_INVALID_VALUE),                    \
        CODE_ROW(CL_INVALID_DEVICE_TYPE), CODE_ROW(CL_INVALID_PLATFORM),                           \
        CODE_ROW(CL_INVALID_DEVICE), CODE_ROW(CL_INVALID_CONTEXT),                                 \
        CODE_ROW(CL_INVALID_QUEUE_PROPERTIES), CODE_ROW(CL_INVALID_COMMAND_QUEUE),                 \
        CODE_ROW(CL_INVALID_HOST_PTR), CODE_ROW(CL_INVALID_MEM_OBJECT),                            \
        CODE_ROW(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR), CODE_ROW(CL_INVALID_IMAGE_SIZE),             \
        CODE_ROW(CL_INVALID_SAMPLER), CODE_ROW(CL_INVALID_BINARY),                                 \
        CODE_ROW(CL_INVALID_BUILD_OPTIONS), CODE_ROW(CL_INVALID_PROGRAM),                          \
        CODE_ROW(CL_INVALID_PROGRAM_EXECUTABLE), CODE_ROW(CL_INVALID_KERNEL_NAME),                 \
        CODE_ROW(CL_INVALID_KERNEL_DEFINITION), CODE_ROW(CL_INVALID_KERNEL),                       \
        CODE_ROW(CL_INVALID_ARG_INDEX), CODE_ROW(CL_INVALID_ARG_VALUE),                            \
        CODE_ROW(CL_INVALID_ARG_SIZE), CODE_ROW(CL_INVALID_KERNEL_ARGS),                           \
        CODE_ROW(CL_INVALID_WORK_DIMENSION), CODE_ROW(CL_INVALID_WORK_GROUP_SIZE),                 \
        CODE_ROW(CL_INVALID_WORK_ITEM_SIZE), CODE_ROW(CL_INVALID_GLOBAL_OFFSET),                   \
        CODE_ROW(CL_INVALID_EVENT_WAIT_LIST), CODE_ROW(CL_INVALID_EVENT),                          \
        CODE_ROW(CL_INVALID_OPERATION), CODE_ROW(CL_INVALID_GL_OBJECT),                            \
        CODE_ROW(CL_INVALID_BUFFER_SIZE), CODE_ROW(CL_INVALID_MIP_LEVEL),                          \
        CODE_ROW(CL_INVALID_GLOBAL_WORK_SIZE), CODE_ROW(CL_INVALID_PROPERTY),                      \
        CODE_ROW(CL_INVALID_IMAGE_DESCRIPTOR), CODE_ROW(CL_INVALID_COMPILER_OPTIONS),              \
        CODE_ROW(CL_INVALID_LINKER_OPTIONS), CODE_ROW(CL_INVALID_DEVICE_PARTITION_COUNT),          \
        CODE_ROW(CL_INVALID_PIPE_SIZE), CODE_ROW(CL_INVALID_DEVICE_QUEUE),                         \
        CODE_ROW(CL_INVALID_SPEC_ID), CODE_ROW(CL_MAX_SIZE_RESTRICTION_EXCEEDED),                  \
        CODE_ROW(CL_INVALID_COMMAND_BUFFER_KHR), CODE_ROW(CL_INVALID_SEMAPHORE_KHR),               \
        CODE_ROW(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR),                                             \
        CODE_ROW(CL_INCOMPATIBLE_COMMAND_QUEUE_KHR), CODE_ROW(CL_INVALID_MUTABLE_COMMAND_KHR),     \
        CODE_ROW(CL_BUILD_NONE), CODE_ROW(CL_BUILD_ERROR), CODE_ROW(CL_BUILD_IN_PROGRESS),         \
    {                                                                                              \
        -1001, "CL_PLATFORM_NOT_FOUND_KHR"                                                         \
    }
#endif

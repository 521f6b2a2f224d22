/* SPDX-License-Identifier: Apache-2.0 */
/* Of the run-time of C++, which has it for whatever language asks (Itanium C++ ABI, 3.4): for
 * sl_readable_names(). Thread-safe. */
#ifndef SL_KERNELS_REPORT_DEMANGLE_H
#define SL_KERNELS_REPORT_DEMANGLE_H

#include "sluice/base/readable.h"

sl_demangle __cxa_demangle;

#endif

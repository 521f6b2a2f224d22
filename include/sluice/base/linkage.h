/* SPDX-License-Identifier: Apache-2.0 */
/* Around declarations: C++ calls what is compiled as C by its plain name. */
#ifndef SL_BASE_LINKAGE_H
#define SL_BASE_LINKAGE_H

#ifdef __cplusplus
#define SL_BEGIN_C extern "C" {
#define SL_END_C }
#else
#define SL_BEGIN_C
#define SL_END_C
#endif

#endif

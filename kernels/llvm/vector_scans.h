/* SPDX-License-Identifier: Apache-2.0 */
/* How far LLVM looks for what stands between the load of a vector and the uses of its elements. */
#ifndef SL_KERNELS_LLVM_VECTOR_SCANS_H
#define SL_KERNELS_LLVM_VECTOR_SCANS_H

#ifdef __cplusplus
extern "C" {
#endif

/*
 * For the whole process, once, before any pass runs: as far as the code of a few atomics goes. A
 * vector of which only elements are used, one after the other, is loaded as these elements; LLVM's
 * own limit is met or not by the order in which it happens to come to them.
 */
void sl_llvm_extend_scans(void);

#ifdef __cplusplus
}
#endif

#endif

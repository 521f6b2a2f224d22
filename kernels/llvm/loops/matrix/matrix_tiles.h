/* SPDX-License-Identifier: Apache-2.0 */
/* Products of matrices that were postponed (llvm/matrix_product.h) get their code. Stateless; a
 * module belongs to one thread. */
#ifndef SL_KERNELS_LLVM_MATRIX_TILES_H
#define SL_KERNELS_LLVM_MATRIX_TILES_H

#include "llvm/matrix_product.h"

#ifdef __cplusplus
extern "C" {
#endif

/* int f(void), of the kernels' runtime: may this process use tiles? */
#define SL_TILES_ALLOWED "sl_tiles_allowed"

bool sl_llvm_has_matrix_products(LLVMModuleRef);

/*
 * A function whose loops add to the same sums keeps these in tiles (AMX) for as long as they run;
 * who may not use tiles has a second version of it in registers, as all other functions are. The
 * answer is the best that there is. LLVM does not find tiles for all code with them: it says so
 * when it makes machine code.
 */
enum sl_matrix_code { SL_MATRIX_NO_CODE, SL_MATRIX_REGISTERS, SL_MATRIX_TILES };
enum sl_matrix_code sl_llvm_settle_matrix_products(LLVMModuleRef, const struct sl_matrix_machine *,
                                                   bool with_tiles);

#ifdef __cplusplus
}
#endif
#endif

; SPDX-License-Identifier: Apache-2.0
; The product of the three numbers is what counts, and it does not overflow: 2^16 times 2^16 is not 0.
; RUN: not sl-opt -stage=compute_units
; CHECK: error: kernel 'k': more than 65536 compute units
target triple = "spir64-unknown-unknown"
define spir_kernel void @k() #0 {
  ret void
}
attributes #0 = { "sl-autorun" "sl-num-compute-units"="65536,65536,1" }

; SPDX-License-Identifier: Apache-2.0
; A function that asks for its work-item cannot call itself; the pass says so and ends.
; RUN: not sl-opt
; CHECK: error: recursion is not supported: function 'again'
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
define spir_func i64 @again(i64 %x) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %y = call spir_func i64 @again(i64 %id)
  ret i64 %y
}
define spir_kernel void @k(ptr addrspace(1) %out) {
  %y = call spir_func i64 @again(i64 1)
  store i64 %y, ptr addrspace(1) %out
  ret void
}

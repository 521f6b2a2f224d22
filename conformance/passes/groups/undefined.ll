; SPDX-License-Identifier: Apache-2.0
; An undefined function ends the build with its name and its caller's.
; RUN: not sl-opt
; CHECK: error: undefined function 'missing' called from 'helper'
target triple = "spir64-unknown-unknown"
declare spir_func i32 @_Z7missingi(i32)
define spir_func i32 @_Z6helperi(i32 %x) {
  %y = call spir_func i32 @_Z7missingi(i32 %x)
  ret i32 %y
}
define spir_kernel void @k(ptr addrspace(1) %out) {
  %y = call spir_func i32 @_Z6helperi(i32 1)
  store i32 %y, ptr addrspace(1) %out
  ret void
}

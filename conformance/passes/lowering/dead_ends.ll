; SPDX-License-Identifier: Apache-2.0
; Places that the program says it never reaches become traps; their functions are inlined for it.
; RUN: sl-opt -O0
; CHECK-NOT: @never
; CHECK-LABEL: define internal void @k.groups
; CHECK: call void %{{[0-9]+}}(ptr %1, ptr @0)
; CHECK-NEXT: unreachable
target triple = "spir64-unknown-unknown"
define spir_func void @never(i32 %x) noreturn {
  unreachable
}
define spir_kernel void @k(ptr addrspace(1) %out) {
  call spir_func void @never(i32 1) noreturn
  unreachable
}

; SPDX-License-Identifier: Apache-2.0
; What a kernel takes of the stack is the deepest path of calls, not their sum, and a function that is
; called in two places counts where the path is deepest.
; RUN: sl-opt -O0
; CHECK: ; kernel deep flags {{.*}} private 1200 stack 1200
; CHECK: ; kernel flat flags {{.*}} private 1100 stack 1100
; CHECK: ; kernel none flags {{.*}} private 0 stack 0
target triple = "spir64-unknown-unknown"
define internal spir_func void @leaf(ptr addrspace(1) %x) noinline {
  %a = alloca [1000 x i8], align 1
  store volatile i8 1, ptr %a
  ret void
}
define internal spir_func void @middle(ptr addrspace(1) %x) noinline {
  %a = alloca [200 x i8], align 1
  store volatile i8 1, ptr %a
  call spir_func void @leaf(ptr addrspace(1) %x)
  ret void
}
define internal spir_func void @other(ptr addrspace(1) %x) noinline {
  %a = alloca [1100 x i8], align 1
  store volatile i8 1, ptr %a
  ret void
}
define spir_kernel void @deep(ptr addrspace(1) %x) {
  call spir_func void @leaf(ptr addrspace(1) %x)
  call spir_func void @middle(ptr addrspace(1) %x)
  call spir_func void @other(ptr addrspace(1) %x)
  ret void
}
define spir_kernel void @flat(ptr addrspace(1) %x) {
  call spir_func void @other(ptr addrspace(1) %x)
  ret void
}
define spir_kernel void @none(ptr addrspace(1) %x) {
  store i32 1, ptr addrspace(1) %x
  ret void
}

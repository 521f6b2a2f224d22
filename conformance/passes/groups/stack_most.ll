; SPDX-License-Identifier: Apache-2.0
; Private variables may take 1 GiB, together with those of the functions on the deepest path of calls:
; what each function has was looked at before.
; RUN: not sl-opt -O0
; CHECK: error: kernel 'large': its private variables, with those of the functions it calls, take at least 1073741825 bytes; the limit is 1073741824
target triple = "spir64-unknown-unknown"
define spir_kernel void @fits(ptr addrspace(1) %x, i64 %i) {
  %a = alloca [1073741823 x i8], align 1
  %p = getelementptr i8, ptr %a, i64 %i
  store volatile i8 1, ptr %p
  call spir_func void @one()
  ret void
}
define spir_kernel void @large(ptr addrspace(1) %x, i64 %i) {
  %a = alloca [1073741823 x i8], align 1
  %p = getelementptr i8, ptr %a, i64 %i
  store volatile i8 1, ptr %p
  call spir_func void @two()
  ret void
}
define internal spir_func void @one() noinline {
  %a = alloca i8
  store volatile i8 1, ptr %a
  ret void
}
define internal spir_func void @two() noinline {
  %a = alloca i8
  store volatile i8 1, ptr %a
  call spir_func void @one()
  ret void
}

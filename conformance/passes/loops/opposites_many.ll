; SPDX-License-Identifier: Apache-2.0
; A product and its opposite with many other users of x in between, which LLVM lists from the first
; to the last: an opposite is named behind the product whose opposite it is, or not at all.
; RUN: sl-opt -mcpu=x86-64-v4 -stage=simplify
; CHECK-LABEL: @many(
; CHECK: [[M:%.*]] = fmul float [[X:%.*]], 3.000000e+00
; CHECK: fmul float [[X]], -3.000000e+00
; CHECK: ret void
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
declare float @llvm.fabs.f32(float)
define spir_kernel void @many(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr float, ptr addrspace(1) %a, i64 %id
  %q = getelementptr float, ptr addrspace(1) %b, i64 %id
  %y = load float, ptr addrspace(1) %p, align 4
  %x = fmul float %y, 1.0
  %m = fmul float %x, 3.0
  %am = call float @llvm.fabs.f32(float %m)
  %s0 = fdiv float %am, %m
  %s1 = fdiv float %s0, %x
  %s2 = fdiv float %s1, %x
  %s3 = fdiv float %s2, %x
  %s4 = fdiv float %s3, %x
  %s5 = fdiv float %s4, %x
  %s6 = fdiv float %s5, %x
  %s7 = fdiv float %s6, %x
  %s8 = fdiv float %s7, %x
  %s9 = fdiv float %s8, %x
  %s10 = fdiv float %s9, %x
  %s11 = fdiv float %s10, %x
  %s12 = fdiv float %s11, %x
  %s13 = fdiv float %s12, %x
  %s14 = fdiv float %s13, %x
  %s15 = fdiv float %s14, %x
  %s16 = fdiv float %s15, %x
  %s17 = fdiv float %s16, %x
  %s18 = fdiv float %s17, %x
  %s19 = fdiv float %s18, %x
  %s20 = fdiv float %s19, %x
  %s21 = fdiv float %s20, %x
  %s22 = fdiv float %s21, %x
  %s23 = fdiv float %s22, %x
  %s24 = fdiv float %s23, %x
  %s25 = fdiv float %s24, %x
  %s26 = fdiv float %s25, %x
  %s27 = fdiv float %s26, %x
  %s28 = fdiv float %s27, %x
  %s29 = fdiv float %s28, %x
  %s30 = fdiv float %s29, %x
  %s31 = fdiv float %s30, %x
  %n = fmul float %x, -3.0
  %an = call float @llvm.fabs.f32(float %n)
  %t = fadd float %an, %n
  %s = fsub float %s31, %t
  store float %s, ptr addrspace(1) %q, align 4
  ret void
}

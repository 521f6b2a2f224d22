; SPDX-License-Identifier: Apache-2.0
; Products with a constant and its opposite that both lose their sign are one and its opposite;
; others stay, as they may be parts of sums.
; RUN: sl-opt -mcpu=x86-64-v4 -stage=simplify
; CHECK-LABEL: @shared(
; CHECK: fmul double {{.*}}0x3FE6A09E667F3BCD
; CHECK-NOT: fmul
; CHECK: @llvm.fabs.f64
; CHECK-NOT: @llvm.fabs.f64
; CHECK: ret void
; CHECK-LABEL: @quotients(
; CHECK: [[Q:%.*]] = fdiv float {{.*}}, -3.000000e+00
; CHECK-NOT: fdiv
; CHECK: ret void
; CHECK-LABEL: @others(
; CHECK: fmul float {{.*}}, 3.000000e+00
; CHECK: fmul float {{.*}}, -3.000000e+00
; CHECK: ret void
; CHECK-LABEL: @exact(
; CHECK: fdiv float {{.*}}, 3.000000e+00
; CHECK: fdiv float {{.*}}, -3.000000e+00
; CHECK: ret void
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
declare double @llvm.fabs.f64(double)
declare float @llvm.fabs.f32(float)
define spir_kernel void @shared(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr double, ptr addrspace(1) %a, i64 %id
  %q = getelementptr double, ptr addrspace(1) %b, i64 %id
  %x = load double, ptr addrspace(1) %p, align 8
  %m = fmul double %x, 0x3FE6A09E667F3BCD
  %n = fmul double %x, 0xBFE6A09E667F3BCD
  %am = call double @llvm.fabs.f64(double %m)
  %an = call double @llvm.fabs.f64(double %n)
  %rm = fdiv double 1.0, %am
  %rn = fdiv double 1.0, %an
  %less = fcmp olt double %n, 0.0
  %pick = select i1 %less, double %rm, double %n
  %s = fadd double %pick, %rn
  store double %s, ptr addrspace(1) %q, align 8
  ret void
}
define spir_kernel void @quotients(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr float, ptr addrspace(1) %a, i64 %id
  %q = getelementptr float, ptr addrspace(1) %b, i64 %id
  %x = load float, ptr addrspace(1) %p, align 4
  %m = fdiv float %x, -3.0
  %n = fdiv float %x, 3.0
  %am = call float @llvm.fabs.f32(float %m)
  %an = call float @llvm.fabs.f32(float %n)
  %mm = fmul float %am, %m
  %nn = fmul float %an, %n
  %s = fsub float %mm, %nn
  store float %s, ptr addrspace(1) %q, align 4
  ret void
}
define spir_kernel void @others(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr float, ptr addrspace(1) %a, i64 %id
  %q = getelementptr float, ptr addrspace(1) %b, i64 %id
  %x = load float, ptr addrspace(1) %p, align 4
  %m = fmul float %x, 3.0
  %n = fmul float %x, -3.0
  %am = call float @llvm.fabs.f32(float %m)
  %nn = fmul float %n, %n
  %s = fsub float %am, %nn
  store float %s, ptr addrspace(1) %q, align 4
  ret void
}
; One of the quotients has to be exact.
define spir_kernel void @exact(ptr addrspace(1) noalias %y, ptr addrspace(1) noalias %z, float %x) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %id
  %pz = getelementptr inbounds float, ptr addrspace(1) %z, i64 %id
  %in = load float, ptr addrspace(1) %py, align 4
  %a = fdiv float %in, 3.0, !fpmath !0
  %b = fdiv float %in, -3.0
  %pa = call float @llvm.fabs.f32(float %a)
  %pb = call float @llvm.fabs.f32(float %b)
  store float %pa, ptr addrspace(1) %py, align 4
  store float %pb, ptr addrspace(1) %pz, align 4
  ret void
}
!0 = !{float 2.5}

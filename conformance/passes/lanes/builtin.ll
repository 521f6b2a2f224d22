; SPDX-License-Identifier: Apache-2.0
; Builtins that are one instruction of AVX-512 each: made for whole registers, which eight lanes' floats
; are filled up to. A table of 32 entries is two registers. What is left of a row does the same, so that
; no function is called.
; RUN: sl-opt -mcpu=x86-64-v4 -stage=work_group_regions
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define internal void @entry.groups(
; CHECK: %[[LOW:.*]] = load <16 x float>, ptr %2, align 64
; CHECK: %[[UP:.*]] = getelementptr <16 x float>, ptr %2, i32 1
; CHECK: %[[HIGH:.*]] = load <16 x float>, ptr %[[UP]], align 64
; CHECK: call <16 x float> @llvm.x86.avx512.vpermi2var.ps.512(<16 x float> %[[LOW]], <16 x i32> %{{.*}}, <16 x float> %[[HIGH]])
; CHECK-LABEL: define internal void @exponent.groups(
; CHECK: %[[E:.*]] = call <8 x double> @llvm.x86.avx512.mask.getexp.pd.512(<8 x double> %{{.*}}, <8 x double> poison, i8 -1, i32 4)
; CHECK-NEXT: %[[F:.*]] = fptrunc <8 x double> %[[E]] to <8 x float>
; CHECK-NEXT: %[[FULL:.*]] = shufflevector <8 x float> %[[F]], <8 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 poison
; CHECK: call <16 x float> @llvm.x86.avx512.mask.scalef.ps.512(<16 x float> %[[FULL]]
; CHECK-LABEL: define internal void @scale.groups(
; CHECK: call <16 x float> @llvm.x86.avx512.mask.scalef.ps.512(<16 x float> %{{.*}}, <16 x float> splat (float 3.000000e+00), <16 x float> poison, i16 -1, i32 4)
; CHECK: rest:
; CHECK-NOT: call {{.*}}sl_lane
; CHECK: ret void
define spir_kernel void @scale(ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %y) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr float, ptr addrspace(1) %x, i64 %id
  %v = load float, ptr addrspace(1) %p
  %r = call spir_func float @_Z13sl_lane_scaleff(float %v, float 3.0)
  %q = getelementptr float, ptr addrspace(1) %y, i64 %id
  store float %r, ptr addrspace(1) %q
  ret void
}
define spir_kernel void @exponent(ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %y) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr double, ptr addrspace(1) %x, i64 %id
  %v = load double, ptr addrspace(1) %p
  %e = call spir_func double @_Z16sl_lane_exponentd(double %v)
  %f = fptrunc double %e to float
  %g = call spir_func float @_Z13sl_lane_scaleff(float %f, float 2.0)
  %r = fpext float %g to double
  %q = getelementptr double, ptr addrspace(1) %y, i64 %id
  store double %r, ptr addrspace(1) %q
  ret void
}
define spir_kernel void @entry(ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %y, ptr addrspace(2) %table) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %x, i64 %id
  %v = load i32, ptr addrspace(1) %p
  %r = call spir_func float @_Z15sl_lane_entry32PU3AS2Kfj(ptr addrspace(2) %table, i32 %v)
  %q = getelementptr float, ptr addrspace(1) %y, i64 %id
  store float %r, ptr addrspace(1) %q
  ret void
}
define internal spir_func float @_Z13sl_lane_scaleff(float %y, float %n) noinline memory(none) {
  ret float %y
}
define internal spir_func double @_Z16sl_lane_exponentd(double %x) noinline memory(none) {
  ret double %x
}
define internal spir_func float @_Z15sl_lane_entry32PU3AS2Kfj(ptr addrspace(2) %table, i32 %i) noinline memory(none) {
  ret float 0.0
}

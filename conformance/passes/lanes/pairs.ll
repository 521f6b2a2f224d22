; SPDX-License-Identifier: Apache-2.0
; Sixteen items' vectors of four words are regrouped by shuffles of two registers of which each takes every
; second word, twice; back, words by turns: eight shuffles each way. Fields of records that are loaded one
; by one are as well, of a register of eight where words are of 64 bits.
; RUN: sl-opt -mcpu=x86-64-v4
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
; CHECK-LABEL: define internal void @records.groups(
; CHECK: %[[D:.*]] = call <32 x double> @llvm.masked.load
; CHECK-NOT: <8 x i32> <i32 0, i32 4, i32 8,
; CHECK: shufflevector <8 x double> %{{.*}}, <8 x double> %{{.*}}, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
; CHECK-LABEL: define internal void @words.groups(
; CHECK: load <64 x float>
; CHECK-NOT: <16 x i32> <i32 0, i32 4, i32 8,
; CHECK: %[[A:.*]] = shufflevector <16 x float> %{{.*}}, <16 x float> %{{.*}}, <16 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14, i32 16, i32 18, i32 20, i32 22, i32 24, i32 26, i32 28, i32 30>
; CHECK: %[[B:.*]] = shufflevector <16 x float> %{{.*}}, <16 x float> %{{.*}}, <16 x i32> <i32 0, i32 2,
; CHECK: shufflevector <16 x float> %[[A]], <16 x float> %[[B]], <16 x i32> <i32 0, i32 2, i32 4,
; CHECK-NOT: <64 x i32> <i32 0, i32 16,
; CHECK: shufflevector <16 x float> %{{.*}}, <16 x float> %{{.*}}, <16 x i32> <i32 0, i32 16, i32 1, i32 17, i32 2, i32 18, i32 3, i32 19, i32 4, i32 20, i32 5, i32 21, i32 6, i32 22, i32 7, i32 23>
; CHECK: store <64 x float>
define spir_kernel void @words(ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %y) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr <4 x float>, ptr addrspace(1) %x, i64 %id
  %v = load <4 x float>, ptr addrspace(1) %p, align 16
  %a = extractelement <4 x float> %v, i32 0
  %b = extractelement <4 x float> %v, i32 1
  %m = fmul float %a, %b
  %e1 = call float @llvm.sqrt.f32(float %m)
  %e2 = call float @llvm.sqrt.f32(float %e1)
  %w = insertelement <4 x float> %v, float %e2, i32 2
  %q = getelementptr <4 x float>, ptr addrspace(1) %y, i64 %id
  store <4 x float> %w, ptr addrspace(1) %q, align 16
  ret void
}
define spir_kernel void @records(ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %y) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr [4 x double], ptr addrspace(1) %x, i64 %id
  %a = load double, ptr addrspace(1) %p
  %p3 = getelementptr double, ptr addrspace(1) %p, i64 3
  %b = load double, ptr addrspace(1) %p3
  %m = fmul double %a, %b
  %e1 = call double @llvm.sqrt.f64(double %m)
  %q = getelementptr double, ptr addrspace(1) %y, i64 %id
  store double %e1, ptr addrspace(1) %q
  ret void
}
declare float @llvm.sqrt.f32(float)
declare double @llvm.sqrt.f64(double)

; SPDX-License-Identifier: Apache-2.0
; A vector of small elements is one number per item, whose elements are shifted out and in again; bytes do
; not cross the registers of lanes. An element that is nothing in particular does not make its neighbours
; that. What is no machine's number is not taken as one.
; RUN: sl-opt -mcpu=x86-64-v3
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
; From anywhere and to anywhere as well.
; CHECK-LABEL: define internal void @anywhere.groups(
; CHECK-COUNT-16: load i32, ptr %{{.*}}, align 1
; CHECK-NOT: load i8
; CHECK: shl <16 x i32> %{{.*}}, splat (i32 8)
; CHECK-COUNT-16: store i32 %{{.*}}, ptr %{{.*}}, align 1
; CHECK-NOT: store i8
; CHECK: ret void
define spir_kernel void @anywhere(ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %y, ptr addrspace(1) noalias %at) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pa = getelementptr inbounds i64, ptr addrspace(1) %at, i64 %id
  %a = load i64, ptr addrspace(1) %pa, align 8
  %p = getelementptr inbounds <4 x i8>, ptr addrspace(1) %x, i64 %a
  %v = load <4 x i8>, ptr addrspace(1) %p, align 4
  %s = extractelement <4 x i8> %v, i32 3
  %f = uitofp i8 %s to float
  %e1 = call float @llvm.sqrt.f32(float %f)
  %g1 = fmul float %e1, %f
  %g2 = fadd float %g1, %e1
  %g3 = fmul float %g2, %g1
  %g4 = fadd float %g3, %g2
  %g5 = fmul float %g4, %g3
  %g6 = fadd float %g5, %g4
  %g7 = fmul float %g6, %g5
  %g8 = fadd float %g7, %g6
  %g9 = fmul float %g8, %g7
  %r = fptoui float %g9 to i8
  %w = insertelement <4 x i8> %v, i8 %r, i32 1
  %q = getelementptr inbounds <4 x i8>, ptr addrspace(1) %y, i64 %a
  store <4 x i8> %w, ptr addrspace(1) %q, align 4
  ret void
}
; CHECK-LABEL: define internal void @large.groups(
; CHECK-NOT: lshr <{{[0-9]+}} x i
; CHECK-LABEL: define internal void @pixels.groups(
; CHECK: %[[V:.*]] = load <8 x i32>, ptr %{{.*}}, align 4
; CHECK-NEXT: %[[A:.*]] = trunc <8 x i32> %[[V]] to <8 x i8>
; CHECK: %[[HIGH:.*]] = lshr <8 x i32> %[[V]], splat (i32 24)
; CHECK-NEXT: %[[B:.*]] = trunc <8 x i32> %[[HIGH]] to <8 x i8>
; CHECK: uitofp <8 x i8> %[[A]]
; CHECK: %[[S:.*]] = add <8 x i8> %[[B]]
; CHECK: %[[FIXED:.*]] = freeze <8 x i8> %[[S]]
; CHECK: %[[WIDE:.*]] = zext <8 x i8> %[[FIXED]] to <8 x i32>
; CHECK: shl <8 x i32> %[[WIDE]], splat (i32 8)
; CHECK-NOT: <32 x i8>
; CHECK: store <8 x i32>
define spir_kernel void @pixels(ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %y) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr <4 x i8>, ptr addrspace(1) %x, i64 %id
  %v = load <4 x i8>, ptr addrspace(1) %p, align 4
  %a = extractelement <4 x i8> %v, i32 0
  %b = extractelement <4 x i8> %v, i32 3
  %f = uitofp i8 %a to float
  %e1 = call float @llvm.sqrt.f32(float %f)
  %r = fptoui float %e1 to i8
  %s = add i8 %r, %b
  %w = insertelement <4 x i8> %v, i8 %s, i32 1
  %q = getelementptr <4 x i8>, ptr addrspace(1) %y, i64 %id
  store <4 x i8> %w, ptr addrspace(1) %q, align 4
  ret void
}
; Elements of one size become elements of another within their number.
; CHECK-LABEL: define internal void @regrouped.groups(
; CHECK: mul <8 x i16>
; CHECK: or {{.*}}<8 x i32>
; CHECK-NOT: shufflevector
; CHECK: lshr <8 x i32> %{{.*}}, splat (i32 24)
; CHECK-NOT: shufflevector
; CHECK: store <8 x float>
define spir_kernel void @regrouped(ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %y) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr <2 x i16>, ptr addrspace(1) %x, i64 %id
  %v = load <2 x i16>, ptr addrspace(1) %p, align 4
  %w = mul <2 x i16> %v, <i16 3, i16 5>
  %b = bitcast <2 x i16> %w to <4 x i8>
  %first = extractelement <4 x i8> %b, i32 0
  %last = extractelement <4 x i8> %b, i32 3
  %f = sitofp i8 %first to float
  %g = uitofp i8 %last to float
  %r = call float @llvm.sqrt.f32(float %f)
  %s = fadd float %r, %g
  %q = getelementptr float, ptr addrspace(1) %y, i64 %id
  store float %s, ptr addrspace(1) %q, align 4
  ret void
}
define spir_kernel void @large(ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %y) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr <16 x i8>, ptr addrspace(1) %x, i64 %id
  %v = load <16 x i8>, ptr addrspace(1) %p, align 16
  %w = add <16 x i8> %v, splat (i8 1)
  %q = getelementptr <16 x i8>, ptr addrspace(1) %y, i64 %id
  store <16 x i8> %w, ptr addrspace(1) %q, align 16
  ret void
}
declare float @llvm.sqrt.f32(float)

; SPDX-License-Identifier: Apache-2.0
; A vector made of a word's parts, with and without signs, is what lies there, and a word made of a vector's
; elements is these; parts in another order, and of two words, are left.
; RUN: sl-opt -mcpu=x86-64-v4 -stage=simplify
; CHECK-LABEL: @bytes(
; CHECK: %[[V:.*]] = load <4 x i8>, ptr
; CHECK-NOT: lshr
; CHECK-NOT: insertelement
; CHECK: mul <4 x i8> %[[V]], %[[V]]
; CHECK: store <4 x i8>
; CHECK: ret void
; CHECK-LABEL: @shorts(
; CHECK: load <2 x i16>, ptr
; CHECK: sext <2 x i16> %{{.*}} to <2 x i32>
; CHECK-NOT: ashr
; CHECK: ret void
; CHECK-LABEL: @others(
; CHECK: load i32
; CHECK: lshr i32
; CHECK: insertelement
; CHECK: ret void
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
define spir_kernel void @bytes(ptr addrspace(1) noalias %y, ptr addrspace(1) noalias %x) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %px = getelementptr inbounds i32, ptr addrspace(1) %x, i64 %id
  %w = load i32, ptr addrspace(1) %px, align 4
  %s1 = lshr i32 %w, 8
  %s2 = lshr i32 %w, 16
  %e3 = lshr i32 %w, 24
  %e0 = and i32 %w, 255
  %e1 = and i32 %s1, 255
  %e2 = and i32 %s2, 255
  %v0 = insertelement <4 x i32> poison, i32 %e0, i64 0
  %v1 = insertelement <4 x i32> %v0, i32 %e1, i64 1
  %v2 = insertelement <4 x i32> %v1, i32 %e2, i64 2
  %v = insertelement <4 x i32> %v2, i32 %e3, i64 3
  %r = mul <4 x i32> %v, %v
  %r0 = extractelement <4 x i32> %r, i64 0
  %r1 = extractelement <4 x i32> %r, i64 1
  %r2 = extractelement <4 x i32> %r, i64 2
  %r3 = extractelement <4 x i32> %r, i64 3
  %p3 = shl i32 %r3, 24
  %q2 = shl i32 %r2, 16
  %p2 = and i32 %q2, 16711680
  %q1 = shl i32 %r1, 8
  %p1 = and i32 %q1, 65280
  %p0 = and i32 %r0, 255
  %o1 = or disjoint i32 %p3, %p2
  %o2 = or disjoint i32 %o1, %p1
  %o = or disjoint i32 %o2, %p0
  %py = getelementptr inbounds i32, ptr addrspace(1) %y, i64 %id
  store i32 %o, ptr addrspace(1) %py, align 4
  ret void
}
define spir_kernel void @shorts(ptr addrspace(1) noalias %y, ptr addrspace(1) noalias %x) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %px = getelementptr inbounds i32, ptr addrspace(1) %x, i64 %id
  %w = load i32, ptr addrspace(1) %px, align 4
  %u = shl i32 %w, 16
  %e0 = ashr exact i32 %u, 16
  %e1 = ashr i32 %w, 16
  %v0 = insertelement <2 x i32> poison, i32 %e0, i64 0
  %v = insertelement <2 x i32> %v0, i32 %e1, i64 1
  %r = mul <2 x i32> %v, %v
  %py = getelementptr inbounds <2 x i32>, ptr addrspace(1) %y, i64 %id
  store <2 x i32> %r, ptr addrspace(1) %py, align 8
  ret void
}
define spir_kernel void @others(ptr addrspace(1) noalias %y, ptr addrspace(1) noalias %x) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %px = getelementptr inbounds i32, ptr addrspace(1) %x, i64 %id
  %w = load i32, ptr addrspace(1) %px, align 4
  %e1 = lshr i32 %w, 16
  %e0 = and i32 %w, 65535
  %v0 = insertelement <2 x i32> poison, i32 %e1, i64 0
  %v = insertelement <2 x i32> %v0, i32 %e0, i64 1
  %r = mul <2 x i32> %v, %v
  %py = getelementptr inbounds <2 x i32>, ptr addrspace(1) %y, i64 %id
  store <2 x i32> %r, ptr addrspace(1) %py, align 8
  ret void
}

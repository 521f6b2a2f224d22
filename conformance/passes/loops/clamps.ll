; SPDX-License-Identifier: Apache-2.0
; A clamp whose lower end is not reached has the upper one only; where it may be it has both.
; RUN: sl-opt -mcpu=x86-64-v4 -stage=simplify
; CHECK-LABEL: @sum(
; CHECK-NOT: llvm.smax
; CHECK: call {{.*}}min.v4i32
; CHECK-NOT: llvm.smax
; CHECK: ret void
; CHECK-LABEL: @difference(
; CHECK: llvm.smax
; CHECK: ret void
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
declare <4 x i32> @llvm.abs.v4i32(<4 x i32>, i1)
declare <4 x i32> @llvm.smax.v4i32(<4 x i32>, <4 x i32>)
declare <4 x i32> @llvm.smin.v4i32(<4 x i32>, <4 x i32>)
define spir_kernel void @sum(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr <4 x i8>, ptr addrspace(1) %a, i64 %id
  %q = getelementptr <4 x i8>, ptr addrspace(1) %b, i64 %id
  %v = load <4 x i8>, ptr addrspace(1) %p, align 4
  %w = load <4 x i8>, ptr addrspace(1) %q, align 4
  %x = zext <4 x i8> %v to <4 x i32>
  %y = zext <4 x i8> %w to <4 x i32>
  %d = sub nsw <4 x i32> %x, %y
  %y2 = mul nsw <4 x i32> %y, splat (i32 2)
  %e = sub nsw <4 x i32> %y2, %x
  %da = call <4 x i32> @llvm.abs.v4i32(<4 x i32> %d, i1 false)
  %ea = call <4 x i32> @llvm.abs.v4i32(<4 x i32> %e, i1 false)
  %s = add <4 x i32> %da, %ea
  %low = call <4 x i32> @llvm.smax.v4i32(<4 x i32> %s, <4 x i32> zeroinitializer)
  %both = call <4 x i32> @llvm.smin.v4i32(<4 x i32> %low, <4 x i32> splat (i32 255))
  %t = trunc <4 x i32> %both to <4 x i8>
  store <4 x i8> %t, ptr addrspace(1) %q, align 4
  ret void
}
define spir_kernel void @difference(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr <4 x i8>, ptr addrspace(1) %a, i64 %id
  %q = getelementptr <4 x i8>, ptr addrspace(1) %b, i64 %id
  %v = load <4 x i8>, ptr addrspace(1) %p, align 4
  %w = load <4 x i8>, ptr addrspace(1) %q, align 4
  %x = zext <4 x i8> %v to <4 x i32>
  %y = zext <4 x i8> %w to <4 x i32>
  %d = sub nsw <4 x i32> %x, %y
  %low = call <4 x i32> @llvm.smax.v4i32(<4 x i32> %d, <4 x i32> zeroinitializer)
  %t = trunc <4 x i32> %low to <4 x i8>
  store <4 x i8> %t, ptr addrspace(1) %q, align 4
  ret void
}

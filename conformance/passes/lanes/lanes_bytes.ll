; SPDX-License-Identifier: Apache-2.0
; A vector of four bytes is one number per item, and converting to bytes keeps to whole vectors.
; RUN: sl-opt -mcpu=x86-64-v4 -passes=default<O2>
; CHECK: call <16 x i32> @llvm.masked.load
; CHECK-NOT: fptoui.sat
; CHECK: fptosi <16 x float>
; CHECK: call void @llvm.masked.store.v16i32
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
declare <4 x i8> @llvm.fptoui.sat.v4i8.v4f32(<4 x float>)
define spir_kernel void @k(ptr addrspace(1) noalias %y, ptr addrspace(1) noalias %x) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %px = getelementptr inbounds <4 x i8>, ptr addrspace(1) %x, i64 %id
  %py = getelementptr inbounds <4 x i8>, ptr addrspace(1) %y, i64 %id
  %v = load <4 x i8>, ptr addrspace(1) %px, align 4
  %f = uitofp <4 x i8> %v to <4 x float>
  %g = fmul <4 x float> %f, splat (float 1.5)
  %r = call <4 x i8> @llvm.fptoui.sat.v4i8.v4f32(<4 x float> %g)
  store <4 x i8> %r, ptr addrspace(1) %py, align 4
  ret void
}

; SPDX-License-Identifier: Apache-2.0
; Items whose values fill a register each stay in turn where their vector would be taken apart twice: as neighbours up
; to a bound, and lane by lane beyond it. What is computed with the elements one by one gains all the same.
; RUN: sl-opt -mcpu=x86-64-v3
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
declare i32 @llvm.smin.i32(i32, i32)
declare i32 @llvm.smax.i32(i32, i32)

; CHECK-LABEL: define internal void @adds.groups
; CHECK-NOT: <8 x float>
; CHECK: fadd <4 x float>
; CHECK-NOT: <8 x float>
define spir_kernel void @adds(ptr addrspace(1) %y, ptr addrspace(1) %x, i32 %last) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %i = trunc i64 %id to i32
  %next = add nsw i32 %i, 1
  %a = call i32 @llvm.smin.i32(i32 %next, i32 %last)
  %before = add nsw i32 %i, -1
  %b = call i32 @llvm.smax.i32(i32 %before, i32 0)
  %ja = sext i32 %a to i64
  %jb = sext i32 %b to i64
  %pa = getelementptr inbounds <4 x float>, ptr addrspace(1) %x, i64 %ja
  %pb = getelementptr inbounds <4 x float>, ptr addrspace(1) %x, i64 %jb
  %va = load <4 x float>, ptr addrspace(1) %pa, align 16
  %vb = load <4 x float>, ptr addrspace(1) %pb, align 16
  %sum = fadd <4 x float> %va, %vb
  %py = getelementptr inbounds <4 x float>, ptr addrspace(1) %y, i64 %id
  store <4 x float> %sum, ptr addrspace(1) %py, align 16
  ret void
}

; CHECK-LABEL: define internal void @gray.groups
; CHECK: br i1 %sure
; CHECK: mul <32 x i8>
define spir_kernel void @gray(ptr addrspace(1) %y, ptr addrspace(1) %x, i32 %last) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %i = trunc i64 %id to i32
  %next = add nsw i32 %i, 1
  %a = call i32 @llvm.smin.i32(i32 %next, i32 %last)
  %ja = sext i32 %a to i64
  %pa = getelementptr inbounds <4 x i8>, ptr addrspace(1) %x, i64 %ja
  %v = load <4 x i8>, ptr addrspace(1) %pa, align 4
  %r = extractelement <4 x i8> %v, i64 0
  %g = extractelement <4 x i8> %v, i64 1
  %b = extractelement <4 x i8> %v, i64 2
  %rg = mul i8 %r, %g
  %rgb = mul i8 %rg, %b
  %py = getelementptr inbounds i8, ptr addrspace(1) %y, i64 %id
  store i8 %rgb, ptr addrspace(1) %py, align 1
  ret void
}

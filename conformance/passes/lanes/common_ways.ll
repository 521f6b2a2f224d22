; SPDX-License-Identifier: Apache-2.0
; What both ways of a branch begin with is read once, in front of it; an index that is not negative is widened as
; one with a sign, so that lanes are gathered by words.
; RUN: sl-opt -mcpu=x86-64-v4 -fast-gathers
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define internal void @ways.groups
; CHECK: sext <16 x i32> %{{.*}} to <16 x i64>
; CHECK: call <16 x float> @llvm.masked.gather.v16f32{{.*}} splat (i1 true)
; CHECK: call <16 x float> @llvm.masked.gather.v16f32{{.*}} %mask
; CHECK-NOT: @llvm.masked.gather
; CHECK: ret void
define spir_kernel void @ways(ptr addrspace(1) %y, ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %i, i32 %n) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pi = getelementptr inbounds i32, ptr addrspace(1) %i, i64 %id
  %at = load i32, ptr addrspace(1) %pi, align 4
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %id
  %even = and i64 %id, 2
  %up = icmp eq i64 %even, 0
  br i1 %up, label %a, label %b
a:
  %wa = zext nneg i32 %at to i64
  %pa = getelementptr inbounds float, ptr addrspace(1) %x, i64 %wa
  %va = load float, ptr addrspace(1) %pa, align 4
  %ca = fcmp ogt float %va, 1.0
  br i1 %ca, label %c, label %end
b:
  %wb = zext nneg i32 %at to i64
  %pb = getelementptr inbounds float, ptr addrspace(1) %x, i64 %wb
  %vb = load float, ptr addrspace(1) %pb, align 4
  %cb = fcmp olt float %vb, 1.0
  br i1 %cb, label %c, label %end
c:
  store float 3.0, ptr addrspace(1) %py, align 4
  br label %end
end:
  ret void
}

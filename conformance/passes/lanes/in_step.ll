; SPDX-License-Identifier: Apache-2.0
; The dot product of a row and a column: the loop over k is the outer one, items are vectors.
; RUN: sl-opt -mcpu=x86-64 -passes=default<O2>
; CHECK: ; kernel k flags 4
; CHECK: vector.body:
; CHECK: load <4 x float>
; CHECK: call <4 x float> @llvm.fmuladd
; CHECK: store <4 x float>
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
declare float @llvm.fmuladd.f32(float, float, float)
define spir_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, i64 %n) {
entry:
  %x = call spir_func i64 @_Z13get_global_idj(i32 0)
  br label %head
head:
  %k = phi i64 [ 0, %entry ], [ %k1, %body ]
  %s = phi float [ 0.0, %entry ], [ %s1, %body ]
  %more = icmp ult i64 %k, %n
  br i1 %more, label %body, label %end
body:
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %k
  %va = load float, ptr addrspace(1) %pa
  %row = mul i64 %k, %n
  %at = add i64 %row, %x
  %pb = getelementptr float, ptr addrspace(1) %b, i64 %at
  %vb = load float, ptr addrspace(1) %pb
  %s1 = call float @llvm.fmuladd.f32(float %va, float %vb, float %s)
  %k1 = add i64 %k, 1
  br label %head
end:
  %pc = getelementptr float, ptr addrspace(1) %c, i64 %x
  store float %s, ptr addrspace(1) %pc
  ret void
}

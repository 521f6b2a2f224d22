; SPDX-License-Identifier: Apache-2.0
; A tile's column is a sum of 32 bits, which may wrap around: the next round's lines are fetched all
; the same, from where the first lane says, and in front of the barrier.
; RUN: sl-opt -mcpu=x86-64-v3 -passes=default<O2>
; CHECK: load <8 x float>
; CHECK-NOT: br i1
; CHECK: call void @llvm.prefetch
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func i64 @_Z12get_group_idj(i32)
declare spir_func void @_Z7barrierj(i32) convergent
@tile = internal addrspace(3) global [32 x float] poison
define spir_kernel void @k(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b, i32 %n) {
entry:
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %g = call spir_func i64 @_Z12get_group_idj(i32 0)
  %l32 = trunc i64 %l to i32
  %g32 = trunc i64 %g to i32
  %from = shl i32 %g32, 5
  %column = add i32 %from, %l32
  %column64 = sext i32 %column to i64
  %n64 = zext i32 %n to i64
  %mine = getelementptr [32 x float], ptr addrspace(3) @tile, i64 0, i64 %l
  br label %round
round:
  %row = phi i64 [ 0, %entry ], [ %next, %round ]
  %s = phi float [ 0.0, %entry ], [ %sum, %round ]
  %begin = mul nuw nsw i64 %row, %n64
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %begin
  %pv = getelementptr float, ptr addrspace(1) %pa, i64 %column64
  %v = load float, ptr addrspace(1) %pv
  store float %v, ptr addrspace(3) %mine
  call spir_func void @_Z7barrierj(i32 1) convergent
  %other = xor i64 %l, 1
  %pw = getelementptr [32 x float], ptr addrspace(3) @tile, i64 0, i64 %other
  %w = load float, ptr addrspace(3) %pw
  %sum = fadd float %s, %w
  call spir_func void @_Z7barrierj(i32 1) convergent
  %next = add nuw nsw i64 %row, 32
  %more = icmp ult i64 %next, %n64
  br i1 %more, label %round, label %end
end:
  %pb = getelementptr float, ptr addrspace(1) %b, i64 %column64
  store float %sum, ptr addrspace(1) %pb
  ret void
}

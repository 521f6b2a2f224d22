; SPDX-License-Identifier: Apache-2.0
; An argument that ids are multiplied by is 1, most likely: the code asks for it, and makes one access of neighbours;
; or a gather. Also if a struct has it, and another one's product is added, a row's begin. Not where a loop's counter is
; added, or an id, for then it is the length of a row. The same place in the next plane, as far away as the launch says.
; RUN: sl-opt -mcpu=x86-64-v4
; CHECK-LABEL: define internal void @column.groups(
; CHECK-NOT: near
; CHECK: call <16 x float> @llvm.masked.gather
; CHECK-NOT: near
; CHECK: ret void
; CHECK-LABEL: define internal void @rows.groups(
; CHECK-NOT: near
; CHECK: call <16 x float> @llvm.masked.gather
; CHECK-NOT: near
; CHECK: ret void
; CHECK-LABEL: define internal void @shaped.groups(
; CHECK: br i1 %{{[0-9a-z]+}}, label %near
; CHECK: near:
; CHECK: load <16 x float>
; CHECK: each:
; CHECK: call <16 x float> @llvm.masked.gather
; CHECK: each{{[0-9]*}}:
; CHECK: call <16 x float> @llvm.masked.gather
; CHECK: ret void
; CHECK-LABEL: define internal void @strided.groups(
; CHECK: %[[ONE:[0-9]+]] = icmp eq i32 %3, 1
; CHECK: br i1 %{{[0-9a-z]+}}, label %near
; CHECK: near:
; CHECK: load <16 x float>
; CHECK: each:
; CHECK: call <16 x float> @llvm.masked.gather
; CHECK: ret void
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
define spir_kernel void @column(ptr addrspace(1) %y, ptr addrspace(1) %x, i32 %n) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %id1 = call spir_func i64 @_Z13get_global_idj(i32 1)
  %i = trunc i64 %id to i32
  %c = trunc i64 %id1 to i32
  %far = mul nsw i32 %i, %n
  %sum = add nsw i32 %far, %c
  %j = sext i32 %sum to i64
  %px = getelementptr inbounds float, ptr addrspace(1) %x, i64 %j
  %vx = load float, ptr addrspace(1) %px, align 4
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %id
  store float %vx, ptr addrspace(1) %py, align 4
  ret void
}
%shape = type { [2 x i64], i64 }
define spir_kernel void @shaped(ptr addrspace(1) %y, ptr addrspace(1) %x, ptr byval(%shape) align 8 %s) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %id1 = call spir_func i64 @_Z13get_global_idj(i32 1)
  %i = trunc i64 %id to i32
  %r = trunc i64 %id1 to i32
  %s0 = load i64, ptr %s, align 8
  %inc = trunc i64 %s0 to i32
  %p1 = getelementptr i8, ptr %s, i64 8
  %s1 = load i64, ptr %p1, align 8
  %pitch = trunc i64 %s1 to i32
  %far = mul nsw i32 %i, %inc
  %row = mul nsw i32 %r, %pitch
  %sum = add nsw i32 %far, %row
  %j = sext i32 %sum to i64
  %px = getelementptr inbounds float, ptr addrspace(1) %x, i64 %j
  %vx = load float, ptr addrspace(1) %px, align 4
  %p2 = getelementptr i8, ptr %s, i64 16
  %s2 = load i64, ptr %p2, align 8
  %plane = trunc i64 %s2 to i32
  %on = add nsw i32 %sum, %plane
  %j1 = sext i32 %on to i64
  %b1 = shl nsw i64 %j1, 2
  %px1 = getelementptr inbounds i8, ptr addrspace(1) %x, i64 %b1
  %vx1 = load float, ptr addrspace(1) %px1, align 4
  %both = fadd float %vx, %vx1
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %id
  store float %both, ptr addrspace(1) %py, align 4
  ret void
}
define spir_kernel void @strided(ptr addrspace(1) %y, ptr addrspace(1) %x, i32 %from, i32 %inc) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %i = trunc i64 %id to i32
  %far = mul nsw i32 %i, %inc
  %sum = add nsw i32 %far, %from
  %j = sext i32 %sum to i64
  %px = getelementptr inbounds float, ptr addrspace(1) %x, i64 %j
  %vx = load float, ptr addrspace(1) %px, align 4
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %id
  store float %vx, ptr addrspace(1) %py, align 4
  ret void
}
define spir_kernel void @rows(ptr addrspace(1) %y, ptr addrspace(1) %x, i32 %n) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %i = trunc i64 %id to i32
  %row = mul nsw i32 %i, %n
  br label %next
next:
  %k = phi i32 [ 0, %entry ], [ %k1, %next ]
  %s = phi float [ 0.0, %entry ], [ %s1, %next ]
  %sum = add nsw i32 %row, %k
  %j = sext i32 %sum to i64
  %px = getelementptr inbounds float, ptr addrspace(1) %x, i64 %j
  %vx = load float, ptr addrspace(1) %px, align 4
  %s1 = fadd float %s, %vx
  %k1 = add i32 %k, 1
  %more = icmp slt i32 %k1, %n
  br i1 %more, label %next, label %end
end:
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %id
  store float %s1, ptr addrspace(1) %py, align 4
  ret void
}

; SPDX-License-Identifier: Apache-2.0
; What a loop scatters comes back slowly to a gather of the next turn. Not where an inner loop lies between: a sum for
; each element of a column goes in vectors.
; RUN: sl-opt -mcpu=x86-64-v4 -remarks
; CHECK: column: 16 items cost {{[1-5][0-9][0-9][0-9]}} at once
; CHECK-LABEL: define internal void @column.groups(
; CHECK: @llvm.masked.gather.v{{[0-9]+}}f32
; CHECK: call void @llvm.masked.scatter.v{{[0-9]+}}f32
; CHECK: ret void
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
define spir_kernel void @column(ptr addrspace(1) noalias %sums, ptr addrspace(1) %data, i64 %m, i64 %n) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %row = mul i64 %id, %m
  %right = add nuw nsw i64 %id, 1
  %some = icmp slt i64 %right, %m
  br i1 %some, label %outer, label %end
outer:
  %j = phi i64 [ %right, %entry ], [ %j1, %behind ]
  %at = add i64 %row, %j
  %ps = getelementptr float, ptr addrspace(1) %sums, i64 %at
  %first = load float, ptr addrspace(1) %ps
  br label %inner
inner:
  %k = phi i64 [ 0, %outer ], [ %k1, %inner ]
  %s = phi float [ %first, %outer ], [ %s1, %inner ]
  %line = mul i64 %k, %m
  %one = add i64 %line, %id
  %pa = getelementptr float, ptr addrspace(1) %data, i64 %one
  %a = load float, ptr addrspace(1) %pa
  %two = add i64 %line, %j
  %pb = getelementptr float, ptr addrspace(1) %data, i64 %two
  %b = load float, ptr addrspace(1) %pb
  %ab = fmul float %a, %b
  %s1 = fadd float %s, %ab
  %k1 = add i64 %k, 1
  %on = icmp slt i64 %k1, %n
  br i1 %on, label %inner, label %behind
behind:
  store float %s1, ptr addrspace(1) %ps
  %back = mul i64 %j, %m
  %below = add i64 %back, %id
  %pt = getelementptr float, ptr addrspace(1) %sums, i64 %below
  %again = load float, ptr addrspace(1) %ps
  store float %again, ptr addrspace(1) %pt
  %j1 = add i64 %j, 1
  %more = icmp slt i64 %j1, %m
  br i1 %more, label %outer, label %end
end:
  ret void
}

; SPDX-License-Identifier: Apache-2.0
; lanes_few_rows.ll for AVX2, where an item's six doubles are two registers: with 32 items at once to compare
; rows would be a hundred instructions for each access, which takes longer than to go to each lane's, here and
; to build.
; RUN: sl-opt -mcpu=x86-64-v3 -stage=work_group_regions
; CHECK-LABEL: define internal void @k.groups
; CHECK: alloca [32 x [6 x double]], align 64
; CHECK-NOT: select <32 x i1> {{.*}}, <32 x double>
; CHECK: store double
; CHECK-NOT: select <32 x i1> {{.*}}, <32 x double>
; CHECK: ret void
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
define spir_kernel void @k(ptr addrspace(1) align 8 %y, ptr addrspace(1) align 4 %x, i32 %n) {
entry:
  %a = alloca [6 x double], align 8
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %px = getelementptr inbounds i32, ptr addrspace(1) %x, i64 %id
  %py = getelementptr inbounds double, ptr addrspace(1) %y, i64 %id
  %first = load i32, ptr addrspace(1) %px, align 4
  %v = load double, ptr addrspace(1) %py, align 8
  br label %round
round:
  %r = phi i32 [ 0, %entry ], [ %next, %round ]
  %i = phi i32 [ %first, %entry ], [ %random, %round ]
  %s = phi double [ %v, %entry ], [ %sum, %round ]
  %product = mul i32 %i, 1664525
  %random = add i32 %product, 1013904223
  %one = urem i32 %random, 6
  %at = zext i32 %one to i64
  %to = getelementptr inbounds [6 x double], ptr %a, i64 0, i64 %at
  store double %s, ptr %to, align 8
  %high = lshr i32 %random, 8
  %other = urem i32 %high, 6
  %from.at = zext i32 %other to i64
  %from = getelementptr inbounds [6 x double], ptr %a, i64 0, i64 %from.at
  %w = load double, ptr %from, align 8
  %half = fmul double %s, 5.000000e-01
  %sum = fadd double %half, %w
  %next = add nuw nsw i32 %r, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %round, label %end
end:
  store double %sum, ptr addrspace(1) %py, align 8
  ret void
}

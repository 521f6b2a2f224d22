; SPDX-License-Identifier: Apache-2.0
; A private array whose rows are few, at an index of each item's own: all of them are compared, loaded and
; stored whole, so that LLVM keeps them in registers.
; RUN: sl-opt -mcpu=x86-64-v4 -stage=work_group_regions
; CHECK-LABEL: define internal void @k.groups
; CHECK: alloca [16 x [3 x float]], align 64
; CHECK: icmp eq <16 x i32>
; CHECK: select <16 x i1> {{.*}}, <16 x float>
; CHECK-NEXT: store <16 x float> {{.*}}, align 64
; CHECK: icmp eq <16 x i32>
; CHECK: select <16 x i1> {{.*}}, <16 x float>
; CHECK-NEXT: store <16 x float> {{.*}}, align 64
; CHECK: icmp eq <16 x i32>
; CHECK: select <16 x i1> {{.*}}, <16 x float>
; CHECK-NEXT: store <16 x float> {{.*}}, align 64
; CHECK-NOT: store float
; CHECK-NOT: @llvm.masked.gather.v16f32
; CHECK: ret void
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
define spir_kernel void @k(ptr addrspace(1) align 8 %y, ptr addrspace(1) align 8 %x) {
  %a = alloca [3 x float], align 8
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %px = getelementptr inbounds i32, ptr addrspace(1) %x, i64 %id
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %id
  %i = load i32, ptr addrspace(1) %px, align 4
  %v = load float, ptr addrspace(1) %py, align 8
  %one = urem i32 %i, 3
  %at = zext i32 %one to i64
  %to = getelementptr inbounds [3 x float], ptr %a, i64 0, i64 %at
  store float %v, ptr %to, align 8
  %next = lshr i32 %i, 8
  %other = urem i32 %next, 3
  %from.at = zext i32 %other to i64
  %from = getelementptr inbounds [3 x float], ptr %a, i64 0, i64 %from.at
  %w = load float, ptr %from, align 8
  store float %w, ptr addrspace(1) %py, align 8
  ret void
}

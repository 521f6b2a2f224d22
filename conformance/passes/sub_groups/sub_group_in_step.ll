; SPDX-License-Identifier: Apache-2.0
; A kernel whose items do something together where all of a sub-group come has a second form, whose vectors
; are the sub-groups: a sum is halves of a register added, a shuffle one instruction. It is for launches
; whose rows are whole sub-groups, or whose groups are one row. Where items part before that, those take
; part that are there: lanes of the block's mask.
; RUN: sl-opt -mcpu=x86-64-v4 -shared-pipes
target triple = "spir64-unknown-unknown"
declare spir_func void @__sl_sub_group_meet()
declare spir_func void @__sl_sub_group_stop()
declare spir_func ptr @__sl_sub_group_memory()
declare spir_func i32 @_Z22get_sub_group_local_idv()
declare spir_func i32 @_Z18get_sub_group_sizev()
declare spir_func i64 @_Z13get_global_idj(i32)
define spir_func i32 @_Z20sub_group_reduce_addi(i32 %x) alwaysinline convergent "sl-builtin" {
  call spir_func void @__sl_sub_group_meet()
  %room = call spir_func ptr @__sl_sub_group_memory()
  %a = load i32, ptr %room
  %sum = add i32 %a, %x
  store i32 %sum, ptr %room
  call spir_func void @__sl_sub_group_meet()
  %all = load i32, ptr %room
  ret i32 %all
}
define spir_func float @_Z17sub_group_shufflefj(float %x, i32 %from) alwaysinline convergent "sl-builtin" {
  call spir_func void @__sl_sub_group_stop()
  %room = call spir_func ptr @__sl_sub_group_memory()
  store float %x, ptr %room
  call spir_func void @__sl_sub_group_stop()
  %all = load float, ptr %room
  ret float %all
}

; CHECK-LABEL: define internal void @exchange.groups(
; CHECK: choose:
; CHECK-LABEL: define internal void @parted.groups(
; CHECK: choose:
; CHECK-LABEL: define internal void @sum.groups(
; CHECK: choose:
; CHECK-LABEL: define internal void @exchange.in_step.groups(
; CHECK-NOT: choose:
; CHECK: call <16 x i32> @llvm.x86.avx512.vpermi2var.d.512(
; CHECK: call <16 x i32> @llvm.x86.avx512.vpermi2var.d.512(
define spir_kernel void @exchange(ptr addrspace(1) %x, ptr addrspace(1) %from) {
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %at = getelementptr float, ptr addrspace(1) %x, i64 %i
  %v = load float, ptr addrspace(1) %at
  %f = getelementptr i32, ptr addrspace(1) %from, i64 %i
  %whose = load i32, ptr addrspace(1) %f
  %s = call spir_func float @_Z17sub_group_shufflefj(float %v, i32 %whose)
  store float %s, ptr addrspace(1) %at
  ret void
}

; What the others have is nothing to the sum, and they skip it where nobody comes.
; CHECK-LABEL: define internal void @parted.in_step.groups(
; CHECK-NOT: choose:
; CHECK: %[[SOME:.*]] = fcmp ogt <32 x float>
; CHECK: br i1 %any, label %some,
; CHECK: some:
; CHECK: select <32 x i1> %[[SOME]], <32 x i32> %{{.*}}, <32 x i32> zeroinitializer
; CHECK: shufflevector <32 x i32> %{{.*}} <i32 16,
; CHECK: call void @llvm.masked.store.v32i32.p0({{.*}}, <32 x i1> %[[SOME]])
define spir_kernel void @parted(ptr addrspace(1) %x) {
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %at = getelementptr float, ptr addrspace(1) %x, i64 %i
  %v = load float, ptr addrspace(1) %at
  %c = fcmp ogt float %v, 0.0
  br i1 %c, label %some, label %end
some:
  %n = fptosi float %v to i32
  %s = call spir_func i32 @_Z20sub_group_reduce_addi(i32 %n)
  store i32 %s, ptr addrspace(1) %at
  br label %end
end:
  ret void
}

; The last sub-group's missing items add nothing; then 16, 8, 4, 2 and 1 items' sums.
; CHECK-LABEL: define internal void @sum.in_step.groups(
; CHECK-NOT: choose:
; CHECK: shufflevector <32 x i32> %{{.*}} <i32 16,
; CHECK: shufflevector <16 x i32> %{{.*}} <i32 8,
; CHECK: shufflevector <2 x i32> %{{.*}} <i32 1>
; CHECK: select <32 x i1> %mask, <32 x i32> %{{.*}}, <32 x i32> zeroinitializer
; CHECK: shufflevector <32 x i32> %{{.*}} <i32 16,
define spir_kernel void @sum(ptr addrspace(1) %x) {
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %at = getelementptr i32, ptr addrspace(1) %x, i64 %i
  %v = load i32, ptr addrspace(1) %at
  %s = call spir_func i32 @_Z20sub_group_reduce_addi(i32 %v)
  store i32 %s, ptr addrspace(1) %at
  ret void
}

; The entry asks the launch: more rows than one that are no whole sub-groups, or ids too far.
; CHECK: %rows = mul i64
; CHECK: %over = and i64 %{{.*}}, 31
; CHECK: icmp ugt i64 %{{.*}}, 1073741824
; CHECK: br i1 %{{.*}}, label %[[APART:.*]], label %[[STEP:.*]]
; CHECK: [[APART]]:
; CHECK: call void @exchange.kernel(
; CHECK: [[STEP]]:
; CHECK: call void @exchange.in_step.kernel(

; SPDX-License-Identifier: Apache-2.0
; Rows in dimension 0, columns in dimension 1: they change places. Of a transposition's two they do
; not. Where the kernel asks for its place in the group, or items meet, it has both forms.
; RUN: sl-opt -mcpu=x86-64-v3 -shared-pipes -stage=simplify
; CHECK-LABEL: @rows(
; CHECK-DAG: call i64 @sl.wi.3.1()
; CHECK-DAG: call i32 @sl.wi.9.0()
; CHECK: ret void
; CHECK-LABEL: @stretched(
; CHECK-DAG: %[[C:.*]] = call i64 @sl.wi.3.1()
; CHECK-DAG: mul i64 %width, %[[C]]
; CHECK: ret void
; CHECK-LABEL: @planes(
; CHECK-DAG: call i64 @sl.wi.3.2()
; CHECK-DAG: call i64 @sl.wi.1.0()
; CHECK-DAG: call i64 @sl.wi.3.0()
; CHECK: ret void
; CHECK-LABEL: @transposition(
; CHECK-DAG: %[[X:.*]] = call i64 @sl.wi.3.0()
; CHECK-DAG: %[[Y:.*]] = call i64 @sl.wi.3.1()
; CHECK-DAG: mul i64 %width, %[[Y]]
; CHECK: ret void
; CHECK-LABEL: @in_groups(
; CHECK-DAG: %[[R:.*]] = call i64 @sl.wi.3.1()
; CHECK-DAG: call i64 @sl.wi.6.0()
; CHECK-DAG: mul i64 %width, %[[R]]
; CHECK: ret void
; CHECK-LABEL: @meeting(
; CHECK-DAG: call i64 @sl.wi.6.1()
; CHECK-DAG: call i64 @sl.wi.6.0()
; CHECK: @sl.barrier
; CHECK: ret void
; CHECK-LABEL: @columns(
; CHECK: call i64 @sl.wi.6.0()
; CHECK-NOT: @sl.wi.6.1
; CHECK: @sl.barrier
; CHECK: ret void
; CHECK-LABEL: @in_groups.as_written(
; CHECK-DAG: %[[S:.*]] = call i64 @sl.wi.3.0()
; CHECK-DAG: call i64 @sl.wi.6.1()
; CHECK-DAG: mul i64 %width, %[[S]]
; CHECK: ret void
; CHECK-LABEL: @meeting.as_written(
; CHECK: ret void
; CHECK-NOT: @columns.as_written
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func i64 @_Z15get_global_sizej(i32)
define spir_kernel void @rows(ptr addrspace(1) %y, ptr addrspace(1) %x, i32 %width) {
  %row = call spir_func i64 @_Z13get_global_idj(i32 0)
  %column = call spir_func i64 @_Z13get_global_idj(i32 1)
  %r = trunc i64 %row to i32
  %c = trunc i64 %column to i32
  %first = mul nsw i32 %r, %width
  %at = add nsw i32 %first, %c
  %i = sext i32 %at to i64
  %px = getelementptr inbounds float, ptr addrspace(1) %x, i64 %i
  %vx = load float, ptr addrspace(1) %px, align 4
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %i
  store float %vx, ptr addrspace(1) %py, align 4
  ret void
}
declare float @llvm.fmuladd.f32(float, float, float)
declare float @llvm.floor.f32(float)
declare i32 @llvm.smin.i32(i32, i32)
declare void @llvm.trap()
define spir_kernel void @stretched(ptr addrspace(1) %y, ptr addrspace(1) %x, i64 %width, float %scale, float %offset, i32 %last, i1 %wrong) {
  %channel = call spir_func i64 @_Z13get_global_idj(i32 0)
  %column = call spir_func i64 @_Z13get_global_idj(i32 1)
  %c = trunc i64 %column to i32
  %f = sitofp i32 %c to float
  %p = call float @llvm.fmuladd.f32(float %f, float %scale, float %offset)
  %down = call float @llvm.floor.f32(float %p)
  %near = fptosi float %down to i32
  %at = call i32 @llvm.smin.i32(i32 %near, i32 %last)
  %first = mul i64 %channel, %width
  %wide = sext i32 %at to i64
  %from = add i64 %first, %wide
  %px = getelementptr inbounds <4 x float>, ptr addrspace(1) %x, i64 %from
  %v0 = load <4 x float>, ptr addrspace(1) %px, align 16
  %beside = getelementptr inbounds i8, ptr addrspace(1) %px, i64 16
  %v1 = load <4 x float>, ptr addrspace(1) %beside, align 16
  %sum = fadd <4 x float> %v0, %v1
  br i1 %wrong, label %trap, label %go
go:
  %to = add i64 %first, %column
  %py = getelementptr inbounds <4 x float>, ptr addrspace(1) %y, i64 %to
  store <4 x float> %sum, ptr addrspace(1) %py, align 16
  ret void
trap:
  call void @llvm.trap()
  unreachable
}
define spir_kernel void @planes(ptr addrspace(1) %y) {
  %plane = call spir_func i64 @_Z13get_global_idj(i32 0)
  %column = call spir_func i64 @_Z13get_global_idj(i32 2)
  %width = call spir_func i64 @_Z15get_global_sizej(i32 2)
  %first = mul i64 %plane, %width
  %at = add i64 %first, %column
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %at
  store float 1.0, ptr addrspace(1) %py, align 4
  ret void
}
define spir_kernel void @transposition(ptr addrspace(1) %y, ptr addrspace(1) %x, i64 %width, i64 %height) {
  %c = call spir_func i64 @_Z13get_global_idj(i32 0)
  %r = call spir_func i64 @_Z13get_global_idj(i32 1)
  %first = mul i64 %r, %width
  %from = add i64 %first, %c
  %px = getelementptr inbounds float, ptr addrspace(1) %x, i64 %from
  %vx = load float, ptr addrspace(1) %px, align 4
  %other = mul i64 %c, %height
  %to = add i64 %other, %r
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %to
  store float %vx, ptr addrspace(1) %py, align 4
  ret void
}
define spir_kernel void @in_groups(ptr addrspace(1) %y, i64 %width) {
  %row = call spir_func i64 @_Z13get_global_idj(i32 0)
  %column = call spir_func i64 @_Z13get_global_idj(i32 1)
  %local = call spir_func i64 @_Z12get_local_idj(i32 1)
  %first = mul i64 %row, %width
  %at = add i64 %first, %column
  %py = getelementptr inbounds i64, ptr addrspace(1) %y, i64 %at
  store i64 %local, ptr addrspace(1) %py, align 8
  ret void
}
declare spir_func void @_Z7barrierj(i32)
define spir_kernel void @meeting(ptr addrspace(1) %y, ptr addrspace(3) %tile, i64 %width) {
  %row = call spir_func i64 @_Z12get_local_idj(i32 0)
  %column = call spir_func i64 @_Z12get_local_idj(i32 1)
  %first = mul i64 %row, %width
  %at = add i64 %first, %column
  %pt = getelementptr inbounds i64, ptr addrspace(3) %tile, i64 %at
  store i64 %row, ptr addrspace(3) %pt, align 8
  call spir_func void @_Z7barrierj(i32 1)
  %left = xor i64 %at, 1
  %pl = getelementptr inbounds i64, ptr addrspace(3) %tile, i64 %left
  %v = load i64, ptr addrspace(3) %pl, align 8
  %py = getelementptr inbounds i64, ptr addrspace(1) %y, i64 %at
  store i64 %v, ptr addrspace(1) %py, align 8
  ret void
}
; Nobody asks for an id along dimension 0: groups are columns, wherever in memory they are.
declare spir_func i64 @_Z12get_group_idj(i32)
define spir_kernel void @columns(ptr addrspace(1) %y, i64 %pitch) convergent {
  %column = call spir_func i64 @_Z12get_group_idj(i32 0)
  %row = call spir_func i64 @_Z12get_local_idj(i32 1)
  %first = mul i64 %row, %pitch
  %i = add i64 %first, %column
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %i
  %v = load float, ptr addrspace(1) %py, align 4
  call spir_func void @_Z7barrierj(i32 2) convergent
  %w = fadd float %v, 1.0
  store float %w, ptr addrspace(1) %py, align 4
  ret void
}

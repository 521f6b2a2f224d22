; SPDX-License-Identifier: Apache-2.0
; A private array that is filled and copied as a whole is laid out by lane as well: its rows are
; stored one by one, many of them in a loop.
; RUN: sl-opt -mcpu=x86-64-v3 -stage=work_group_regions
; CHECK-LABEL: define internal void @k.groups
; CHECK: %[[B:[0-9]+]] = alloca [8 x [100 x i8]], align 64
; CHECK: %[[A:[0-9]+]] = alloca [8 x [6 x i32]], align 64
; CHECK-NOT: llvm.memset
; CHECK: store <8 x i32> splat (i32 4), ptr %[[A]], align 32
; CHECK: %[[ROW:[0-9]+]] = getelementptr [8 x i8], ptr %[[B]], i64
; CHECK: store <8 x i8> splat (i8 1), ptr %[[ROW]], align 8
target triple = "spir64-unknown-unknown"
@table = internal constant [6 x i32] [i32 4, i32 2, i32 7, i32 9, i32 1, i32 3], align 4
declare spir_func i64 @_Z13get_global_idj(i32)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
define spir_kernel void @k(ptr addrspace(1) align 4 %x) {
  %a = alloca [6 x i32], align 4
  %b = alloca [100 x i8], align 1
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %a, ptr align 4 @table, i64 24, i1 false)
  call void @llvm.memset.p0.i64(ptr %b, i8 1, i64 100, i1 false)
  %px = getelementptr inbounds i32, ptr addrspace(1) %x, i64 %id
  %v = load i32, ptr addrspace(1) %px, align 4
  %low = urem i32 %v, 6
  %own = zext i32 %low to i64
  %mine = getelementptr inbounds [6 x i32], ptr %a, i64 0, i64 %own
  %other = xor i64 %own, 1
  %near = getelementptr inbounds [6 x i32], ptr %a, i64 0, i64 %other
  store i32 %v, ptr %near, align 4
  %r = load i32, ptr %mine, align 4
  %there = getelementptr inbounds [100 x i8], ptr %b, i64 0, i64 %own
  %byte = load i8, ptr %there, align 1
  %wide = zext i8 %byte to i32
  %sum = add i32 %r, %wide
  store i32 %sum, ptr addrspace(1) %px, align 4
  ret void
}

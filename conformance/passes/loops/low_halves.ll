; SPDX-License-Identifier: Apache-2.0
; An id that is kept in an int is a value of its own, also where a compiler has written shifts for it before.
; RUN: sl-opt -mcpu=x86-64-v3 -stage=simplify
; CHECK-LABEL: @shifts(
; CHECK-NOT: shl i64
; CHECK: %[[LOW:.*]] = call i32 @sl.wi.10.0()
; CHECK: zext nneg i32 %[[LOW]] to i64
; CHECK-NOT: ashr i64
; CHECK: ret void
; CHECK-LABEL: @other(
; CHECK-NOT: @sl.wi.10.0()
; CHECK: ret void
; CHECK-LABEL: @behind(
; CHECK: %[[ID:.*]] = call i32 @sl.wi.9.0()
; CHECK: sext i32 %[[ID]] to i64
; CHECK: i64 8
; CHECK-NOT: ashr
; CHECK: ret void
; CHECK-LABEL: @unaligned(
; CHECK: ashr
; CHECK: ret void
; CHECK-LABEL: @masked(
; CHECK: %[[SUM:.*]] = add nuw nsw i32 %{{.*}}, 63
; CHECK-NEXT: and i32 %[[SUM]], 63
; CHECK-NOT: and i64
; CHECK: ret void
; CHECK-LABEL: @wide(
; CHECK: and i64 %{{.*}}, 4294967295
; CHECK: ret void
; Nor is what a compiler says of it in the way: LLVM's passes have had the use of that.
; CHECK-LABEL: @bounded(
; CHECK-NOT: @llvm.assume
; CHECK: @llvm.assume
; CHECK-NOT: @llvm.assume
; CHECK: ret void
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func i64 @_Z13get_global_idj(i32)
define spir_kernel void @shifts(ptr addrspace(1) %y, ptr addrspace(1) %x) {
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %up = shl i64 %id, 32
  %i = ashr exact i64 %up, 32
  %low = trunc i64 %id to i32
  %py = getelementptr inbounds i32, ptr addrspace(1) %y, i64 %i
  store i32 %low, ptr addrspace(1) %py, align 4
  ret void
}
define spir_kernel void @other(ptr addrspace(1) %y, i64 %n) {
  %up = shl i64 %n, 32
  %i = ashr exact i64 %up, 32
  %py = getelementptr inbounds i32, ptr addrspace(1) %y, i64 %i
  store i32 1, ptr addrspace(1) %py, align 4
  ret void
}
define spir_kernel void @behind(ptr addrspace(1) %y) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %up = shl i64 %id, 32
  %more = add i64 %up, 8589934592
  %i = ashr exact i64 %more, 30
  %py = getelementptr inbounds i8, ptr addrspace(1) %y, i64 %i
  store i32 1, ptr addrspace(1) %py, align 4
  ret void
}
define spir_kernel void @unaligned(ptr addrspace(1) %y) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %up = shl i64 %id, 32
  %more = add i64 %up, 8589934593
  %i = ashr i64 %more, 30
  %py = getelementptr inbounds i8, ptr addrspace(1) %y, i64 %i
  store i8 1, ptr addrspace(1) %py, align 1
  ret void
}
define spir_kernel void @masked(ptr addrspace(1) %y) {
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %more = add i64 %id, 63
  %i = and i64 %more, 63
  %py = getelementptr inbounds i32, ptr addrspace(1) %y, i64 %i
  store i32 1, ptr addrspace(1) %py, align 4
  ret void
}
define spir_kernel void @wide(ptr addrspace(1) %y) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %more = add i64 %id, 5
  %i = and i64 %more, 4294967295
  %py = getelementptr inbounds i32, ptr addrspace(1) %y, i64 %i
  store i32 1, ptr addrspace(1) %py, align 4
  ret void
}
declare void @llvm.assume(i1)
define spir_kernel void @bounded(ptr addrspace(1) %y, i32 %n) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %int = icmp ult i64 %id, 2147483648
  call void @llvm.assume(i1 %int)
  %some = icmp sgt i32 %n, 7
  call void @llvm.assume(i1 %some)
  %py = getelementptr inbounds i32, ptr addrspace(1) %y, i64 %id
  store i32 %n, ptr addrspace(1) %py, align 4
  ret void
}

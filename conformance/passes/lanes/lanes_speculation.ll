; SPDX-License-Identifier: Apache-2.0
; Indices that wrap around somewhere, but hardly within one vector: the code asks, and makes one
; access of it; or a gather.
; RUN: sl-opt -mcpu=x86-64-v4 -passes=default<O2>
; CHECK: and i32 {{.*}}, 255
; CHECK: icmp {{.*}}ult i32 {{.*}}, 241
; CHECK-DAG: call <16 x float> @llvm.masked.load
; CHECK-DAG: call <16 x float> @llvm.masked.gather
; CHECK-DAG: icmp ult i32 {{.*}}, -15
; CHECK: call void @llvm.masked.store
; A mask of run time: how far lanes may count is what the ones it ends in say, whatever is above these.
; CHECK-LABEL: define {{.*}}@masked
; CHECK: %[[MASK:.*]] = add i32 %[[N:.*]], 2147483647
; CHECK-NEXT: %[[ABOVE:.*]] = xor i32 %[[N]], 2147483647
; CHECK: and i32 %[[MASK]], %[[ABOVE]]
; CHECK: call <16 x float> @llvm.masked.gather
; The neighbour, or at the border the element itself, where the choice has become a number that is added.
; CHECK-LABEL: define {{.*}}@right
; CHECK: icmp sgt i32
; CHECK-DAG: call <16 x float> @llvm.masked.load
; CHECK-DAG: call <16 x float> @llvm.masked.gather
; CHECK: ret void
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
define spir_kernel void @k(ptr addrspace(1) %y, ptr addrspace(1) %x, i32 %n) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %i = trunc i64 %id to i32
  %moved = add i32 %i, %n
  %low = and i32 %moved, 255
  %j = zext i32 %low to i64
  %px = getelementptr inbounds float, ptr addrspace(1) %x, i64 %j
  %vx = load float, ptr addrspace(1) %px, align 4
  %sum = add i32 %i, %n
  %to = zext i32 %sum to i64
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %to
  store float %vx, ptr addrspace(1) %py, align 4
  ret void
}
define spir_kernel void @masked(ptr addrspace(1) %y, ptr addrspace(1) %x, i32 %n) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %i = trunc i64 %id to i32
  %mask = add i32 %n, 2147483647
  %low = and i32 %i, %mask
  %j = zext i32 %low to i64
  %px = getelementptr inbounds float, ptr addrspace(1) %x, i64 %j
  %vx = load float, ptr addrspace(1) %px, align 4
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %id
  store float %vx, ptr addrspace(1) %py, align 4
  ret void
}
define spir_kernel void @right(ptr addrspace(1) %y, ptr addrspace(1) %x, i32 %last) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %i = trunc i64 %id to i32
  %inside = icmp ne i32 %i, %last
  %one = zext i1 %inside to i32
  %e = add nsw i32 %i, %one
  %j = sext i32 %e to i64
  %px = getelementptr inbounds float, ptr addrspace(1) %x, i64 %j
  %vx = load float, ptr addrspace(1) %px, align 4
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %id
  store float %vx, ptr addrspace(1) %py, align 4
  ret void
}

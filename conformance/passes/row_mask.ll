; SPDX-License-Identifier: Apache-2.0
; The mask of the last items of a row is clean above its lanes: it is not made in eight bits, which would
; leave there what the register held, where an access to eight bytes takes sixteen bits.
; RUN: sl-opt -mcpu=x86-64-v4 -stage=work_group_regions
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define internal void @bytes.groups
; CHECK: %[[BITS:.*]] = lshr i32 255, %{{.*}}
; CHECK-NEXT: %[[CUT:.*]] = trunc i32 %[[BITS]] to i8
; CHECK-NEXT: %mask = bitcast i8 %[[CUT]] to <8 x i1>
; CHECK: call void @llvm.masked.store.v8i8
define spir_kernel void @bytes(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %c) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr double, ptr addrspace(1) %a, i64 %id
  %v = load double, ptr addrspace(1) %p
  %w = fmul double %v, %v
  store double %w, ptr addrspace(1) %p
  %q = getelementptr i8, ptr addrspace(1) %c, i64 %id
  %old = load i8, ptr addrspace(1) %q
  %new = add i8 %old, 3
  store i8 %new, ptr addrspace(1) %q
  ret void
}

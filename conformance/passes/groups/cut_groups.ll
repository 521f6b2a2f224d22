; SPDX-License-Identifier: Apache-2.0
; Only the last group of a row may have fewer items than the others: it is a second turn of a loop
; around the one over groups, in front of which what depends on the number of items is computed.
; RUN: sl-opt -mcpu=x86-64-v4 -passes=default<O2>
; CHECK-LABEL: @twice.kernel(
; CHECK: %whole{{.*}} = select
; CHECK: {{^}}equal{{.*}}:
; CHECK: %size{{.*}} = select
; CHECK: %in.vectors{{.*}} = and i64 %size
; CHECK: {{^}}group{{.*}}:
; CHECK-NOT: llvm.umin.i64
; CHECK-NOT: and i64 %size
; CHECK: ret void
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func void @_Z7barrierj(i32)
define spir_kernel void @twice(ptr addrspace(1) %a, ptr addrspace(3) align 4 %t) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %p = getelementptr float, ptr addrspace(1) %a, i64 %id
  %q = getelementptr float, ptr addrspace(3) %t, i64 %l
  %v = load float, ptr addrspace(1) %p, align 4
  store float %v, ptr addrspace(3) %q, align 4
  call spir_func void @_Z7barrierj(i32 1)
  %n = xor i64 %l, 1
  %r = getelementptr float, ptr addrspace(3) %t, i64 %n
  %w = load float, ptr addrspace(3) %r, align 4
  store float %w, ptr addrspace(1) %p, align 4
  ret void
}

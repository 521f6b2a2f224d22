; SPDX-License-Identifier: Apache-2.0
; Groups of a launch may have fewer items than a kernel requires, and hardly ever do: where groups are run one
; by one there is code for whole groups, in which their size is a constant, and code for any; the entry asks the
; launch. A kernel whose groups are one loop has one form.
; RUN: sl-opt -mcpu=x86-64-v4
; CHECK-LABEL: define internal void @twice.groups(
; CHECK: %whole{{.*}} = select
; CHECK-NOT: @flat.whole
; CHECK-LABEL: define internal void @twice.whole.groups(
; CHECK-NOT: %whole{{.*}} = select
; CHECK-NOT: umin
; CHECK: icmp {{.*}}, 64
; CHECK: ret void
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func void @_Z7barrierj(i32)
define spir_kernel void @twice(ptr addrspace(1) %a, ptr addrspace(3) align 4 %t) !reqd_work_group_size !0 {
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
define spir_kernel void @flat(ptr addrspace(1) %a) !reqd_work_group_size !0 {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr float, ptr addrspace(1) %a, i64 %id
  store float 1.0, ptr addrspace(1) %p, align 4
  ret void
}
; CHECK: %[[X:.*]] = urem i64 %{{.*}}, 64
; CHECK: urem i64 %{{.*}}, 2
; CHECK: br i1 %{{.*}}, label %[[ANY:.*]], label %[[WHOLE:.*]]
; CHECK: [[ANY]]:
; CHECK: call void @twice.kernel(
; CHECK: [[WHOLE]]:
; CHECK: call void @twice.whole.kernel(
!0 = !{i32 64, i32 2, i32 1}

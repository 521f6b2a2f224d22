; SPDX-License-Identifier: Apache-2.0
; A branch on which items agree leads to where items that part before another place meet: there is a vector form even
; so, in which both are masked.
; RUN: sl-opt -mcpu=x86-64-v4
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define internal void @k.groups
; CHECK: fdiv <16 x float>
; CHECK-NOT: fdiv float
; CHECK: ret void
define spir_kernel void @k(ptr addrspace(1) %y, ptr addrspace(1) %x, i32 %n) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %px = getelementptr inbounds float, ptr addrspace(1) %x, i64 %id
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %id
  %v = load float, ptr addrspace(1) %px, align 4
  %agree = icmp slt i32 %n, 7
  br i1 %agree, label %one, label %two
one:
  %part = fcmp olt float %v, 0.5
  br i1 %part, label %both, label %three
two:
  %again = icmp eq i32 %n, 9
  store float 3.0, ptr addrspace(1) %py, align 4
  br i1 %again, label %both, label %three
both:
  %d = fdiv float 2.0, %v
  store float %d, ptr addrspace(1) %px, align 4
  br label %three
three:
  %r = phi float [ %v, %one ], [ 1.0, %two ], [ %d, %both ]
  store float %r, ptr addrspace(1) %py, align 4
  ret void
}

; SPDX-License-Identifier: Apache-2.0
; A switch over all four values has no way to a place that is never reached: items that end at one barrier run
; together up to it.
; RUN: sl-opt -mcpu=x86-64-v3
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func void @_Z7barrierj(i32) convergent

; CHECK-LABEL: define internal void @all_values.groups
; CHECK: fdiv <{{[0-9]+}} x float>
; CHECK: ret void
define spir_kernel void @all_values(ptr addrspace(1) %a, ptr addrspace(1) %o) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %id
  %next = xor i64 %id, 1
  %pn = getelementptr float, ptr addrspace(1) %o, i64 %next
  %po = getelementptr float, ptr addrspace(1) %o, i64 %id
  %v = load float, ptr addrspace(1) %pa
  %i = fptosi float %v to i32
  %which = and i32 %i, 3
  switch i32 %which, label %other [
    i32 0, label %zero
    i32 1, label %one
    i32 2, label %two
  ]
zero:
  %v0 = fdiv float 2.0, %v
  br label %all
one:
  %v1 = fadd float %v, 3.0
  br label %all
two:
  %v2 = fmul float %v, %v
  br label %all
other:
  %v3 = fsub float 1.0, %v
  br label %all
all:
  %r = phi float [ %v0, %zero ], [ %v1, %one ], [ %v2, %two ], [ %v3, %other ]
  store float %r, ptr addrspace(1) %po
  call spir_func void @_Z7barrierj(i32 2) convergent
  %n = load float, ptr addrspace(1) %pn
  %s = fadd float %n, %r
  store float %s, ptr addrspace(1) %pa
  ret void
}

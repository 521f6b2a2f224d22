; SPDX-License-Identifier: Apache-2.0
; Both ways of a branch lead to barriers: all items take the same one, whatever it asks of them, so that what counts the
; turns is one number for the group, and items run together up to the next barrier.
; RUN: sl-opt -mcpu=x86-64-v3
; CHECK: kernel k {{.*}}per_item 0
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func void @_Z7barrierj(i32) convergent

; CHECK-LABEL: define internal void @k.groups
; CHECK: fmul <8 x float>
; CHECK: fdiv <8 x float>
; CHECK: ret void
define spir_kernel void @k(ptr addrspace(1) %y, ptr addrspace(3) %t, i64 %n, i32 %m) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %o = xor i64 %l, 1
  %to = getelementptr float, ptr addrspace(3) %t, i64 %l
  %from = getelementptr float, ptr addrspace(3) %t, i64 %o
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %id
  %asks = icmp ult i64 %id, %n
  br i1 %asks, label %one, label %two
one:
  %i = phi i32 [ 0, %entry ], [ %i1, %one ]
  %v = load float, ptr addrspace(1) %py, align 4
  %v1 = fmul float %v, 3.0
  store float %v1, ptr addrspace(3) %to, align 4
  call spir_func void @_Z7barrierj(i32 1) convergent
  %w = load float, ptr addrspace(3) %from, align 4
  store float %w, ptr addrspace(1) %py, align 4
  call spir_func void @_Z7barrierj(i32 1) convergent
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, %m
  br i1 %more, label %one, label %end
two:
  %j = phi i32 [ 1, %entry ], [ %j1, %two ]
  %x = load float, ptr addrspace(1) %py, align 4
  %x1 = fdiv float 2.0, %x
  store float %x1, ptr addrspace(3) %to, align 4
  call spir_func void @_Z7barrierj(i32 1) convergent
  %z = load float, ptr addrspace(3) %from, align 4
  store float %z, ptr addrspace(1) %py, align 4
  call spir_func void @_Z7barrierj(i32 1) convergent
  %j1 = add i32 %j, 1
  %again = icmp ult i32 %j1, %m
  br i1 %again, label %two, label %end
end:
  ret void
}

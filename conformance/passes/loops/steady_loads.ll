; SPDX-License-Identifier: Apache-2.0
; What the group has made in local memory is one number for all items if nothing is written between the barriers
; around the load: it is kept once, not for each item, and so is what follows from it. Where something is written
; there, whatever it is, each item keeps its own.
; RUN: sl-opt -mcpu=x86-64-v4 -stage=work_group_regions
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func void @_Z7barrierj(i32) convergent
@all.t = internal addrspace(3) global [64 x float] undef, align 4
@some.t = internal addrspace(3) global [64 x float] undef, align 4

; CHECK: ; kernel all {{.*}} per_item 0 
; CHECK: ; kernel some {{.*}} per_item 4 
define spir_kernel void @all(ptr addrspace(1) %a) {
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr [64 x float], ptr addrspace(3) @all.t, i64 0, i64 %l
  store float 1.0, ptr addrspace(3) %p
  call spir_func void @_Z7barrierj(i32 1)
  %m = load float, ptr addrspace(3) @all.t
  %r = fdiv float 1.0, %m
  call spir_func void @_Z7barrierj(i32 1)
  store float %r, ptr addrspace(3) %p
  call spir_func void @_Z7barrierj(i32 1)
  %v = load float, ptr addrspace(3) %p
  %s = fadd float %v, %r
  %q = getelementptr float, ptr addrspace(1) %a, i64 %g
  store float %s, ptr addrspace(1) %q
  ret void
}

define spir_kernel void @some(ptr addrspace(1) %a) {
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr [64 x float], ptr addrspace(3) @some.t, i64 0, i64 %l
  store float 1.0, ptr addrspace(3) %p
  call spir_func void @_Z7barrierj(i32 1)
  %m = load float, ptr addrspace(3) @some.t
  %r = fdiv float 1.0, %m
  store float %r, ptr addrspace(3) %p
  call spir_func void @_Z7barrierj(i32 1)
  %v = load float, ptr addrspace(3) %p
  %s = fadd float %v, %r
  %q = getelementptr float, ptr addrspace(1) %a, i64 %g
  store float %s, ptr addrspace(1) %q
  ret void
}

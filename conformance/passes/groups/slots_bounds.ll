; SPDX-License-Identifier: Apache-2.0
; Behind a barrier minima and maxima are computed anew, however much is computed that all items share; only what is
; loaded takes context.
; RUN: sl-opt
; CHECK: kernel k {{.*}}per_item 4
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func i64 @_Z12get_group_idj(i32)
declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func void @_Z7barrierj(i32) convergent
declare i32 @llvm.smin.i32(i32, i32)
declare i32 @llvm.smax.i32(i32, i32)

define spir_kernel void @k(ptr addrspace(1) %y, ptr addrspace(1) %x, ptr addrspace(3) %t, i32 %n, i32 %m) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %g = call spir_func i64 @_Z12get_group_idj(i32 0)
  %group = trunc i64 %g to i32
  %a = mul i32 %group, %n
  %b = sub i32 %a, %m
  %c = xor i32 %b, -1
  %d = add i32 %c, %n
  %e = icmp slt i32 %b, %n
  %f = select i1 %e, i32 15, i32 %d
  %h = add i32 %f, %b
  %i = xor i32 %h, %c
  %j = sub i32 %i, %h
  %low = trunc i64 %l to i32
  %next = add nsw i32 %low, 1
  %most = call i32 @llvm.smin.i32(i32 %next, i32 %f)
  %before = add nsw i32 %low, -1
  %least = call i32 @llvm.smax.i32(i32 %before, i32 %j)
  %mine = getelementptr float, ptr addrspace(1) %x, i64 %id
  %w = load float, ptr addrspace(1) %mine, align 4
  %to = getelementptr float, ptr addrspace(3) %t, i64 %l
  store float %w, ptr addrspace(3) %to, align 4
  call spir_func void @_Z7barrierj(i32 1) convergent
  %right = sext i32 %most to i64
  %left = sext i32 %least to i64
  %pr = getelementptr float, ptr addrspace(3) %t, i64 %right
  %pl = getelementptr float, ptr addrspace(3) %t, i64 %left
  %vr = load float, ptr addrspace(3) %pr, align 4
  %vl = load float, ptr addrspace(3) %pl, align 4
  %sum = fadd float %vr, %vl
  %all = fadd float %sum, %w
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %id
  store float %all, ptr addrspace(1) %py, align 4
  ret void
}

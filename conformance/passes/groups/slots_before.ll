; SPDX-License-Identifier: Apache-2.0
; A number that lives across a barrier, of an id and of something that all items have, is computed anew behind it from what
; is kept for all, though a loop begins with it too: items are neighbours.
; RUN: sl-opt -mcpu=x86-64-v4
; CHECK-LABEL: define internal void @k.groups(
; CHECK: near:
; CHECK: store <16 x float>
; CHECK: llvm.masked.scatter
target triple = "spir64-unknown-unknown"
@k.s = internal addrspace(3) global [256 x float] undef, align 4
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func i64 @_Z12get_group_idj(i32)
declare spir_func void @_Z7barrierj(i32) #0
define spir_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n, i32 %rows) {
entry:
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %g = call spir_func i64 @_Z12get_group_idj(i32 0)
  %gi = trunc i64 %g to i32
  %li = trunc i64 %l to i32
  %q = sdiv i32 %gi, %n
  %i = add nsw i32 %li, %q
  br label %read
read:
  %at = phi i32 [ %i, %entry ], [ %at1, %read ]
  %k = phi i32 [ 0, %entry ], [ %k1, %read ]
  %s = phi float [ 0.0, %entry ], [ %s1, %read ]
  %at64 = sext i32 %at to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %in, i64 %at64
  %v = load float, ptr addrspace(1) %p
  %s1 = fadd float %s, %v
  %at1 = add nsw i32 %at, %n
  %k1 = add nsw i32 %k, 1
  %more = icmp slt i32 %k1, %rows
  br i1 %more, label %read, label %put
put:
  %t = getelementptr [256 x float], ptr addrspace(3) @k.s, i64 0, i64 %l
  store float %s1, ptr addrspace(3) %t
  call spir_func void @_Z7barrierj(i32 1)
  %tu = getelementptr [256 x float], ptr addrspace(3) @k.s, i64 0, i64 %l
  %w = load float, ptr addrspace(3) %tu
  %to64 = sext i32 %i to i64
  %r = getelementptr inbounds float, ptr addrspace(1) %out, i64 %to64
  store float %w, ptr addrspace(1) %r
  ret void
}
attributes #0 = { convergent nounwind }

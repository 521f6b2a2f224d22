; SPDX-License-Identifier: Apache-2.0
; The addresses of items that may wrap around are computed where they are needed, although the kernel computes
; them in front of another such access.
; RUN: sl-opt -mcpu=x86-64-v4 -stage=second_ways
; CHECK-LABEL: define internal void @k.groups(
; CHECK: br i1 %sure, label %near, label %each, !sl.second.way
; CHECK: each:
; CHECK: and <16 x i32> %{{.*}}, splat (i32 63)
; CHECK: masked.gather
; CHECK: got:
; CHECK-NOT: and <16 x i32>
; CHECK: br i1 %sure{{[0-9]+}}, label %near{{[0-9]+}}, label %[[EACH:each[0-9]+]], !sl.second.way
; CHECK: [[EACH]]:
; CHECK: and <16 x i32> %{{.*}}, splat (i32 63)
; CHECK: masked.gather
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func i64 @_Z12get_local_idj(i32)
define spir_kernel void @k(ptr addrspace(1) noalias %y, ptr addrspace(3) %t) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %local = call spir_func i64 @_Z12get_local_idj(i32 0)
  %l = trunc i64 %local to i32
  %a = add nsw i32 %l, 63
  %b = add nsw i32 %l, 1
  %am = and i32 %a, 63
  %bm = and i32 %b, 63
  %az = zext nneg i32 %am to i64
  %bz = zext nneg i32 %bm to i64
  %pa = getelementptr inbounds float, ptr addrspace(3) %t, i64 %az
  %pb = getelementptr inbounds float, ptr addrspace(3) %t, i64 %bz
  %va = load float, ptr addrspace(3) %pa, align 4
  %vb = load float, ptr addrspace(3) %pb, align 4
  %s = fadd float %va, %vb
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %id
  store float %s, ptr addrspace(1) %py, align 4
  ret void
}

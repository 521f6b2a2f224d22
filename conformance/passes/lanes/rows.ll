; SPDX-License-Identifier: Apache-2.0
; A kernel that narrows its local id only has rows in one piece: no segments between the multiples of
; 2^31 of the global id. The global id, if narrowed, needs them.
; RUN: sl-opt -uniform -mcpu=x86-64-v3 -passes=default<O2>
; CHECK-LABEL: @cut.kernel(
; CHECK: 2147483648
; CHECK-LABEL: @whole.kernel(
; CHECK-NOT: 2147483648
; CHECK-NOT: sext i32
; CHECK-NOT: store i32
; CHECK: store <8 x i32>
; CHECK-NOT: store i32
; CHECK: ret void
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func void @_Z7barrierj(i32)
define spir_kernel void @whole(ptr addrspace(1) align 4 %y, ptr addrspace(3) align 4 %t) !reqd_work_group_size !0 {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %low = trunc i64 %l to i32
  %i = sext i32 %low to i64
  %py = getelementptr inbounds i32, ptr addrspace(1) %y, i64 %id
  %pt = getelementptr inbounds i32, ptr addrspace(3) %t, i64 %i
  %v = load i32, ptr addrspace(1) %py, align 4
  store i32 %v, ptr addrspace(3) %pt, align 4
  call spir_func void @_Z7barrierj(i32 1)
  %w = load i32, ptr addrspace(3) %pt, align 4
  %x = add i32 %w, %v
  store i32 %x, ptr addrspace(1) %py, align 4
  ret void
}
define spir_kernel void @cut(ptr addrspace(1) align 4 %y, ptr addrspace(3) align 4 %t) !reqd_work_group_size !0 {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %low = trunc i64 %id to i32
  %i = sext i32 %low to i64
  %py = getelementptr inbounds i32, ptr addrspace(1) %y, i64 %i
  %pt = getelementptr inbounds i32, ptr addrspace(3) %t, i64 %l
  %v = load i32, ptr addrspace(1) %py, align 4
  store i32 %v, ptr addrspace(3) %pt, align 4
  call spir_func void @_Z7barrierj(i32 1)
  %w = load i32, ptr addrspace(3) %pt, align 4
  store i32 %w, ptr addrspace(1) %py, align 4
  ret void
}
!0 = !{i32 256, i32 1, i32 1}

; SPDX-License-Identifier: Apache-2.0
; Items that meet and know their row are a tile: of bytes, no more than a register has words; where a
; loop waits for its sums, no more than a tile's row usually has, which is one register.
; RUN: sl-opt -mcpu=x86-64-v4 -uniform
; CHECK-LABEL: define internal void @line.groups(
; CHECK: load <64 x i8>
; CHECK: ret void
; CHECK-LABEL: define internal void @sums_of_a_line.groups(
; CHECK: fadd <32 x float>
; CHECK: ret void
; CHECK-LABEL: define internal void @sums_of_a_tile.groups(
; CHECK-NOT: <32 x float>
; CHECK-NOT: <64 x float>
; CHECK: fadd <16 x float>
; CHECK-NOT: <32 x float>
; CHECK-NOT: <64 x float>
; CHECK: ret void
; CHECK-LABEL: define internal void @tile.groups(
; CHECK-NOT: <64 x
; CHECK: load <16 x i8>
; CHECK-NOT: <64 x
; CHECK: ret void
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func void @_Z7barrierj(i32) convergent
define spir_kernel void @tile(ptr addrspace(1) %y, ptr addrspace(1) %x, ptr addrspace(3) %t) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %m = call spir_func i64 @_Z12get_local_idj(i32 1)
  %px = getelementptr inbounds i8, ptr addrspace(1) %x, i64 %id
  %v = load i8, ptr addrspace(1) %px, align 1
  %row = getelementptr inbounds i8, ptr addrspace(3) %t, i64 %m
  %pt = getelementptr inbounds i8, ptr addrspace(3) %row, i64 %l
  store i8 %v, ptr addrspace(3) %pt, align 1
  call spir_func void @_Z7barrierj(i32 1) convergent
  %pq = getelementptr inbounds i8, ptr addrspace(3) %pt, i64 1
  %q = load i8, ptr addrspace(3) %pq, align 1
  %py = getelementptr inbounds i8, ptr addrspace(1) %y, i64 %id
  store i8 %q, ptr addrspace(1) %py, align 1
  ret void
}
define spir_kernel void @line(ptr addrspace(1) %y, ptr addrspace(1) %x, ptr addrspace(3) %t) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %m = call spir_func i64 @_Z12get_local_idj(i32 0)
  %px = getelementptr inbounds i8, ptr addrspace(1) %x, i64 %id
  %v = load i8, ptr addrspace(1) %px, align 1
  %row = getelementptr inbounds i8, ptr addrspace(3) %t, i64 0
  %pt = getelementptr inbounds i8, ptr addrspace(3) %row, i64 %l
  store i8 %v, ptr addrspace(3) %pt, align 1
  call spir_func void @_Z7barrierj(i32 1) convergent
  %pq = getelementptr inbounds i8, ptr addrspace(3) %pt, i64 1
  %q = load i8, ptr addrspace(3) %pq, align 1
  %py = getelementptr inbounds i8, ptr addrspace(1) %y, i64 %id
  store i8 %q, ptr addrspace(1) %py, align 1
  ret void
}
define spir_kernel void @sums_of_a_tile(ptr addrspace(1) %y, i32 %n, ptr addrspace(3) %t) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %m = call spir_func i64 @_Z12get_local_idj(i32 1)
  %row = getelementptr inbounds float, ptr addrspace(3) %t, i64 %m
  %pt = getelementptr inbounds float, ptr addrspace(3) %row, i64 %l
  %lane = trunc i64 %l to i32
  %first = uitofp i32 %lane to float
  store float %first, ptr addrspace(3) %pt, align 4
  call spir_func void @_Z7barrierj(i32 1) convergent
  br label %next
next:
  %k = phi i32 [ 0, %entry ], [ %k1, %next ]
  %sum = phi float [ 0.0, %entry ], [ %more, %next ]
  %at = zext i32 %k to i64
  %pk = getelementptr inbounds float, ptr addrspace(3) %row, i64 %at
  %v = load float, ptr addrspace(3) %pk, align 4
  %way = mul i32 %k, %lane
  %part = and i32 %way, 7
  %weight = uitofp i32 %part to float
  %product = fmul float %v, %weight
  %more = fadd float %sum, %product
  %k1 = add nuw i32 %k, 1
  %again = icmp ult i32 %k1, %n
  br i1 %again, label %next, label %end
end:
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %id
  store float %more, ptr addrspace(1) %py, align 4
  ret void
}
define spir_kernel void @sums_of_a_line(ptr addrspace(1) %y, i32 %n, ptr addrspace(3) %t) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %m = call spir_func i64 @_Z12get_local_idj(i32 0)
  %row = getelementptr inbounds float, ptr addrspace(3) %t, i64 %m
  %pt = getelementptr inbounds float, ptr addrspace(3) %row, i64 %l
  %lane = trunc i64 %l to i32
  %first = uitofp i32 %lane to float
  store float %first, ptr addrspace(3) %pt, align 4
  call spir_func void @_Z7barrierj(i32 1) convergent
  br label %next
next:
  %k = phi i32 [ 0, %entry ], [ %k1, %next ]
  %sum = phi float [ 0.0, %entry ], [ %more, %next ]
  %at = zext i32 %k to i64
  %pk = getelementptr inbounds float, ptr addrspace(3) %row, i64 %at
  %v = load float, ptr addrspace(3) %pk, align 4
  %way = mul i32 %k, %lane
  %part = and i32 %way, 7
  %weight = uitofp i32 %part to float
  %product = fmul float %v, %weight
  %more = fadd float %sum, %product
  %k1 = add nuw i32 %k, 1
  %again = icmp ult i32 %k1, %n
  br i1 %again, label %next, label %end
end:
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %id
  store float %more, ptr addrspace(1) %py, align 4
  ret void
}

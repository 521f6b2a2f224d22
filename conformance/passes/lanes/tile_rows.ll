; SPDX-License-Identifier: Apache-2.0
; Items that meet and know their row are a tile: of bytes, no more than a register has words.
; RUN: sl-opt -mcpu=x86-64-v4 -uniform
; CHECK-LABEL: define internal void @line.groups(
; CHECK: load <64 x i8>
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

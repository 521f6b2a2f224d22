; SPDX-License-Identifier: Apache-2.0
; Items in turn that LLVM's vectoriser takes together: what is loaded side by side is loaded where the
; first of it is, whatever the item stores in between. So loops whose items may store there do not say
; that nobody minds. Where nothing is stored in between they do.
; RUN: sl-opt -mcpu=x86-64-v4 -passes=default<O2>
; CHECK-LABEL: @apart.kernel(
; CHECK: load <8 x i8>
; CHECK: llvm.masked.scatter
; CHECK: ret void
; CHECK-LABEL: @between.kernel(
; CHECK-NOT: {{load <[0-9]+ x i32>}}
; CHECK: ret void
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)

define spir_kernel void @between(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %o) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %x = mul nsw i64 %id, -16
  %p = getelementptr inbounds i8, ptr addrspace(1) %o, i64 %x
  %pb = getelementptr inbounds i8, ptr addrspace(1) %b, i64 %id
  %p1 = getelementptr inbounds i8, ptr addrspace(1) %p, i64 4
  %p2 = getelementptr inbounds i8, ptr addrspace(1) %p, i64 8
  %p3 = getelementptr inbounds i8, ptr addrspace(1) %p, i64 12
  %n = load i8, ptr addrspace(1) %pb, align 1
  %four = and i8 %n, 3
  %k = zext i8 %four to i64
  %u = zext i8 %n to i32
  %pk = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %k
  %v1 = load i32, ptr addrspace(1) %p1, align 4
  %v0 = load i32, ptr addrspace(1) %p, align 4
  %s = add i32 %v0, %v1
  store i32 %s, ptr addrspace(1) %pk, align 4
  %again = load i32, ptr addrspace(1) %p, align 4
  %more = add i32 %again, %u
  store i32 %more, ptr addrspace(1) %p, align 4
  store i32 %u, ptr addrspace(1) %p2, align 4
  store i32 %u, ptr addrspace(1) %pk, align 4
  %v3 = load i32, ptr addrspace(1) %p3, align 4
  %w = xor i32 %v3, %u
  store i32 %w, ptr addrspace(1) %p3, align 4
  ret void
}

define spir_kernel void @apart(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %o) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %x = mul nsw i64 %id, -16
  %p = getelementptr inbounds i8, ptr addrspace(1) %o, i64 %x
  %pb = getelementptr inbounds i8, ptr addrspace(1) %b, i64 %id
  %p1 = getelementptr inbounds i8, ptr addrspace(1) %p, i64 4
  %p2 = getelementptr inbounds i8, ptr addrspace(1) %p, i64 8
  %p3 = getelementptr inbounds i8, ptr addrspace(1) %p, i64 12
  %n = load i8, ptr addrspace(1) %pb, align 1
  %four = and i8 %n, 3
  %k = zext i8 %four to i64
  %u = zext i8 %n to i32
  %pk = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %k
  %v1 = load i32, ptr addrspace(1) %p1, align 4
  %v0 = load i32, ptr addrspace(1) %p, align 4
  %v2 = load i32, ptr addrspace(1) %p2, align 4
  %v3 = load i32, ptr addrspace(1) %p3, align 4
  %s = add i32 %v0, %v1
  %t = xor i32 %v2, %v3
  store i32 %s, ptr addrspace(1) %pk, align 4
  store i32 %t, ptr addrspace(1) %p3, align 4
  store i32 %u, ptr addrspace(1) %pk, align 4
  ret void
}

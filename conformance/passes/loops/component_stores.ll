; SPDX-License-Identifier: Apache-2.0
; A component of a vector in memory is stored alone; components that follow each other together; a vector of
; which all are written as before. What a swizzle of itself moves is written, the rest is not.
; RUN: sl-opt -mcpu=x86-64-v3 -stage=simplify
; CHECK-LABEL: @one(
; CHECK-NOT: load
; CHECK: store i8
; CHECK-NOT: store
; CHECK: ret void
; CHECK-LABEL: @somewhere(
; CHECK: and i{{[0-9]+}} %k, 3
; CHECK: store i8
; CHECK-NOT: store
; CHECK: ret void
; CHECK-LABEL: @pair(
; CHECK: store <2 x i8>
; CHECK-NOT: store
; CHECK: ret void
; CHECK-LABEL: @all(
; CHECK: store <4 x i8>
; CHECK-NOT: store
; CHECK: ret void
; CHECK-LABEL: @three(
; CHECK: store i8
; CHECK: store i8
; CHECK-NOT: store
; CHECK: ret void
; CHECK-LABEL: @between(
; CHECK: store i8
; CHECK: store i8
; CHECK-NOT: store
; CHECK: ret void
; CHECK-LABEL: @chosen(
; CHECK: store i8 5
; CHECK: store i8 7
; CHECK: ret void
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
define spir_kernel void @one(ptr addrspace(1) %a, i8 %n) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr inbounds <4 x i8>, ptr addrspace(1) %a, i64 %id
  %v = load <4 x i8>, ptr addrspace(1) %p, align 4
  %w = insertelement <4 x i8> %v, i8 %n, i64 2
  store <4 x i8> %w, ptr addrspace(1) %p, align 4
  ret void
}
define spir_kernel void @somewhere(ptr addrspace(1) %a, i8 %n, i32 %k) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr inbounds <4 x i8>, ptr addrspace(1) %a, i64 %id
  %v4 = load <4 x i8>, ptr addrspace(1) %p, align 4
  %v = shufflevector <4 x i8> %v4, <4 x i8> poison, <3 x i32> <i32 0, i32 1, i32 2>
  %w = insertelement <3 x i8> %v, i8 %n, i32 %k
  %w4 = shufflevector <3 x i8> %w, <3 x i8> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 poison>
  store <4 x i8> %w4, ptr addrspace(1) %p, align 4
  ret void
}
define spir_kernel void @pair(ptr addrspace(1) %a, i8 %n) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr inbounds <4 x i8>, ptr addrspace(1) %a, i64 %id
  %v = load <4 x i8>, ptr addrspace(1) %p, align 4
  %w = insertelement <4 x i8> %v, i8 %n, i64 3
  store <4 x i8> %w, ptr addrspace(1) %p, align 4
  %q = getelementptr inbounds <4 x i8>, ptr addrspace(1) %a, i64 %id
  %x = load <4 x i8>, ptr addrspace(1) %q, align 4
  %y = insertelement <4 x i8> %x, i8 7, i64 2
  store <4 x i8> %y, ptr addrspace(1) %q, align 4
  ret void
}
define spir_kernel void @all(ptr addrspace(1) %a, i8 %n) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr inbounds <4 x i8>, ptr addrspace(1) %a, i64 %id
  %v = load <4 x i8>, ptr addrspace(1) %p, align 4
  %w = insertelement <4 x i8> %v, i8 %n, i64 3
  store <4 x i8> %w, ptr addrspace(1) %p, align 4
  %x = load <4 x i8>, ptr addrspace(1) %p, align 4
  %y = shufflevector <4 x i8> %x, <4 x i8> <i8 1, i8 2, i8 3, i8 4>, <4 x i32> <i32 4, i32 5, i32 6, i32 3>
  store <4 x i8> %y, ptr addrspace(1) %p, align 4
  ret void
}
define spir_kernel void @three(ptr addrspace(1) %a) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr inbounds <4 x i8>, ptr addrspace(1) %a, i64 %id
  %v4 = load <4 x i8>, ptr addrspace(1) %p, align 4
  %x4 = load <4 x i8>, ptr addrspace(1) %p, align 4
  %w4 = shufflevector <4 x i8> %v4, <4 x i8> %x4, <4 x i32> <i32 4, i32 2, i32 5, i32 poison>
  store <4 x i8> %w4, ptr addrspace(1) %p, align 4
  ret void
}
define spir_kernel void @between(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr inbounds <2 x i8>, ptr addrspace(1) %a, i64 %id
  %q = getelementptr inbounds i8, ptr addrspace(1) %b, i64 %id
  %n = load i8, ptr addrspace(1) %q, align 1
  %v = load <2 x i8>, ptr addrspace(1) %p, align 2
  %w = insertelement <2 x i8> %v, i8 %n, i64 0
  store <2 x i8> %w, ptr addrspace(1) %p, align 2
  %m = load i8, ptr addrspace(1) %q, align 1
  %x = load <2 x i8>, ptr addrspace(1) %p, align 2
  %y = insertelement <2 x i8> %x, i8 %m, i64 1
  store <2 x i8> %y, ptr addrspace(1) %p, align 2
  ret void
}
; Two variables of one type, chosen alike, are two.
define spir_kernel void @chosen(ptr addrspace(1) %in, i64 %k) {
  %a = alloca [4 x <4 x i8>], align 4
  %b = alloca [4 x <4 x i8>], align 4
  %c = alloca [4 x <4 x i8>], align 4
  %d = alloca [4 x <4 x i8>], align 4
  %choice = icmp eq i64 %k, 3
  %p = select i1 %choice, ptr %a, ptr %b
  %q = select i1 %choice, ptr %c, ptr %d
  %at = getelementptr inbounds <4 x i8>, ptr %p, i64 %k
  %v = load <4 x i8>, ptr %at, align 4
  %w = insertelement <4 x i8> %v, i8 5, i64 0
  store <4 x i8> %w, ptr %at, align 4
  %to = getelementptr inbounds <4 x i8>, ptr %q, i64 %k
  %x = load <4 x i8>, ptr %to, align 4
  %y = insertelement <4 x i8> %x, i8 7, i64 1
  store <4 x i8> %y, ptr %to, align 4
  %of_b = getelementptr inbounds <4 x i8>, ptr %b, i64 %k
  %of_c = getelementptr inbounds <4 x i8>, ptr %c, i64 %k
  %r = load <4 x i8>, ptr %of_b, align 4
  %s = load <4 x i8>, ptr %of_c, align 4
  %sum = add <4 x i8> %r, %s
  store <4 x i8> %sum, ptr addrspace(1) %in, align 4
  ret void
}

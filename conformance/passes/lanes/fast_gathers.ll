; SPDX-License-Identifier: Apache-2.0
; Machines that load a register's lanes from anywhere as fast as one by one: chains of look-ups in tables go
; together there, and in turn on all others.
; RUN: sl-opt -mcpu=x86-64-v4 -fast-gathers
target triple = "spir64-unknown-unknown"
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define internal void @tables.groups
; CHECK: <16 x i32>
; CHECK: ret void
define spir_kernel void @tables(ptr addrspace(1) %t, ptr addrspace(1) %a, ptr addrspace(1) %o, i32 %n) {
entry:
  %x = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pa = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %v = load i32, ptr addrspace(1) %pa
  br label %next
next:
  %k = phi i32 [ 0, %entry ], [ %k1, %next ]
  %c = phi i32 [ %v, %entry ], [ %q, %next ]
  %i0 = and i32 %c, 255
  %s1 = lshr i32 %c, 8
  %i1 = and i32 %s1, 255
  %s2 = lshr i32 %c, 16
  %i2 = and i32 %s2, 255
  %i3 = lshr i32 %c, 24
  %z0 = zext i32 %i0 to i64
  %z1 = zext i32 %i1 to i64
  %z2 = zext i32 %i2 to i64
  %z3 = zext i32 %i3 to i64
  %p0 = getelementptr i32, ptr addrspace(1) %t, i64 %z0
  %p1 = getelementptr i32, ptr addrspace(1) %t, i64 %z1
  %p2 = getelementptr i32, ptr addrspace(1) %t, i64 %z2
  %p3 = getelementptr i32, ptr addrspace(1) %t, i64 %z3
  %v0 = load i32, ptr addrspace(1) %p0
  %v1 = load i32, ptr addrspace(1) %p1
  %v2 = load i32, ptr addrspace(1) %p2
  %v3 = load i32, ptr addrspace(1) %p3
  %x0 = xor i32 %v0, %v1
  %x1 = xor i32 %v2, %v3
  %q = xor i32 %x0, %x1
  %k1 = add i32 %k, 1
  %more = icmp ult i32 %k1, %n
  br i1 %more, label %next, label %end
end:
  %po = getelementptr i32, ptr addrspace(1) %o, i64 %x
  store i32 %q, ptr addrspace(1) %po
  ret void
}

; A barrier in each round: what was scattered has arrived by then.
; CHECK-LABEL: define internal void @tree.groups
; CHECK: @llvm.masked.gather.v{{[0-9]+}}f32
; CHECK: call void @llvm.masked.scatter.v{{[0-9]+}}f32
; CHECK: ret void
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func void @_Z7barrierj(i32)
define spir_kernel void @tree(ptr addrspace(3) %t, i64 %n) {
entry:
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %l2 = shl i64 %l, 1
  %one = add i64 %l2, 1
  %two = add i64 %l2, 2
  br label %next
next:
  %d = phi i64 [ %n, %entry ], [ %half, %met ]
  %off = phi i64 [ 1, %entry ], [ %more, %met ]
  call spir_func void @_Z7barrierj(i32 1)
  %some = icmp ult i64 %l, %d
  br i1 %some, label %add, label %met
add:
  %mi = mul i64 %off, %one
  %mj = mul i64 %off, %two
  %i = add i64 %mi, -1
  %j = add i64 %mj, -1
  %pi = getelementptr float, ptr addrspace(3) %t, i64 %i
  %pj = getelementptr float, ptr addrspace(3) %t, i64 %j
  %x = load float, ptr addrspace(3) %pi
  %y = load float, ptr addrspace(3) %pj
  %s = fadd float %x, %y
  store float %s, ptr addrspace(3) %pj
  br label %met
met:
  %half = lshr i64 %d, 1
  %more = shl i64 %off, 1
  %on = icmp ne i64 %half, 0
  br i1 %on, label %next, label %end
end:
  ret void
}

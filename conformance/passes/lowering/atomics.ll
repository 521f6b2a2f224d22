; SPDX-License-Identifier: Apache-2.0
; Local atomics need no lock. Global sums that nobody looks at go to the thread's table, if nothing
; behind them in the item could tell.
; RUN: sl-opt -stage=plain_atomics
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func void @_Z7barrierj(i32)
@cell = internal addrspace(3) global i32 undef

; CHECK-LABEL: define internal void @aliased.groups
; CHECK: atomicrmw add
define spir_kernel void @aliased(ptr addrspace(1) %h, ptr addrspace(1) %o) {
  %x = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %h, i64 %x
  %old = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic
  store i32 1, ptr addrspace(1) %o
  ret void
}

; CHECK-LABEL: define internal void @apart.groups
; CHECK: call void @sl.sum.i32
; CHECK-NOT: atomicrmw volatile
define spir_kernel void @apart(ptr addrspace(1) noalias %h, ptr addrspace(1) %o) {
  %x = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %h, i64 %x
  %old = atomicrmw volatile add ptr addrspace(1) %p, i32 1 monotonic
  store i32 1, ptr addrspace(1) %o
  ret void
}

; Few places, as the compiler sees: an array of them, each at its place.
; CHECK-LABEL: define internal void @few.groups
; CHECK-NOT: sl.sum
; CHECK: memset
; CHECK: [[I:%.*]] = zext i8
; CHECK: getelementptr i32, ptr %{{.*}}, i64 [[I]]
; CHECK-NOT: atomicrmw
; CHECK: getelementptr i8, ptr %0, i64
; CHECK: atomicrmw add
define spir_kernel void @few(ptr addrspace(1) %h, ptr addrspace(1) %x) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %px = getelementptr i8, ptr addrspace(1) %x, i64 %id
  %v = load i8, ptr addrspace(1) %px
  %i = zext i8 %v to i64
  %p = getelementptr i32, ptr addrspace(1) %h, i64 %i
  %old = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic
  ret void
}

; Too many.
; CHECK-LABEL: define internal void @many.groups
; CHECK: sl.sum
define spir_kernel void @many(ptr addrspace(1) %h) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %i = and i64 %id, 1024
  %p = getelementptr i32, ptr addrspace(1) %h, i64 %i
  %old = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic
  ret void
}

; CHECK-LABEL: define internal void @met.groups
; CHECK: atomicrmw sub
define spir_kernel void @met(ptr addrspace(1) %h) {
  %old = atomicrmw sub ptr addrspace(1) %h, i32 1 monotonic
  call spir_func void @_Z7barrierj(i32 2)
  ret void
}

; CHECK-LABEL: define internal void @ordered.groups
; CHECK: atomicrmw add {{.*}} seq_cst
define spir_kernel void @ordered(ptr addrspace(1) %h) {
  %old = atomicrmw add ptr addrspace(1) %h, i32 1 seq_cst
  ret void
}

; CHECK-LABEL: define internal void @repeated.groups
; CHECK: atomicrmw add
define spir_kernel void @repeated(ptr addrspace(1) %h, ptr addrspace(1) %o, i64 %n) {
entry:
  br label %next
next:
  %i = phi i64 [ 0, %entry ], [ %j, %next ]
  %p = getelementptr i64, ptr addrspace(1) %o, i64 %i
  %v = load i64, ptr addrspace(1) %p
  %old = atomicrmw add ptr addrspace(1) %h, i64 %v monotonic
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %next, label %end
end:
  ret void
}

; CHECK-LABEL: define internal void @waiting.groups
; CHECK: atomicrmw add
define spir_kernel void @waiting(ptr addrspace(1) %h, ptr addrspace(1) %o) {
entry:
  br label %again
again:
  %v = load volatile i32, ptr addrspace(1) %o
  %zero = icmp eq i32 %v, 0
  br i1 %zero, label %again, label %end
end:
  %old = atomicrmw add ptr addrspace(1) %h, i32 1 monotonic
  ret void
}

; CHECK-LABEL: define internal void @within.groups
; CHECK-NOT: atomicrmw
; CHECK-NOT: cmpxchg
; CHECK-NOT: atomic
; CHECK: ret void
define spir_kernel void @within(ptr addrspace(1) %o) {
  store atomic volatile i32 3, ptr addrspace(3) @cell seq_cst, align 4
  %x = atomicrmw umax ptr addrspace(3) @cell, i32 7 monotonic
  %pair = cmpxchg ptr addrspace(3) @cell, i32 %x, i32 8 seq_cst seq_cst
  %y = extractvalue { i32, i1 } %pair, 0
  %z = load atomic i32, ptr addrspace(3) @cell acquire, align 4
  %sum = add i32 %y, %z
  store i32 %sum, ptr addrspace(1) %o
  ret void
}

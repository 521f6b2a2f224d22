; SPDX-License-Identifier: Apache-2.0
; How much work an item is thought to be: its instructions, those of a loop 32 times. A kernel whose
; barriers items may pass by has no quick code.
; RUN: sl-opt -quick -mcpu=x86-64-v3
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func void @_Z7barrierj(i32)

; CHECK: kernel helps {{.*}} work 487 quick loops
; CHECK: kernel leaves {{.*}} work 0
; CHECK-NOT: quick
; CHECK: kernel loops {{.*}} work 164 quick loops
; CHECK: kernel meets {{.*}} work 6 quick
; CHECK-NOT: loops
; CHECK: kernel nested {{.*}} work 3234 quick loops
; CHECK: kernel straight {{.*}} work 6 quick

define spir_kernel void @straight(ptr addrspace(1) %x) {
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr inbounds float, ptr addrspace(1) %x, i64 %i
  %v = load float, ptr addrspace(1) %p, align 4
  %w = fmul float %v, %v
  store float %w, ptr addrspace(1) %p, align 4
  ret void
}

define spir_kernel void @loops(ptr addrspace(1) %x, i32 %n) {
entry:
  br label %loop

loop:
  %k = phi i32 [0, %entry], [%next, %loop]
  store i32 %k, ptr addrspace(1) %x, align 4
  %next = add i32 %k, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  %p = getelementptr i8, ptr addrspace(1) %x, i64 4
  store i32 %n, ptr addrspace(1) %p, align 4
  ret void
}

define spir_kernel void @nested(ptr addrspace(1) %x, i32 %n) {
entry:
  br label %outer

outer:
  %j = phi i32 [0, %entry], [%j.next, %latch]
  br label %loop

loop:
  %k = phi i32 [0, %outer], [%next, %loop]
  %next = add i32 %k, 1
  br i1 true, label %latch, label %loop

latch:
  %j.next = add i32 %j, 1
  %more = icmp ult i32 %j.next, %n
  br i1 %more, label %outer, label %exit

exit:
  ret void
}

define internal spir_func void @help(ptr addrspace(1) %x) noinline {
entry:
  br label %loop

loop:
  %k = phi i32 [0, %entry], [%next, %loop]
  store i32 %k, ptr addrspace(1) %x, align 4
  %next = add i32 %k, 1
  %more = icmp ult i32 %next, 9
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

define spir_kernel void @helps(ptr addrspace(1) %x) {
  call spir_func void @help(ptr addrspace(1) %x)
  call spir_func void @help(ptr addrspace(1) %x)
  call spir_func void @help(ptr addrspace(1) %x)
  ret void
}

define spir_kernel void @meets(ptr addrspace(1) %x, i32 %n) {
entry:
  %c = icmp eq i32 %n, 0
  call spir_func void @_Z7barrierj(i32 1)
  br i1 %c, label %exit, label %then

then:
  call spir_func void @_Z7barrierj(i32 1)
  br label %exit

exit:
  ret void
}

define spir_kernel void @leaves(ptr addrspace(1) %x, i32 %n) {
entry:
  %c = icmp eq i32 %n, 0
  br i1 %c, label %exit, label %then

then:
  call spir_func void @_Z7barrierj(i32 1)
  store i32 %n, ptr addrspace(1) %x, align 4
  br label %exit

exit:
  ret void
}

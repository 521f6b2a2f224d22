; SPDX-License-Identifier: Apache-2.0
; How much work an item is at most: its instructions, those of loops as often as they go round. A kernel
; with a loop of which nobody can tell, or whose barriers items may pass by, has no quick code. Where
; arguments say how often, there is a rule by them; of a loop in a loop for its first and last rounds,
; unless it may go round more often between them.
; RUN: sl-opt -quick -mcpu=x86-64-v3
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func void @_Z7barrierj(i32)

; CHECK: kernel calls {{.*}} work 51 quick
; CHECK: kernel counts {{.*}} work 1000000 quick by 4 4294967295 1 a1.32 g32 +32 1 S 5 P S{{$}}
; CHECK: kernel crossed {{.*}} work 1000000{{$}}
; CHECK: kernel halves {{.*}} work 168 quick
; CHECK: kernel helps {{.*}} work 142 quick
; CHECK: kernel leaves {{.*}} work 0{{$}}
; CHECK: kernel meets {{.*}} work 6 quick
; CHECK: kernel nested {{.*}} work 237 quick
; CHECK: kernel peaks {{.*}} work 1000000{{$}}
; CHECK: kernel straight {{.*}} work 6 quick
; CHECK: kernel triangle {{.*}} work 1000000 quick by 3 {{.*}} 1 S 5 {{.*}} g64 1 S 5 P S P S{{$}}
; CHECK: kernel twice {{.*}} work 1000000{{$}}

define spir_kernel void @straight(ptr addrspace(1) %x) {
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr inbounds float, ptr addrspace(1) %x, i64 %i
  %v = load float, ptr addrspace(1) %p, align 4
  %w = fmul float %v, %v
  store float %w, ptr addrspace(1) %p, align 4
  ret void
}

define spir_kernel void @counts(ptr addrspace(1) %x, i32 %n) {
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

define spir_kernel void @triangle(ptr addrspace(1) %x, i32 %n, i16 %from) {
entry:
  %first = sext i16 %from to i32
  br label %outer

outer:
  %j = phi i32 [%first, %entry], [%j.next, %latch]
  br label %loop

loop:
  %k = phi i32 [%j, %outer], [%next, %loop]
  store i32 %k, ptr addrspace(1) %x, align 4
  %next = add nsw i32 %k, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %latch

latch:
  %j.next = add nsw i32 %j, 1
  %again = icmp slt i32 %j.next, %n
  br i1 %again, label %outer, label %exit

exit:
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
  %end = icmp eq i32 %next, 10
  br i1 %end, label %latch, label %loop

latch:
  %j.next = add i32 %j, 1
  %found = icmp eq i32 %j.next, %n
  %all = icmp ugt i32 %j.next, 4
  %stop = or i1 %found, %all
  br i1 %stop, label %exit, label %outer

exit:
  ret void
}

; Of a number that may be negative LLVM cannot tell.
define spir_kernel void @halves(ptr addrspace(1) %x, i32 %n) {
entry:
  br label %loop

loop:
  %s = phi i32 [%n, %entry], [%next, %body]
  %more = icmp sgt i32 %s, 0
  br i1 %more, label %body, label %exit

body:
  %next = ashr i32 %s, 1
  br label %loop

exit:
  store i32 %n, ptr addrspace(1) %x, align 4
  ret void
}

; No loop in the sense of LLVM's analyses, but it may go round.
define spir_kernel void @crossed(ptr addrspace(1) %x, i32 %n) {
entry:
  %c = icmp eq i32 %n, 0
  br i1 %c, label %a, label %b

a:
  br label %b

b:
  %v = load i32, ptr addrspace(1) %x, align 4
  %d = icmp eq i32 %v, 0
  br i1 %d, label %a, label %exit

exit:
  ret void
}

define internal spir_func void @as_often(i32 %n) noinline {
entry:
  br label %loop

loop:
  %k = phi i32 [0, %entry], [%next, %loop]
  %next = add i32 %k, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

define spir_kernel void @calls(ptr addrspace(1) %x) {
  call spir_func void @as_often(i32 12)
  ret void
}

define internal spir_func void @as_often_as(i32 %n) noinline {
entry:
  br label %loop

loop:
  %k = phi i32 [0, %entry], [%next, %loop]
  %next = add i32 %k, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

define spir_kernel void @twice(ptr addrspace(1) %x, i32 %n) {
  call spir_func void @as_often_as(i32 12)
  call spir_func void @as_often_as(i32 %n)
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

define spir_kernel void @peaks(ptr addrspace(1) %x, i32 %n) {
entry:
  br label %outer

outer:
  %i = phi i32 [1, %entry], [%i1, %end]
  %left = sub nsw i32 %n, %i
  %less = call i32 @llvm.smin.i32(i32 %i, i32 %left)
  %begins = icmp sgt i32 %less, 0
  br i1 %begins, label %inner, label %end

inner:
  %k = phi i32 [0, %outer], [%k1, %inner]
  store volatile i32 %k, ptr addrspace(1) %x, align 4
  %k1 = add nuw nsw i32 %k, 1
  %more = icmp slt i32 %k1, %less
  br i1 %more, label %inner, label %end

end:
  %i1 = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %i1, %n
  br i1 %again, label %outer, label %exit

exit:
  ret void
}
declare i32 @llvm.smin.i32(i32, i32)

; SPDX-License-Identifier: Apache-2.0
; printf writes one record with a head and a value for each argument, eight bytes aligned, and calls the
; runtime with it and their number. The head says what it is (1 integer, 2 number, 3 pointer, 4 string),
; from bit 16 on how many elements, from bit 32 on how large each. The format tells strings from pointers:
; a "*" takes an argument, "%%" none.
; RUN: sl-opt -stage=printf_lower
; CHECK: ; kernel kinds flags 1 local
; CHECK: ; kernel silent flags 0 local
; CHECK: ; kernel star flags 1 local
target triple = "spir64-unknown-unknown"
@format = private addrspace(2) constant [19 x i8] c"%% %d %v4hhd %s %p\00"
@widths = private addrspace(2) constant [7 x i8] c"%*s %f\00"
@text = private addrspace(2) constant [2 x i8] c"a\00"
declare spir_func i32 @printf(ptr addrspace(2), ...)

; CHECK-LABEL: define {{.*}}@kinds(
; CHECK: %record = alloca [8 x i64], align 8
; CHECK: store i64 [[#0x400010001]], ptr
; CHECK: store i32 %n, ptr %{{.*}}, align 8
; CHECK: store i64 [[#0x100040001]], ptr
; CHECK: store <4 x i8> %v, ptr %{{.*}}, align 8
; CHECK: store i64 [[#0x800010004]], ptr
; CHECK: store ptr addrspace(2) @text, ptr %{{.*}}, align 8
; CHECK: getelementptr inbounds i8, ptr %record, i64 48
; CHECK-NEXT: store i64 [[#0x800010003]], ptr
; CHECK: %[[R:.*]] = call i32 %{{.*}}(ptr %[[LAUNCH:.*]], ptr addrspacecast (ptr addrspace(2) @format to ptr), ptr %record, i32 64, i32 4)
; CHECK-NEXT: store i32 %[[R]], ptr addrspace(1) %x
define spir_kernel void @kinds(ptr addrspace(1) %x, i32 %n, <4 x i8> %v, ptr addrspace(2) %f) {
  %r = call spir_func i32 (ptr addrspace(2), ...) @printf(ptr addrspace(2) @format, i32 %n, <4 x i8> %v, ptr addrspace(2) @text, ptr addrspace(2) @text)
  store i32 %r, ptr addrspace(1) %x
  ret void
}
; CHECK-LABEL: define {{.*}}@star(
; CHECK: store i64 [[#0x400010001]], ptr
; CHECK: store i64 [[#0x800010004]], ptr
; CHECK: store i64 [[#0x800010002]], ptr
; CHECK: store double %d
; CHECK: ptr %record, i32 48, i32 3)
define spir_kernel void @star(i32 %n, double %d) {
  call spir_func i32 (ptr addrspace(2), ...) @printf(ptr addrspace(2) @widths, i32 %n, ptr addrspace(2) @text, double %d)
  ret void
}
; CHECK-LABEL: define {{.*}}@silent(
; CHECK-NEXT: store i32 1
define spir_kernel void @silent(ptr addrspace(1) %x) {
  store i32 1, ptr addrspace(1) %x
  ret void
}

; SPDX-License-Identifier: Apache-2.0
; Where all threads share a pipe its operations are calls of the runtime for each item, made lane by lane.
; A packet in private memory goes there in a variable of its own, so that the kernel's can be a value; one
; elsewhere is moved where it lies, since a read that fails must not write.
; RUN: sl-opt -shared-pipes -stage=pipe_resolve
target triple = "spir64-unknown-unknown"
declare i32 @__read_pipe_2(ptr addrspace(1), ptr addrspace(4), i32, i32)
declare i32 @__write_pipe_2(ptr addrspace(1), ptr addrspace(4), i32, i32)
declare i32 @__get_pipe_num_packets_ro(ptr addrspace(1), i32, i32)

; CHECK-LABEL: define {{.*}}@private(
; CHECK: %packet = alloca [4 x i8], align 16
; CHECK: call void @llvm.memcpy{{.*}}(ptr align 16 %packet, {{.*}} %p, i64 4
; CHECK: call i32 %{{.*}}(ptr addrspace(1) %pipe, i32 0, ptr %packet)
; CHECK-NEXT: call void @llvm.memcpy{{.*}}%p, ptr align 16 %packet, i64 4
; CHECK: load i32, ptr %v
define spir_kernel void @private(ptr addrspace(1) %pipe, ptr addrspace(1) %x) !kernel_arg_type_qual !0 {
  %v = alloca i32
  %p = addrspacecast ptr %v to ptr addrspace(4)
  %r = call i32 @__read_pipe_2(ptr addrspace(1) %pipe, ptr addrspace(4) %p, i32 4, i32 4)
  %n = load i32, ptr %v
  store i32 %n, ptr addrspace(1) %x
  ret void
}
; CHECK-LABEL: define {{.*}}@global(
; CHECK-NOT: %packet
; CHECK-NOT: memcpy
; CHECK: %[[AT:.*]] = addrspacecast ptr addrspace(4) %p to ptr
; CHECK: call i32 %{{.*}}(ptr addrspace(1) %pipe, i32 0, ptr %[[AT]])
; CHECK-NOT: memcpy
; CHECK: ret void
define spir_kernel void @global(ptr addrspace(1) %pipe, ptr addrspace(1) %x) !kernel_arg_type_qual !0 {
  %p = addrspacecast ptr addrspace(1) %x to ptr addrspace(4)
  %r = call i32 @__read_pipe_2(ptr addrspace(1) %pipe, ptr addrspace(4) %p, i32 4, i32 4)
  ret void
}
; A write reads the packet only: nothing comes back.
; CHECK-LABEL: define {{.*}}@writes(
; CHECK: memcpy
; CHECK: call i32 %{{.*}}(ptr addrspace(1) %pipe, i32 1, ptr %packet)
; CHECK-NOT: memcpy
; CHECK: ret void
define spir_kernel void @writes(ptr addrspace(1) %pipe, ptr addrspace(1) %x) !kernel_arg_type_qual !0 {
  %p = addrspacecast ptr addrspace(1) %x to ptr addrspace(4)
  %r = call i32 @__write_pipe_2(ptr addrspace(1) %pipe, ptr addrspace(4) %p, i32 4, i32 4)
  ret void
}
; Copying a large one costs more than it saves.
; CHECK-LABEL: define {{.*}}@large(
; CHECK-NOT: memcpy
; CHECK: %[[N:.*]] = call i32 %{{.*}}(ptr addrspace(1) %pipe)
; CHECK-NEXT: store i32 %[[N]]
define spir_kernel void @large(ptr addrspace(1) %pipe, ptr addrspace(1) %x) !kernel_arg_type_qual !0 {
  %v = alloca [1024 x i8]
  %p = addrspacecast ptr %v to ptr addrspace(4)
  %r = call i32 @__write_pipe_2(ptr addrspace(1) %pipe, ptr addrspace(4) %p, i32 1024, i32 4)
  %n = call i32 @__get_pipe_num_packets_ro(ptr addrspace(1) %pipe, i32 1024, i32 4)
  store i32 %n, ptr addrspace(1) %x
  ret void
}
!0 = !{!"pipe", !""}

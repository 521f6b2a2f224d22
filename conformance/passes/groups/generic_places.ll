; SPDX-License-Identifier: Apache-2.0
; What generic pointers are compared with: local memory ends behind the bytes that the group has, the
; stack is looked at where the group's function is, down to what may be used below it. Who asks for
; nothing of that does not read it.
; RUN: sl-opt -mcpu=x86-64-v3
target triple = "spir64-unknown-unknown"
declare spir_func ptr addrspace(3) @__to_local(ptr addrspace(4))
declare spir_func ptr @__to_private(ptr addrspace(4))

; CHECK-LABEL: define internal void @local.groups(
; CHECK-NOT: @llvm.stacksave
; CHECK: %[[GROUP:.*]] = getelementptr inbounds i8, ptr %3, i64 48
; CHECK: %[[BYTES:.*]] = load i64, ptr %[[GROUP]]
; CHECK: %[[END:.*]] = getelementptr inbounds i8, ptr %local, i64 %[[BYTES]]
; CHECK: ptrtoint ptr %local to i64
; CHECK: ptrtoint ptr %[[END]] to i64
; CHECK-NOT: ptrtoint ptr %context
define spir_kernel void @local(ptr addrspace(1) %x, ptr addrspace(4) %p) {
  %l = call spir_func ptr addrspace(3) @__to_local(ptr addrspace(4) %p)
  %is = icmp ne ptr addrspace(3) %l, null
  store i1 %is, ptr addrspace(1) %x
  ret void
}
; CHECK-LABEL: define internal void @private.groups(
; CHECK: %[[GROUP:.*]] = getelementptr inbounds i8, ptr %3, i64 56
; CHECK: %[[BYTES:.*]] = load i64, ptr %[[GROUP]]
; CHECK: %[[END:.*]] = getelementptr inbounds i8, ptr %context, i64 %[[BYTES]]
; CHECK: %[[HIGH:.*]] = call ptr @llvm.frameaddress.p0(i32 0)
; CHECK: %[[NOW:.*]] = call ptr @llvm.stacksave.p0()
; CHECK: %[[LOW:.*]] = getelementptr inbounds i8, ptr %[[NOW]], i64 -128
; CHECK: ptrtoint ptr %context to i64
; CHECK: ptrtoint ptr %[[END]] to i64
; CHECK: ptrtoint ptr %[[LOW]] to i64
; CHECK: ptrtoint ptr %[[HIGH]] to i64
define spir_kernel void @private(ptr addrspace(1) %x, ptr addrspace(4) %p) {
  %m = call spir_func ptr @__to_private(ptr addrspace(4) %p)
  %is = icmp ne ptr %m, null
  store i1 %is, ptr addrspace(1) %x
  ret void
}

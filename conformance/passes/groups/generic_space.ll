; SPDX-License-Identifier: Apache-2.0
; Where a generic pointer points is in its address: within the group's local memory (sl.wi.11 up to 16),
; the thread's context (17, 18) or its stack (19, 20); else it is global. Each comparison is one, of
; differences: the end itself is not in. What lies elsewhere is null to who asked for this space.
; RUN: sl-opt -stage=generic_space
target triple = "spir64-unknown-unknown"
declare spir_func ptr addrspace(3) @__to_local(ptr addrspace(4))
declare spir_func ptr addrspace(1) @__to_global(ptr addrspace(4))
declare spir_func ptr @__to_private(ptr addrspace(4))
declare spir_func i32 @_Z9get_fencePU3AS4v(ptr addrspace(4))

; CHECK-LABEL: define {{.*}}@local(
; CHECK: %[[BASE:.*]] = ptrtoint ptr %
; CHECK: %[[BYTES:.*]] = sub i64 %{{.*}}, %[[BASE]]
; CHECK-NEXT: %[[AT:.*]] = sub i64 %{{.*}}, %[[BASE]]
; CHECK-NEXT: %[[IN:.*]] = icmp ult i64 %[[AT]], %[[BYTES]]
; CHECK-NOT: sl.wi.1{{[6-9]}}
; CHECK: select i1 %[[IN]], ptr addrspace(3) %{{.*}}, ptr addrspace(3) null
define spir_kernel void @local(ptr addrspace(1) %x, ptr addrspace(4) %p) {
  %l = call spir_func ptr addrspace(3) @__to_local(ptr addrspace(4) %p)
  store i32 1, ptr addrspace(3) %l
  ret void
}
; CHECK-LABEL: define {{.*}}@global(
; CHECK: %[[LOCAL:.*]] = icmp ult
; CHECK: %[[PRIVATE:.*]] = or i1
; CHECK-NEXT: %[[ANY:.*]] = or i1 %[[LOCAL]], %[[PRIVATE]]
; CHECK-NEXT: %[[NO:.*]] = xor i1 %[[ANY]], true
; CHECK: select i1 %[[NO]], ptr addrspace(1) %{{.*}}, ptr addrspace(1) null
define spir_kernel void @global(ptr addrspace(1) %x, ptr addrspace(4) %p) {
  %g = call spir_func ptr addrspace(1) @__to_global(ptr addrspace(4) %p)
  store i32 1, ptr addrspace(1) %g
  ret void
}
; CHECK-LABEL: define {{.*}}@private(
; CHECK: call ptr @sl.wi.17.0()
; CHECK: call ptr @sl.wi.18.0()
; CHECK: %[[CONTEXT:.*]] = icmp ult
; CHECK: call ptr @sl.wi.19.0()
; CHECK: call ptr @sl.wi.20.0()
; CHECK: %[[STACK:.*]] = icmp ult
; CHECK-NEXT: %[[PRIVATE:.*]] = or i1 %[[STACK]], %[[CONTEXT]]
; CHECK: select i1 %[[PRIVATE]], ptr %{{.*}}, ptr null
define spir_kernel void @private(ptr addrspace(1) %x, ptr addrspace(4) %p) {
  %m = call spir_func ptr @__to_private(ptr addrspace(4) %p)
  store i32 1, ptr %m
  ret void
}
; One that is neither local nor private has the global flag; a private one has none.
; CHECK-LABEL: define {{.*}}@fence(
; CHECK: %[[IS:.*]] = icmp ult
; CHECK: %[[OTHER:.*]] = select i1 %{{.*}}, i32 0, i32 2
; CHECK-NEXT: select i1 %[[IS]], i32 1, i32 %[[OTHER]]
define spir_kernel void @fence(ptr addrspace(1) %x, ptr addrspace(4) %p) {
  %f = call spir_func i32 @_Z9get_fencePU3AS4v(ptr addrspace(4) %p)
  store i32 %f, ptr addrspace(1) %x
  ret void
}

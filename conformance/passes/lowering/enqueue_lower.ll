; SPDX-License-Identifier: Apache-2.0
; What kernels that enqueue kernels ask for becomes calls through the runtime's table for it, all forms of
; enqueue_kernel the same one: what a form lacks is null. Without -g a kernel only learns that something
; is wrong, as -101. A null event is a number, for which nobody is called. Who asks for nothing of it is
; not marked (flag 16384).
; RUN: sl-opt -stage=enqueue_lower
; CHECK: ; kernel events flags 16384
; CHECK: ; kernel k flags 16384
; CHECK: ; kernel null flags 16384
; CHECK: ; kernel plain flags 0
target triple = "spir64-unknown-unknown"
declare spir_func i32 @__enqueue_kernel_basic(i64, i32, ptr, ptr addrspace(4), ptr addrspace(4))
declare spir_func i32 @__enqueue_kernel_events_varargs(i64, i32, ptr, i32, ptr addrspace(4), ptr addrspace(4), ptr addrspace(4), ptr addrspace(4), i32, ptr)
declare spir_func i1 @_Z14is_valid_event12ocl_clkevent(i64)
declare spir_func void @_Z12retain_event12ocl_clkevent(i64)
declare spir_func i64 @__sl_null_event()

; CHECK-LABEL: define {{.*}}@k(
; CHECK: %[[WHERE:.*]] = getelementptr inbounds i8, ptr %{{.*}}, i64 0
; CHECK-NEXT: %[[ENQUEUE:.*]] = load ptr, ptr %[[WHERE]]
; CHECK: %[[STATUS:.*]] = call i32 %[[ENQUEUE]](ptr %{{.*}}, i64 %queue, i32 1, ptr %range, i32 0, ptr null, ptr null, ptr %{{.*}}, ptr %{{.*}}, i32 0, ptr null)
; CHECK-NEXT: %[[WRONG:.*]] = icmp ne i32 %[[STATUS]], 0
; CHECK-NEXT: %[[RESULT:.*]] = select i1 %[[WRONG]], i32 -101, i32 0
; CHECK-NEXT: store i32 %[[RESULT]]
define spir_kernel void @k(ptr addrspace(1) %x, i64 %queue, ptr addrspace(4) %block) {
  %range = alloca [80 x i8]
  %r = call spir_func i32 @__enqueue_kernel_basic(i64 %queue, i32 1, ptr %range, ptr addrspace(4) %block, ptr addrspace(4) %block)
  store i32 %r, ptr addrspace(1) %x
  ret void
}
; CHECK-LABEL: define {{.*}}@events(
; CHECK-DAG: %[[EVENTS:.*]] = addrspacecast ptr addrspace(4) %events to ptr
; CHECK: getelementptr inbounds i8, ptr %{{.*}}, i64 0
; CHECK: call i32 %{{.*}}(ptr %{{.*}}, i64 %queue, i32 1, ptr %range, i32 2, ptr %[[EVENTS]], {{.*}}, i32 1, ptr %sizes)
define spir_kernel void @events(ptr addrspace(1) %x, i64 %queue, ptr addrspace(4) %block, ptr addrspace(4) %events, ptr %sizes) {
  %range = alloca [80 x i8]
  %r = call spir_func i32 @__enqueue_kernel_events_varargs(i64 %queue, i32 1, ptr %range, i32 2, ptr addrspace(4) %events, ptr addrspace(4) null, ptr addrspace(4) %block, ptr addrspace(4) %block, i32 1, ptr %sizes)
  store i32 %r, ptr addrspace(1) %x
  ret void
}
; CHECK-LABEL: define {{.*}}@null(
; CHECK: call void %{{.*}}(ptr %{{.*}}, i64 -1)
; CHECK-NOT: call
; CHECK: ret void
define spir_kernel void @null(ptr addrspace(1) %x) {
  %e = call spir_func i64 @__sl_null_event()
  call spir_func void @_Z12retain_event12ocl_clkevent(i64 %e)
  ret void
}
; CHECK-LABEL: define {{.*}}@plain(
; CHECK-NEXT: store i32 1
define spir_kernel void @plain(ptr addrspace(1) %x) {
  store i32 1, ptr addrspace(1) %x
  ret void
}

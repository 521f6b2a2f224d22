; SPDX-License-Identifier: Apache-2.0
; Kernels that write vectors one behind the other into buffers that they do not read have a second form
; whose stores go past the caches; which of the two runs is decided where a launch begins. A store that
; is not aligned stays as it is.
; RUN: sl-opt -mcpu=x86-64-v3 -passes=default<O2> -then=streaming
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)

; It reads the lines anyway.
; CHECK-LABEL: define {{.*}}void @added.kernel(
; CHECK-NOT: past.caches
; CHECK: ret void
; CHECK: }
define spir_kernel void @added(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr float, ptr addrspace(1) %in, i64 %id
  %q = getelementptr float, ptr addrspace(1) %out, i64 %id
  %v = load float, ptr addrspace(1) %p, align 4
  %w = load float, ptr addrspace(1) %q, align 4
  %s = fadd float %v, %w
  store float %s, ptr addrspace(1) %q, align 4
  ret void
}

; CHECK-LABEL: define {{.*}}void @copied.kernel(
; CHECK: %[[OUT:.*]] = load ptr, ptr %0
; CHECK: mul i64
; CHECK: icmp ugt i64
; CHECK: icmp ne ptr %[[OUT]],
; CHECK: br i1 %{{.*}}, label %[[PAST:.*]], label %{{.*}}
; CHECK-NOT: !nontemporal
; CHECK: [[PAST]]:
; CHECK-NEXT: call void @past.caches(
; CHECK-NEXT: ret void
define spir_kernel void @copied(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr float, ptr addrspace(1) %in, i64 %id
  %q = getelementptr float, ptr addrspace(1) %out, i64 %id
  %v = load float, ptr addrspace(1) %p, align 4
  store float %v, ptr addrspace(1) %q, align 4
  ret void
}

; Others may wait for the count, and then read what was written before.
; CHECK-LABEL: define {{.*}}void @counted.kernel(
; CHECK-NOT: past.caches
; CHECK: ret void
; CHECK: }
define spir_kernel void @counted(ptr addrspace(1) %out, ptr addrspace(1) %in, ptr addrspace(1) %n) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr float, ptr addrspace(1) %in, i64 %id
  %q = getelementptr float, ptr addrspace(1) %out, i64 %id
  %v = load float, ptr addrspace(1) %p, align 4
  store float %v, ptr addrspace(1) %q, align 4
  %old = atomicrmw add ptr addrspace(1) %n, i32 1 release
  ret void
}

; What is between the stores would have to be fetched by somebody.
; CHECK-LABEL: define {{.*}}void @with_gaps.kernel(
; CHECK-NOT: past.caches
; CHECK: ret void
; CHECK: }
define spir_kernel void @with_gaps(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr <4 x float>, ptr addrspace(1) %in, i64 %id
  %twice = shl i64 %id, 1
  %q = getelementptr <4 x float>, ptr addrspace(1) %out, i64 %twice
  %v = load <4 x float>, ptr addrspace(1) %p, align 16
  store <4 x float> %v, ptr addrspace(1) %q, align 16
  ret void
}

; CHECK-LABEL: define internal void @past.caches(
; CHECK: %[[LOW:.*]] = and i64 %{{.*}}, 31
; CHECK: %[[FITS:.*]] = icmp eq i64 %[[LOW]], 0
; CHECK: br i1 %[[FITS]], label %[[NT:.*]], label %[[USUAL:.*]]
; CHECK: [[NT]]:
; CHECK-NEXT: store <8 x float> %{{.*}}, align 32{{.*}}!nontemporal
; CHECK: call void @llvm.x86.sse.sfence()
; CHECK-NEXT: ret void
; CHECK: [[USUAL]]:
; CHECK-NEXT: store <8 x float>
; CHECK-NOT: !nontemporal

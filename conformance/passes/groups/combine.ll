; SPDX-License-Identifier: Apache-2.0
; Atomics of all items of a vector at one address are one, of what the items' values come to. Old values
; that are asked for are that one's, and what the lanes before add; of other operations than sums they
; are asked of memory item by item.
; RUN: sl-opt -mcpu=x86-64-v3 -stage=work_group_regions
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)

; Those that do not run add nothing.
; CHECK-LABEL: define internal void @bits.groups
; CHECK: select <8 x i1> %{{.*}}, <8 x i32> %{{.*}}, <8 x i32> splat (i32 -1)
; CHECK: call i32 @llvm.vector.reduce.and.v8i32
; CHECK: atomicrmw and
; CHECK: ret void
define spir_kernel void @bits(ptr addrspace(1) %x, ptr addrspace(1) %m) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %x, i64 %id
  %v = load i32, ptr addrspace(1) %p, align 4
  %some = icmp sgt i32 %v, 7
  br i1 %some, label %do, label %end
do:
  %old = atomicrmw and ptr addrspace(1) %m, i32 %v monotonic
  br label %end
end:
  ret void
}

; CHECK-LABEL: define internal void @exchange.groups
; CHECK-NOT: vector.reduce
; CHECK: ret void
define spir_kernel void @exchange(ptr addrspace(1) %x, ptr addrspace(1) %m) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %x, i64 %id
  %v = load i32, ptr addrspace(1) %p, align 4
  %old = atomicrmw max ptr addrspace(1) %m, i32 %v monotonic
  %other = atomicrmw xchg ptr addrspace(1) %m, i32 %v monotonic
  store i32 %old, ptr addrspace(1) %p, align 4
  ret void
}

; CHECK-LABEL: define internal void @greatest.groups
; CHECK: %[[M:.*]] = call i32 @llvm.vector.reduce.smax.v8i32
; CHECK: atomicrmw max ptr %{{.*}}, i32 %[[M]] monotonic
; CHECK: ret void
define spir_kernel void @greatest(ptr addrspace(1) %x, ptr addrspace(1) %m) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %x, i64 %id
  %v = load i32, ptr addrspace(1) %p, align 4
  %old = atomicrmw max ptr addrspace(1) %m, i32 %v monotonic
  ret void
}

; CHECK-LABEL: define internal void @rooms.groups
; CHECK-COUNT-3: shufflevector <8 x i32> zeroinitializer, <8 x i32>
; CHECK: %[[ALL:.*]] = extractelement <8 x i32> %{{.*}}, i32 7
; CHECK: %[[OLD:.*]] = atomicrmw sub ptr %{{.*}}, i32 %[[ALL]] monotonic
; CHECK: insertelement <8 x i32> poison, i32 %[[OLD]], i32 0
; CHECK: sub <8 x i32>
; CHECK: ret void
define spir_kernel void @rooms(ptr addrspace(1) %x, ptr addrspace(1) %m) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %x, i64 %id
  %v = load i32, ptr addrspace(1) %p, align 4
  %old = atomicrmw sub ptr addrspace(1) %m, i32 %v monotonic
  store i32 %old, ptr addrspace(1) %p, align 4
  ret void
}

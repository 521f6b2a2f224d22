; SPDX-License-Identifier: Apache-2.0
; OpenCL vectors that a loop keeps stay as they lie in memory where they meet others element by element: nothing is
; regrouped. What is taken apart in the loop has a vector of lanes per element.
; RUN: sl-opt -mcpu=x86-64-v3
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)

; Neighbours are loaded, scaled by a number that is the same in all items, and stored.
; CHECK-LABEL: define internal void @filter.groups
; CHECK-NOT: shufflevector <32 x float>
; CHECK: phi <64 x float>
; CHECK: %[[S:.*]] = shufflevector <64 x float> %{{.*}}, <64 x float> poison, <64 x i32> zeroinitializer
; CHECK-NOT: shufflevector
; CHECK: fmul <64 x float> %{{.*}}, %[[S]]
; CHECK: store <64 x float>
define spir_kernel void @filter(ptr addrspace(1) %y, ptr addrspace(1) %x, ptr addrspace(1) %w, i64 %n) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %more, %loop ]
  %at = add i64 %id, %k
  %px = getelementptr inbounds <4 x float>, ptr addrspace(1) %x, i64 %at
  %vx = load <4 x float>, ptr addrspace(1) %px, align 16
  %pw = getelementptr inbounds float, ptr addrspace(1) %w, i64 %k
  %vw = load float, ptr addrspace(1) %pw, align 4
  %first = insertelement <4 x float> poison, float %vw, i32 0
  %all = shufflevector <4 x float> %first, <4 x float> poison, <4 x i32> zeroinitializer
  %product = fmul <4 x float> %vx, %all
  %more = fadd <4 x float> %sum, %product
  %next = add i64 %k, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop

end:
  %py = getelementptr inbounds <4 x float>, ptr addrspace(1) %y, i64 %id
  store <4 x float> %more, ptr addrspace(1) %py, align 16
  ret void
}

; Each turn asks for the elements one by one.
; CHECK-LABEL: define internal void @lengths.groups
; CHECK: phi <16 x float>
; CHECK-NOT: phi <{{32|64}} x float>
define spir_kernel void @lengths(ptr addrspace(1) %y, ptr addrspace(1) %x, i64 %n) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %more, %loop ]
  %at = add i64 %id, %k
  %px = getelementptr inbounds <4 x float>, ptr addrspace(1) %x, i64 %at
  %vx = load <4 x float>, ptr addrspace(1) %px, align 16
  %x0 = extractelement <4 x float> %vx, i32 0
  %x1 = extractelement <4 x float> %vx, i32 1
  %length = fmul float %x0, %x1
  %first = insertelement <4 x float> poison, float %length, i32 0
  %all = shufflevector <4 x float> %first, <4 x float> poison, <4 x i32> zeroinitializer
  %product = fmul <4 x float> %vx, %all
  %more = fadd <4 x float> %sum, %product
  %next = add i64 %k, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop

end:
  %py = getelementptr inbounds <4 x float>, ptr addrspace(1) %y, i64 %id
  store <4 x float> %more, ptr addrspace(1) %py, align 16
  ret void
}

; Sixteen bytes of an item go from memory to memory: as they lie there, a division by a constant included.
; CHECK-LABEL: define internal void @mean_of_bytes.groups
; CHECK-NOT: shufflevector <{{[0-9]+}} x i8>
; CHECK: udiv <128 x i16> %{{.*}}, splat (i16 3)
; CHECK-NOT: shufflevector <{{[0-9]+}} x i8>
; CHECK: store <128 x i8>
define spir_kernel void @mean_of_bytes(ptr addrspace(1) %y, ptr addrspace(1) %x) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %px = getelementptr inbounds <16 x i8>, ptr addrspace(1) %x, i64 %id
  %v = load <16 x i8>, ptr addrspace(1) %px, align 16
  %wide = zext <16 x i8> %v to <16 x i16>
  %sum = add <16 x i16> %wide, splat (i16 100)
  %mean = udiv <16 x i16> %sum, splat (i16 3)
  %narrow = trunc <16 x i16> %mean to <16 x i8>
  %py = getelementptr inbounds <16 x i8>, ptr addrspace(1) %y, i64 %id
  store <16 x i8> %narrow, ptr addrspace(1) %py, align 16
  ret void
}

; Without a loop too, if nothing of it is taken apart: elements of a long would have to be narrowed.
; CHECK-LABEL: define internal void @shorts.groups
; CHECK-NOT: shufflevector
; CHECK: sext <64 x i16> %{{.*}} to <64 x i32>
; CHECK: trunc <64 x i32> %{{.*}} to <64 x i16>
; CHECK-NOT: shufflevector
; CHECK: store <64 x i16>
define spir_kernel void @shorts(ptr addrspace(1) noalias %y, ptr addrspace(1) noalias %x) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %px = getelementptr inbounds <4 x i16>, ptr addrspace(1) %x, i64 %id
  %vx = load <4 x i16>, ptr addrspace(1) %px, align 8
  %wide = sext <4 x i16> %vx to <4 x i32>
  %product = mul <4 x i32> %wide, %wide
  %high = lshr <4 x i32> %product, splat (i32 7)
  %back = trunc <4 x i32> %high to <4 x i16>
  %py = getelementptr inbounds <4 x i16>, ptr addrspace(1) %y, i64 %id
  store <4 x i16> %back, ptr addrspace(1) %py, align 8
  ret void
}

; Half as many items as usual, whose sums fit into the registers.
; CHECK-LABEL: define internal void @sums.groups
; CHECK: phi <16 x float>
; CHECK: phi <16 x float>
; CHECK: phi <16 x float>
; CHECK: phi <16 x float>
define spir_kernel void @sums(ptr addrspace(1) %y, ptr addrspace(1) %x, ptr addrspace(1) %w, i64 %n) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s0 = phi <4 x float> [ zeroinitializer, %entry ], [ %m0, %loop ]
  %s1 = phi <4 x float> [ zeroinitializer, %entry ], [ %m1, %loop ]
  %s2 = phi <4 x float> [ zeroinitializer, %entry ], [ %m2, %loop ]
  %s3 = phi <4 x float> [ zeroinitializer, %entry ], [ %m3, %loop ]
  %at = add i64 %id, %k
  %px = getelementptr inbounds <4 x float>, ptr addrspace(1) %x, i64 %at
  %vx = load <4 x float>, ptr addrspace(1) %px, align 16
  %pw = getelementptr inbounds <4 x float>, ptr addrspace(1) %w, i64 %k
  %vw = load <4 x float>, ptr addrspace(1) %pw, align 16
  %w0 = shufflevector <4 x float> %vw, <4 x float> poison, <4 x i32> zeroinitializer
  %w1 = shufflevector <4 x float> %vw, <4 x float> poison, <4 x i32> <i32 1, i32 1, i32 1, i32 1>
  %w2 = shufflevector <4 x float> %vw, <4 x float> poison, <4 x i32> <i32 2, i32 2, i32 2, i32 2>
  %w3 = shufflevector <4 x float> %vw, <4 x float> poison, <4 x i32> <i32 3, i32 3, i32 3, i32 3>
  %p0 = fmul <4 x float> %vx, %w0
  %p1 = fmul <4 x float> %vx, %w1
  %p2 = fmul <4 x float> %vx, %w2
  %p3 = fmul <4 x float> %vx, %w3
  %m0 = fadd <4 x float> %s0, %p0
  %m1 = fadd <4 x float> %s1, %p1
  %m2 = fadd <4 x float> %s2, %p2
  %m3 = fadd <4 x float> %s3, %p3
  %next = add i64 %k, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop

end:
  %py = getelementptr inbounds [4 x <4 x float>], ptr addrspace(1) %y, i64 0, i64 0
  %to0 = getelementptr inbounds <4 x float>, ptr addrspace(1) %py, i64 %id
  store <4 x float> %m0, ptr addrspace(1) %to0, align 16
  %to1 = getelementptr inbounds <4 x float>, ptr addrspace(1) %to0, i64 %n
  store <4 x float> %m1, ptr addrspace(1) %to1, align 16
  %to2 = getelementptr inbounds <4 x float>, ptr addrspace(1) %to1, i64 %n
  store <4 x float> %m2, ptr addrspace(1) %to2, align 16
  %to3 = getelementptr inbounds <4 x float>, ptr addrspace(1) %to2, i64 %n
  store <4 x float> %m3, ptr addrspace(1) %to3, align 16
  ret void
}

; SPDX-License-Identifier: Apache-2.0
; "if (id < n)" at the beginning of a kernel ends its rows: nothing in the loop asks again, and full
; vectors have no mask. The step of a reduction is such a region too once the end of the loop around
; it has been cut off.
; RUN: sl-opt -mcpu=x86-64-v4 -passes=default<O2>
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func i64 @_Z14get_local_sizej(i32)
declare spir_func void @_Z7barrierj(i32)

; CHECK-LABEL: define dso_local void @guard.kernel
; CHECK: icmp {{.*}} i32
; CHECK: load <16 x float>
; CHECK-NOT: icmp {{.*}} <16 x i32>
; CHECK: ret void
define spir_kernel void @guard(ptr addrspace(1) align 4 %y, ptr addrspace(1) align 4 %x, i32 %n) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %i = trunc i64 %id to i32
  %some = icmp slt i32 %i, %n
  br i1 %some, label %body, label %end
body:
  %at = sext i32 %i to i64
  %px = getelementptr inbounds float, ptr addrspace(1) %x, i64 %at
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %at
  %v = load float, ptr addrspace(1) %px, align 4
  %s = fadd float %v, 1.0
  store float %s, ptr addrspace(1) %py, align 4
  br label %end
end:
  ret void
}

; CHECK-LABEL: define dso_local void @step.kernel
; CHECK: load <16 x float>
; CHECK-NOT: icmp {{.*}} <16 x i32>
; CHECK: ret void
define spir_kernel void @step(ptr addrspace(3) align 4 %t, i32 %n) {
entry:
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %l = trunc i64 %id to i32
  call spir_func void @_Z7barrierj(i32 1)
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %head, label %end
head:
  %s = phi i32 [ %n, %entry ], [ %half, %next ]
  %mine = icmp slt i32 %l, %s
  br i1 %mine, label %add, label %next
add:
  %a = sext i32 %l to i64
  %other = add nsw i32 %l, %s
  %b = sext i32 %other to i64
  %pa = getelementptr inbounds float, ptr addrspace(3) %t, i64 %a
  %pb = getelementptr inbounds float, ptr addrspace(3) %t, i64 %b
  %va = load float, ptr addrspace(3) %pa, align 4
  %vb = load float, ptr addrspace(3) %pb, align 4
  %sum = fadd float %va, %vb
  store float %sum, ptr addrspace(3) %pa, align 4
  br label %next
next:
  call spir_func void @_Z7barrierj(i32 1)
  %half = lshr i32 %s, 1
  %more = icmp ne i32 %half, 0
  br i1 %more, label %head, label %end
end:
  ret void
}

; Equal guards on both sides of a barrier are one comparison; both regions end their rows.
; CHECK-LABEL: define dso_local void @two.kernel
; CHECK-NOT: icmp {{.*}} <16 x i32>
; CHECK: ret void
define spir_kernel void @two(ptr addrspace(3) align 4 %t, ptr addrspace(1) align 4 %o, i32 %n) {
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %l = trunc i64 %id to i32
  %m = icmp slt i32 %l, %n
  %pt = getelementptr inbounds float, ptr addrspace(3) %t, i64 %id
  %po = getelementptr inbounds float, ptr addrspace(1) %o, i64 %id
  br i1 %m, label %fill, label %both
fill:
  store float 1.0, ptr addrspace(3) %pt, align 4
  br label %both
both:
  call spir_func void @_Z7barrierj(i32 1)
  br i1 %m, label %take, label %end
take:
  %v = load float, ptr addrspace(3) %pt, align 4
  store float %v, ptr addrspace(1) %po, align 4
  br label %end
end:
  ret void
}

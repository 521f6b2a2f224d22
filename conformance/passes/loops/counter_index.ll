; SPDX-License-Identifier: Apache-2.0
; Behind a condition loops read a window: the row's start and the column are counters of two
; loops, whose way back comes first here. Their sum is an int that cannot wrap around, so items read
; neighbours.
; RUN: sl-opt -mcpu=x86-64-v4 -passes=default<O2>
; CHECK-NOT: call {{.*}}masked.gather
; CHECK: call {{.*}}masked.load
; CHECK-NOT: call {{.*}}masked.gather
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
define spir_kernel void @k(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %o, i32 %width, i32 %height, i32 %pitch, i32 %row, i32 %n) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %x = trunc i64 %id to i32
  %po = getelementptr inbounds float, ptr addrspace(1) %o, i64 %id
  %some = icmp slt i32 %x, %n
  br i1 %some, label %first, label %end
first:
  %at = mul nsw i32 %row, %pitch
  %start = add nsw i32 %at, %x
  br label %outer
outer:
  %offset = phi i32 [ %offset.next, %outer.end ], [ %start, %first ]
  %j = phi i32 [ %j.next, %outer.end ], [ 0, %first ]
  %sum = phi float [ %sum.in, %outer.end ], [ 0.0, %first ]
  %more.rows = icmp slt i32 %j, %height
  br i1 %more.rows, label %inner, label %done
inner:
  %i = phi i32 [ %i.next, %body ], [ 0, %outer ]
  %sum.in = phi float [ %sum.next, %body ], [ %sum, %outer ]
  %more = icmp slt i32 %i, %width
  br i1 %more, label %body, label %outer.end
body:
  %index = add nsw i32 %offset, %i
  %wide = sext i32 %index to i64
  %pa = getelementptr inbounds float, ptr addrspace(1) %a, i64 %wide
  %v = load float, ptr addrspace(1) %pa, align 4
  %square = fmul float %v, %v
  %sum.next = fadd float %sum.in, %square
  %i.next = add nsw i32 %i, 1
  br label %inner
outer.end:
  %offset.next = add nsw i32 %offset, %pitch
  %j.next = add nsw i32 %j, 1
  br label %outer
done:
  store float %sum, ptr addrspace(1) %po, align 4
  br label %end
end:
  ret void
}

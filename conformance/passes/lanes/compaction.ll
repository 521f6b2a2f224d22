; SPDX-License-Identifier: Apache-2.0
; Items that a branch on data sends to a loop are packed, behind which the loop runs for full vectors of them. Not
; where the branch asks which item it is, nor where the loop reads what neighbours' neighbours read, nor for a loop of
; as many turns as an argument says, or of few. A loop may count down, as that of other compilers does.
; RUN: sl-opt -mcpu=x86-64-v3
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK: @sl.pack.orders = private {{.*}}constant [2048 x i8]

; CHECK-LABEL: define internal void @by_argument.groups
; CHECK-NOT: llvm.x86.avx2.permd
; CHECK: ret void
define spir_kernel void @by_argument(ptr addrspace(1) %a, ptr addrspace(1) %o, i32 %n) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %id
  %po = getelementptr float, ptr addrspace(1) %o, i64 %id
  %v = load float, ptr addrspace(1) %pa
  %light = fcmp olt float %v, 0.5
  br i1 %light, label %end, label %next
next:
  %k = phi i32 [ 0, %entry ], [ %k1, %next ]
  %x = phi float [ %v, %entry ], [ %y, %next ]
  %x1 = fadd float %x, 1.0
  %x2 = fdiv float 2.0, %x1
  %x3 = fmul float %x, 0.75
  %y = fadd float %x2, %x3
  %k1 = add nuw i32 %k, 1
  %more = icmp ult i32 %k1, %n
  br i1 %more, label %next, label %end
end:
  %r = phi float [ %v, %entry ], [ %y, %next ]
  store float %r, ptr addrspace(1) %po
  ret void
}

; CHECK-LABEL: define internal void @by_data.groups
; CHECK: call <8 x i32> @llvm.x86.avx2.permd
; CHECK: call i32 @llvm.ctpop.i32
; CHECK: fdiv <64 x float>
; CHECK-NOT: fdiv float
; CHECK: ret void
define spir_kernel void @by_data(ptr addrspace(1) %a, ptr addrspace(1) %o) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %id
  %po = getelementptr float, ptr addrspace(1) %o, i64 %id
  %v = load float, ptr addrspace(1) %pa
  %light = fcmp olt float %v, 0.5
  br i1 %light, label %end, label %next
next:
  %k = phi i32 [ 0, %entry ], [ %k1, %next ]
  %x = phi float [ %v, %entry ], [ %y, %next ]
  %x1 = fadd float %x, 1.0
  %x2 = fdiv float 2.0, %x1
  %x3 = fmul float %x, 0.75
  %y = fadd float %x2, %x3
  %k1 = add nuw i32 %k, 1
  %more = icmp ult i32 %k1, 64
  br i1 %more, label %next, label %end
end:
  %r = phi float [ %v, %entry ], [ %y, %next ]
  store float %r, ptr addrspace(1) %po
  ret void
}

; CHECK-LABEL: define internal void @by_data_down.groups
; CHECK: call <8 x i32> @llvm.x86.avx2.permd
; CHECK: call i32 @llvm.ctpop.i32
; CHECK: fdiv <64 x float>
; CHECK-NOT: fdiv float
; CHECK: ret void
define spir_kernel void @by_data_down(ptr addrspace(1) %a, ptr addrspace(1) %o) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %id
  %po = getelementptr float, ptr addrspace(1) %o, i64 %id
  %v = load float, ptr addrspace(1) %pa
  %light = fcmp olt float %v, 0.5
  br i1 %light, label %end, label %next
next:
  %k = phi i32 [ 64, %entry ], [ %k1, %next ]
  %x = phi float [ %v, %entry ], [ %y, %next ]
  %x1 = fadd float %x, 1.0
  %x2 = fdiv float 2.0, %x1
  %x3 = fmul float %x, 0.75
  %y = fadd float %x2, %x3
  %k1 = add i32 %k, -1
  %more = icmp ne i32 %k1, 0
  br i1 %more, label %next, label %end
end:
  %r = phi float [ %v, %entry ], [ %y, %next ]
  store float %r, ptr addrspace(1) %po
  ret void
}

; CHECK-LABEL: define internal void @by_id.groups
; CHECK-NOT: llvm.x86.avx2.permd
; CHECK: ret void
define spir_kernel void @by_id(ptr addrspace(1) %a, ptr addrspace(1) %o) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %id
  %po = getelementptr float, ptr addrspace(1) %o, i64 %id
  %v = load float, ptr addrspace(1) %pa
  %bit = and i64 %id, 4
  %light = icmp eq i64 %bit, 0
  br i1 %light, label %end, label %next
next:
  %k = phi i32 [ 0, %entry ], [ %k1, %next ]
  %x = phi float [ %v, %entry ], [ %y, %next ]
  %x1 = fadd float %x, 1.0
  %x2 = fdiv float 2.0, %x1
  %x3 = fmul float %x, 0.75
  %y = fadd float %x2, %x3
  %k1 = add nuw i32 %k, 1
  %more = icmp ult i32 %k1, 64
  br i1 %more, label %next, label %end
end:
  %r = phi float [ %v, %entry ], [ %y, %next ]
  store float %r, ptr addrspace(1) %po
  ret void
}

; CHECK-LABEL: define internal void @few_down.groups
; CHECK-NOT: llvm.x86.avx2.permd
; CHECK: ret void
define spir_kernel void @few_down(ptr addrspace(1) %a, ptr addrspace(1) %o) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %id
  %po = getelementptr float, ptr addrspace(1) %o, i64 %id
  %v = load float, ptr addrspace(1) %pa
  %light = fcmp olt float %v, 0.5
  br i1 %light, label %end, label %next
next:
  %k = phi i32 [ 8, %entry ], [ %k1, %next ]
  %x = phi float [ %v, %entry ], [ %y, %next ]
  %x1 = fadd float %x, 1.0
  %x2 = fdiv float 2.0, %x1
  %x3 = fmul float %x, 0.75
  %y = fadd float %x2, %x3
  %k1 = add i32 %k, -1
  %more = icmp ne i32 %k1, 0
  br i1 %more, label %next, label %end
end:
  %r = phi float [ %v, %entry ], [ %y, %next ]
  store float %r, ptr addrspace(1) %po
  ret void
}

; CHECK-LABEL: define internal void @neighbours.groups
; CHECK-NOT: llvm.x86.avx2.permd
; CHECK: ret void
define spir_kernel void @neighbours(ptr addrspace(1) %a, ptr addrspace(1) %o) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %id
  %po = getelementptr float, ptr addrspace(1) %o, i64 %id
  %v = load float, ptr addrspace(1) %pa
  %light = fcmp olt float %v, 0.5
  br i1 %light, label %end, label %next
next:
  %k = phi i32 [ 0, %entry ], [ %k1, %next ]
  %x = phi float [ %v, %entry ], [ %y, %next ]
  %n = load float, ptr addrspace(1) %pa
  %x1 = fadd float %x, %n
  %x2 = fdiv float 2.0, %x1
  %x3 = fmul float %x, 0.75
  %y = fadd float %x2, %x3
  store float %y, ptr addrspace(1) %po
  %k1 = add nuw i32 %k, 1
  %more = icmp ult i32 %k1, 64
  br i1 %more, label %next, label %end
end:
  ret void
}

; Rows of a sparse matrix that lie column by column: in each turn neighbours read neighbours.
; CHECK-LABEL: define internal void @zigzag.groups
; CHECK-NOT: llvm.x86.avx2.permd
; CHECK: ret void
define spir_kernel void @zigzag(ptr addrspace(1) %longs, ptr addrspace(1) %from, ptr addrspace(1) %a, ptr addrspace(1) %x, ptr addrspace(1) %o) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %low = trunc i64 %id to i32
  %pl = getelementptr i32, ptr addrspace(1) %longs, i64 %id
  %po = getelementptr i32, ptr addrspace(1) %o, i64 %id
  %n = load i32, ptr addrspace(1) %pl
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %next, label %end
next:
  %k = phi i64 [ 0, %entry ], [ %k1, %next ]
  %s = phi i32 [ 0, %entry ], [ %s2, %next ]
  %pf = getelementptr i32, ptr addrspace(1) %from, i64 %k
  %f = load i32, ptr addrspace(1) %pf
  %sum = add nsw i32 %f, %low
  %j = sext i32 %sum to i64
  %pa = getelementptr i32, ptr addrspace(1) %a, i64 %j
  %v = load i32, ptr addrspace(1) %pa
  %to = sext i32 %v to i64
  %px = getelementptr i32, ptr addrspace(1) %x, i64 %to
  %w = load i32, ptr addrspace(1) %px
  %s1 = mul i32 %w, %v
  %s2 = add i32 %s, %s1
  %k1 = add nuw i64 %k, 1
  %last = sext i32 %n to i64
  %more = icmp slt i64 %k1, %last
  br i1 %more, label %next, label %end
end:
  %r = phi i32 [ 0, %entry ], [ %s2, %next ]
  store i32 %r, ptr addrspace(1) %po
  ret void
}

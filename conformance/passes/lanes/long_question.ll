; SPDX-License-Identifier: Apache-2.0
; Lanes that stay and lanes that leave: a comparison that takes several registers is made once, one that takes
; a single one both ways.
; RUN: sl-opt -mcpu=x86-64-v4
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define internal void @doubles.groups
; CHECK: [[IS:%[0-9]+]] = fcmp olt <32 x double>
; CHECK-NEXT: [[STAY:%[0-9]+]] = select <32 x i1> [[RUN:%[0-9a-z.]+]], <32 x i1> [[IS]], <32 x i1> zeroinitializer
; CHECK-NEXT: xor <32 x i1> [[RUN]], [[STAY]]
; CHECK: ret void
define spir_kernel void @doubles(ptr addrspace(1) noalias %y, double %from) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %low = trunc i64 %id to i32
  %wide = sitofp i32 %low to double
  %start = fdiv double %wide, %from
  br label %loop

loop:
  %x = phi double [ %start, %entry ], [ %more, %loop ]
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %square = fmul double %x, %x
  %more = fadd double %square, %start
  %next = add nuw nsw i32 %i, 1
  %on = fcmp olt double %more, 4.0
  br i1 %on, label %loop, label %end

end:
  %py = getelementptr inbounds i32, ptr addrspace(1) %y, i64 %id
  store i32 %i, ptr addrspace(1) %py, align 4
  ret void
}

; CHECK-LABEL: define internal void @floats.groups
; CHECK: [[IS:%[0-9]+]] = fcmp olt <16 x float>
; CHECK: xor <16 x i1> [[IS]], splat (i1 true)
; CHECK: ret void
define spir_kernel void @floats(ptr addrspace(1) noalias %y, float %from) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %low = trunc i64 %id to i32
  %wide = sitofp i32 %low to float
  %start = fdiv float %wide, %from
  br label %loop

loop:
  %x = phi float [ %start, %entry ], [ %more, %loop ]
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %square = fmul float %x, %x
  %more1 = fadd float %square, %start
  %more2 = fmul float %more1, %x
  %more3 = fadd float %more2, %start
  %more4 = fmul float %more3, %x
  %more5 = fadd float %more4, %start
  %more6 = fmul float %more5, %square
  %more7 = fadd float %more6, %more1
  %more8 = fmul float %more7, %more3
  %more9 = fadd float %more8, %more5
  %more10 = fmul float %more9, %more7
  %more11 = fadd float %more10, %more3
  %more12 = fmul float %more11, %more9
  %more = fadd float %more12, %more1
  %next = add nuw nsw i32 %i, 1
  %on = fcmp olt float %more, 4.0
  br i1 %on, label %loop, label %end

end:
  %py = getelementptr inbounds i32, ptr addrspace(1) %y, i64 %id
  store i32 %i, ptr addrspace(1) %py, align 4
  ret void
}

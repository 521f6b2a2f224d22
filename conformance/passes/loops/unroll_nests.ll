; SPDX-License-Identifier: Apache-2.0
; Nests of short loops that the program wants unrolled, in kernels whose sub-groups can go in step: what they
; become in all is limited, more so for the form whose items wait for each other. What is left are loops.
; RUN: sl-opt -mcpu=x86-64-v4 -shared-pipes -remarks
target triple = "spir64-unknown-unknown"
declare spir_func void @__sl_sub_group_meet()
declare spir_func ptr @__sl_sub_group_memory()
declare spir_func i64 @_Z13get_global_idj(i32)
define spir_func i32 @_Z20sub_group_reduce_addi(i32 %x) alwaysinline convergent "sl-builtin" {
  call spir_func void @__sl_sub_group_meet()
  %room = call spir_func ptr @__sl_sub_group_memory()
  %a = load i32, ptr %room
  %sum = add i32 %a, %x
  store i32 %sum, ptr %room
  call spir_func void @__sl_sub_group_meet()
  %all = load i32, ptr %room
  ret i32 %all
}

; CHECK: many line 22: a loop of 14 rounds is not unrolled
; CHECK-NEXT: many line 22: a loop of 15 rounds is not unrolled
; CHECK-NEXT: some line 12: a loop of 4 rounds is not unrolled
; CHECK-NEXT: some line 12: a loop of 15 rounds is not unrolled
; CHECK-NEXT: many.in_step line 22: a loop of 14 rounds is not unrolled
; CHECK-NEXT: many.in_step line 22: a loop of 15 rounds is not unrolled
; CHECK-NOT: not unrolled

; Where the items go in step it is small enough.
define spir_kernel void @some(ptr addrspace(1) %x) !dbg !10 {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0), !dbg !11
  %p = getelementptr i32, ptr addrspace(1) %x, i64 %id, !dbg !11
  br label %l0, !dbg !11
l0:
  %i0 = phi i64 [ 0, %entry ], [ %n0, %e0 ]
  br label %l1, !dbg !11
l1:
  %i1 = phi i64 [ 0, %l0 ], [ %n1, %e1 ]
  br label %l2, !dbg !11
l2:
  %i2 = phi i64 [ 0, %l1 ], [ %n2, %e2 ]
  %q = getelementptr i32, ptr addrspace(1) %p, i64 %i2, !dbg !11
  %v = load i32, ptr addrspace(1) %q, !dbg !11
  %w = trunc i64 %i0 to i32, !dbg !11
  %u = mul i32 %v, %w, !dbg !11
  store i32 %u, ptr addrspace(1) %q, !dbg !11
  br label %e2, !dbg !11
e2:
  %n2 = add nuw nsw i64 %i2, 1, !dbg !11
  %c2 = icmp eq i64 %n2, 16, !dbg !11
  br i1 %c2, label %e1, label %l2, !dbg !11, !llvm.loop !16
e1:
  %n1 = add nuw nsw i64 %i1, 1, !dbg !11
  %c1 = icmp eq i64 %n1, 15, !dbg !11
  br i1 %c1, label %e0, label %l1, !dbg !11, !llvm.loop !15
e0:
  %b = load i32, ptr addrspace(1) %p, !dbg !11
  %s = call spir_func i32 @_Z20sub_group_reduce_addi(i32 %b), !dbg !11
  store i32 %s, ptr addrspace(1) %p, !dbg !11
  %n0 = add nuw nsw i64 %i0, 1, !dbg !11
  %c0 = icmp eq i64 %n0, 4, !dbg !11
  br i1 %c0, label %end, label %l0, !dbg !11, !llvm.loop !14
end:
  ret void, !dbg !11
}

; In no form.
define spir_kernel void @many(ptr addrspace(1) %x) !dbg !30 {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0), !dbg !31
  %p = getelementptr i32, ptr addrspace(1) %x, i64 %id, !dbg !31
  br label %l0, !dbg !31
l0:
  %i0 = phi i64 [ 0, %entry ], [ %n0, %e0 ]
  br label %l1, !dbg !31
l1:
  %i1 = phi i64 [ 0, %l0 ], [ %n1, %e1 ]
  br label %l2, !dbg !31
l2:
  %i2 = phi i64 [ 0, %l1 ], [ %n2, %e2 ]
  %q = getelementptr i32, ptr addrspace(1) %p, i64 %i2, !dbg !31
  %v = load i32, ptr addrspace(1) %q, !dbg !31
  %w = trunc i64 %i0 to i32, !dbg !31
  %u = mul i32 %v, %w, !dbg !31
  store i32 %u, ptr addrspace(1) %q, !dbg !31
  br label %e2, !dbg !31
e2:
  %n2 = add nuw nsw i64 %i2, 1, !dbg !31
  %c2 = icmp eq i64 %n2, 16, !dbg !31
  br i1 %c2, label %e1, label %l2, !dbg !31, !llvm.loop !36
e1:
  %n1 = add nuw nsw i64 %i1, 1, !dbg !31
  %c1 = icmp eq i64 %n1, 15, !dbg !31
  br i1 %c1, label %e0, label %l1, !dbg !31, !llvm.loop !35
e0:
  %b = load i32, ptr addrspace(1) %p, !dbg !31
  %s = call spir_func i32 @_Z20sub_group_reduce_addi(i32 %b), !dbg !31
  store i32 %s, ptr addrspace(1) %p, !dbg !31
  %n0 = add nuw nsw i64 %i0, 1, !dbg !31
  %c0 = icmp eq i64 %n0, 14, !dbg !31
  br i1 %c0, label %end, label %l0, !dbg !31, !llvm.loop !34
end:
  ret void, !dbg !31
}

!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!1}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !2)
!2 = !DIFile(filename: "a.cl", directory: "")
!3 = !{!"llvm.loop.unroll.full"}
!10 = distinct !DISubprogram(name: "some", file: !2, line: 12, unit: !1)
!11 = !DILocation(line: 12, scope: !10)
!14 = distinct !{!14, !3}
!15 = distinct !{!15, !3}
!16 = distinct !{!16, !3}
!30 = distinct !DISubprogram(name: "many", file: !2, line: 22, unit: !1)
!31 = !DILocation(line: 22, scope: !30)
!34 = distinct !{!34, !3}
!35 = distinct !{!35, !3}
!36 = distinct !{!36, !3}

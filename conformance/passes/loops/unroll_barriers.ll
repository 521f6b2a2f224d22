; SPDX-License-Identifier: Apache-2.0
; A loop around a barrier that the program wants unrolled stays a loop where it would become long: each copy would be
; several loops over items. A short one, and one of the same length without a barrier, are unrolled.
; RUN: sl-opt -mcpu=x86-64-v4 -shared-pipes -remarks
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func void @_Z7barrierj(i32)

; CHECK: long line 22: a loop of 80 rounds is not unrolled
; CHECK-NOT: not unrolled

define spir_kernel void @long(ptr addrspace(1) %x, ptr addrspace(3) %t) !dbg !10 {
entry:
  %id = call spir_func i64 @_Z12get_local_idj(i32 0), !dbg !11
  %p = getelementptr i32, ptr addrspace(1) %x, i64 %id, !dbg !11
  %q = getelementptr i32, ptr addrspace(3) %t, i64 %id, !dbg !11
  br label %l, !dbg !11
l:
  %i = phi i32 [ 0, %entry ], [ %n, %l ]
  %v0 = load i32, ptr addrspace(3) %q, !dbg !11
  %v1 = mul i32 %v0, 5, !dbg !11
  %v2 = xor i32 %v1, %i, !dbg !11
  %v3 = mul i32 %v2, 7, !dbg !11
  %v4 = xor i32 %v3, 11, !dbg !11
  %v5 = mul i32 %v4, %i, !dbg !11
  %v6 = xor i32 %v5, 13, !dbg !11
  %v7 = add i32 %v6, %i, !dbg !11
  %v8 = mul i32 %v7, 9, !dbg !11
  store i32 %v8, ptr addrspace(3) %q, !dbg !11
  call spir_func void @_Z7barrierj(i32 1), !dbg !11
  %n = add nuw nsw i32 %i, 1, !dbg !11
  %c = icmp eq i32 %n, 80, !dbg !11
  br i1 %c, label %done, label %l, !dbg !11, !llvm.loop !12
done:
  %r = load i32, ptr addrspace(3) %q, !dbg !11
  store i32 %r, ptr addrspace(1) %p, !dbg !11
  ret void, !dbg !11
}

define spir_kernel void @plain(ptr addrspace(1) %x, ptr addrspace(3) %t) !dbg !20 {
entry:
  %id = call spir_func i64 @_Z12get_local_idj(i32 0), !dbg !21
  %p = getelementptr i32, ptr addrspace(1) %x, i64 %id, !dbg !21
  %q = getelementptr i32, ptr addrspace(3) %t, i64 %id, !dbg !21
  br label %l, !dbg !21
l:
  %i = phi i32 [ 0, %entry ], [ %n, %l ]
  %v0 = load i32, ptr addrspace(3) %q, !dbg !21
  %v1 = mul i32 %v0, 5, !dbg !21
  %v2 = xor i32 %v1, %i, !dbg !21
  %v3 = mul i32 %v2, 7, !dbg !21
  %v4 = xor i32 %v3, 11, !dbg !21
  %v5 = mul i32 %v4, %i, !dbg !21
  %v6 = xor i32 %v5, 13, !dbg !21
  %v7 = add i32 %v6, %i, !dbg !21
  %v8 = mul i32 %v7, 9, !dbg !21
  store i32 %v8, ptr addrspace(3) %q, !dbg !21
  %n = add nuw nsw i32 %i, 1, !dbg !21
  %c = icmp eq i32 %n, 80, !dbg !21
  br i1 %c, label %done, label %l, !dbg !21, !llvm.loop !22
done:
  %r = load i32, ptr addrspace(3) %q, !dbg !21
  store i32 %r, ptr addrspace(1) %p, !dbg !21
  ret void, !dbg !21
}

define spir_kernel void @short(ptr addrspace(1) %x, ptr addrspace(3) %t) !dbg !30 {
entry:
  %id = call spir_func i64 @_Z12get_local_idj(i32 0), !dbg !31
  %p = getelementptr i32, ptr addrspace(1) %x, i64 %id, !dbg !31
  %q = getelementptr i32, ptr addrspace(3) %t, i64 %id, !dbg !31
  br label %l, !dbg !31
l:
  %i = phi i32 [ 0, %entry ], [ %n, %l ]
  %v0 = load i32, ptr addrspace(3) %q, !dbg !31
  %v1 = mul i32 %v0, 5, !dbg !31
  %v2 = xor i32 %v1, %i, !dbg !31
  %v3 = mul i32 %v2, 7, !dbg !31
  %v4 = xor i32 %v3, 11, !dbg !31
  %v5 = mul i32 %v4, %i, !dbg !31
  %v6 = xor i32 %v5, 13, !dbg !31
  %v7 = add i32 %v6, %i, !dbg !31
  %v8 = mul i32 %v7, 9, !dbg !31
  store i32 %v8, ptr addrspace(3) %q, !dbg !31
  call spir_func void @_Z7barrierj(i32 1), !dbg !31
  %n = add nuw nsw i32 %i, 1, !dbg !31
  %c = icmp eq i32 %n, 20, !dbg !31
  br i1 %c, label %done, label %l, !dbg !31, !llvm.loop !32
done:
  %r = load i32, ptr addrspace(3) %q, !dbg !31
  store i32 %r, ptr addrspace(1) %p, !dbg !31
  ret void, !dbg !31
}

!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!1}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !2)
!2 = !DIFile(filename: "a.cl", directory: "")
!3 = !{!"llvm.loop.unroll.full"}
!10 = distinct !DISubprogram(name: "long", file: !2, line: 22, unit: !1)
!11 = !DILocation(line: 22, scope: !10)
!12 = distinct !{!12, !3}
!20 = distinct !DISubprogram(name: "plain", file: !2, line: 32, unit: !1)
!21 = !DILocation(line: 32, scope: !20)
!22 = distinct !{!22, !3}
!30 = distinct !DISubprogram(name: "short", file: !2, line: 42, unit: !1)
!31 = !DILocation(line: 42, scope: !30)
!32 = distinct !{!32, !3}

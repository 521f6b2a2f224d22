; SPDX-License-Identifier: Apache-2.0
; A loop that divides something else by one number in each round stays a loop though the program wants it unrolled:
; copies save nothing beside the division. Unrolled are those that divide by their counter or by a constant, that fill
; a private array, or that are short.
; RUN: sl-opt -mcpu=x86-64-v4 -shared-pipes -remarks
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK: stays line 22: a loop of 8 rounds is not unrolled
; CHECK-NOT: not unrolled

define spir_kernel void @stays(ptr addrspace(1) %x, ptr addrspace(1) %y, i64 %by) !dbg !22 {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0), !dbg !23
  %first = mul i64 %id, 8, !dbg !23
  br label %l, !dbg !23
l:
  %i = phi i64 [ 0, %entry ], [ %n, %l ]
  %at = add i64 %first, %i, !dbg !23
  %part = udiv i64 %at, %by, !dbg !23
  %p = getelementptr i64, ptr addrspace(1) %x, i64 %part, !dbg !23
  %v0 = load i64, ptr addrspace(1) %p, !dbg !23
  %v1 = xor i64 %v0, 5, !dbg !23
  %v2 = add i64 %v1, %at, !dbg !23
  %v3 = xor i64 %v2, 7, !dbg !23
  %v4 = add i64 %v3, %at, !dbg !23
  %v5 = xor i64 %v4, 9, !dbg !23
  %v6 = add i64 %v5, %at, !dbg !23
  %v7 = xor i64 %v6, 11, !dbg !23
  %v8 = add i64 %v7, %at, !dbg !23
  %q = getelementptr i64, ptr addrspace(1) %y, i64 %at, !dbg !23
  store i64 %v8, ptr addrspace(1) %q, !dbg !23
  %n = add nuw nsw i64 %i, 1, !dbg !23
  %c = icmp eq i64 %n, 8, !dbg !23
  br i1 %c, label %done, label %l, !dbg !23, !llvm.loop !24
done:
  ret void, !dbg !23
}

define spir_kernel void @counter(ptr addrspace(1) %x, ptr addrspace(1) %y, i64 %by) !dbg !32 {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0), !dbg !33
  %first = mul i64 %id, 8, !dbg !33
  br label %l, !dbg !33
l:
  %i = phi i64 [ 0, %entry ], [ %n, %l ]
  %at = add i64 %first, %i, !dbg !33
  %part = udiv i64 %by, %at, !dbg !33
  %p = getelementptr i64, ptr addrspace(1) %x, i64 %part, !dbg !33
  %v0 = load i64, ptr addrspace(1) %p, !dbg !33
  %v1 = xor i64 %v0, 5, !dbg !33
  %v2 = add i64 %v1, %at, !dbg !33
  %v3 = xor i64 %v2, 7, !dbg !33
  %v4 = add i64 %v3, %at, !dbg !33
  %v5 = xor i64 %v4, 9, !dbg !33
  %v6 = add i64 %v5, %at, !dbg !33
  %v7 = xor i64 %v6, 11, !dbg !33
  %v8 = add i64 %v7, %at, !dbg !33
  %q = getelementptr i64, ptr addrspace(1) %y, i64 %at, !dbg !33
  store i64 %v8, ptr addrspace(1) %q, !dbg !33
  %n = add nuw nsw i64 %i, 1, !dbg !33
  %c = icmp eq i64 %n, 8, !dbg !33
  br i1 %c, label %done, label %l, !dbg !33, !llvm.loop !34
done:
  ret void, !dbg !33
}

define spir_kernel void @constant(ptr addrspace(1) %x, ptr addrspace(1) %y, i64 %by) !dbg !42 {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0), !dbg !43
  %first = mul i64 %id, 8, !dbg !43
  br label %l, !dbg !43
l:
  %i = phi i64 [ 0, %entry ], [ %n, %l ]
  %at = add i64 %first, %i, !dbg !43
  %part = udiv i64 %at, 7, !dbg !43
  %p = getelementptr i64, ptr addrspace(1) %x, i64 %part, !dbg !43
  %v0 = load i64, ptr addrspace(1) %p, !dbg !43
  %v1 = xor i64 %v0, 5, !dbg !43
  %v2 = add i64 %v1, %at, !dbg !43
  %v3 = xor i64 %v2, 7, !dbg !43
  %v4 = add i64 %v3, %at, !dbg !43
  %v5 = xor i64 %v4, 9, !dbg !43
  %v6 = add i64 %v5, %at, !dbg !43
  %v7 = xor i64 %v6, 11, !dbg !43
  %v8 = add i64 %v7, %at, !dbg !43
  %q = getelementptr i64, ptr addrspace(1) %y, i64 %at, !dbg !43
  store i64 %v8, ptr addrspace(1) %q, !dbg !43
  %n = add nuw nsw i64 %i, 1, !dbg !43
  %c = icmp eq i64 %n, 8, !dbg !43
  br i1 %c, label %done, label %l, !dbg !43, !llvm.loop !44
done:
  ret void, !dbg !43
}

define spir_kernel void @array(ptr addrspace(1) %x, ptr addrspace(1) %y, i64 %by) !dbg !52 {
entry:
  %a = alloca [8 x i64], !dbg !53
  %id = call spir_func i64 @_Z13get_global_idj(i32 0), !dbg !53
  %first = mul i64 %id, 8, !dbg !53
  br label %l, !dbg !53
l:
  %i = phi i64 [ 0, %entry ], [ %n, %l ]
  %at = add i64 %first, %i, !dbg !53
  %part = udiv i64 %at, %by, !dbg !53
  %p = getelementptr i64, ptr addrspace(1) %x, i64 %part, !dbg !53
  %v0 = load i64, ptr addrspace(1) %p, !dbg !53
  %v1 = xor i64 %v0, 5, !dbg !53
  %v2 = add i64 %v1, %at, !dbg !53
  %v3 = xor i64 %v2, 7, !dbg !53
  %v4 = add i64 %v3, %at, !dbg !53
  %v5 = xor i64 %v4, 9, !dbg !53
  %v6 = add i64 %v5, %at, !dbg !53
  %v7 = xor i64 %v6, 11, !dbg !53
  %v8 = add i64 %v7, %at, !dbg !53
  %q = getelementptr [8 x i64], ptr %a, i64 0, i64 %i, !dbg !53
  store i64 %v8, ptr %q, !dbg !53
  %n = add nuw nsw i64 %i, 1, !dbg !53
  %c = icmp eq i64 %n, 8, !dbg !53
  br i1 %c, label %done, label %l, !dbg !53, !llvm.loop !54
done:
  %s = load i64, ptr %a, !dbg !53
  %e = getelementptr [8 x i64], ptr %a, i64 0, i64 7, !dbg !53
  %t = load i64, ptr %e, !dbg !53
  %u = add i64 %s, %t, !dbg !53
  %r = getelementptr i64, ptr addrspace(1) %y, i64 %id, !dbg !53
  store i64 %u, ptr addrspace(1) %r, !dbg !53
  ret void, !dbg !53
}

define spir_kernel void @short(ptr addrspace(1) %x, ptr addrspace(1) %y, i64 %by) !dbg !62 {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0), !dbg !63
  %first = mul i64 %id, 2, !dbg !63
  br label %l, !dbg !63
l:
  %i = phi i64 [ 0, %entry ], [ %n, %l ]
  %at = add i64 %first, %i, !dbg !63
  %part = udiv i64 %at, %by, !dbg !63
  %p = getelementptr i64, ptr addrspace(1) %x, i64 %part, !dbg !63
  %v0 = load i64, ptr addrspace(1) %p, !dbg !63
  %v1 = xor i64 %v0, 5, !dbg !63
  %v2 = add i64 %v1, %at, !dbg !63
  %v3 = xor i64 %v2, 7, !dbg !63
  %v4 = add i64 %v3, %at, !dbg !63
  %q = getelementptr i64, ptr addrspace(1) %y, i64 %at, !dbg !63
  store i64 %v4, ptr addrspace(1) %q, !dbg !63
  %n = add nuw nsw i64 %i, 1, !dbg !63
  %c = icmp eq i64 %n, 2, !dbg !63
  br i1 %c, label %done, label %l, !dbg !63, !llvm.loop !64
done:
  ret void, !dbg !63
}

!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!1}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !2)
!2 = !DIFile(filename: "a.cl", directory: "")
!3 = !{!"llvm.loop.unroll.full"}
!22 = distinct !DISubprogram(name: "stays", file: !2, line: 22, unit: !1)
!23 = !DILocation(line: 22, scope: !22)
!24 = distinct !{!24, !3}
!32 = distinct !DISubprogram(name: "counter", file: !2, line: 32, unit: !1)
!33 = !DILocation(line: 32, scope: !32)
!34 = distinct !{!34, !3}
!42 = distinct !DISubprogram(name: "constant", file: !2, line: 42, unit: !1)
!43 = !DILocation(line: 42, scope: !42)
!44 = distinct !{!44, !3}
!52 = distinct !DISubprogram(name: "array", file: !2, line: 52, unit: !1)
!53 = !DILocation(line: 52, scope: !52)
!54 = distinct !{!54, !3}
!62 = distinct !DISubprogram(name: "short", file: !2, line: 62, unit: !1)
!63 = !DILocation(line: 62, scope: !62)
!64 = distinct !{!64, !3}

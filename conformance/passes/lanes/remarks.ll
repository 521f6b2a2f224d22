; SPDX-License-Identifier: Apache-2.0
; Remarks that say why items stay in turn have the line of what caused it; the kernel's where that is the
; kernel as such.
; RUN: sl-opt -mcpu=x86-64-v3 -remarks
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func i64 @_Z12get_local_idj(i32)

; The scattered store, not the load in front of it.
; CHECK-DAG: dear line 12: 8 items cost {{[0-9]+}} at once, {{[0-9]+}} in turn; dearest at once: store
; CHECK-DAG: dear line 12: items in turn
define spir_kernel void @dear(ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %y) !dbg !10 {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0), !dbg !11
  %p = getelementptr inbounds i32, ptr addrspace(1) %x, i64 %id, !dbg !11
  %v = load i32, ptr addrspace(1) %p, !dbg !11
  %at = sext i32 %v to i64, !dbg !12
  %q = getelementptr inbounds i32, ptr addrspace(1) %y, i64 %at, !dbg !12
  store i32 1, ptr addrspace(1) %q, !dbg !12
  ret void, !dbg !13
}

; CHECK-DAG: task line 20: no vector form: it has pipes, or one item
define spir_kernel void @task(ptr addrspace(1) %x) #0 !dbg !20 {
  store i32 1, ptr addrspace(1) %x, !dbg !21
  ret void, !dbg !21
}

; Of a variable where it is used first.
; CHECK-DAG: large line 32: no vector form: private variable
define spir_kernel void @large(ptr addrspace(1) %x, i64 %n) !dbg !30 {
  %a = alloca [5000 x i32]
  %id = call spir_func i64 @_Z13get_global_idj(i32 0), !dbg !31
  %p = getelementptr i32, ptr addrspace(1) %x, i64 %id, !dbg !31
  %q = getelementptr [5000 x i32], ptr %a, i64 0, i64 %n, !dbg !32
  store i32 7, ptr %q, !dbg !32
  %w = load volatile i32, ptr %a, !dbg !33
  store i32 %w, ptr addrspace(1) %p, !dbg !33
  ret void, !dbg !33
}

; Some items never come back from it.
; CHECK-DAG: endless line 42: control flow that items cannot take together
; CHECK-DAG: endless line 42: items in turn
define spir_kernel void @endless(ptr addrspace(1) %x, i32 %n) !dbg !40 {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0), !dbg !41
  %p = getelementptr i32, ptr addrspace(1) %x, i64 %id, !dbg !41
  %v = load i32, ptr addrspace(1) %p, !dbg !41
  %some = icmp slt i32 %v, %n, !dbg !41
  br i1 %some, label %ever, label %end, !dbg !41
ever:
  store volatile i32 1, ptr addrspace(1) %p, !dbg !42
  br label %ever, !dbg !42
end:
  ret void, !dbg !43
}

attributes #0 = { "sl-max-global-work-dim"="0" }
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "a.cl", directory: "")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{}
!10 = distinct !DISubprogram(name: "dear", file: !1, line: 10, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!11 = !DILocation(line: 11, scope: !10)
!12 = !DILocation(line: 12, scope: !10)
!13 = !DILocation(line: 13, scope: !10)
!20 = distinct !DISubprogram(name: "task", file: !1, line: 20, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!21 = !DILocation(line: 21, scope: !20)
!30 = distinct !DISubprogram(name: "large", file: !1, line: 30, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!31 = !DILocation(line: 31, scope: !30)
!32 = !DILocation(line: 32, scope: !30)
!33 = !DILocation(line: 33, scope: !30)
!40 = distinct !DISubprogram(name: "endless", file: !1, line: 40, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!41 = !DILocation(line: 41, scope: !40)
!42 = !DILocation(line: 42, scope: !40)
!43 = !DILocation(line: 43, scope: !40)

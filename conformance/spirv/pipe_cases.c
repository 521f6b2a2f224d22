/* SPDX-License-Identifier: Apache-2.0 */
/* Pipes at program scope. One kernel has both ends; the second read finds nothing. */
#include "spirv_cases.h"

#define OUT(index, value)                                                                          \
    "%o" #index " = OpInBoundsPtrAccessChain %gp %out %c" #index "\n"                              \
    "OpStore %o" #index " " value " 2 4\n"
#define BIT(index, value)                                                                          \
    "%u" #index " = OpSelect %uint " value " %c1 %c0\n" OUT(index, "%u" #index)
#define END "OpReturn\nOpFunctionEnd\n"

#define ENDS "%rp = OpTypePipe 0\n%wp = OpTypePipe 1\n"
#define NUMBERS                                                                                    \
    "%st = OpTypeStruct %uint %uint %uint\n%numbers = OpConstantComposite %st %c4 %c4 %c7\n"
#define PLAIN                                                                                      \
    NUMBERS "%sp = OpTypePointer 5 %st\n%gsp = OpTypePointer 8 %st\n"                              \
            "%storage = OpVariable %sp 5 %numbers\n" ENDS
#define CONSTANT "%pst = OpTypePipeStorage\n%given = OpConstantPipeStorage %pst 4 4 7\n" ENDS
#define WRAPPED                                                                                    \
    CONSTANT "%wrap = OpTypeStruct %pst\n%all = OpConstantComposite %wrap %given\n"                \
             "%sp = OpTypePointer 5 %wrap\n%storage = OpVariable %sp 5 %all\n"                     \
             "%pp = OpTypePointer 5 %pst\n"

#define PACKET "%v = OpVariable %fp 7\nOpStore %v %x 2 4\n%e = OpPtrCastToGeneric %ep %v\n"
/* Writes to %w and reads %r, twice. */
#define THROUGH                                                                                    \
    "%a = OpWritePipe %uint %w %e %c4 %c4\nOpStore %v %c0 2 4\n"                                   \
    "%b = OpReadPipe %uint %r %e %c4 %c4\n%y = OpLoad %uint %v 2 4\n"                              \
    "%c = OpReadPipe %uint %r %e %c4 %c4\n%t = OpINotEqual %bool %c %c0\n" OUT(0, "%a")            \
        OUT(1, "%b") OUT(2, "%y") BIT(3, "%t") END
#define OF(storage)                                                                                \
    "%w = OpCreatePipeFromPipeStorage %wp " storage "\n"                                           \
    "%r = OpCreatePipeFromPipeStorage %rp " storage "\n"
#define MADE 4, {0, 0, 13, 1}

const struct spirv_case spirv_pipe_cases[] = {
    {"a variable of numbers", 0x10100, "OpDecorate %storage 41 \"stream\" 0\n", PLAIN,
     PACKET "%g = OpPtrCastToGeneric %gsp %storage\n" OF("%g") THROUGH, "", MADE},

    /* SYCL declares all pipes as the host's, also those that only kernels use. */
    {"declared as the host's", 0x10100,
     "OpDecorate %storage 41 \"stream\" 0\nOpDecorate %storage 6147 2 \"stream\"\n", PLAIN,
     PACKET "%g = OpPtrCastToGeneric %gsp %storage\n" OF("%g") THROUGH, "", MADE},

    {"a constant", 0x10100, "", CONSTANT, PACKET OF("%given") THROUGH, "", MADE},

    {"a variable with the constant in it", 0x10100, "OpName %storage \"wrapped\"\n", WRAPPED,
     PACKET "%whole = OpLoad %wrap %storage 2 4\n%one = OpCompositeExtract %pst %whole 0\n"
            "%at = OpInBoundsAccessChain %pp %storage %c0\n%two = OpLoad %pst %at 2 4\n"
            "%w = OpCreatePipeFromPipeStorage %wp %one\n"
            "%r = OpCreatePipeFromPipeStorage %rp %two\n" THROUGH,
     "", MADE},

    /* What nobody optimised: pipes in variables, and given to functions that may not be inlined. */
    {"in variables and arguments", 0x10100, "OpDecorate %storage 41 \"stream\" 0\n",
     PLAIN "%wv = OpTypePointer 7 %wp\n%wg = OpTypePointer 8 %wp\n"
           "%putt = OpTypeFunction %uint %wp %ep\n%gett = OpTypeFunction %uint %rp %ep\n",
     PACKET "%kept = OpVariable %wv 7\n%gkept = OpPtrCastToGeneric %wg %kept\n"
            "%g = OpPtrCastToGeneric %gsp %storage\n" OF(
                "%g") "OpStore %gkept %w 2 8\n"
                      "%w2 = OpLoad %wp %gkept 2 8\n%a = OpFunctionCall %uint %put %w2 %e\n"
                      "OpStore %v %c0 2 4\n%b = OpFunctionCall %uint %get %r %e\n"
                      "%y = OpLoad %uint %v 2 4\n%c = OpFunctionCall %uint %get %r %e\n"
                      "%t = OpINotEqual %bool %c %c0\n" OUT(0, "%a") OUT(1, "%b") OUT(2, "%y")
                          BIT(3, "%t") END,
     "%put = OpFunction %uint 2 %putt\n%pw = OpFunctionParameter %wp\n"
     "%pe = OpFunctionParameter %ep\n%pl = OpLabel\n%pr = OpWritePipe %uint %pw %pe %c4 %c4\n"
     "OpReturnValue %pr\nOpFunctionEnd\n"
     "%get = OpFunction %uint 2 %gett\n%gr = OpFunctionParameter %rp\n"
     "%ge = OpFunctionParameter %ep\n%gl = OpLabel\n%gv = OpReadPipe %uint %gr %ge %c4 %c4\n"
     "OpReturnValue %gv\nOpFunctionEnd\n",
     MADE},

    /* Two without a name are two. */
    {"without names",
     0x10100,
     "",
     PLAIN "%other = OpVariable %sp 5 %numbers\n",
     PACKET "%w = OpCreatePipeFromPipeStorage %wp %storage\n"
            "%q = OpCreatePipeFromPipeStorage %rp %other\n"
            "%a = OpWritePipe %uint %w %e %c4 %c4\nOpStore %v %c0 2 4\n"
            "%b = OpReadPipe %uint %q %e %c4 %c4\n%y = OpLoad %uint %v 2 4\n"
            "%z = OpINotEqual %bool %b %c0\n" OUT(0, "%a") BIT(1, "%z") OUT(
                2, "%y") "%r = OpCreatePipeFromPipeStorage %rp %storage\n"
                         "%c = OpReadPipe %uint %r %e %c4 %c4\n%last = OpLoad %uint %v 2 4\n" OUT(
                             3, "%c") OUT(4, "%last") END,
     "",
     5,
     {0, 1, 0, 0, 13}},
};
const unsigned spirv_pipe_case_count = sizeof spirv_pipe_cases / sizeof *spirv_pipe_cases;

/* Of two objects that have a pipe of one name each, and neither gives it away. The second has a
 * kernel "m" and reads for the first. */
#define SHARED "OpName %storage \"shared\"\n"
#define READER PLAIN "%gett = OpTypeFunction %uint %ep\n"
const struct spirv_case spirv_linked_cases[2] = {
    {"a pipe of its own",
     0x10100,
     SHARED "OpDecorate %other 41 \"other\" 1\n",
     READER,
     PACKET OF("%storage") "%a = OpWritePipe %uint %w %e %c4 %c4\nOpStore %v %c0 2 4\n"
                           "%b = OpFunctionCall %uint %other %e\n"
                           "%t = OpINotEqual %bool %b %c0\n%z = OpLoad %uint %v 2 4\n"
                           "%c = OpReadPipe %uint %r %e %c4 %c4\n"
                           "%y = OpLoad %uint %v 2 4\n" OUT(0, "%a") BIT(1, "%t") OUT(2, "%z")
                               OUT(3, "%c") OUT(4, "%y") END,
     "%other = OpFunction %uint 0 %gett\n%oe = OpFunctionParameter %ep\nOpFunctionEnd\n",
     5,
     {0, 1, 0, 0, 13}},
    {"the other's",
     0x10100,
     SHARED "OpDecorate %other 41 \"other\" 0\n",
     READER,
     PACKET "%w = OpCreatePipeFromPipeStorage %wp %storage\n"
            "%a = OpWritePipe %uint %w %e %c4 %c4\n" OUT(0, "%a") END,
     "%other = OpFunction %uint 0 %gett\n%oe = OpFunctionParameter %ep\n%ol = OpLabel\n"
     "%or = OpCreatePipeFromPipeStorage %rp %storage\n"
     "%ov = OpReadPipe %uint %or %oe %c4 %c4\nOpReturnValue %ov\nOpFunctionEnd\n",
     1,
     {0}},
};

/* Of what peripheral 3 sends, each number by one more to peripheral 4. */
const struct spirv_case spirv_io_case = {
    "peripherals by number",
    0x10100,
    "OpDecorate %storage 41 \"from\" 0\nOpDecorate %storage 5944 3\n"
    "OpDecorate %to 41 \"to\" 0\nOpDecorate %given 5944 4\n",
    PLAIN "%pst = OpTypePipeStorage\n%given = OpConstantPipeStorage %pst 4 4 7\n"
          "%wrap = OpTypeStruct %pst\n%all = OpConstantComposite %wrap %given\n"
          "%wsp = OpTypePointer 5 %wrap\n%to = OpVariable %wsp 5 %all\n",
    "%v = OpVariable %fp 7\n%e = OpPtrCastToGeneric %ep %v\n"
    "%r = OpCreatePipeFromPipeStorage %rp %storage\n%whole = OpLoad %wrap %to 2 4\n"
    "%one = OpCompositeExtract %pst %whole 0\n%w = OpCreatePipeFromPipeStorage %wp %one\n"
    "OpBranch %loop\n%loop = OpLabel\n%i = OpPhi %uint %c0 %start %next %loop\n"
    "OpReadPipeBlockingINTEL %r %e %c4 %c4\n%y = OpLoad %uint %v 2 4\n%z = OpIAdd %uint %y %c1\n"
    "OpStore %v %z 2 4\nOpWritePipeBlockingINTEL %w %e %c4 %c4\n%next = OpIAdd %uint %i %c1\n"
    "%more = OpULessThan %bool %next %x\nOpBranchConditional %more %loop %done\n"
    "%done = OpLabel\n" OUT(0, "%z") END,
    "",
    1,
    {1000 + 12 * 7 + 1}};

/* ---- two kernels ----------------------------------------------------------------------------- */

/* So many numbers: `load` gives one, `move` takes it through the pipe, `store` keeps it. */
#define EACH(n, start, load, move, store)                                                          \
    "%slot" n " = OpVariable %fp 7\n%e" n " = OpPtrCastToGeneric %ep %slot" n "\n"                 \
    "OpBranch %loop" n "\n%loop" n " = OpLabel\n%i" n " = OpPhi %uint %c0 " start " %next" n       \
    " %then" n "\n%at" n " = OpInBoundsPtrAccessChain %gp %buffer" n " %i" n "\n" load             \
    "OpBranch %try" n "\n%try" n " = OpLabel\n" move "%then" n " = OpLabel\n" store "%next" n      \
    " = OpIAdd %uint %i" n " %c1\n%more" n " = OpULessThan %bool %next" n " %count" n              \
    "\nOpBranchConditional %more" n " %loop" n " %done" n "\n%done" n " = OpLabel\n" END
#define GIVE(move)                                                                                 \
    "%give = OpFunction %void 0 %kt\n%buffer1 = OpFunctionParameter %gp\n"                         \
    "%count1 = OpFunctionParameter %uint\n%start1 = OpLabel\n" EACH(                               \
        "1", "%start1",                                                                            \
        "%w1 = OpCreatePipeFromPipeStorage %wp %storage\n%x1 = OpLoad %uint %at1 2 4\n"            \
        "OpStore %slot1 %x1 2 4\n",                                                                \
        move, "")
#define TAKE(move)                                                                                 \
    "%buffer2 = OpCopyObject %gp %out\n%count2 = OpCopyObject %uint %x\n" EACH(                    \
        "2", "%start", "%r2 = OpCreatePipeFromPipeStorage %rp %storage\n", move,                   \
        "%y2 = OpLoad %uint %slot2 2 4\n%z2 = OpIAdd %uint %y2 %i2\n"                              \
        "OpStore %at2 %z2 2 4\n")
#define POLL(operation, n)                                                                         \
    "%s" n " = " operation "\n%no" n " = OpINotEqual %bool %s" n " %c0\n"                          \
    "OpBranchConditional %no" n " %try" n " %then" n "\n"
#define ENTRY "OpEntryPoint 6 %give \"give\"\n"
#define WAITING(name, extension)                                                                   \
    {name,                                                                                         \
     0x10100,                                                                                      \
     "OpCapability 5945\nOpExtension \"" extension "\"\n" ENTRY,                                   \
     PLAIN,                                                                                        \
     TAKE("OpReadPipeBlockingINTEL %r2 %e2 %c4 %c4\nOpBranch %then2\n"),                           \
     GIVE("OpWritePipeBlockingINTEL %w1 %e1 %c4 %c4\nOpBranch %then1\n"),                          \
     0,                                                                                            \
     {0}}

const struct spirv_case spirv_apart_cases[] = {
    {"asks again until there is",
     0x10100,
     ENTRY,
     PLAIN,
     TAKE(POLL("OpReadPipe %uint %r2 %e2 %c4 %c4", "2")),
     GIVE(POLL("OpWritePipe %uint %w1 %e1 %c4 %c4", "1")),
     0,
     {0}},
    WAITING("waits, by the old name", "SPV_INTEL_blocking_pipes"),
    WAITING("waits, by the new name", "SPV_ALTERA_blocking_pipes"),
};
const unsigned spirv_apart_case_count = sizeof spirv_apart_cases / sizeof *spirv_apart_cases;

/* "k" reads in line 6 of a text. */
#define PLACED(name, before, globals, line)                                                        \
    {name,                                                                                         \
     0x10100,                                                                                      \
     "OpCapability 5945\nOpExtension \"SPV_INTEL_blocking_pipes\"\n" ENTRY before                  \
     "%file = OpString \"own.cl\"\n",                                                              \
     PLAIN globals,                                                                                \
     TAKE(line "OpReadPipeBlockingINTEL %r2 %e2 %c4 %c4\nOpBranch %then2\n"),                      \
     GIVE("OpWritePipeBlockingINTEL %w1 %e1 %c4 %c4\nOpBranch %then1\n"),                          \
     0,                                                                                            \
     {0}}

const struct spirv_case spirv_placed_cases[] = {
    PLACED("by OpLine", "", "", "OpLine %file 6 3\n"),
    PLACED("by DebugLine",
           "OpExtension \"SPV_KHR_non_semantic_info\"\n"
           "%debug = OpExtInstImport \"NonSemantic.Shader.DebugInfo.100\"\n",
           "%text = OpExtInst %void %debug 35 %file\n",
           "%line = OpExtInst %void %debug 103 %text %c6 %c6 %c3 %c4\n"),
};
const unsigned spirv_placed_case_count = sizeof spirv_placed_cases / sizeof *spirv_placed_cases;

/* ---- latency controls ------------------------------------------------------------------------ */

#define AT(id, label) "OpDecorate " id " 6172 " label "\n"
#define FROM(id, rest) "OpDecorate " id " 6173 " rest "\n"
/* Both ends of one pipe; a copy of the second operation, as an optimiser may make. */
#define LATENCY_BODY                                                                               \
    PACKET OF("%storage") "%r2 = OpCreatePipeFromPipeStorage %rp %storage\n" THROUGH
#define LATENCY(name, before)                                                                      \
    {name, 0x10100, "OpName %storage \"timed\"\n" before, PLAIN, LATENCY_BODY, "", MADE}

const struct spirv_case spirv_latency_cases[] = {
    LATENCY("anchors, and constraints of each type",
            AT("%w", "0") AT("%r", "7") FROM("%r", "0 1 3") FROM("%w", "7 3 4294967295")),
    LATENCY("a copy has the anchor of what it is a copy of",
            AT("%r", "7") AT("%r2", "7") FROM("%w", "7 2 1")),
    LATENCY("no control", AT("%r", "1") FROM("%w", "1 0 0")),
};
const unsigned spirv_latency_case_count = sizeof spirv_latency_cases / sizeof *spirv_latency_cases;
const struct spirv_case spirv_latency_dangling =
    LATENCY("is from anchor 9, which no operation has", AT("%w", "8") FROM("%r", "9 1 3"));
const struct spirv_case spirv_latency_refused[] = {
    LATENCY("anchor 4 is at two places: the read of 'timed", AT("%w", "4") AT("%r", "4")),
    LATENCY("control type 4 of a latency", AT("%w", "1") FROM("%r", "1 4 3")),
    LATENCY("anchor 2 is constrained by itself", AT("%r", "2") FROM("%r", "2 1 3")),
};
const unsigned spirv_latency_refused_count =
    sizeof spirv_latency_refused / sizeof *spirv_latency_refused;

/* What a compiler of SYCL writes where nobody optimises: functions that are handed the controls,
 * the type by way of a variable. `give`, `take`: anchor, anchor it counts from, its type, cycles.
 */
#define WRAPPERS                                                                                   \
    PLAIN                                                                                          \
    "%none = OpConstant %uint 4294967295\n%given = OpTypeFunction %uint %wp %ep %uint %uint "      \
    "%uint %uint\n%taken = OpTypeFunction %uint %rp %ep %uint %uint %uint %uint\n"
#define WRAPPER(name, result, of, operation)                                                       \
    name " = OpFunction %uint 0 " result "\n" name "p = OpFunctionParameter " of "\n" name         \
         "e = OpFunctionParameter %ep\n" name "a = OpFunctionParameter %uint\n" name               \
         "f = OpFunctionParameter %uint\n" name "t = OpFunctionParameter %uint\n" name             \
         "c = OpFunctionParameter %uint\n" name "l = OpLabel\n" name "r = " operation              \
         " %uint " name "p " name "e %c4 %c4\nOpReturnValue " name "r\nOpFunctionEnd\n"
#define WRAPPED_LATENCY(name, give, take)                                                          \
    {name,                                                                                         \
     0x10100,                                                                                      \
     "OpName %storage \"timed\"\nOpName %put \"_ZN4pipe33__latency_control_nb_write_wrapperE\"\n"  \
     "OpName %get \"_ZN4pipe32__latency_control_nb_read_wrapperE\"\n",                             \
     WRAPPERS,                                                                                     \
     PACKET "%tv = OpVariable %fp 7\nOpStore %tv %c0 2 4\nOpStore %tv %c1 2 4\n" OF(               \
         "%storage") "%exact = OpLoad %uint %tv 2 4\n%a = OpFunctionCall %uint %put %w %e " give   \
                     "\nOpStore %v %c0 2 4\n%b = OpFunctionCall %uint %get %r %e %c7 %c0 %c0 "     \
                     "%c0\n"                                                                       \
                     "%y = OpLoad %uint %v 2 4\n%c = OpFunctionCall %uint %get %r %e " take        \
                     "\n%t = OpINotEqual %bool %c %c0\n" OUT(0, "%a") OUT(1, "%b") OUT(2, "%y")    \
                         BIT(3, "%t") END,                                                         \
     WRAPPER("%put", "%given", "%wp", "OpWritePipe")                                               \
         WRAPPER("%get", "%taken", "%rp", "OpReadPipe"),                                           \
     MADE}

/* With a schedule. The second of two reads is a cycle behind the first. */
const struct spirv_case spirv_scheduled_cases[] = {
    LATENCY("decorations that hold", AT("%w", "1") FROM("%r", "1 2 3")),
    WRAPPED_LATENCY("wrappers that hold", "%c1 %c0 %c0 %c0", "%none %c1 %exact %c4"),
};
const unsigned spirv_scheduled_case_count =
    sizeof spirv_scheduled_cases / sizeof *spirv_scheduled_cases;
const struct spirv_case spirv_scheduled_refused[] = {
    LATENCY("cannot hold: it is at least 4 cycles behind anchor 1, the write to timed",
            AT("%w", "1") FROM("%r", "1 1 3")),
    WRAPPED_LATENCY("cannot hold: it is at least 1 cycle behind anchor 7, the read of timed",
                    "%none %c0 %c0 %c0", "%none %c7 %exact %c0"),
    WRAPPED_LATENCY("latency anchor 4 is at two places", "%c4 %c0 %c0 %c0", "%c4 %c0 %c0 %c0"),
};
const unsigned spirv_scheduled_refused_count =
    sizeof spirv_scheduled_refused / sizeof *spirv_scheduled_refused;

/* ---- what is refused ------------------------------------------------------------------------- */

/* Which of two is known only when it runs; a variable of one work-item. */
const struct spirv_case spirv_pipe_refused[] = {
    {"must be known when the program is built",
     0x10100,
     "",
     PLAIN "%other = OpVariable %sp 5 %numbers\n",
     PACKET "%w1 = OpCreatePipeFromPipeStorage %wp %storage\n"
            "%w2 = OpCreatePipeFromPipeStorage %wp %other\n%odd = OpINotEqual %bool %x %c0\n"
            "%w = OpSelect %wp %odd %w1 %w2\n%a = OpWritePipe %uint %w %e %c4 %c4\n" OUT(0, "%a")
                END,
     "",
     0,
     {0}},
    {"is not known when the program is built",
     0x10100,
     "",
     NUMBERS ENDS "%pv = OpTypePointer 7 %st\n",
     PACKET "%own = OpVariable %pv 7 %numbers\n%w = OpCreatePipeFromPipeStorage %wp %own\n"
            "%a = OpWritePipe %uint %w %e %c4 %c4\n" OUT(0, "%a") END,
     "",
     0,
     {0}},
    {"is not described",
     0x10100,
     "",
     "%sp = OpTypePointer 5 %uint\n%storage = OpVariable %sp 5 %c4\n" ENDS,
     PACKET "%w = OpCreatePipeFromPipeStorage %wp %storage\n"
            "%a = OpWritePipe %uint %w %e %c4 %c4\n" OUT(0, "%a") END,
     "",
     0,
     {0}},
    {"is no pipe",
     0x10100,
     "",
     PLAIN,
     PACKET "%w = OpCreatePipeFromPipeStorage %uint %storage\n" OUT(0, "%w") END,
     "",
     0,
     {0}},
};
const unsigned spirv_pipe_refused_count = sizeof spirv_pipe_refused / sizeof *spirv_pipe_refused;

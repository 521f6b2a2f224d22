/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Saturating conversions from floating point. LLVM takes vectors of them apart on x86; comparing
 * and selecting whole vectors does the same: NaN gives 0, what is too large the nearest that fits.
 * No shared state.
 */
#include "vector/operations/saturate.h"

#include "vector/operations/value.h"
#include "vector/vector.h"

#include <math.h>

struct saturation {
    struct sl_vector *v;
    LLVMValueRef x;   /* float or double */
    LLVMTypeRef wide; /* the result's */
    unsigned bits;    /* of an element of it */
    bool sign;
};

static LLVMBuilderRef builder(const struct saturation *s)
{
    return s->v->g->e.builder;
}

static LLVMValueRef real(const struct saturation *s, double value)
{
    LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(s->x));
    return sl_vector_splat(s->v, LLVMConstReal(element, value));
}

static LLVMValueRef number(const struct saturation *s, uint64_t value)
{
    return sl_vector_splat(s->v, LLVMConstInt(LLVMGetElementType(s->wide), value, false));
}

static LLVMValueRef compare(const struct saturation *s, LLVMRealPredicate how, LLVMValueRef x,
                            LLVMValueRef y)
{
    return LLVMBuildFCmp(builder(s), how, x, y, "");
}

/* Both ends are numbers of the floating point type: two instructions bring x between them. */
static LLVMValueRef narrow(const struct saturation *s)
{
    LLVMBuilderRef b = builder(s);
    double least = s->sign ? -ldexp(1, (int)s->bits - 1) : 0;
    double most = ldexp(1, (int)(s->sign ? s->bits - 1 : s->bits)) - 1;
    LLVMValueRef low = real(s, least), high = real(s, most);
    LLVMValueRef x = LLVMBuildSelect(b, compare(s, LLVMRealOGT, s->x, low), s->x, low, "");
    x = LLVMBuildSelect(b, compare(s, LLVMRealOLT, x, high), x, high, "");
    LLVMTypeRef middle = sl_vector_wide_type(s->v, s->v->g->e.i32);
    LLVMValueRef now = LLVMBuildTrunc(b, LLVMBuildFPToSI(b, x, middle, ""), s->wide, "");
    if (!s->sign)
        return now; /* NaN went to the low end, which is 0 */
    LLVMValueRef none = compare(s, LLVMRealUNO, s->x, s->x);
    return LLVMBuildSelect(b, none, LLVMConstNull(s->wide), now, "");
}

/* The upper end is no number of the floating point type; the one above it is. */
static LLVMValueRef wide(const struct saturation *s)
{
    LLVMBuilderRef b = builder(s);
    double least = s->sign ? -ldexp(1, (int)s->bits - 1) : 0;
    LLVMValueRef low = real(s, least), end = real(s, ldexp(1, (int)(s->bits - s->sign)));
    LLVMValueRef above = compare(s, LLVMRealOGE, s->x, end);
    LLVMValueRef fits =
        LLVMBuildAnd(b, compare(s, LLVMRealOGE, s->x, low), compare(s, LLVMRealOLT, s->x, end), "");
    LLVMValueRef x = LLVMBuildSelect(b, fits, s->x, real(s, 0), "");
    LLVMValueRef now =
        s->sign ? LLVMBuildFPToSI(b, x, s->wide, "") : LLVMBuildFPToUI(b, x, s->wide, "");
    uint64_t all = s->bits == 64 ? UINT64_MAX : (UINT64_C(1) << s->bits) - 1;
    now = LLVMBuildSelect(b, above, number(s, s->sign ? all >> 1 : all), now, "");
    if (!s->sign)
        return now;
    LLVMValueRef below = compare(s, LLVMRealOLT, s->x, low);
    return LLVMBuildSelect(b, below, number(s, all - (all >> 1)), now, "");
}

LLVMValueRef sl_vector_saturate(struct sl_vector *v, LLVMValueRef x, LLVMTypeRef element, bool sign)
{
    if (LLVMGetTypeKind(LLVMGetElementType(LLVMTypeOf(x))) == LLVMHalfTypeKind) {
        LLVMTypeRef single = LLVMFloatTypeInContext(v->g->e.context);
        x = LLVMBuildFPExt(v->g->e.builder, x, sl_vector_wide_type(v, single), "");
    }
    struct saturation s = {v, x, sl_vector_wide_type(v, element), LLVMGetIntTypeWidth(element),
                           sign};
    return s.bits <= 16 ? narrow(&s) : wide(&s);
}

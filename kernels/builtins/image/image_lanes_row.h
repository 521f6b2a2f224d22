/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Part of image_lanes_body.h: what most kernels do with most of an image. The items, whose y and z
 * are the same, read neighbours of one row, or of the two that a filter lies between, all of them
 * inside of the image, in a format as most images have. NAME.row.lanesN says whether it is so
 * and where the row is, without a branch, since what branches have set is asked again behind them;
 * NAME.colors.lanesN has the colours then. Else the caller does what it does for items anywhere.
 */

struct SL_OF(sl_row) {
    F right;                 /* weights: of each item's second element, of the second row */
    const uchar *low, *high; /* the first elements of each row; the same without a filter for y */
    float down;
};

/* With one element more if the filter wants it. */
SL_INLINE bool SL_OF(sl_is_run)(sl_image_ptr image, I x, bool linear)
{
    bool run = !__builtin_reduce_or(x - SL_IOTA != x.s0);
    return run & (x.s0 >= 0) & ((ulong)(uint)x.s0 + SL_N - !linear < image->width);
}

/* ---- formats --------------------------------------------------------------------------------- */

/* Machines with vectors of eight items and more convert these in one instruction. */
#define SL_HAS_HALF (SL_N > 4)
#define SL_FORMAT(ORDER, TYPE) ((uint)(ORDER) << 16 | (TYPE))

SL_INLINE uint SL_OF(sl_row_format)(sl_image_ptr image)
{
    return SL_FORMAT(image->channel_order, image->channel_type);
}

SL_INLINE bool SL_OF(sl_row_has)(sl_image_ptr image)
{
    uint format = SL_OF(sl_row_format)(image);
    return (format == SL_FORMAT(CLK_RGBA, CLK_UNORM_INT8)) |
           (format == SL_FORMAT(CLK_BGRA, CLK_UNORM_INT8)) |
           (format == SL_FORMAT(CLK_R, CLK_UNORM_INT8)) |
           (format == SL_FORMAT(CLK_RGBA, CLK_FLOAT)) | (format == SL_FORMAT(CLK_R, CLK_FLOAT)) |
           (SL_HAS_HALF & (format == SL_FORMAT(CLK_RGBA, CLK_HALF_FLOAT)));
}

/* As many stored numbers as there are items. Four bytes of an element are divided later. */
SL_INLINE F SL_OF(sl_row_numbers)(const uchar *from, uint type, bool late)
{
    if (type == CLK_FLOAT)
        return SL_NUMBER(SL_RUN(int));
    if (type == CLK_HALF_FLOAT)
        return __builtin_convertvector(SL_JOIN(as_half, SL_N)(SL_RUN(ushort)), F);
    F bytes = __builtin_convertvector(SL_RUN(uchar), F);
    return late ? bytes : SL_OVER(bytes, 255.0f);
}

/* Channels of elements that are not filtered, a vector for each. */
SL_INLINE void SL_OF(sl_row_channels)(const uchar *from, uint type, private F *out)
{
    I w[4];
    if (type == CLK_FLOAT)
        SL_OF(sl_fours)(from, w);
    else if (type == CLK_UNORM_INT8)
        w[0] = SL_RUN(int);
    else {
        w[0] = __builtin_convertvector(SL_RUN(long), I);
        w[1] = __builtin_convertvector(SL_RUN(long) >> 32, I);
    }
    SL_EACH_CHANNEL
        out[c] = type == CLK_FLOAT        ? SL_NUMBER(w[c])
                 : type == CLK_UNORM_INT8 ? SL_OVER(SL_TO_F(SL_UNSIGNED(w, c, 1)), 255.0f)
                                          : SL_OF(sl_half)(SL_UNSIGNED(w, c, 2));
}

/* Numbers from here on, of both rows if the filter lies between two. */
SL_INLINE F SL_OF(sl_row_column)(const struct SL_OF(sl_row) *row, uint offset, uint type, bool late,
                                 bool both)
{
    F low = SL_OF(sl_row_numbers)(row->low + offset, type, late);
    if (!both)
        return low;
    return low * (1.0f - row->down) +
           SL_OF(sl_row_numbers)(row->high + offset, type, late) * row->down;
}

/* Elements of one channel. What they do not have is filtered too: the weights of alpha may not be
 * one exactly, and that of a row may be no number. */
SL_INLINE void SL_OF(sl_row_singles)(const struct SL_OF(sl_row) *row, uint type, uint shape,
                                     bool linear, private F *out)
{
    bool both = linear && SL_HAS_Y(shape);
    F all = SL_OF(sl_row_column)(row, 0, type, false, both);
    float up = 1.0f - row->down;
    F none = (F)(both ? 0.0f * up + 0.0f * row->down : 0.0f);
    F alpha = (F)(both ? up + row->down : 1.0f);
    if (linear) {
        uint bytes = type == CLK_FLOAT ? 4 : 1;
        F left = 1.0f - row->right;
        all = all * left + SL_OF(sl_row_column)(row, bytes, type, false, both) * row->right;
        none = none * left + none * row->right;
        alpha = alpha * left + alpha * row->right;
    }
    out[0] = all;
    out[1] = out[2] = none;
    out[3] = alpha;
    if (shape & SL_SHAPE_PACKED)
        SL_OF(sl_to_memory_order)((private I *)out);
}

/* Of four. Those that a filter mixes are shifted in memory's order, and taken apart when they are
 * through it. */
SL_INLINE void SL_OF(sl_row_fours)(const struct SL_OF(sl_row) *row, uint type, uint shape,
                                   bool linear, private F *out)
{
    F v[5];
    bool both = linear && SL_HAS_Y(shape), packed = shape & SL_SHAPE_PACKED;
    bool late = type == CLK_UNORM_INT8;
    uint bytes = late ? 1 : type == CLK_HALF_FLOAT ? 2 : 4;
    if (!linear && !packed) {
        SL_OF(sl_row_channels)(row->low, type, out);
        return;
    }
    SL_EACH_CHANNEL
        v[c] = SL_OF(sl_row_column)(row, c * SL_N * bytes, type, late, both);
    if (linear)
        v[4] = SL_OF(sl_row_column)(row, (3 * SL_N + 4) * bytes, type, late, both);
    SL_EACH_CHANNEL {
        F right = SL_OF(sl_for_quarter)(row->right, c), all = v[c];
        if (linear)
            all = all * (1.0f - right) + (c == 3 ? v[4] : SL_FOUR_ON(v[c], v[c + 1])) * right;
        out[c] = late ? SL_OVER(all, 255.0f) : all;
    }
    if (!packed)
        SL_OF(sl_from_memory_order)((private I *)out);
}

/* One of the formats above. */
SL_INLINE void SL_OF(sl_row_colors)(sl_image_ptr image, const struct SL_OF(sl_row) *row, uint shape,
                                    bool linear, private F *out)
{
    switch (SL_OF(sl_row_format)(image)) {
    case SL_FORMAT(CLK_R, CLK_FLOAT):
        SL_OF(sl_row_singles)(row, CLK_FLOAT, shape, linear, out);
        return;
    case SL_FORMAT(CLK_R, CLK_UNORM_INT8):
        SL_OF(sl_row_singles)(row, CLK_UNORM_INT8, shape, linear, out);
        return;
    case SL_FORMAT(CLK_RGBA, CLK_FLOAT):
        SL_OF(sl_row_fours)(row, CLK_FLOAT, shape, linear, out);
        return;
#if SL_HAS_HALF
    case SL_FORMAT(CLK_RGBA, CLK_HALF_FLOAT):
        SL_OF(sl_row_fours)(row, CLK_HALF_FLOAT, shape, linear, out);
        return;
#endif
    default:
        SL_OF(sl_row_fours)(row, CLK_UNORM_INT8, shape, linear, out);
    }
    if (image->channel_order == CLK_RGBA)
        return;
    if (shape & SL_SHAPE_PACKED) {
        SL_EACH_CHANNEL
            out[c] = SL_MIX(out[c], out[c], 2, 1, 0, 3);
    } else {
        F red = out[2];
        out[2] = out[0];
        out[0] = red;
    }
}

#undef SL_HAS_HALF
#undef SL_FORMAT

/* ---- reading --------------------------------------------------------------------------------- */

/* `at`: coordinates. */
bool SL_OF(sl_sample_row)(sl_image_ptr, uint, private F *, uint, private struct SL_OF(sl_row) *)
    SL_LANES("sl_image_sample.row");
bool SL_OF(sl_sample_row)(sl_image_ptr image, uint sampler, private F *at, uint shape,
                          private struct SL_OF(sl_row) *row)
{
    struct sl_taps y = {0}, z = {0};
    bool linear = sampler & CLK_FILTER_LINEAR;
    I x = SL_OF(sl_below)(at[0], (int)image->width, sampler, &row->right);
    if (SL_HAS_Y(shape))
        y = sl_tap(at[1].s0, (int)image->height, sampler);
    if (SL_IS_3D(shape))
        z = sl_tap(at[2].s0, (int)image->depth, sampler);
    else if (shape & SL_SHAPE_LAYERS)
        z.low = sl_layer(at[2].s0, image->array_size);
    row->down = y.weight;
    row->low = (const uchar *)SL_OF(sl_element)(image, x.s0, y.low, z.low, shape);
    row->high = (const uchar *)SL_OF(sl_element)(image, x.s0, y.high, z.low, shape);
    bool inside = !sl_lanes_have_border(sampler) || (y.low | z.low | (linear ? y.high : 0)) >= 0;
    bool known = SL_OF(sl_row_has)(image) && !(SL_IS_3D(shape) && linear);
    bool run = SL_OF(sl_is_run)(image, x, linear);
    return run && known && inside;
}

bool SL_OF(sl_read_row)(sl_image_ptr, uint, private I *, uint, private struct SL_OF(sl_row) *)
    SL_LANES("sl_image_read.row");
bool SL_OF(sl_read_row)(sl_image_ptr image, uint sampler, private I *at, uint shape,
                        private struct SL_OF(sl_row) *row)
{
    uint addressing =
        (sampler & 0xe) == CLK_ADDRESS_CLAMP ? CLK_ADDRESS_CLAMP : CLK_ADDRESS_CLAMP_TO_EDGE;
    int y = 0, z = 0;
    if (SL_HAS_Y(shape))
        y = sl_inside(at[1].s0, (int)image->height, addressing);
    if (SL_IS_3D(shape))
        z = sl_inside(at[2].s0, (int)image->depth, addressing);
    else if (shape & SL_SHAPE_LAYERS)
        z = sl_inside(at[2].s0, (int)image->array_size, CLK_ADDRESS_CLAMP_TO_EDGE);
    row->low = (const uchar *)SL_OF(sl_element)(image, at[0].s0, y, z, shape);
    bool inside = (y | z) >= 0, known = SL_OF(sl_row_has)(image);
    bool run = SL_OF(sl_is_run)(image, at[0], false);
    return run && known && inside;
}

/* Out: four vectors of channels, or of the items' quarters in memory's order if the shape has
 * SL_SHAPE_PACKED. */
void SL_OF(sl_sample_colors)(sl_image_ptr, uint, private F *, uint, private struct SL_OF(sl_row) *)
    SL_LANES("sl_image_sample.colors");
void SL_OF(sl_sample_colors)(sl_image_ptr image, uint sampler, private F *out, uint shape,
                             private struct SL_OF(sl_row) *row)
{
    SL_OF(sl_row_colors)(image, row, shape, sampler & CLK_FILTER_LINEAR, out);
}

void SL_OF(sl_read_colors)(sl_image_ptr, uint, private F *, uint, private struct SL_OF(sl_row) *)
    SL_LANES("sl_image_read.colors");
void SL_OF(sl_read_colors)(sl_image_ptr image, uint sampler, private F *out, uint shape,
                           private struct SL_OF(sl_row) *row)
{
    SL_OF(sl_row_colors)(image, row, shape, false, out);
}

// SPDX-License-Identifier: Apache-2.0
// ndrange_1D and its like (OpenCL C, 6.15.22.6). A local size that is not named is one of zeros.

#define OVERLOADED __attribute__((overloadable))
typedef const __private size_t *sizes;

static ndrange_t make(uint dim, sizes offset, sizes all, sizes group)
{
    ndrange_t r;
    r.workDimension = dim;
    for (uint i = 0; i < 3; i++) {
        r.globalWorkOffset[i] = offset && i < dim ? offset[i] : 0;
        r.globalWorkSize[i] = i < dim ? all[i] : 1;
        r.localWorkSize[i] = group && i < dim ? group[i] : 0;
    }
    return r;
}

ndrange_t OVERLOADED ndrange_1D(size_t all)
{
    return make(1, 0, &all, 0);
}

ndrange_t OVERLOADED ndrange_1D(size_t all, size_t group)
{
    return make(1, 0, &all, &group);
}

ndrange_t OVERLOADED ndrange_1D(size_t offset, size_t all, size_t group)
{
    return make(1, &offset, &all, &group);
}

#define SEVERAL(DIM)                                                                               \
    ndrange_t OVERLOADED ndrange_##DIM##D(sizes all)                                               \
    {                                                                                              \
        return make(DIM, 0, all, 0);                                                               \
    }                                                                                              \
    ndrange_t OVERLOADED ndrange_##DIM##D(sizes all, sizes group)                                  \
    {                                                                                              \
        return make(DIM, 0, all, group);                                                           \
    }                                                                                              \
    ndrange_t OVERLOADED ndrange_##DIM##D(sizes offset, sizes all, sizes group)                    \
    {                                                                                              \
        return make(DIM, offset, all, group);                                                      \
    }
SEVERAL(2)
SEVERAL(3)

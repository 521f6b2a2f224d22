// SPDX-License-Identifier: Apache-2.0
// ViennaCL's vectors, matrices and solvers on OpenCL against the same calls on its host backend;
// prints "pass|fail CASE difference". C++ because ViennaCL is: it is the client. No locks: one
// thread.
#define VIENNACL_WITH_OPENCL
#include <viennacl/compressed_matrix.hpp>
#include <viennacl/coordinate_matrix.hpp>
#include <viennacl/ell_matrix.hpp>
#include <viennacl/hyb_matrix.hpp>
#include <viennacl/linalg/bicgstab.hpp>
#include <viennacl/linalg/cg.hpp>
#include <viennacl/linalg/direct_solve.hpp>
#include <viennacl/linalg/gmres.hpp>
#include <viennacl/linalg/inner_prod.hpp>
#include <viennacl/linalg/jacobi_precond.hpp>
#include <viennacl/linalg/lu.hpp>
#include <viennacl/linalg/norm_1.hpp>
#include <viennacl/linalg/norm_2.hpp>
#include <viennacl/linalg/norm_inf.hpp>
#include <viennacl/linalg/prod.hpp>
#include <viennacl/linalg/sum.hpp>
#include <viennacl/matrix.hpp>
#include <viennacl/vector.hpp>

#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace
{

namespace linalg = viennacl::linalg;

int failed;

template <typename T> struct Side {
    viennacl::context context;
    std::mt19937 random{7};

    viennacl::vector<T> vector(size_t size)
    {
        std::vector<T> host(size);
        for (T &value : host)
            value = T(random() % 2001) / 1000 - 1;
        viennacl::vector<T> made(size, context);
        viennacl::copy(host, made);
        return made;
    }

    // Diagonally dominant, so that every solver converges.
    viennacl::matrix<T> matrix(size_t rows, size_t columns)
    {
        std::vector<std::vector<T>> host(rows, std::vector<T>(columns));
        for (size_t i = 0; i < rows; i++)
            for (size_t j = 0; j < columns; j++)
                host[i][j] = T(random() % 2001) / 1000 - 1 + (i == j ? T(rows) : T(0));
        viennacl::matrix<T> made(rows, columns, context);
        viennacl::copy(host, made);
        return made;
    }

    // A five-point stencil on a grid of odd width: sparse, symmetric, positive definite.
    std::vector<std::map<unsigned, T>> stencil(unsigned width)
    {
        std::vector<std::map<unsigned, T>> rows(width * width);
        for (unsigned i = 0; i < width * width; i++) {
            rows[i][i] = T(4.5);
            if (i % width)
                rows[i][i - 1] = rows[i - 1][i] = T(-1);
            if (i >= width)
                rows[i][i - width] = rows[i - width][i] = T(-1);
        }
        return rows;
    }
};

template <typename T> std::vector<T> back(const viennacl::vector<T> &values)
{
    std::vector<T> host(values.size());
    viennacl::copy(values, host);
    return host;
}

template <typename T> std::vector<T> back(const viennacl::matrix<T> &values)
{
    std::vector<std::vector<T>> rows(values.size1(), std::vector<T>(values.size2()));
    viennacl::copy(values, rows);
    std::vector<T> host;
    for (auto &row : rows)
        host.insert(host.end(), row.begin(), row.end());
    return host;
}

template <typename T> std::vector<T> numbers(Side<T> &side)
{
    auto a = side.vector(10007), b = side.vector(10007);
    T two = linalg::norm_2(a), one = linalg::norm_1(a), most = linalg::norm_inf(b);
    T inner = linalg::inner_prod(a, b), sum = linalg::sum(b);
    return {two, one, most, inner, sum, T(linalg::index_norm_inf(a))};
}

template <typename T> std::vector<T> elements(Side<T> &side)
{
    auto a = side.vector(10007), b = side.vector(10007);
    viennacl::vector<T> c = T(2) * a + b / T(3);
    c = linalg::element_prod(c, linalg::element_exp(a)) - linalg::element_fabs(b);
    viennacl::vector_range<viennacl::vector<T>> part(c, viennacl::range(101, 5003));
    part *= T(-3);
    return back(c);
}

template <typename T> std::vector<T> products(Side<T> &side)
{
    auto a = side.matrix(67, 129), b = side.matrix(129, 75);
    viennacl::matrix<T> c = linalg::prod(a, b);
    c += linalg::prod(a, b);
    auto host = back(c);
    viennacl::matrix<T> turned = linalg::prod(trans(b), trans(a));
    auto more = back(turned);
    host.insert(host.end(), more.begin(), more.end());
    return host;
}

template <typename T> std::vector<T> matrix_vector(Side<T> &side)
{
    auto a = side.matrix(131, 67);
    auto x = side.vector(67), y = side.vector(131);
    viennacl::vector<T> forward = linalg::prod(a, x), backward = linalg::prod(trans(a), y);
    auto host = back(forward), more = back(backward);
    host.insert(host.end(), more.begin(), more.end());
    return host;
}

template <typename T> std::vector<T> triangles(Side<T> &side)
{
    auto a = side.matrix(101, 101);
    auto b = side.vector(101);
    viennacl::vector<T> x = linalg::solve(a, b, linalg::upper_tag());
    linalg::lu_factorize(a);
    linalg::lu_substitute(a, b);
    auto host = back(x), more = back(b);
    host.insert(host.end(), more.begin(), more.end());
    return host;
}

template <typename T, typename Matrix> std::vector<T> sparse_product(Side<T> &side)
{
    Matrix a(side.context); // some kinds of matrix cannot be copied or moved
    viennacl::copy(side.stencil(37), a);
    auto x = side.vector(37 * 37);
    viennacl::vector<T> y = linalg::prod(a, x);
    return back(y);
}

template <typename T, typename Tag> std::vector<T> solve(Side<T> &side, Tag tag)
{
    viennacl::compressed_matrix<T> a(side.context);
    viennacl::copy(side.stencil(37), a);
    auto b = side.vector(37 * 37);
    viennacl::vector<T> x = linalg::solve(a, b, tag);
    return back(x);
}

template <typename T> std::vector<T> solve_preconditioned(Side<T> &side)
{
    viennacl::compressed_matrix<T> a(side.context);
    viennacl::copy(side.stencil(37), a);
    auto b = side.vector(37 * 37);
    linalg::jacobi_precond<viennacl::compressed_matrix<T>> jacobi(a, linalg::jacobi_tag());
    viennacl::vector<T> x = linalg::solve(a, b, linalg::cg_tag(1e-6, 300), jacobi);
    return back(x);
}

template <typename T> using Work = std::function<std::vector<T>(Side<T> &)>;

template <typename T> void compare(const std::string &name, const Work<T> &work, double allowed)
{
    Side<T> host{viennacl::context(viennacl::MAIN_MEMORY)};
    Side<T> device{viennacl::context(viennacl::ocl::current_context())};
    double away = 0, size = 0;
    try {
        std::vector<T> expected = work(host), found = work(device);
        for (size_t i = 0; i < expected.size(); i++) {
            away += std::pow(double(found[i]) - double(expected[i]), 2);
            size += std::pow(double(expected[i]), 2);
        }
    } catch (const std::exception &wrong) {
        std::printf("# %s: %s\n", name.c_str(), wrong.what());
        away = std::numeric_limits<double>::infinity();
    }
    double difference = std::sqrt(away / size);
    bool good = size > 0 && difference < allowed;
    failed += !good;
    std::printf("%s %s %.1e\n", good ? "pass" : "fail", name.c_str(), difference);
    std::fflush(stdout);
}

template <typename T> void all(const std::string &type)
{
    const bool exact = sizeof(T) == sizeof(double);
    const double rounding = exact ? 1e-12 : 1e-4, solver = exact ? 1e-5 : 1e-4;
    const double tolerance = exact ? 1e-8 : 1e-6;
    compare<T>("norms-" + type, numbers<T>, rounding);
    compare<T>("elements-" + type, elements<T>, rounding);
    compare<T>("matrix-product-" + type, products<T>, rounding);
    compare<T>("matrix-vector-" + type, matrix_vector<T>, rounding);
    compare<T>("triangles-" + type, triangles<T>, rounding);
    compare<T>("compressed-" + type, sparse_product<T, viennacl::compressed_matrix<T>>, rounding);
    compare<T>("coordinate-" + type, sparse_product<T, viennacl::coordinate_matrix<T>>, rounding);
    compare<T>("ell-" + type, sparse_product<T, viennacl::ell_matrix<T>>, rounding);
    compare<T>("hyb-" + type, sparse_product<T, viennacl::hyb_matrix<T>>, rounding);
    compare<T>(
        "cg-" + type, [&](Side<T> &s) { return solve<T>(s, linalg::cg_tag(tolerance, 300)); },
        solver);
    compare<T>(
        "bicgstab-" + type,
        [&](Side<T> &s) { return solve<T>(s, linalg::bicgstab_tag(tolerance, 300)); }, solver);
    compare<T>(
        "gmres-" + type,
        [&](Side<T> &s) { return solve<T>(s, linalg::gmres_tag(tolerance, 300, 20)); }, solver);
    compare<T>("cg-jacobi-" + type, solve_preconditioned<T>, solver);
}

} // namespace

int main()
{
    all<float>("float");
    all<double>("double");
    return failed != 0;
}

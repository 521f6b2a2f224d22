/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file streams into a kernel while it is being read: the reads of io_uring go straight into the
 * pipe's own memory. All of them are one native command, which OpenCL's events order like any other
 * although OpenCL knows nothing of io_uring: the command ends when its completion token is given.
 *
 *     file_stream [FILE [LEAST]]
 *
 * Without a file one of 8 MiB and a bit is made. The kernel's sums are compared with plain C++, the
 * time with that of the same reads without a kernel, which are done in turns; with LEAST (0.8) a
 * slower stream is an error. How fast a disk is changes from moment to moment, so the best of some
 * turns counts.
 * Exit status: 0 right, 1 wrong or an error, 77 there is no such device, or no io_uring.
 */
#include <CL/sluice.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <deque>
#include <fstream>
#include <thread>

#include <fcntl.h>
#include <sys/stat.h>

#include "ring.hpp"

SLUICE_PACKET(block, { cl_ulong word[128]; });
/* Twice the reads that are under way: while the kernel has one half the other half is read. */
using file_pipe = sluice::pipe<class file_id, block, 8192>;

static const char source[] = R"(
    kernel void sum(uint blocks, global ulong8 *sums)
    {
        ulong8 first = 0, second = 0; /* the second one knows the order, as Fletcher's */
        for (uint i = 0; i < blocks; i++) {
            struct block next;
            read_pipe_block(file, &next);
            for (int k = 0; k < 16; k++)
                second += first += vload8(k, next.word);
        }
        sums[0] = first;
        sums[1] = second;
    }
)";

enum : std::size_t { PART = 256 << 10, DEPTH = 16, TURNS = 3, MEASURED_TURNS = 9 };

/* ---- reading --------------------------------------------------------------------------------- */

struct part {
    char *at;
    std::size_t bytes, wanted, done; /* of the memory, of the file, read so far */
    std::uint64_t offset;
};

/* The file in parts, DEPTH at once, in the order of the file. `room(bytes)` gives memory for the
 * next part, perhaps less, or null if there is none now; `give` takes parts that are read.
 * 0, or what is wrong as OpenCL tells it. */
template <class Room, class Give>
static cl_int read_file(int file, std::uint64_t bytes, Room room, Give give)
{
    ring reads(DEPTH);
    std::deque<part> parts;
    std::uint64_t asked = 0;
    while (asked < bytes || !parts.empty()) {
        while (asked < bytes && parts.size() < DEPTH) {
            part next{nullptr, 0, 0, 0, asked};
            next.at = room(next.bytes);
            if (!next.at)
                break;
            next.wanted = std::min<std::uint64_t>(next.bytes, bytes - asked);
            parts.push_back(next);
            asked += next.wanted;
            reads.read(file, next.at, next.wanted, next.offset, &parts.back());
        }
        if (parts.empty()) { /* the kernel has not made room yet */
            std::this_thread::sleep_for(std::chrono::microseconds(20));
            continue;
        }
        int result = 0;
        part *one = static_cast<part *>(reads.wait(result));
        if (!one || result <= 0)
            return CL_OUT_OF_RESOURCES; /* an error, or the file has become shorter */
        one->done += static_cast<std::size_t>(result);
        if (one->done < one->wanted)
            reads.read(file, one->at + one->done, one->wanted - one->done, one->offset + one->done,
                       one);
        for (; !parts.empty() && parts.front().done == parts.front().wanted; parts.pop_front())
            give(parts.front());
    }
    return CL_SUCCESS;
}

/* Into the pipe; what is behind the end of the file is zero. */
static cl_int read_into_pipe(int file, std::uint64_t bytes)
{
    std::error_code code;
    std::uint64_t left = bytes;
    cl_int status = read_file(
        file, bytes,
        [&](std::size_t &size) {
            std::size_t want = std::min<std::uint64_t>(PART, left);
            want = (want + sizeof(block) - 1) / sizeof(block) * sizeof(block);
            block *at = file_pipe::map<true>(want, size, code);
            left -= std::min<std::uint64_t>(left, size);
            return reinterpret_cast<char *>(at);
        },
        [&](const part &one) {
            std::memset(one.at + one.wanted, 0, one.bytes - one.wanted);
            file_pipe::unmap(reinterpret_cast<block *>(one.at), one.bytes, code);
        });
    return code ? CL_INVALID_OPERATION : status;
}

/* The same reads into memory that nobody looks at. */
static cl_int read_plainly(int file, std::uint64_t bytes)
{
    std::vector<char> memory(PART * DEPTH);
    std::vector<char *> free;
    for (std::size_t i = 0; i < DEPTH; i++)
        free.push_back(memory.data() + i * PART);
    return read_file(
        file, bytes,
        [&](std::size_t &size) {
            char *at = free.empty() ? nullptr : free.back();
            size = PART;
            if (at)
                free.pop_back();
            return at;
        },
        [&](const part &one) { free.push_back(one.at); });
}

/* ---- the design ------------------------------------------------------------------------------ */

using sums = std::vector<cl_ulong8>;

struct machine {
    cl_device_id device;
    sluice::context context{device};
    sluice::queue queue{context, device};
    sluice::program program{context, sluice::declarations<file_pipe>() +
                                         file_pipe::pipe_declaration("file") + source};
    sluice::bound_pipes<file_pipe> bound{program};
    sluice::kernel sum{program, "sum"};
    clCompleteNativeCommandSLUICE_fn complete = nullptr;
};

/* The reads, as one command; the thread ends with it. */
static sluice::event start_reading(machine &m, int file, std::uint64_t bytes, std::thread &reader)
{
    return m.queue.submit([&](sluice::handler &h) {
        h.native_command([&, file, bytes](sluice::interop_handle handle) -> cl_int {
            reader = std::thread([complete = m.complete, token = handle.completion(), file, bytes] {
                complete(token, read_into_pipe(file, bytes));
            });
            return SLUICE_NATIVE_PENDING;
        });
    });
}

static sums stream(machine &m, int file, std::uint64_t bytes)
{
    std::thread reader;
    std::error_code code;
    sluice::buffer<cl_ulong8> result(m.context, 2);
    m.queue.submit([&](sluice::handler &h) {
        h.set_args(static_cast<cl_uint>((bytes + sizeof(block) - 1) / sizeof(block)),
                   h.get_access<sluice::access_mode::write>(result));
        h.single_task(m.sum);
    });
    start_reading(m, file, bytes, reader).wait(code);
    reader.join();
    if (code) { /* the kernel waits for what never comes */
        std::printf("reading failed\n");
        std::fflush(stdout);
        std::_Exit(1);
    }
    return result.read(m.queue);
}

/* ---- the rest -------------------------------------------------------------------------------- */

static sums plain_sums(const char *path)
{
    std::ifstream in(path, std::ios::binary);
    sums two(2);
    cl_ulong word[8];
    std::uint64_t words = 0;
    do {
        std::memset(word, 0, sizeof word);
        in.read(reinterpret_cast<char *>(word), sizeof word);
        if (!in.gcount() && words % 16 == 0)
            break;
        for (int lane = 0; lane < 8; lane++)
            two[1].s[lane] += two[0].s[lane] += word[lane];
        words++;
    } while (true);
    return two;
}

static void make_file(const char *path)
{
    std::ofstream out(path, std::ios::binary);
    cl_ulong state = 7;
    for (int i = 0; i < (1 << 20) + 5; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        out.write(reinterpret_cast<const char *>(&state), sizeof state);
    }
    out.write("end", 3);
}

/* Seconds, with nothing of the file in memory before if that can be had: what is still to be
 * written stays there. */
template <class Work> static double timed(int file, Work work)
{
    fdatasync(file);
    posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
    auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

int main(int argc, char **argv)
{
    cl_device_id device = sluice::find_dataflow_device();
    const char *path = argc > 1 ? argv[1] : "file_stream.bin";
    if (!device || !ring(DEPTH).works()) {
        std::printf("there is no %s\n", device ? "io_uring" : "dataflow device");
        return 77;
    }
    if (argc < 2)
        make_file(path);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat facts{};
    if (file < 0 || fstat(file, &facts) || facts.st_size == 0) {
        std::printf("%s cannot be read, or is empty\n", path);
        return 1;
    }
    machine m{device};
    if (!sluice::detail::find_function(sluice::detail::platform_of(device),
                                       "clCompleteNativeCommandSLUICE", m.complete))
        return 77;
    const auto bytes = static_cast<std::uint64_t>(facts.st_size);
    const sums want = plain_sums(path);
    double plain = 1e9, streamed = 1e9;
    bool right = true;
    for (std::size_t i = 0; i < (argc > 2 ? MEASURED_TURNS : TURNS); i++) {
        sums got;
        plain = std::min(plain, timed(file, [&] { read_plainly(file, bytes); }));
        streamed = std::min(streamed, timed(file, [&] { got = stream(m, file, bytes); }));
        right = right && !std::memcmp(got.data(), want.data(), 2 * sizeof(cl_ulong8));
    }
    std::printf("file       %.1f MB, %.0f MB/s by the same reads alone\n", bytes / 1e6,
                bytes / plain / 1e6);
    std::printf("streamed   %.0f MB/s, %.2f of that; the sums are %s\n", bytes / streamed / 1e6,
                plain / streamed, right ? "right" : "WRONG");
    close(file);
    return !right || (argc > 2 && plain / streamed < std::atof(argv[2]));
}

/* SPDX-License-Identifier: Apache-2.0 */
/* As much of io_uring as reading a file takes, without a library. One thread. */
#ifndef FILE_STREAM_RING_HPP
#define FILE_STREAM_RING_HPP

#include <cerrno>
#include <cstdint>
#include <cstring>

#include <linux/io_uring.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

class ring
{
  public:
    explicit ring(unsigned entries)
    {
        io_uring_params params{};
        fd = static_cast<int>(syscall(SYS_io_uring_setup, entries, &params));
        if (fd < 0 || !(params.features & IORING_FEAT_SINGLE_MMAP))
            return;
        std::size_t sq = params.sq_off.array + params.sq_entries * sizeof(unsigned);
        std::size_t cq = params.cq_off.cqes + params.cq_entries * sizeof(io_uring_cqe);
        queue_bytes = sq > cq ? sq : cq;
        entry_bytes = params.sq_entries * sizeof(io_uring_sqe);
        queues = map(queue_bytes, IORING_OFF_SQ_RING);
        void *all = map(entry_bytes, IORING_OFF_SQES);
        if (!queues || !all)
            return;
        submissions = static_cast<io_uring_sqe *>(all);
        auto at = [this](std::uint32_t offset) {
            return reinterpret_cast<unsigned *>(static_cast<char *>(queues) + offset);
        };
        tail = at(params.sq_off.tail);
        mask = *at(params.sq_off.ring_mask);
        indices = at(params.sq_off.array);
        done_head = at(params.cq_off.head);
        done_tail = at(params.cq_off.tail);
        done_mask = *at(params.cq_off.ring_mask);
        completions = reinterpret_cast<io_uring_cqe *>(at(params.cq_off.cqes));
    }
    ring(const ring &) = delete;
    ring &operator=(const ring &) = delete;
    ~ring()
    {
        if (submissions)
            munmap(submissions, entry_bytes);
        if (queues)
            munmap(queues, queue_bytes);
        if (fd >= 0)
            close(fd);
    }
    /* False: there is no io_uring here. */
    bool works() const
    {
        return completions != nullptr;
    }

    /* Never more at once than there are entries. `what` comes back with the completion. */
    int read(int file, void *to, std::size_t bytes, std::uint64_t offset, void *what)
    {
        unsigned last = *tail, slot = last & mask;
        io_uring_sqe &entry = submissions[slot];
        std::memset(&entry, 0, sizeof entry);
        entry.opcode = IORING_OP_READ;
        entry.fd = file;
        entry.addr = reinterpret_cast<std::uintptr_t>(to);
        entry.len = static_cast<unsigned>(bytes);
        entry.off = offset;
        entry.user_data = reinterpret_cast<std::uintptr_t>(what);
        indices[slot] = slot;
        __atomic_store_n(tail, last + 1, __ATOMIC_RELEASE);
        return enter(1, 0);
    }

    /* Waits for a completion: what was read for, and the bytes or -errno in `result`. */
    void *wait(int &result)
    {
        while (__atomic_load_n(done_tail, __ATOMIC_ACQUIRE) == *done_head)
            if (enter(0, 1) < 0 && errno != EINTR)
                return nullptr;
        const io_uring_cqe &one = completions[*done_head & done_mask];
        void *what = reinterpret_cast<void *>(static_cast<std::uintptr_t>(one.user_data));
        result = one.res;
        __atomic_store_n(done_head, *done_head + 1, __ATOMIC_RELEASE);
        return what;
    }

  private:
    void *map(std::size_t bytes, off_t which) const
    {
        void *at =
            mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, which);
        return at == MAP_FAILED ? nullptr : at;
    }
    int enter(unsigned submit, unsigned least) const
    {
        return static_cast<int>(syscall(SYS_io_uring_enter, fd, submit, least,
                                        least ? IORING_ENTER_GETEVENTS : 0, nullptr, 0));
    }

    int fd = -1;
    std::size_t queue_bytes = 0, entry_bytes = 0;
    void *queues = nullptr;
    io_uring_sqe *submissions = nullptr;
    io_uring_cqe *completions = nullptr;
    unsigned *tail = nullptr, *indices = nullptr, *done_head = nullptr, *done_tail = nullptr;
    unsigned mask = 0, done_mask = 0;
};

#endif

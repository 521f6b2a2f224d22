/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lld in process. It wants names of files, so the objects come as members of one archive through a
 * socket and the result leaves through a pipe, both with a name (clang/descriptor_path.h): lld
 * reads to the end what is no regular file, and writes to a pipe what it would write to a regular
 * file through a temporary neighbour. No disk is touched, nor a memory file, which sandboxes lack.
 * linkerLock: lld keeps its state in globals.
 */
#include "clang/linker.h"
#include "clang/descriptor_path.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <lld/Common/CommonLinkerContext.h>
#include <lld/Common/Driver.h>
#include <llvm/Support/raw_ostream.h>
#include <mutex>
#include <pthread.h>
#include <string>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

LLD_HAS_DRIVER(elf)

namespace
{

std::mutex linkerLock;

class Descriptor
{
  public:
    explicit Descriptor(int number = -1) : fd(number)
    {
    }
    ~Descriptor()
    {
        reset();
    }
    Descriptor(const Descriptor &) = delete;
    Descriptor &operator=(const Descriptor &) = delete;
    void reset(int number = -1)
    {
        if (fd >= 0)
            close(fd);
        fd = number;
    }
    std::string path() const
    {
        char text[SL_DESCRIPTOR_PATH_BYTES];
        sl_descriptor_path(fd, text);
        return text;
    }
    int fd;
};

/* As `ar` does it, but for the table of symbols, which lld does not read. */
std::string archiveOf(const struct sl_linker_object *objects, size_t count)
{
    std::string archive = "!<arch>\n";
    for (size_t i = 0; i < count; i++) {
        char header[61];
        snprintf(header, sizeof header, "%-16s%-12d%-6d%-6d%-8d%-10zu`\n", "object/", 0, 0, 0, 0644,
                 objects[i].bytes);
        archive += header;
        archive.append(static_cast<const char *>(objects[i].data), objects[i].bytes);
        if (objects[i].bytes % 2)
            archive += '\n';
    }
    return archive;
}

/* True: all of it is there. Otherwise errno says why, and `sent` how far it went. */
bool sendAll(int fd, const std::string &bytes, size_t &sent, int flags)
{
    while (sent < bytes.size()) {
        ssize_t done = send(fd, bytes.data() + sent, bytes.size() - sent, flags | MSG_NOSIGNAL);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return false;
        sent += static_cast<size_t>(done);
    }
    return true;
}

void readAll(int fd, std::vector<char> &out)
{
    const size_t step = 1 << 16;
    for (size_t used = 0;;) {
        out.resize(used + step);
        ssize_t got = read(fd, out.data() + used, step);
        if (got < 0 && errno == EINTR)
            continue;
        used += got > 0 ? static_cast<size_t>(got) : 0;
        out.resize(used);
        if (got <= 0)
            return;
    }
}

struct Reader {
    int fd;
    std::vector<char> &out;
    static void *run(void *self)
    {
        Reader *reader = static_cast<Reader *>(self);
        readAll(reader->fd, reader->out);
        return nullptr;
    }
};

/* What lld is to read: in the socket's buffer if it fits, else a thread sends the rest. */
class Feeder
{
  public:
    explicit Feeder(const std::string &all) : bytes(all)
    {
    }
    bool start()
    {
        int ends[2];
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
            return false;
        output.reset(ends[0]);
        input.reset(ends[1]);
        if (sendAll(input.fd, bytes, sent, MSG_DONTWAIT)) {
            input.reset();
            return true;
        }
        if (errno == EAGAIN)
            errno = pthread_create(&thread, nullptr, run, this);
        running = !errno;
        return running;
    }
    ~Feeder()
    {
        output.reset(); /* whoever has not read it all does not want it */
        if (running)
            pthread_join(thread, nullptr);
    }
    std::string path() const
    {
        return output.path();
    }

  private:
    static void *run(void *self)
    {
        Feeder *feeder = static_cast<Feeder *>(self);
        sendAll(feeder->input.fd, feeder->bytes, feeder->sent, 0);
        feeder->input.reset();
        return nullptr;
    }
    const std::string &bytes;
    size_t sent = 0;
    Descriptor output, input;
    pthread_t thread{};
    bool running = false;
};

bool link(const std::string &input, const std::string &output, const char *archive,
          std::string &messages)
{
    std::vector<const char *> args = {"ld.lld",
                                      "-shared",
                                      "--threads=1",
                                      "--eh-frame-hdr",
                                      "--gc-sections",
                                      "-Bsymbolic",
                                      "-z",
                                      "defs",
                                      "-z",
                                      "noexecstack",
                                      "-z",
                                      "now",
                                      "-z",
                                      "relro",
                                      "--hash-style=gnu",
                                      "--build-id=fast",
                                      "-o",
                                      output.c_str(),
                                      "--whole-archive",
                                      input.c_str(),
                                      "--no-whole-archive"};
    if (archive[0])
        args.push_back(archive);
    llvm::raw_string_ostream errors(messages);
    bool fine = lld::elf::link(args, llvm::nulls(), errors, false, false);
    lld::CommonLinkerContext::destroy();
    return fine;
}

} // namespace

int sl_linker_run(const struct sl_linker_object *objects, size_t count, const char *archive,
                  const struct sl_linker_sink *sink)
{
    int ends[2];
    std::string messages;
    std::vector<char> result;
    const std::string archived = archiveOf(objects, count);
    Feeder input(archived);
    bool fine = input.start() && !pipe2(ends, O_CLOEXEC);
    if (fine) {
        Descriptor readEnd(ends[0]), writeEnd(ends[1]);
        Reader reader{readEnd.fd, result};
        pthread_t thread;
        /* std::thread would end the process where no thread may be started */
        errno = pthread_create(&thread, nullptr, Reader::run, &reader);
        fine = !errno;
        if (fine) {
            {
                std::lock_guard<std::mutex> guard(linkerLock);
                fine = link(input.path(), writeEnd.path(), archive, messages);
            }
            writeEnd.reset();
            pthread_join(thread, nullptr);
            errno = EIO; /* for a failure without a message */
        }
    }
    if (!fine && messages.empty())
        messages = std::string("linker: ") + strerror(errno) + "\n";
    if (!messages.empty())
        sink->log(sink->data, messages.data(), messages.size());
    if (!fine || result.empty())
        return -1;
    sink->output(sink->data, result.data(), result.size());
    return 0;
}

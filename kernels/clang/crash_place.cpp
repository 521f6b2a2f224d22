/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. Reads the calling thread's list; no locks. */
#include "clang/crash_place.h"
#include "clang/frontend.h"

#include <cstring>
#include <llvm/Support/PrettyStackTrace.h>
#include <llvm/Support/raw_ostream.h>

namespace
{

/* Into memory of the caller's; what is too much is dropped. */
class FixedText : public llvm::raw_ostream
{
  public:
    FixedText(char *to, size_t bytes) : llvm::raw_ostream(true), text(to), room(bytes)
    {
    }
    void finish()
    {
        constexpr size_t length = sizeof SL_VIRTUAL_FOLDER - 1;
        text[used] = '\0';
        for (char *at = text; (at = std::strstr(at, SL_VIRTUAL_FOLDER));)
            std::memmove(at, at + length, std::strlen(at + length) + 1);
    }
    bool isEmpty() const
    {
        return used == 0;
    }

  private:
    void write_impl(const char *from, size_t bytes) override
    {
        for (size_t i = 0; i < bytes && used + 1 < room; i++)
            text[used++] = from[i] == '\n' ? ' ' : from[i];
    }
    uint64_t current_pos() const override
    {
        return used;
    }

    char *text;
    size_t room, used = 0;
};

} // namespace

void sl_crash_place(char *text, size_t bytes)
{
    FixedText out(text, bytes);
    auto *entry = static_cast<const llvm::PrettyStackTraceEntry *>(llvm::SavePrettyStackState());
    for (; entry && out.isEmpty(); entry = entry->getNextEntry())
        entry->print(out);
    out.finish();
}

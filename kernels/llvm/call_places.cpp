/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "llvm/call_places.h"

#include <algorithm>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Instructions.h>

#include "llvm/llvm_extra.h"

using namespace llvm;

namespace
{

char *nameOf(const DISubprogram &program)
{
    StringRef name =
        program.getLinkageName().empty() ? program.getName() : program.getLinkageName();
    return sl_readable_name(name.str().c_str());
}

char *nameOf(const Function &f)
{
    if (const DISubprogram *program = f.getSubprogram())
        return nameOf(*program);
    return sl_readable_name(f.getName().str().c_str());
}

} // namespace

size_t sl_call_places(LLVMValueRef handle, struct sl_call_place *places, size_t most)
{
    const CallInst &call = *unwrap<CallInst>(handle);
    SmallVector<const DILocation *, 8> chain; /* innermost first */
    for (const DILocation *at = call.getDebugLoc(); at; at = at->getInlinedAt())
        chain.push_back(at);
    const size_t count = std::max<size_t>(chain.size(), 1);
    for (size_t i = 0; i < std::min(count, most); i++) {
        const DILocation *at = chain.empty() ? nullptr : chain[count - 1 - i];
        places[i] = {};
        places[i].from =
            at ? nameOf(*at->getScope()->getSubprogram()) : nameOf(*call.getFunction());
        places[i].to = i + 1 < count ? nameOf(*chain[count - 2 - i]->getScope()->getSubprogram())
                                     : nameOf(*call.getCalledFunction());
        if (at && at->getLine()) {
            places[i].file = at->getFilename().data();
            places[i].line = at->getLine();
            places[i].column = at->getColumn();
        }
    }
    return std::min(count, most);
}

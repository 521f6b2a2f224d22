/* SPDX-License-Identifier: Apache-2.0 */
/* See elf_image.h. No state, no lock. */
#include "sluice/base/elf_image.h"

#include <elf.h>
#include <string.h>

/* What the format allows but no module needs: larger is damage. */
static const uint64_t most_address = (uint64_t)1 << 40;
enum { PAGE = 4096, MOST_ALIGN = 2 << 20 };

/* Entries of the dynamic section that a module has. */
enum known {
    SYMTAB,
    SYMENT,
    STRTAB,
    STRSZ,
    GNU_HASH,
    RELA,
    RELASZ,
    RELAENT,
    RELACOUNT,
    FLAGS,
    FLAGS_1,
    KNOWN
};

struct reader {
    const char *elf;
    size_t bytes;
    struct sl_elf_image *image;
    Elf64_Phdr dynamic;
    uint64_t tag[KNOWN];
    bool has[KNOWN]; /* the linker follows some entries without asking */
    const char *why;
};

static bool refuse(struct reader *r, const char *why)
{
    r->why = why;
    return false;
}

/* ---- segments -------------------------------------------------------------------------------- */

static bool is_inside(const struct sl_elf_range *outer, uint64_t at, uint64_t bytes)
{
    return at >= outer->start && at <= outer->end && bytes <= outer->end - at;
}

static const struct sl_elf_segment *segment_of(const struct sl_elf_image *image, uint64_t at,
                                               uint64_t bytes)
{
    for (unsigned i = 0; i < image->segment_count; i++) {
        if (is_inside(&image->segments[i].memory, at, bytes))
            return &image->segments[i];
    }
    return NULL;
}

/* The segment that has them from the file, and not as zeros. */
static const struct sl_elf_segment *filled_segment_of(const struct sl_elf_image *image, uint64_t at,
                                                      uint64_t bytes)
{
    const struct sl_elf_segment *segment = segment_of(image, at, bytes);
    uint64_t offset = segment ? at - segment->memory.start : 0;
    bool filled = segment && offset <= segment->file_bytes && bytes <= segment->file_bytes - offset;
    return filled ? segment : NULL;
}

/* The bytes in the file that will be at an address; NULL: they would not be from the file. */
static const char *file_at(const struct reader *r, uint64_t at, uint64_t bytes)
{
    const struct sl_elf_segment *segment = filled_segment_of(r->image, at, bytes);
    return segment ? r->elf + segment->file_offset + (at - segment->memory.start) : NULL;
}

static bool add_segment(struct reader *r, const Elf64_Phdr *p)
{
    struct sl_elf_image *image = r->image;
    uint64_t before =
        image->segment_count ? image->segments[image->segment_count - 1].memory.end : 0;
    bool aligned = p->p_align >= PAGE && p->p_align <= MOST_ALIGN &&
                   !(p->p_align & (p->p_align - 1)) &&
                   p->p_vaddr % p->p_align == p->p_offset % p->p_align;
    if (image->segment_count == SL_ELF_SEGMENTS)
        return refuse(r, "too many segments");
    if (p->p_offset > r->bytes || p->p_filesz > r->bytes - p->p_offset ||
        p->p_memsz < p->p_filesz || !p->p_memsz)
        return refuse(r, "a segment is not in the file");
    if (p->p_vaddr > most_address || p->p_memsz > most_address || !aligned)
        return refuse(r, "a segment has no place");
    if (!(p->p_flags & PF_R) || (p->p_flags & PF_W && p->p_flags & PF_X))
        return refuse(r, "a segment has strange rights");
    if (image->segment_count && p->p_vaddr / PAGE <= (before - 1) / PAGE)
        return refuse(r, "segments overlap");
    if (!image->segment_count && p->p_vaddr)
        return refuse(r, "the first segment is not at 0");
    if (p->p_align > image->align)
        image->align = p->p_align;
    image->segments[image->segment_count++] = (struct sl_elf_segment){
        .memory = {p->p_vaddr, p->p_vaddr + p->p_memsz},
        .file_offset = p->p_offset,
        .file_bytes = p->p_filesz,
        .writable = p->p_flags & PF_W,
        .executable = p->p_flags & PF_X,
    };
    return true;
}

static bool take_header(struct reader *r, const Elf64_Phdr *p)
{
    switch (p->p_type) {
    case PT_LOAD:
        return add_segment(r, p);
    case PT_DYNAMIC:
        r->dynamic = *p;
        return true;
    case PT_GNU_RELRO:
        if (p->p_vaddr > most_address || p->p_memsz > most_address)
            return refuse(r, "strange read-only memory");
        r->image->read_only = (struct sl_elf_range){p->p_vaddr, p->p_vaddr + p->p_memsz};
        return true;
    case PT_GNU_STACK:
        return p->p_flags & PF_X ? refuse(r, "wants to run code on stacks") : true;
    case PT_PHDR:
    case PT_NOTE:
    case PT_GNU_EH_FRAME:
    case PT_NULL:
        return true;
    default:
        return refuse(r, "a program header of unknown kind");
    }
}

/* What only says where something is must lie where it says; after all segments are known. */
static bool check_places(struct reader *r, const Elf64_Ehdr *head)
{
    for (unsigned i = 0; i < head->e_phnum; i++) {
        Elf64_Phdr p;
        memcpy(&p, r->elf + head->e_phoff + i * sizeof p, sizeof p);
        bool placed = p.p_type == PT_PHDR || p.p_type == PT_NOTE || p.p_type == PT_GNU_EH_FRAME ||
                      p.p_type == PT_DYNAMIC;
        if (placed && file_at(r, p.p_vaddr, p.p_filesz) != r->elf + p.p_offset)
            return refuse(r, "a program header points nowhere");
        if (p.p_type == PT_PHDR && p.p_offset != head->e_phoff)
            return refuse(r, "the program headers are elsewhere");
    }
    const struct sl_elf_range *fixed = &r->image->read_only;
    const struct sl_elf_segment *segment =
        segment_of(r->image, fixed->start, fixed->end - fixed->start);
    if (fixed->end > fixed->start && (!segment || !segment->writable))
        return refuse(r, "read-only memory is not a part of a segment");
    return true;
}

/* Notes are read by the linker: each must end inside. */
static bool check_notes(struct reader *r, const Elf64_Ehdr *head)
{
    for (unsigned i = 0; i < head->e_phnum; i++) {
        Elf64_Phdr p;
        memcpy(&p, r->elf + head->e_phoff + i * sizeof p, sizeof p);
        for (uint64_t at = 0; p.p_type == PT_NOTE && at < p.p_filesz;) {
            Elf64_Nhdr note;
            if (p.p_filesz - at < sizeof note)
                return refuse(r, "a note is cut");
            memcpy(&note, r->elf + p.p_offset + at, sizeof note);
            if (note.n_type != NT_GNU_BUILD_ID)
                return refuse(r, "a note of unknown kind");
            at += sizeof note + ((uint64_t)note.n_namesz + 3) / 4 * 4 +
                  ((uint64_t)note.n_descsz + 3) / 4 * 4;
            if (at > p.p_filesz)
                return refuse(r, "a note is cut");
        }
    }
    return true;
}

static const unsigned char ident[EI_NIDENT] = {
    ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT, ELFOSABI_NONE,
};

static bool read_headers(struct reader *r)
{
    Elf64_Ehdr head;
    if (r->bytes < sizeof head)
        return refuse(r, "too short");
    memcpy(&head, r->elf, sizeof head);
    if (memcmp(head.e_ident, ident, sizeof ident) || head.e_version != EV_CURRENT ||
        head.e_type != ET_DYN || head.e_machine != EM_X86_64 ||
        head.e_phentsize != sizeof(Elf64_Phdr))
        return refuse(r, "not a shared object for this machine");
    if (head.e_phoff > r->bytes || head.e_phnum > (r->bytes - head.e_phoff) / sizeof(Elf64_Phdr))
        return refuse(r, "the program headers are not in the file");
    for (unsigned i = 0; i < head.e_phnum; i++) {
        Elf64_Phdr p;
        memcpy(&p, r->elf + head.e_phoff + i * sizeof p, sizeof p);
        if (!take_header(r, &p))
            return false;
    }
    return check_places(r, &head) && check_notes(r, &head);
}

/* ---- the dynamic section --------------------------------------------------------------------- */

static const int64_t known_tags[KNOWN] = {DT_SYMTAB,    DT_SYMENT, DT_STRTAB, DT_STRSZ,
                                          DT_GNU_HASH,  DT_RELA,   DT_RELASZ, DT_RELAENT,
                                          DT_RELACOUNT, DT_FLAGS,  DT_FLAGS_1};

static bool take_dynamic(struct reader *r, const Elf64_Dyn *d)
{
    for (int i = 0; i < KNOWN; i++) {
        if (d->d_tag != known_tags[i])
            continue;
        r->tag[i] = d->d_un.d_val;
        r->has[i] = true;
        return true;
    }
    return refuse(r, "an entry of the dynamic section of unknown kind");
}

static bool read_dynamic(struct reader *r)
{
    const char *at = r->dynamic.p_type == PT_DYNAMIC
                         ? file_at(r, r->dynamic.p_vaddr, r->dynamic.p_filesz)
                         : NULL;
    uint64_t count = r->dynamic.p_filesz / sizeof(Elf64_Dyn);
    Elf64_Dyn d = {.d_tag = DT_DEBUG};
    if (!at || r->dynamic.p_vaddr % sizeof(uint64_t) ||
        !segment_of(r->image, r->dynamic.p_vaddr, r->dynamic.p_filesz)->writable)
        return refuse(r, "no dynamic section");
    for (uint64_t i = 0; i < count; i++) {
        memcpy(&d, at + i * sizeof d, sizeof d);
        if (d.d_tag == DT_NULL)
            break;
        if (!take_dynamic(r, &d))
            return false;
    }
    if (d.d_tag != DT_NULL)
        return refuse(r, "the dynamic section has no end");
    for (int i = SYMTAB; i <= GNU_HASH; i++)
        if (!r->has[i])
            return refuse(r, "the dynamic section is not complete");
    if (r->tag[FLAGS] & ~(uint64_t)(DF_SYMBOLIC | DF_BIND_NOW) ||
        r->tag[FLAGS_1] & ~(uint64_t)DF_1_NOW)
        return refuse(r, "strange flags");
    return true;
}

/* ---- relocations ----------------------------------------------------------------------------- */

static bool check_relocations(struct reader *r)
{
    uint64_t count = r->tag[RELASZ] / sizeof(Elf64_Rela);
    const char *at = file_at(r, r->tag[RELA], r->tag[RELASZ]);
    if (!r->has[RELA] && !r->has[RELASZ])
        return r->tag[RELACOUNT] ? refuse(r, "no relocations") : true;
    if (!at || !r->has[RELA] || r->tag[RELAENT] != sizeof(Elf64_Rela) ||
        r->tag[RELASZ] % sizeof(Elf64_Rela) || r->tag[RELACOUNT] > count ||
        r->tag[RELA] % sizeof(uint64_t))
        return refuse(r, "the relocations are not in the file");
    r->image->relocations = at;
    r->image->relocation_count = count;
    for (uint64_t i = 0; i < count; i++) {
        Elf64_Rela rela;
        memcpy(&rela, at + i * sizeof rela, sizeof rela);
        const struct sl_elf_segment *to = segment_of(r->image, rela.r_offset, sizeof(uint64_t));
        bool dynamic = rela.r_offset < r->dynamic.p_vaddr + r->dynamic.p_memsz &&
                       rela.r_offset + sizeof(uint64_t) > r->dynamic.p_vaddr;
        if (rela.r_info != ELF64_R_INFO(0, R_X86_64_RELATIVE) || !to || !to->writable || dynamic)
            return refuse(r, "a relocation that no module needs");
    }
    return true;
}

/* ---- symbols --------------------------------------------------------------------------------- */

struct hash_head {
    uint32_t bucket_count, first_symbol, mask_words, shift;
};

struct symbols {
    struct hash_head head;
    const char *masks, *buckets;
    uint64_t chains; /* address of the first symbol's link */
    const char *table, *texts;
    uint64_t count;
};

static uint32_t word_at(const char *words, uint64_t n)
{
    uint32_t word;
    memcpy(&word, words + n * sizeof word, sizeof word);
    return word;
}

/* What the linker reads again after it has relocated: no relocation may have changed it. */
static const char *fixed_at(const struct reader *r, uint64_t at, uint64_t bytes)
{
    const struct sl_elf_segment *segment = segment_of(r->image, at, bytes);
    return segment && !segment->writable ? file_at(r, at, bytes) : NULL;
}

static const char *link_of(const struct reader *r, const struct symbols *s, uint64_t symbol)
{
    return fixed_at(r, s->chains + (symbol - s->head.first_symbol) * sizeof(uint32_t),
                    sizeof(uint32_t));
}

/* The end of the chains: one more than the last symbol; 0: they have none. */
static uint64_t symbol_count(const struct reader *r, const struct symbols *s)
{
    uint64_t last = 0;
    for (uint32_t i = 0; i < s->head.bucket_count; i++) {
        uint64_t first = word_at(s->buckets, i);
        if (first && first < s->head.first_symbol)
            return 0;
        last = first > last ? first : last;
    }
    for (; last; last++) {
        const char *link = link_of(r, s, last);
        if (!link)
            return 0;
        if (word_at(link, 0) & 1)
            return last + 1;
    }
    return 0;
}

static bool read_hash(struct reader *r, struct symbols *s)
{
    uint64_t at = r->tag[GNU_HASH];
    const char *bytes = fixed_at(r, at, sizeof s->head);
    if (!bytes || at % sizeof(uint64_t))
        return false;
    memcpy(&s->head, bytes, sizeof s->head);
    uint64_t mask_bytes = (uint64_t)s->head.mask_words * sizeof(uint64_t),
             bucket_bytes = (uint64_t)s->head.bucket_count * sizeof(uint32_t);
    s->masks = fixed_at(r, at + sizeof s->head, mask_bytes);
    s->buckets = fixed_at(r, at + sizeof s->head + mask_bytes, bucket_bytes);
    s->chains = at + sizeof s->head + mask_bytes + bucket_bytes;
    bool power = s->head.mask_words && !(s->head.mask_words & (s->head.mask_words - 1));
    if (!power || !s->head.bucket_count || !s->head.first_symbol || s->head.shift > 31 ||
        !s->masks || !s->buckets)
        return false;
    s->count = symbol_count(r, s);
    return s->count && fixed_at(r, s->chains, (s->count - s->head.first_symbol) * sizeof(uint32_t));
}

static bool read_symbols(struct reader *r, struct symbols *s)
{
    if (read_hash(r, s))
        s->table = fixed_at(r, r->tag[SYMTAB], s->count * sizeof(Elf64_Sym));
    s->texts = fixed_at(r, r->tag[STRTAB], r->tag[STRSZ]);
    if (!s->table || r->tag[SYMENT] != sizeof(Elf64_Sym) || r->tag[SYMTAB] % sizeof(uint64_t))
        return refuse(r, "the symbols are not in the file");
    if (!s->texts || !r->tag[STRSZ] || s->texts[r->tag[STRSZ] - 1])
        return refuse(r, "the names are not in the file");
    return true;
}

static Elf64_Sym symbol_at(const struct symbols *s, uint64_t i)
{
    Elf64_Sym symbol;
    memcpy(&symbol, s->table + i * sizeof symbol, sizeof symbol);
    return symbol;
}

static uint32_t hash_of(const char *name)
{
    uint32_t hash = 5381;
    for (; *name; name++)
        hash = hash * 33 + (unsigned char)*name;
    return hash;
}

/* Its number as the dynamic linker finds it; 0: it does not. */
static uint64_t look_up(const struct reader *r, const struct symbols *s, const char *name)
{
    uint32_t hash = hash_of(name);
    uint64_t mask;
    memcpy(&mask, s->masks + (hash / 64 & (s->head.mask_words - 1)) * sizeof mask, sizeof mask);
    if (!(mask >> hash % 64 & mask >> (hash >> s->head.shift) % 64 & 1))
        return 0;
    uint64_t i = word_at(s->buckets, hash % s->head.bucket_count);
    for (bool more = i != 0; more; i++) {
        uint32_t link = word_at(link_of(r, s, i), 0);
        if ((link ^ hash) < 2 && !strcmp(s->texts + symbol_at(s, i).st_name, name))
            return i;
        more = !(link & 1);
    }
    return 0;
}

static bool is_object(const Elf64_Sym *symbol)
{
    unsigned bind = ELF64_ST_BIND(symbol->st_info), seen = ELF64_ST_VISIBILITY(symbol->st_other);
    return symbol->st_shndx != SHN_UNDEF && symbol->st_shndx < SHN_LORESERVE && symbol->st_value &&
           (bind == STB_GLOBAL || bind == STB_WEAK) &&
           (seen == STV_DEFAULT || seen == STV_PROTECTED) &&
           ELF64_ST_TYPE(symbol->st_info) == STT_OBJECT && symbol->st_value <= most_address &&
           symbol->st_size <= most_address;
}

static bool check_symbols(struct reader *r, const char *name)
{
    struct symbols s = {.table = NULL};
    if (!read_symbols(r, &s))
        return false;
    for (uint64_t i = 0; i < s.count; i++)
        if (symbol_at(&s, i).st_name >= r->tag[STRSZ])
            return refuse(r, "a name is not in the file");
    uint64_t i = look_up(r, &s, name);
    if (!i)
        return refuse(r, "it has no module table");
    Elf64_Sym symbol = symbol_at(&s, i);
    if (!is_object(&symbol))
        return refuse(r, "its symbol is no object");
    r->image->symbol = (struct sl_elf_range){symbol.st_value, symbol.st_value + symbol.st_size};
    return true;
}

const char *sl_elf_image_read(struct sl_elf_image *image, const void *elf, size_t bytes,
                              const char *symbol)
{
    struct reader r = {.elf = elf, .bytes = bytes, .image = image};
    memset(image, 0, sizeof *image);
    if (read_headers(&r) && read_dynamic(&r) && check_relocations(&r) && check_symbols(&r, symbol))
        return NULL;
    return r.why;
}

/* ---- an image that is only read -------------------------------------------------------------- */

uint64_t sl_elf_image_bytes(const struct sl_elf_image *image)
{
    return image->segments[image->segment_count - 1].memory.end; /* they ascend */
}

void sl_elf_image_place(struct sl_elf_image *image, const void *elf, void *memory)
{
    char *to = memory;
    for (unsigned i = 0; i < image->segment_count; i++) {
        const struct sl_elf_segment *segment = &image->segments[i];
        memcpy(to + segment->memory.start, (const char *)elf + segment->file_offset,
               segment->file_bytes);
    }
    for (uint64_t i = 0; i < image->relocation_count; i++) {
        Elf64_Rela rela;
        memcpy(&rela, image->relocations + i * sizeof rela, sizeof rela);
        uint64_t address = (uintptr_t)memory + (uint64_t)rela.r_addend;
        memcpy(to + rela.r_offset, &address, sizeof address);
    }
    image->base = memory;
}

/* ---- a loaded image -------------------------------------------------------------------------- */

static uint64_t address_in(const struct sl_elf_image *image, const void *at)
{
    return (uintptr_t)at - (uintptr_t)image->base;
}

bool sl_elf_image_has(const struct sl_elf_image *image, const void *at, uint64_t bytes)
{
    return segment_of(image, address_in(image, at), bytes) != NULL;
}

bool sl_elf_image_has_in_file(const struct sl_elf_image *image, const void *at, uint64_t bytes)
{
    return filled_segment_of(image, address_in(image, at), bytes) != NULL;
}

/* Whole pages are read-only, from the one the range begins in to before the one it ends in. */
bool sl_elf_image_has_writable(const struct sl_elf_image *image, const void *at, uint64_t bytes)
{
    uint64_t address = address_in(image, at);
    const struct sl_elf_segment *segment = segment_of(image, address, bytes);
    uint64_t from = image->read_only.start / PAGE * PAGE, to = image->read_only.end / PAGE * PAGE;
    bool fixed = from < to && address < to && address + bytes > from;
    return segment && segment->writable && !fixed;
}

bool sl_elf_image_has_code(const struct sl_elf_image *image, const void *at)
{
    const struct sl_elf_segment *segment = segment_of(image, address_in(image, at), 1);
    return segment && segment->executable;
}

bool sl_elf_image_has_text(const struct sl_elf_image *image, const char *at)
{
    const struct sl_elf_segment *segment = at ? segment_of(image, address_in(image, at), 1) : NULL;
    return segment && memchr(at, 0, segment->memory.end - address_in(image, at));
}

// SPDX-License-Identifier: Apache-2.0
#include "sim/pack/relocations.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "loader/format.h"
#include "sim/host/errors.h"
#include "sim/pack/byte_words.h"
#include "sim/pack/link_faults.h"
#include "sim/pack/linked_model.h"
#include "traces/escape.h"

namespace n6vp::sim::pack {

namespace {

namespace format = loader::format;

/// How the value of a relocation depends on where the loader puts things.
enum class Kind {
    Ignored,        ///< patches nothing
    Absolute,       ///< becomes an entry of the relocation table
    GotSlot,        ///< an offset into the GOT: the same wherever the model is
    PlaceRelative,  ///< right only while place and symbol move together
    BaseRelative,   ///< an offset from r9: right only for symbols in RAM space
    GotFromPlace,   ///< the distance to a GOT word, which is in RAM
    Refused,
};

Kind kind_of(std::uint32_t type, bool clang) {
    switch (type) {
        case kRelocNone:
            return Kind::Ignored;
        case kRelocAbs32:
            return Kind::Absolute;
        case kRelocGotBrel:
            return Kind::GotSlot;
        case kRelocGotPrel:
            return Kind::GotFromPlace;
        case kRelocRel32:
        case kRelocThmCall:
        case kRelocThmJump24:
            return Kind::PlaceRelative;
        case kRelocThmMovwPrelNc:
        case kRelocThmMovtPrel:
            return clang ? Kind::PlaceRelative : Kind::Refused;
        case kRelocThmMovwBrelNc:
        case kRelocThmMovtBrel:
            return clang ? Kind::BaseRelative : Kind::Refused;
        default:
            return Kind::Refused;
    }
}

class Collector {
  public:
    Collector(const ElfFile& elf, LinkedModel& model) : elf_(elf), model_(model) {}

    std::vector<std::uint32_t> collect() {
        require_relocations(elf_);
        for (const ElfRelocation& relocation : elf_.relocations()) judge(relocation);
        // Linkers differ in the order they keep; files of the vendor's tools are ascending.
        std::sort(entries_.begin(), entries_.end());
        return std::move(entries_);
    }

  private:
    [[noreturn]] void fail(const ElfRelocation& relocation, const std::string& what,
                           const std::string& remedy) const {
        refuse_relocation(elf_, relocation, what, remedy);
    }

    bool in_vector(std::uint32_t address) const {
        const std::uint32_t offset = format::link_offset(address);
        return format::in_space(address, format::Space::Flash) && offset >= format::kVectorOffset &&
               offset < model_.header.header_bytes;
    }

    void judge(const ElfRelocation& relocation) {
        // Relocations of never loaded space (payloads, trash) patch nothing that reaches the file.
        if (format::in_space(relocation.address, format::Space::Trash)) return;
        const Kind kind = kind_of(relocation.type, model_.built_by_clang());
        if (kind == Kind::Ignored) return;
        const ElfSymbol& symbol = elf_.symbols()[relocation.symbol];
        if (kind == Kind::Refused) {
            fail(relocation, "this relocation type is not position independent",
                 "compile with the options that scenarios/models/README.md lists, every object and "
                 "library");
        }
        require_resolved(elf_, relocation);
        switch (kind) {
            case Kind::Absolute:
                return absolute(relocation);
            case Kind::PlaceRelative:
                return require_one_space(elf_, relocation);
            case Kind::BaseRelative:
                return base_relative(relocation, symbol);
            case Kind::GotFromPlace:
                model_.notes.push_back(
                    fmt::format("R_ARM_GOT_PREL at 0x{:08X} measures from code to the GOT: "
                                "right only where RAM follows the code (COPY)",
                                relocation.address));
                return;
            default:
                return;
        }
    }

    void absolute(const ElfRelocation& relocation) {
        if (in_vector(relocation.address)) return;
        const std::uint32_t offset = format::link_offset(relocation.address);
        const bool in_ram = format::in_space(relocation.address, format::Space::Ram);
        const bool in_flash = format::in_space(relocation.address, format::Space::Flash);
        if (in_flash && !model_.built_by_clang()) {
            fail(relocation, "an absolute address in the read-only part of a GCC model",
                 "make the object writable or compile with -fpic -mno-pic-data-is-text-relative");
        }
        if (!in_ram && !in_flash) {
            fail(relocation, "an absolute address in a space that the loader does not patch",
                 "keep pointers out of parameters and external RAM");
        }
        const std::vector<std::uint8_t>& image = in_ram ? model_.data : model_.flash;
        if (std::uint64_t{offset} + 4 > image.size() ||
            (in_flash && offset < model_.header.header_bytes)) {
            fail(relocation, "the patched word is not part of the image", "initialise it in .data");
        }
        if (offset % 4 != 0)
            fail(relocation, "the patched word is not aligned to 4", "remove packed attributes");
        if (!seen_.insert(relocation.address).second) {
            fail(relocation, "a second absolute relocation of this word",
                 "link the model again, once");
        }
        check_link_value(elf_, model_, relocation.address, word_at(image, offset),
                         "relocated word");
        entries_.push_back(relocation.address);
    }

    void base_relative(const ElfRelocation& relocation, const ElfSymbol& symbol) const {
        if (format::in_space(symbol.value, format::Space::Ram)) return;
        fail(relocation,
             fmt::format("r9 does not lead to 0x{:08X}, outside RAM space", symbol.value),
             "under clang reach parameters and external RAM through a pointer in .data");
    }

    const ElfFile& elf_;
    LinkedModel& model_;
    std::vector<std::uint32_t> entries_;
    std::unordered_set<std::uint32_t> seen_;
};

}  // namespace

std::vector<std::uint32_t> collect_relocations(const ElfFile& elf, LinkedModel& model) {
    return Collector(elf, model).collect();
}

void check_link_value(const ElfFile& elf, const LinkedModel& model, std::uint32_t place,
                      std::uint32_t value, std::string_view what) {
    if (value == 0) return;
    const std::uint32_t offset = format::link_offset(value);
    std::uint64_t limit = 0;
    bool known = true;
    switch (format::space_nibble(value)) {
        case 0x2:
            limit = model.flash.size();
            break;
        case 0x4:
            limit = format::link_offset(model.header.bss_end);
            break;
        case 0x8:
        case 0x9:
            limit = std::uint64_t{128} << 20;
            break;
        default:
            known = false;
            break;
    }
    const auto fail = [&](const char* problem, const char* remedy) {
        const std::string near = elf.describe(place);
        throw UserError(fmt::format("'{}': {} at 0x{:08X}{} holds 0x{:08X}, {}",
                                    traces::terminal_text(elf.name()), what, place,
                                    near.empty() ? "" : " (" + near + ")", value, problem),
                        remedy);
    };
    if (!known) {
        fail("in no space that a loader resolves",
             "place the symbol with sim/generate/emit/glue/model.ld; absolute addresses cannot "
             "move");
    }
    // One past the end is a legal address of an array's end.
    if (offset > limit) {
        fail("beyond the end of its space", "look for out-of-range address arithmetic");
    }
    // The vendor's own structural check refuses addresses of the GOT and of the gap behind it.
    if (format::in_space(value, format::Space::Ram) && value > model.header.data_end &&
        value < model.header.bss_start) {
        fail("between .data and .bss, where no variable is",
             "look for out-of-range address arithmetic");
    }
}

}  // namespace n6vp::sim::pack

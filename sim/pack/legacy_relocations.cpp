// SPDX-License-Identifier: Apache-2.0
#include "sim/pack/legacy_relocations.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "sim/pack/byte_words.h"
#include "sim/pack/legacy_pack.h"
#include "sim/pack/link_faults.h"

namespace n6vp::sim::pack {

namespace {

namespace format = loader::format;
namespace legacy = loader::legacy;

class LegacyCollector {
  public:
    LegacyCollector(const ElfFile& elf, const LegacyLinked& model) : elf_(elf), model_(model) {}

    std::vector<std::uint32_t> collect() {
        require_relocations(elf_);
        for (const ElfRelocation& relocation : elf_.relocations()) judge(relocation);
        std::sort(entries_.begin(), entries_.end());
        if (std::adjacent_find(entries_.begin(), entries_.end()) != entries_.end()) {
            refuse_elf(elf_, "a word has two absolute relocations", "link the model again, once");
        }
        const std::uint32_t got = format::link_offset(model_.header.got_start);
        for (std::uint32_t at = got; at < model_.data.size(); at += 4)
            require_address(legacy::kRamBase + at, word_at(model_.data, at), "GOT word");
        return std::move(entries_);
    }

  private:
    [[noreturn]] void fail(const ElfRelocation& relocation, const std::string& what,
                           const std::string& remedy) const {
        refuse_relocation(elf_, relocation, what, remedy);
    }

    void judge(const ElfRelocation& relocation) {
        switch (relocation.type) {
            case kRelocNone:
                return;
            case kRelocAbs32:
                require_resolved(elf_, relocation);
                return absolute(relocation);
            case kRelocGotBrel:
                return require_resolved(elf_, relocation);
            case kRelocRel32:
            case kRelocThmCall:
            case kRelocThmJump24:
                require_resolved(elf_, relocation);
                return require_one_space(elf_, relocation);
            default:
                fail(relocation, "this relocation type is not position independent",
                     "compile with the options that scenarios/models/README.md lists, every object "
                     "and library");
        }
    }

    void absolute(const ElfRelocation& relocation) {
        const std::uint32_t offset = format::link_offset(relocation.address);
        const bool in_header =
            legacy::in_flash(relocation.address) && offset < legacy::kHeaderBytes;
        if (in_header) return;  // the vector, which the loader resolves at each call
        if (!legacy::in_ram(relocation.address)) {
            fail(relocation, "an absolute address in the flash section",
                 "make the object writable or compile with -fpic -mno-pic-data-is-text-relative");
        }
        if (std::uint64_t{offset} + 4 > model_.data.size())
            fail(relocation, "the patched word is not part of the image", "initialise it in .data");
        if (offset % 4 != 0)
            fail(relocation, "the patched word is not aligned to 4", "remove packed attributes");
        require_address(relocation.address, word_at(model_.data, offset), "relocated word");
        entries_.push_back(relocation.address);
    }

    /// Fails unless the loader can resolve `value`, the word at link address `place`.
    void require_address(std::uint32_t place, std::uint32_t value, std::string_view what) const {
        if (value == 0) return;
        const std::uint32_t offset = format::link_offset(value);
        const std::uint32_t rw = format::link_offset(model_.header.bss_end);
        const bool in_flash = legacy::in_flash(value) && offset <= model_.flash.size();
        if (in_flash || (legacy::in_ram(value) && offset <= rw)) return;
        const std::string near = elf_.describe(place);
        refuse_elf(elf_,
                   fmt::format("{} at 0x{:08X}{} holds 0x{:08X}, which is not in the model", what,
                               place, near.empty() ? "" : " (" + near + ")", value),
                   "weights and activations are reached through the addresses given at init only; "
                   "absolute addresses cannot move");
    }

    const ElfFile& elf_;
    const LegacyLinked& model_;
    std::vector<std::uint32_t> entries_;
};

}  // namespace

std::vector<std::uint32_t> legacy_relocations(const ElfFile& elf, const LegacyLinked& model) {
    return LegacyCollector(elf, model).collect();
}

}  // namespace n6vp::sim::pack

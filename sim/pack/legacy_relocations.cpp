// SPDX-License-Identifier: Apache-2.0
#include "sim/pack/legacy_relocations.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "sim/host/errors.h"
#include "sim/pack/byte_words.h"
#include "sim/pack/legacy_pack.h"
#include "traces/escape.h"

namespace n6vp::sim::pack {

namespace {

namespace format = loader::format;
namespace legacy = loader::legacy;

/// Numbers of the Arm ELF ABI.
enum LegacyRelocation : std::uint32_t {
    kRelocNone = 0,
    kRelocAbs32 = 2,
    kRelocRel32 = 3,
    kRelocThmCall = 10,
    kRelocGotBrel = 26,
    kRelocThmJump24 = 30,
};

class LegacyCollector {
  public:
    LegacyCollector(const ElfFile& elf, const LegacyLinked& model) : elf_(elf), model_(model) {}

    std::vector<std::uint32_t> collect() {
        if (!elf_.keeps_relocations()) {
            throw UserError(fmt::format("'{}': the linker kept no relocations",
                                        traces::terminal_text(elf_.name())),
                            "link with -Wl,--emit-relocs");
        }
        for (const ElfRelocation& relocation : elf_.relocations()) judge(relocation);
        std::sort(entries_.begin(), entries_.end());
        if (std::adjacent_find(entries_.begin(), entries_.end()) != entries_.end()) {
            throw UserError(fmt::format("'{}': a word has two absolute relocations",
                                        traces::terminal_text(elf_.name())),
                            "link the model again, once");
        }
        const std::uint32_t got = format::link_offset(model_.header.got_start);
        for (std::uint32_t at = got; at < model_.data.size(); at += 4)
            require_address(legacy::kRamBase + at, word_at(model_.data, at), "GOT word");
        return std::move(entries_);
    }

  private:
    [[noreturn]] void fail(const ElfRelocation& relocation, const std::string& what,
                           const std::string& remedy) const {
        const std::string near = elf_.describe(relocation.address);
        throw UserError(
            fmt::format("'{}': {} at 0x{:08X}{} against '{}': {}",
                        traces::terminal_text(elf_.name()), arm_relocation_name(relocation.type),
                        relocation.address, near.empty() ? "" : " (" + near + ")",
                        traces::terminal_text(elf_.symbols()[relocation.symbol].name), what),
            remedy);
    }

    void judge(const ElfRelocation& relocation) {
        const ElfSymbol& symbol = elf_.symbols()[relocation.symbol];
        switch (relocation.type) {
            case kRelocNone:
                return;
            case kRelocAbs32:
                require_defined(relocation, symbol);
                return absolute(relocation);
            case kRelocGotBrel:
                return require_defined(relocation, symbol);
            case kRelocRel32:
            case kRelocThmCall:
            case kRelocThmJump24:
                require_defined(relocation, symbol);
                if (format::space_nibble(relocation.address) == format::space_nibble(symbol.value))
                    return;
                return fail(relocation,
                            fmt::format("a distance from 0x{:08X} to 0x{:08X}, which the loader "
                                        "moves separately",
                                        relocation.address, symbol.value),
                            "reach it through a pointer in .data");
            default:
                fail(relocation, "this relocation type is not position independent",
                     "compile with the options that scenarios/models/README.md lists, every object "
                     "and library");
        }
    }

    void require_defined(const ElfRelocation& relocation, const ElfSymbol& symbol) const {
        if (symbol.defined && (symbol.value != 0 || relocation.symbol == 0)) return;
        fail(relocation, "the symbol is not resolved",
             "define it; weak references have no address here");
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
        throw UserError(
            fmt::format("'{}': {} at 0x{:08X}{} holds 0x{:08X}, which is not in the model",
                        traces::terminal_text(elf_.name()), what, place,
                        near.empty() ? "" : " (" + near + ")", value),
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

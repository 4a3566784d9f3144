// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <vector>

/// Assembles epoch-controller streams and containers for tests. Written from the format's facts;
/// includes nothing of the loader, so that a shared mistake would have to be made twice.
namespace n6vp::test {

inline constexpr std::uint32_t kEcMagic0020 = 0xECBF0020;
inline constexpr std::uint32_t kEcMagic0030 = 0xECBF0030;
inline constexpr std::uint32_t kEcMagic0050 = 0xECBF0050;

using Words = std::vector<std::uint32_t>;

/// Appends instructions; `size()` is the index of the next word, counted from the first
/// instruction.
class EcAssembler {
  public:
    EcAssembler& label(std::uint32_t number) { return raw({number << 5 | 0x1D}); }
    EcAssembler& irq(std::uint32_t number = 0) { return raw({number << 5 | 0x0C}); }
    EcAssembler& write(std::uint32_t ip, std::uint32_t offset, std::uint32_t value) {
        return raw({ip << 26 | offset / 4 << 16 | 0x7C00, value});
    }
    EcAssembler& field(std::uint32_t ip, std::uint32_t offset, std::uint32_t bit,
                       std::uint32_t value) {
        return raw({ip << 26 | offset / 4 << 21 | value << 13 | bit << 5 | 0x01});
    }
    EcAssembler& poll(std::uint32_t ip, std::uint32_t offset, std::uint32_t bit,
                      std::uint32_t expected = 0) {
        return raw({ip << 26 | offset / 4 << 16 | bit << 10 | bit << 5 | 0x04, 100, expected});
    }
    EcAssembler& burst(std::uint32_t ip, std::uint32_t offset, const Words& values) {
        return many(0x02, ip, offset, values);
    }
    EcAssembler& burst_inc(std::uint32_t ip, std::uint32_t offset, const Words& values) {
        return many(0x03, ip, offset, values);
    }
    EcAssembler& gate(std::uint32_t bit, bool on) { return field(0, 0x10, bit, on ? 1 : 0); }
    EcAssembler& raw(std::initializer_list<std::uint32_t> words) {
        words_.insert(words_.end(), words);
        return *this;
    }

    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(words_.size()); }
    [[nodiscard]] const Words& words() const { return words_; }

  private:
    EcAssembler& many(std::uint32_t opcode, std::uint32_t ip, std::uint32_t offset,
                      const Words& values) {
        words_.push_back(ip << 26 | offset / 4 << 16 |
                         static_cast<std::uint32_t>(values.size()) << 5 | opcode);
        words_.insert(words_.end(), values.begin(), values.end());
        return *this;
    }

    Words words_;
};

/// One relocation symbol, or one patch entry (which alone uses `shift` and `mask`).
struct EcEntry {
    std::string name;
    Words indices;
    std::int32_t shift = 0;
    std::uint32_t mask = 0xFFFFFFFF;
};

/// A container as bytes, with the offset of every part so that a test can damage one word.
struct EcImage {
    std::vector<std::uint8_t> bytes;
    std::uint32_t reloc = 0, patch = 0, debug = 0, blob = 0;  ///< container offsets, 0 = absent
    std::uint32_t reloc_field = 4, patch_field = 8, debug_field = 12, blob_field = 16;
    std::uint32_t patch_entry_bytes = 0;

    [[nodiscard]] std::uint32_t word(std::uint32_t offset) const {
        std::uint32_t value = 0;
        std::memcpy(&value, bytes.data() + offset, 4);
        return value;
    }
    void set(std::uint32_t offset, std::uint32_t value) {
        std::memcpy(bytes.data() + offset, &value, 4);
    }
    /// Offset of word `field` of a table entry.
    [[nodiscard]] std::uint32_t symbol(std::uint32_t index, std::uint32_t field) const {
        return reloc + 4 + 12 * index + 4 * field;
    }
    [[nodiscard]] std::uint32_t patch_entry(std::uint32_t index, std::uint32_t field) const {
        return patch + 4 + patch_entry_bytes * index + 4 * field;
    }
    /// The blob's words as the file holds them.
    [[nodiscard]] Words blob_words() const {
        Words words(2 + word(blob + 4));
        std::memcpy(words.data(), bytes.data() + blob, 4 * words.size());
        return words;
    }
};

/// Returns magic, count and instructions as bytes, without padding.
[[nodiscard]] inline std::vector<std::uint8_t> blob_bytes(const Words& instructions) {
    Words words{0xCA057A7A, static_cast<std::uint32_t>(instructions.size())};
    words.insert(words.end(), instructions.begin(), instructions.end());
    std::vector<std::uint8_t> bytes(4 * words.size());
    std::memcpy(bytes.data(), words.data(), bytes.size());
    return bytes;
}

namespace detail {

inline void append(std::vector<std::uint8_t>& bytes, std::uint32_t word) {
    for (int shift = 0; shift < 32; shift += 8)
        bytes.push_back(static_cast<std::uint8_t>(word >> shift));
}

inline void pad8(std::vector<std::uint8_t>& bytes) {
    bytes.resize((bytes.size() + 7) / 8 * 8);
}

/// Appends a table: count, entries, index arrays, strings, padding to 8.
inline void append_table(std::vector<std::uint8_t>& bytes, const std::vector<EcEntry>& entries,
                         std::uint32_t entry_words, bool has_mask, bool has_shift) {
    std::uint32_t array = 4 + static_cast<std::uint32_t>(entries.size()) * entry_words * 4;
    std::uint32_t name = array;
    for (const EcEntry& entry : entries)
        name += static_cast<std::uint32_t>(4 * entry.indices.size());
    append(bytes, static_cast<std::uint32_t>(entries.size()));
    for (const EcEntry& entry : entries) {
        append(bytes, name);
        if (has_shift) append(bytes, static_cast<std::uint32_t>(entry.shift));
        if (has_mask) append(bytes, entry.mask);
        append(bytes, static_cast<std::uint32_t>(entry.indices.size()));
        append(bytes, array);
        name += static_cast<std::uint32_t>(entry.name.size() + 1);
        array += static_cast<std::uint32_t>(4 * entry.indices.size());
    }
    for (const EcEntry& entry : entries) {
        for (const std::uint32_t index : entry.indices) append(bytes, index);
    }
    for (const EcEntry& entry : entries)
        bytes.insert(bytes.end(), entry.name.c_str(), entry.name.c_str() + entry.name.size() + 1);
    pad8(bytes);
}

}  // namespace detail

/// Builds a container as the generators lay it out; an empty list means no such table.
[[nodiscard]] inline EcImage build_ec(std::uint32_t magic, const Words& instructions,
                                      const std::vector<EcEntry>& symbols,
                                      const std::vector<EcEntry>& patches = {},
                                      std::uint32_t debug_bytes = 0) {
    EcImage image;
    const bool old = magic == kEcMagic0020;
    image.bytes.assign(old ? 16 : 24, 0);
    const auto here = [&] { return static_cast<std::uint32_t>(image.bytes.size()); };
    if (!symbols.empty()) {
        image.reloc = here();
        detail::append_table(image.bytes, symbols, 3, false, false);
    }
    if (!patches.empty()) {
        const bool has_shift = magic == kEcMagic0050;
        image.patch_entry_bytes = has_shift ? 20 : 16;
        image.patch = here();
        detail::append_table(image.bytes, patches, image.patch_entry_bytes / 4, true, has_shift);
    }
    if (debug_bytes != 0 || old) {
        image.debug = here();
        image.bytes.resize(image.bytes.size() + debug_bytes, 0xDB);
        detail::pad8(image.bytes);
    }
    image.blob = here();
    const std::vector<std::uint8_t> blob = blob_bytes(instructions);
    image.bytes.insert(image.bytes.end(), blob.begin(), blob.end());
    detail::pad8(image.bytes);
    if (old) {
        image.patch_field = 0;
        image.debug_field = 8;
        image.blob_field = 12;
    } else {
        image.set(image.patch_field, image.patch);
    }
    image.set(0, magic);
    image.set(image.reloc_field, image.reloc);
    image.set(image.debug_field, image.debug);
    image.set(image.blob_field, image.blob);
    return image;
}

/// One epoch with two stream engines, built like a real one, and the words that tables may name.
struct EcProgram {
    Words words;
    Words addresses[2];           ///< ADDR and LIMITADDR operand of STRENG0 and STRENG1
    std::uint32_t encryption[2];  ///< ENCR_LSB and ENCR_MSB operand of STRENG0
    std::uint32_t poll_operand, other_operand, instruction;
};

[[nodiscard]] inline EcProgram sample_program() {
    EcProgram program{};
    EcAssembler code;
    code.label(1);
    for (std::uint32_t engine = 0; engine < 2; ++engine) {
        const std::uint32_t ip = 5 + engine;
        code.gate(engine, true);
        program.instruction = code.size();
        code.write(ip, 0x00, 0x08 * engine);
        program.other_operand = code.size() - 1;
        program.addresses[engine].push_back(code.size() + 1);
        code.burst_inc(ip, 0x08, {0x1000 * (engine + 1), 0x1EA});
        code.burst(ip, 0x30, {6, 7});
        program.addresses[engine].push_back(code.size() + 2);
        code.burst_inc(ip, 0x34, {0x40, 0x1000 * (engine + 1) + 0x3FF});
        if (engine == 0) {
            program.encryption[0] = code.size() + 1;
            program.encryption[1] = code.size() + 2;
            code.burst_inc(ip, 0x40, {0, 0x1000});
        }
    }
    code.write(4, 0x00, 2)
        .poll(4, 0x00, 1)
        .write(4, 0x00, 0x40000000)
        .poll(4, 0x00, 30)
        .write(4, 0x00, 1);
    code.write(4, 0x08, 0x21).field(6, 0, 0, 1).field(5, 0, 0, 1);
    program.poll_operand = code.size() + 1;
    code.poll(6, 0x00, 31).write(4, 0x08, 0).gate(0, false).gate(1, false).label(2).irq();
    program.words = code.words();
    return program;
}

/// Two relocation symbols and, where the generation has them, patch entries over sample_program().
[[nodiscard]] inline EcImage sample_ec(std::uint32_t magic, std::uint32_t debug_bytes = 0) {
    const EcProgram program = sample_program();
    const std::vector<EcEntry> symbols{{"xSPI1", program.addresses[0], 0, 0},
                                       {"_user_io_input_0", program.addresses[1], 0, 0}};
    const Words low{program.encryption[0]};
    const Words high{program.encryption[1]};
    std::vector<EcEntry> patches;
    if (magic == kEcMagic0030)
        patches = {{"SE_00_LSB", low, 0, 0xFFFFFFFF}, {"SE_00_MSB", high, 0, 0xE7FF}};
    if (magic == kEcMagic0050) {
        patches = {{"SE_ENCRYPTION_ID", low, 0, 0xFFFFFFFF},
                   {"SE_ENCRYPTION_ID", high, 32, 0x7FF},
                   {"SE_ROUNDS", high, -13, 1},
                   {"SE_KEY_SEL", high, -14, 3}};
    }
    return build_ec(magic, program.words, symbols, patches, debug_bytes);
}

}  // namespace n6vp::test

// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/loader/findings.h"
#include "tests/loader/legacy/malformed_cases.h"

/// Both sides of every limit of the older family: the last value that a rule lets pass, and the
/// first that it reports.
namespace n6vp::test {
namespace {

using loader::Diagnosis;
using loader::kUnknownBytes;
using loader::Rule;

/// Header words.
constexpr std::uint32_t kFlags = 0x04, kDataEnd = 0x0C, kDataData = 0x10, kBssStart = 0x14,
                        kBssEnd = 0x18, kGotStart = 0x1C, kGotEnd = 0x20, kRelStart = 0x24,
                        kRelEnd = 0x28, kWeightsStart = 0x2C, kWeightsEnd = 0x30, kVector = 0x34,
                        kContextWord = 0x60;
constexpr std::uint32_t kActivationsBytes = 736, kWeightsBytes = 40;

struct FileLimit {
    const char* name;
    Rule rule;
    void (*inside)(LegacyImage&);
    void (*outside)(LegacyImage&);
    void (*describe)(LegacySpec&) = nullptr;
    bool knows_length = true;
};

std::vector<Diagnosis> findings_of(const FileLimit& limit, void (*damage)(LegacyImage&)) {
    LegacySpec spec = legacy_sample();
    if (limit.describe != nullptr) limit.describe(spec);
    LegacyImage image = build_legacy(spec);
    const std::vector<std::uint8_t> whole = image.file;
    damage(image);
    // Memory goes on behind a file that is cut.
    const auto length = static_cast<std::uint32_t>(image.file.size());
    if (length < whole.size())
        image.file.insert(image.file.end(), whole.begin() + length, whole.end());
    LegacyBench bench(image, legacy_addresses().front(), 1);
    bench.request.file_bytes = limit.knows_length ? length : kUnknownBytes;
    return bench.findings();
}

template <std::uint32_t kWord, std::uint32_t kValue>
void word_is(LegacyImage& image) {
    image.set(kWord, kValue);
}
/// Weights of a length that differs from the one stated.
template <std::uint32_t kMore>
void more_weights(LegacyImage& image) {
    image.set(image.context + 0x1C, kWeightsBytes - kMore);
}
std::uint32_t offset_of(const LegacyImage& image, std::uint32_t header_word) {
    return image.word(header_word) & 0x0FFFFFFF;
}

const FileLimit kFileLimits[] = {
    {"100 bytes are a header", Rule::LegacyFileTooShort, [](LegacyImage& i) { i.file.resize(100); },
     [](LegacyImage& i) { i.file.resize(99); }},
    {"RO is the header alone", Rule::RoTooSmall, word_is<kDataData, 0x20000064>,
     word_is<kDataData, 0x20000063>},
    {"RO of 4 MiB", Rule::LegacyRoLimit, word_is<kDataData, 0x20400000>,
     word_is<kDataData, 0x20400001>},
    {"RAM of 128 KiB", Rule::LegacyRamLimit, word_is<kBssEnd, 0x80020000>,
     word_is<kBssEnd, 0x80020001>},
    {"GOT behind the data", Rule::GotStartOrder,
     [](LegacyImage& i) { i.set(kGotStart, i.word(kDataEnd)); },
     [](LegacyImage& i) { i.set(kGotStart, i.word(kDataEnd) - 1); }},
    {"no GOT", Rule::GotEndOrder, [](LegacyImage& i) { i.set(kGotEnd, i.word(kGotStart)); },
     [](LegacyImage& i) { i.set(kGotEnd, i.word(kGotStart) - 1); }},
    {".bss behind the GOT", Rule::BssStartOrder,
     [](LegacyImage& i) { i.set(kBssStart, i.word(kGotEnd)); },
     [](LegacyImage& i) { i.set(kBssStart, i.word(kGotEnd) - 1); }},
    {"no .bss", Rule::BssEndOrder, [](LegacyImage& i) { i.set(kBssEnd, i.word(kBssStart)); },
     [](LegacyImage& i) { i.set(kBssEnd, i.word(kBssStart) - 1); }},
    {"file ends with RO", Rule::RoBeyondFile, [](LegacyImage& i) { i.file.resize(i.ro_bytes); },
     [](LegacyImage& i) { i.file.resize(i.ro_bytes - 1); }},
    {"file ends with the GOT", Rule::DataBeyondFile,
     [](LegacyImage& i) { i.file.resize(i.ro_bytes + i.got_end); },
     [](LegacyImage& i) { i.file.resize(i.ro_bytes + i.got_end - 1); }},
    {"file ends with the gap", Rule::GapBeyondFile,
     [](LegacyImage& i) { i.file.resize(i.ro_bytes + i.bss_start); },
     [](LegacyImage& i) { i.file.resize(i.ro_bytes + i.bss_start - 1); },
     [](LegacySpec& s) {
         s.bss_alignment = 64;
         s.data.resize(s.data.size() + 2);
     }},
    {"file ends with the relocations", Rule::RelBeyondFile, [](LegacyImage&) {},
     [](LegacyImage& i) { i.file.resize(i.rel_end - 1); }},
    {"relocations up to 4 MiB, length not known", Rule::LegacyRelLimit,
     word_is<kRelEnd, 0x20400000>, word_is<kRelEnd, 0x20400001>, nullptr, false},
    {"relocations behind the GOT", Rule::RelInsideImage, [](LegacyImage&) {},
     [](LegacyImage& i) { i.add(kRelStart, 0u - 4u); }},
    {"relocations of no length may be anywhere", Rule::RelInsideImage,
     [](LegacyImage& i) {
         i.set(kRelStart, 0x20000064);
         i.set(kRelEnd, 0x20000064);
     },
     [](LegacyImage& i) {
         i.set(kRelStart, 0x20000064);
         i.set(kRelEnd, 0x20000068);
     }},
    {"weights behind the relocations", Rule::LegacyWeightsInsideImage, [](LegacyImage&) {},
     [](LegacyImage& i) { i.add(kWeightsStart, 0u - 4u); }, add_weights},
    {"weights up to the end of the file", Rule::LegacyWeightsBeyondFile, [](LegacyImage&) {},
     [](LegacyImage& i) { i.add(kWeightsEnd, 1); }, add_weights},
    {"weights by plain offsets", Rule::LegacyWeightsSpace,
     [](LegacyImage& i) {
         i.set(kWeightsStart, offset_of(i, kWeightsStart));
         i.set(kWeightsEnd, offset_of(i, kWeightsEnd));
     },
     [](LegacyImage& i) { i.add(kWeightsEnd, 0x10000000); }, add_weights},
    {"weights of what is stated", Rule::LegacyWeightsTooShort, [](LegacyImage&) {},
     [](LegacyImage& i) { i.add(i.context + 0x1C, 1); }, add_weights},
    {"weights and 31 bytes more", Rule::LegacyWeightsTooLong, more_weights<31>, more_weights<32>,
     add_weights},
    {"one word behind the data ends empty arrays", Rule::LegacyInitArrayIgnored,
     [](LegacyImage& i) { i.set(kGotStart, i.word(kDataEnd) + 4); },
     [](LegacyImage& i) { i.set(kGotStart, i.word(kDataEnd) + 8); }},
    {"padding behind the relocations", Rule::LegacyTrailingBytes, [](LegacyImage&) {},
     [](LegacyImage& i) { i.file.resize(i.file.size() + 1); }},
    {".bss not beyond the relocations", Rule::BssGapHoldsRelocations,
     [](LegacyImage& i) { i.set(kBssStart, 0x80000000 + i.rel - i.ro_bytes); },
     [](LegacyImage& i) { i.set(kBssStart, 0x80000004 + i.rel - i.ro_bytes); }},
    {"entry behind the header", Rule::VectorInHeader, word_is<kVector + 4, 0x20000065>,
     word_is<kVector + 4, 0x20000063>},
    {"entry at the last instruction of RO", Rule::VectorOutside,
     [](LegacyImage& i) { i.set(kVector, 0x20000000 + i.ro_bytes - 1); },
     [](LegacyImage& i) { i.set(kVector, 0x20000000 + i.ro_bytes + 1); }},
    {"the last of eleven entries", Rule::VectorSpace, [](LegacyImage&) {},
     word_is<kVector + 40, 0x80000001>},
    {"rt_ctx of 52 bytes at the end of the data", Rule::ContextOutsideData,
     [](LegacyImage& i) { i.set(kContextWord, i.word(kDataEnd) - 52); },
     [](LegacyImage& i) { i.set(kContextWord, i.word(kDataEnd) - 48); }},
    {"rt_ctx of the older generation", Rule::LegacyContextGeneration, [](LegacyImage&) {},
     [](LegacyImage& i) { i.add(kDataEnd, 4); }, [](LegacySpec& s) { s = legacy_sample(false); }},
    {"a Cortex-M4's model", Rule::LegacyFlagsCore, word_is<kFlags, 0x20085C24>,
     word_is<kFlags, 0x20085C25>},
    {"a Cortex-M7's model", Rule::LegacyFlagsCore, word_is<kFlags, 0x20085C27>,
     word_is<kFlags, 0x20085C28>},
    {"a Cortex-M33's model", Rule::LegacyFlagsCore, word_is<kFlags, 0x20085D21>,
     word_is<kFlags, 0x20085D20>},
    {"a Cortex-M55's model", Rule::LegacyFlagsCore, word_is<kFlags, 0x20085D22>,
     word_is<kFlags, 0x20085D23>},
    {"a name of 255 characters", Rule::ContextNameTooLong, [](LegacyImage&) {},
     [](LegacyImage& i) { std::fill_n(i.file.begin() + i.name + 255, 8, 'x'); },
     [](LegacySpec& s) { s.name = std::string(255, 'n') + std::string(1, '\0') + "and more"; }},
    {"a name that ends 256 bytes before RO does", Rule::ContextNameUnterminated,
     [](LegacyImage& i) {
         std::fill(i.file.begin() + i.ro_bytes - 256, i.file.begin() + i.ro_bytes, 'x');
         i.set(i.context + 0x14, 0x20000000 + i.ro_bytes - 256);
     },
     [](LegacyImage& i) {
         std::fill(i.file.begin() + i.ro_bytes - 256, i.file.begin() + i.ro_bytes, 'x');
         i.set(i.context + 0x14, 0x20000000 + i.ro_bytes - 255);
     },
     [](LegacySpec& s) { s.code_bytes = 512; }},
    {"a blank is printable", Rule::ContextNameUnprintable,
     [](LegacyImage& i) { i.file[i.name] = ' '; }, [](LegacyImage& i) { i.file[i.name] = 0x1F; }},
    {"a tilde is printable", Rule::ContextNameUnprintable,
     [](LegacyImage& i) { i.file[i.name] = '~'; }, [](LegacyImage& i) { i.file[i.name] = 0x7F; }},
    {"GOT of three words", Rule::GotShort,
     [](LegacyImage& i) { i.set(kGotEnd, i.word(kGotStart) + 12); },
     [](LegacyImage& i) { i.set(kGotEnd, i.word(kGotStart) + 8); }},
    {"the third word from the end is reserved", Rule::GotReserved,
     [](LegacyImage& i) { i.set(i.got_word(3), 0x80000000); },
     [](LegacyImage& i) { i.set(i.got_word(4), 0x80000000); }},
    {"the fourth word from the end is none that is reserved", Rule::LegacyGotZero,
     [](LegacyImage& i) { i.set(i.got_word(4), 0); },
     [](LegacyImage& i) { i.set(i.got_word(3), 0); }},
    {"pointer to the end of RAM", Rule::GotValueRamRange,
     [](LegacyImage& i) { i.set(i.got_word(0), i.word(kBssEnd)); },
     [](LegacyImage& i) { i.set(i.got_word(0), i.word(kBssEnd) + 1); }},
    {"pointer to the end of RO", Rule::GotValueFlashRange,
     [](LegacyImage& i) { i.set(i.got_word(0), i.word(kDataData)); },
     [](LegacyImage& i) { i.set(i.got_word(0), i.word(kDataData) + 1); }},
    {"pointer to the end of the data", Rule::GotValueRamInsideGot,
     [](LegacyImage& i) { i.set(i.got_word(0), i.word(kDataEnd)); },
     [](LegacyImage& i) { i.set(i.got_word(0), i.word(kDataEnd) + 1); }},
    {"pointer to .bss", Rule::GotValueRamInsideGot,
     [](LegacyImage& i) { i.set(i.got_word(0), i.word(kBssStart)); },
     [](LegacyImage& i) { i.set(i.got_word(0), i.word(kBssStart) - 1); }},
    {"entry for the word before the GOT", Rule::RelocationInGot,
     [](LegacyImage& i) { i.set(i.relocation(4), i.word(kGotStart) - 4); },
     [](LegacyImage& i) { i.set(i.relocation(4), i.word(kGotStart)); }},
    {"entry for the last word of RAM", Rule::RelocationOutsideRam,
     [](LegacyImage& i) { i.set(i.relocation(4), i.word(kBssEnd) - 4); },
     [](LegacyImage& i) { i.set(i.relocation(4), i.word(kBssEnd)); }},
    {"entry for the last word before .bss", Rule::RelocationInBss,
     [](LegacyImage& i) { i.set(i.relocation(4), i.word(kBssStart) - 4); },
     [](LegacyImage& i) { i.set(i.relocation(4), i.word(kBssStart)); }},
    {"entry for the name", Rule::RelocationContextRuntime, [](LegacyImage&) {},
     [](LegacyImage& i) { i.add(i.relocation(4), 0u - 4u); }},
    {"entry for the size of the weights", Rule::RelocationContextNumber, [](LegacyImage&) {},
     [](LegacyImage& i) { i.add(i.relocation(4), 8); }},
};

struct RequestLimit {
    const char* name;
    Rule rule;
    void (*inside)(LegacyBench&);
    void (*outside)(LegacyBench&);
    std::uint32_t weights = 0;  ///< that the model states
};

GuestAddr plus(GuestAddr address, std::uint32_t bytes) {
    return wrapping_add(address, bytes);
}
void activations_at(LegacyBench& bench, GuestAddr start) {
    bench.request.activations = start;
    bench.request.activations_bytes = kActivationsBytes;
}
void weights_at(LegacyBench& bench, GuestAddr start) {
    bench.request.weights = start;
    bench.request.weights_bytes = kWeightsBytes;
}
void ram_at(LegacyBench& bench, std::uint32_t start) {
    bench.request.ram = GuestAddr{start};
}

const RequestLimit kRequestLimits[] = {
    {"RAM of what is needed", Rule::LegacyRamTooSmall, [](LegacyBench&) {},
     [](LegacyBench& b) { --b.request.ram_bytes; }},
    {"RAM up to peripherals", Rule::LegacyRamPeripheral,
     [](LegacyBench& b) { ram_at(b, 0x40000000 - b.request.ram_bytes); },
     [](LegacyBench& b) { ram_at(b, 0x40000004 - b.request.ram_bytes); }},
    {"RAM behind peripherals", Rule::LegacyRamPeripheral,
     [](LegacyBench& b) { ram_at(b, 0x60000000); }, [](LegacyBench& b) { ram_at(b, 0x5FFFFFFC); }},
    {"RAM up to the system space", Rule::LegacyRamPeripheral,
     [](LegacyBench& b) { ram_at(b, 0xE0000000 - b.request.ram_bytes); },
     [](LegacyBench& b) { ram_at(b, 0xE0000004 - b.request.ram_bytes); }},
    {"code below device memory", Rule::LegacyRamNeverExecutes,
     [](LegacyBench& b) {
         b.request.mode = 2;
         ram_at(b, 0x9FFFFFFC);
     },
     [](LegacyBench& b) {
         b.request.mode = 2;
         ram_at(b, 0xA0000000);
     }},
    {"code above device memory", Rule::LegacyRamNeverExecutes,
     [](LegacyBench& b) {
         b.request.mode = 2;
         ram_at(b, 0xE0000000);
     },
     [](LegacyBench& b) {
         b.request.mode = 2;
         ram_at(b, 0xDFFFFFFC);
     }},
    {"XIP leaves the code in flash", Rule::LegacyRamNeverExecutes,
     [](LegacyBench& b) { ram_at(b, 0xC0000000); },
     [](LegacyBench& b) {
         b.request.mode = 2;
         ram_at(b, 0xC0000000);
     }},
    {"RAM before the file", Rule::LegacyRamOverlapsFile,
     [](LegacyBench& b) { ram_at(b, to_word(b.request.file) - b.request.ram_bytes); },
     [](LegacyBench& b) { ram_at(b, to_word(b.request.file) - b.request.ram_bytes + 4); }},
    {"RAM behind the file", Rule::LegacyRamOverlapsFile,
     [](LegacyBench& b) { b.request.ram = plus(b.request.file, b.request.file_bytes); },
     [](LegacyBench& b) { b.request.ram = plus(b.request.file, b.request.file_bytes - 4); }},
    {"RAM before the weights", Rule::LegacyRamOverlapsWeights,
     [](LegacyBench& b) { weights_at(b, plus(b.request.ram, b.request.ram_bytes)); },
     [](LegacyBench& b) { weights_at(b, plus(b.request.ram, b.request.ram_bytes - 4)); },
     kWeightsBytes},
    {"RAM behind the activations", Rule::LegacyRamOverlapsActivations,
     [](LegacyBench& b) { activations_at(b, plus(b.request.ram, 0u - kActivationsBytes)); },
     [](LegacyBench& b) { activations_at(b, plus(b.request.ram, 4u - kActivationsBytes)); }},
    {"activations behind the file", Rule::LegacyActivationsOverlapFile,
     [](LegacyBench& b) { activations_at(b, plus(b.request.file, b.request.file_bytes)); },
     [](LegacyBench& b) { activations_at(b, plus(b.request.file, b.request.file_bytes - 4)); }},
    {"activations before the weights", Rule::LegacyActivationsOverlapWeights,
     [](LegacyBench& b) {
         activations_at(b, GuestAddr{0x20010000});
         weights_at(b, GuestAddr{0x20010000 + kActivationsBytes});
     },
     [](LegacyBench& b) {
         activations_at(b, GuestAddr{0x20010000});
         weights_at(b, GuestAddr{0x2000FFFC + kActivationsBytes});
     },
     kWeightsBytes},
    {"weights of what is needed", Rule::LegacyWeightsGivenTooShort,
     [](LegacyBench& b) { weights_at(b, GuestAddr{0x08060000}); },
     [](LegacyBench& b) {
         weights_at(b, GuestAddr{0x08060000});
         --b.request.weights_bytes;
     },
     kWeightsBytes},
    {"weights that are given", Rule::LegacyWeightsApart, [](LegacyBench&) {},
     [](LegacyBench& b) { b.request.weights = GuestAddr{0}; }, kWeightsBytes},
    {"weights up to the end of the address space", Rule::LegacyWeightsGivenWrap,
     [](LegacyBench& b) { weights_at(b, GuestAddr{0u - kWeightsBytes}); },
     [](LegacyBench& b) { weights_at(b, GuestAddr{4u - kWeightsBytes}); }, kWeightsBytes},
    {"activations of what is needed", Rule::LegacyActivationsTooSmall,
     [](LegacyBench& b) { activations_at(b, GuestAddr{0x20010000}); },
     [](LegacyBench& b) {
         activations_at(b, GuestAddr{0x20010000});
         --b.request.activations_bytes;
     }},
    {"modes in use", Rule::LegacyModeUnknownBits, [](LegacyBench& b) { b.request.mode = 2; },
     [](LegacyBench& b) { b.request.mode = 4; }},
    {"callbacks of the CRC unit have room", Rule::LegacyCrcNoRoom,
     [](LegacyBench& b) { b.request.release_crc = GuestAddr{0x08000101}; },
     [](LegacyBench& b) {
         b.request.release_crc = GuestAddr{0x08000101};
         // .data ends a word early: of another length it is a guess whether they are there.
         const GuestAddr data_end = plus(b.request.file, kDataEnd);
         std::uint32_t word = 0;
         REQUIRE(loader::read_word(b.memory.port(), data_end, word));
         std::vector<std::uint8_t> bytes(4);
         for (std::uint32_t i = 0; i < 4; ++i)
             bytes[i] = static_cast<std::uint8_t>((word - 4) >> (8 * i));
         b.memory.store(data_end, bytes);
     }},
};

TEST_CASE("legacy, limits of a file: the last legal value has no finding, the next one has") {
    check_both_sides(kFileLimits, [](const FileLimit& limit, auto damage) {
        return findings_of(limit, damage);
    });
}

TEST_CASE("legacy, limits of a request: the last legal value has no finding, the next one has") {
    for (const RequestLimit& limit : kRequestLimits) {
        CAPTURE(limit.name);
        LegacySpec spec = legacy_sample();
        spec.weights_bytes = limit.weights;
        const LegacyImage image = build_legacy(spec);
        for (const bool legal : {true, false}) {
            LegacyBench bench(image, legacy_addresses().front(), 1);
            weights_at(bench, GuestAddr{0x08060000});
            (legal ? limit.inside : limit.outside)(bench);
            const std::vector<Diagnosis> findings = bench.findings();
            CHECK_MESSAGE(has(findings, limit.rule) != legal, names_of(findings));
        }
    }
}

TEST_CASE("legacy: a legal file has one hint, on its relocated null pointer, and nothing else") {
    for (const LegacyAddresses& place : legacy_addresses()) {
        for (const std::uint32_t mode : {1u, 2u}) {
            LegacySpec spec = legacy_sample();
            spec.flags = (spec.flags & ~0xFFFu) | place.core;
            LegacyBench bench(build_legacy(spec), place, mode);
            const std::vector<Diagnosis> findings = bench.findings();
            REQUIRE_MESSAGE(findings.size() == 1, names_of(findings));
            CHECK(findings[0].rule == Rule::RelocationValueZero);
        }
    }
}

}  // namespace
}  // namespace n6vp::test

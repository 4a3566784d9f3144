// SPDX-License-Identifier: Apache-2.0
#include "tests/loader/epoch_controller/ec_cases.h"

#include <functional>
#include <utility>

namespace n6vp::test {
namespace {

using loader::Rule;
using loader::Severity;
using loader::ec::Cipher;

/// Collects cases that damage one copy of sample_ec(magic).
class Damage {
  public:
    using Change = std::function<void(EcImage&)>;

    Damage(std::vector<EcContainerCase>& cases, std::uint32_t magic, std::uint32_t debug_bytes = 0)
        : cases_(cases), magic_(magic), debug_bytes_(debug_bytes) {}

    void add(const std::string& name, Rule rule, const Change& change) {
        EcImage image = sample_ec(magic_, debug_bytes_);
        change(image);
        cases_.push_back({suffix(name), rule, image.bytes});
    }

  private:
    [[nodiscard]] std::string suffix(const std::string& name) const {
        const char* generation = magic_ == kEcMagic0020   ? "0020"
                                 : magic_ == kEcMagic0030 ? "0030"
                                                          : "0050";
        return name + " (" + generation + (debug_bytes_ != 0 ? ", debug section)" : ")");
    }

    std::vector<EcContainerCase>& cases_;
    std::uint32_t magic_;
    std::uint32_t debug_bytes_;
};

std::uint32_t size_of(const EcImage& image) {
    return static_cast<std::uint32_t>(image.bytes.size());
}

void add_header_cases(std::vector<EcContainerCase>& cases, std::uint32_t magic) {
    Damage damage(cases, magic);
    const std::size_t header = magic == kEcMagic0020 ? 16 : 20;
    damage.add("empty", Rule::EcTooShort, [](EcImage& i) { i.bytes.clear(); });
    damage.add("three bytes", Rule::EcTooShort, [](EcImage& i) { i.bytes.resize(3); });
    damage.add("magic only", Rule::EcTooShort, [](EcImage& i) { i.bytes.resize(4); });
    damage.add("header one byte short", Rule::EcTooShort,
               [&](EcImage& i) { i.bytes.resize(header - 1); });
    damage.add("magic zero", Rule::EcMagic, [](EcImage& i) { i.set(0, 0); });
    damage.add("magic of no generation", Rule::EcMagic, [](EcImage& i) { i.set(0, 0xECBF0040); });
    damage.add("magic byte-swapped", Rule::EcMagic,
               [](EcImage& i) { std::swap(i.bytes[0], i.bytes[3]); });
    damage.add("plain blob", Rule::EcPlainBlob, [](EcImage& i) { i.set(0, 0xCA057A7A); });
    damage.add("blob offset zero", Rule::EcBlobMissing, [](EcImage& i) { i.set(i.blob_field, 0); });
    damage.add("blob offset in header", Rule::EcBlobOffset,
               [](EcImage& i) { i.set(i.blob_field, 8); });
    damage.add("blob offset at the end", Rule::EcBlobOffset,
               [](EcImage& i) { i.set(i.blob_field, size_of(i)); });
    damage.add("blob offset huge", Rule::EcBlobOffset,
               [](EcImage& i) { i.set(i.blob_field, 0xFFFFFFF8); });
    damage.add("blob offset 4-aligned only", Rule::EcBlobAlignment,
               [](EcImage& i) { i.set(i.blob_field, i.blob + 4); });
    damage.add("blob offset odd", Rule::EcBlobAlignment,
               [](EcImage& i) { i.set(i.blob_field, i.blob + 1); });
    damage.add("blob magic wrong", Rule::EcBlobMagic,
               [](EcImage& i) { i.set(i.blob, 0xCA057A7B); });
    damage.add("blob is the last word", Rule::EcBlobLength, [](EcImage& i) {
        i.bytes.resize(i.blob + 8);
        i.bytes.resize(i.blob + 4);
    });
    damage.add("word count one too large", Rule::EcBlobLength,
               [](EcImage& i) { i.set(i.blob + 4, (size_of(i) - i.blob) / 4 - 1); });
    damage.add("word count huge", Rule::EcBlobLength,
               [](EcImage& i) { i.set(i.blob + 4, 0xFFFFFFFF); });
    damage.add("word count wraps to zero bytes", Rule::EcBlobLength,
               [](EcImage& i) { i.set(i.blob + 4, 0x3FFFFFFE); });
    damage.add("relocation table in header", Rule::EcRelocOffset,
               [](EcImage& i) { i.set(i.reloc_field, 4); });
    damage.add("relocation table at the end", Rule::EcRelocOffset,
               [](EcImage& i) { i.set(i.reloc_field, size_of(i)); });
    damage.add("relocation table misaligned", Rule::EcRelocAlignment,
               [](EcImage& i) { i.set(i.reloc_field, i.reloc + 2); });
    damage.add("relocation table behind the blob", Rule::EcSectionOrder,
               [](EcImage& i) { i.set(i.reloc_field, i.blob + 8); });
    damage.add("relocation table on the blob", Rule::EcSectionOrder,
               [](EcImage& i) { i.set(i.reloc_field, i.blob); });
}

void add_symbol_cases(std::vector<EcContainerCase>& cases, std::uint32_t magic) {
    Damage damage(cases, magic);
    damage.add("symbol count past the table", Rule::EcSymbolTable,
               [](EcImage& i) { i.set(i.reloc, 40); });
    damage.add("symbol count huge", Rule::EcSymbolTable,
               [](EcImage& i) { i.set(i.reloc, 0xFFFFFFFF); });
    damage.add("symbol count whose bytes wrap", Rule::EcSymbolTable,
               [](EcImage& i) { i.set(i.reloc, 0x15555556); });
    damage.add("name offset in the entries", Rule::EcSymbolName,
               [](EcImage& i) { i.set(i.symbol(0, 0), 4); });
    damage.add("name offset past the table", Rule::EcSymbolName,
               [](EcImage& i) { i.set(i.symbol(1, 0), 0x10000); });
    damage.add("name offset negative", Rule::EcSymbolName,
               [](EcImage& i) { i.set(i.symbol(0, 0), 0xFFFFFFF0); });
    damage.add("name empty", Rule::EcSymbolNameEmpty,
               [](EcImage& i) { i.bytes[i.reloc + i.word(i.symbol(0, 0))] = 0; });
    damage.add("two symbols share a name", Rule::EcSymbolDuplicate,
               [](EcImage& i) { i.set(i.symbol(1, 0), i.word(i.symbol(0, 0))); });
    damage.add("index array misaligned", Rule::EcSymbolIndicesAlignment,
               [](EcImage& i) { i.set(i.symbol(0, 2), i.word(i.symbol(0, 2)) + 2); });
    damage.add("index array in the entries", Rule::EcSymbolIndices,
               [](EcImage& i) { i.set(i.symbol(0, 2), 0); });
    damage.add("index array past the table", Rule::EcSymbolIndices,
               [](EcImage& i) { i.set(i.symbol(1, 2), 0x100000); });
    damage.add("index array negative", Rule::EcSymbolIndices,
               [](EcImage& i) { i.set(i.symbol(1, 2), 0xFFFFFFFC); });
    damage.add("index count past the table", Rule::EcSymbolIndices,
               [](EcImage& i) { i.set(i.symbol(0, 1), 100); });
    damage.add("index count whose bytes wrap", Rule::EcSymbolIndices,
               [](EcImage& i) { i.set(i.symbol(0, 1), 0x40000001); });
    damage.add("index equals the word count", Rule::EcSymbolTarget,
               [](EcImage& i) { i.set(i.reloc + i.word(i.symbol(0, 2)), i.word(i.blob + 4)); });
    damage.add("index reaches the blob header", Rule::EcSymbolTarget,
               [](EcImage& i) { i.set(i.reloc + i.word(i.symbol(1, 2)), 0xFFFFFFFE); });
}

void add_patch_cases(std::vector<EcContainerCase>& cases, std::uint32_t magic) {
    Damage damage(cases, magic);
    const std::uint32_t count =
        magic == kEcMagic0050 ? 3 : 2;  // position of `count`, `array` follows
    damage.add("patch table in header", Rule::EcPatchOffset,
               [](EcImage& i) { i.set(i.patch_field, 16); });
    damage.add("patch table at the end", Rule::EcPatchOffset,
               [](EcImage& i) { i.set(i.patch_field, size_of(i)); });
    damage.add("patch table misaligned", Rule::EcPatchAlignment,
               [](EcImage& i) { i.set(i.patch_field, i.patch + 2); });
    damage.add("patch table before the relocation table", Rule::EcSectionOrder, [](EcImage& i) {
        i.set(i.patch_field, i.reloc);
        i.set(i.reloc_field, i.patch);
    });
    damage.add("patch table on the relocation table", Rule::EcSectionOrder,
               [](EcImage& i) { i.set(i.patch_field, i.reloc); });
    damage.add("patch count past the table", Rule::EcPatchTable,
               [](EcImage& i) { i.set(i.patch, 60); });
    damage.add("patch name outside", Rule::EcPatchName,
               [](EcImage& i) { i.set(i.patch_entry(0, 0), 0x8000); });
    damage.add("patch name empty", Rule::EcPatchNameEmpty,
               [](EcImage& i) { i.bytes[i.patch + i.word(i.patch_entry(1, 0))] = 0; });
    damage.add("patch array misaligned", Rule::EcPatchIndicesAlignment, [=](EcImage& i) {
        const std::uint32_t field = i.patch_entry(0, count + 1);
        i.set(field, i.word(field) + 1);
    });
    damage.add("patch array outside", Rule::EcPatchIndices,
               [=](EcImage& i) { i.set(i.patch_entry(0, count + 1), 0x4000); });
    damage.add("patch count outside", Rule::EcPatchIndices,
               [=](EcImage& i) { i.set(i.patch_entry(0, count), 0xFFFFFFFF); });
    damage.add("patch index outside", Rule::EcPatchTarget, [=](EcImage& i) {
        i.set(i.patch + i.word(i.patch_entry(0, count + 1)), i.word(i.blob + 4));
    });
    if (magic == kEcMagic0030) {
        damage.add("two patches share a name", Rule::EcPatchDuplicate,
                   [](EcImage& i) { i.set(i.patch_entry(1, 0), i.word(i.patch_entry(0, 0))); });
        return;
    }
    for (const std::int32_t shift : {64, 65, 0x7FFFFFFF, -32, -64, INT32_MIN}) {
        damage.add("patch shift " + std::to_string(shift), Rule::EcPatchShift, [=](EcImage& i) {
            i.set(i.patch_entry(1, 1), static_cast<std::uint32_t>(shift));
        });
    }
}

void add_debug_cases(std::vector<EcContainerCase>& cases) {
    for (const std::uint32_t magic : {kEcMagic0020, kEcMagic0030, kEcMagic0050}) {
        Damage damage(cases, magic, 24);
        damage.add("debug section in header", Rule::EcDebugOffset,
                   [](EcImage& i) { i.set(i.debug_field, 12); });
        damage.add("debug section at the end", Rule::EcDebugOffset,
                   [](EcImage& i) { i.set(i.debug_field, size_of(i)); });
        damage.add("debug section misaligned", Rule::EcDebugAlignment,
                   [](EcImage& i) { i.set(i.debug_field, i.debug + 1); });
        damage.add("debug section behind the blob", Rule::EcSectionOrder,
                   [](EcImage& i) { i.set(i.debug_field, i.blob + 8); });
        damage.add("debug section on the relocation table", Rule::EcSectionOrder,
                   [](EcImage& i) { i.set(i.debug_field, i.reloc); });
    }
}

/// Names without an end, oversized tables: cases whose container is built, not damaged.
void add_built_cases(std::vector<EcContainerCase>& cases) {
    const EcProgram program = sample_program();
    for (const std::uint32_t magic : {kEcMagic0020, kEcMagic0030, kEcMagic0050}) {
        // "12345678" ends exactly where the table does once its terminator is overwritten.
        const EcImage base = build_ec(magic, program.words, {{"pool_12", program.addresses[0]}});
        EcImage open_end = base;
        for (std::uint32_t at = base.blob - 8; at < base.blob; ++at) open_end.bytes[at] = 'x';
        if (base.debug != 0) open_end.set(open_end.debug_field, 0);
        cases.push_back({"name without an end", Rule::EcSymbolNameEnd, open_end.bytes});
        cases.push_back(
            {"name of 256 bytes", Rule::EcSymbolNameEnd,
             build_ec(magic, program.words, {{std::string(256, 'n'), program.addresses[0]}})
                 .bytes});
        std::vector<EcEntry> many;
        many.reserve(257);
        for (int index = 0; index < 257; ++index) many.push_back({"s" + std::to_string(index), {}});
        cases.push_back(
            {"257 symbols", Rule::EcSymbolLimit, build_ec(magic, program.words, many).bytes});
        cases.push_back(
            {"more indices than words", Rule::EcSymbolTargetCount,
             build_ec(magic, program.words, {{"a", Words(program.words.size(), 3)}, {"b", {3}}})
                 .bytes});
        if (magic == kEcMagic0020) continue;
        cases.push_back(
            {"257 patches", Rule::EcPatchLimit, build_ec(magic, program.words, {}, many).bytes});
        cases.push_back(
            {"patch name of 300 bytes", Rule::EcPatchNameEnd,
             build_ec(magic, program.words, {}, {{std::string(300, 'n'), {program.encryption[0]}}})
                 .bytes});
        cases.push_back(
            {"more patch indices than words", Rule::EcPatchTargetCount,
             build_ec(magic, program.words, {}, {{"a", Words(program.words.size() + 1, 3)}})
                 .bytes});
    }
}

struct StreamCases {
    std::vector<EcStreamCase> list;

    void add(const std::string& name, Rule rule, Severity severity, const EcAssembler& code) {
        list.push_back({name, rule, severity, blob_bytes(code.words())});
    }
    void error(const std::string& name, Rule rule, const EcAssembler& code) {
        add(name, rule, Severity::Error, code);
    }
    void warning(const std::string& name, Rule rule, const EcAssembler& code) {
        add(name, rule, Severity::Warning, code);
    }
};

EcAssembler start() {
    return EcAssembler().label(7);
}

void add_encoding_cases(StreamCases& cases) {
    for (const std::uint32_t opcode : {0x05u, 0x06u, 0x0Bu, 0x0Du, 0x1Cu, 0x1Eu, 0x1Fu}) {
        cases.error("opcode " + std::to_string(opcode), Rule::EcOpcode,
                    start().raw({opcode}).irq());
    }
    cases.error("write without value", Rule::EcOperandMissing, start().raw({0x10007C00}));
    cases.error("poll without operands", Rule::EcOperandMissing, start().raw({0x10000424}));
    cases.error("poll without expected value", Rule::EcOperandMissing,
                start().raw({0x10000424, 100}));
    cases.error("burst of no word", Rule::EcBurstEmpty, start().burst(4, 0x08, {}).irq());
    cases.error("incrementing burst of no word", Rule::EcBurstEmpty,
                start().burst_inc(4, 0x08, {}).irq());
    cases.error("burst longer than the stream", Rule::EcBurstTruncated,
                start().raw({4u << 26 | 2u << 16 | 9u << 5 | 2, 1, 2}).irq());
    cases.error("incrementing burst longer than the stream", Rule::EcBurstTruncated,
                start().raw({4u << 26 | 2u << 16 | 2047u << 5 | 3, 1, 2}).irq());
    cases.error("write with bit 15", Rule::EcReservedBit, start().raw({0x1000FC00, 1}).irq());
    cases.error("poll with bit 15", Rule::EcReservedBit, start().raw({0x10008424, 100, 0}).irq());
    cases.error("write of field 3..5", Rule::EcFieldOrder,
                start().raw({4u << 26 | 3u << 10 | 5u << 5, 1}).irq());
    cases.error("poll of field 0..1", Rule::EcFieldOrder,
                start().raw({4u << 26 | 0u << 10 | 1u << 5 | 4, 100, 0}).irq());
    cases.warning("write of field 7..4", Rule::EcPartialWrite,
                  start().raw({4u << 26 | 7u << 10 | 4u << 5, 1}).irq());
    cases.warning("write of field 31..1", Rule::EcPartialWrite,
                  start().raw({4u << 26 | 31u << 10 | 1u << 5, 1}).irq());
    cases.warning("field write with value bit 1", Rule::EcFieldWide,
                  start().raw({4u << 26 | 1u << 14 | 1}).irq());
    cases.warning("field write with width 2", Rule::EcFieldWide,
                  start().raw({4u << 26 | 1u << 10 | 1}).irq());
    cases.error("field write past bit 31", Rule::EcFieldRange,
                start().raw({4u << 26 | 7u << 10 | 25u << 5 | 1}).irq());
    cases.warning("poll word 1 is 99", Rule::EcPollOperand, start().raw({0x10000424, 99, 0}).irq());
    cases.error("poll of one bit for 2", Rule::EcPollValue, start().poll(4, 0, 1, 2).irq());
    cases.error("poll of two bits for 4", Rule::EcPollValue,
                start().raw({4u << 26 | 2u << 10 | 1u << 5 | 4, 100, 4}).irq());
}

void add_register_cases(StreamCases& cases) {
    cases.error("unit 32", Rule::EcUnit, start().write(32, 0, 1).irq());
    cases.error("unit 63", Rule::EcUnit, start().burst_inc(63, 0, {1, 2}).irq());
    cases.error("CLKCTRL 0x14", Rule::EcRegister, start().write(0, 0x14, 1).irq());
    cases.error("STRSWITCH behind DST[40]", Rule::EcRegister, start().write(4, 0xAC, 1).irq());
    cases.error("poll of no register", Rule::EcRegister, start().poll(4, 0xFFC, 0).irq());
    cases.error("field write to no register", Rule::EcRegister,
                start().field(4, 0x7C, 0, 1).field(0, 0x14, 0, 1).irq());
    cases.error("RECBUF 0x0C", Rule::EcRegister,
                start().gate(24, true).write(29, 0x0C, 1).gate(24, false).irq());
    cases.error("burst behind DST[40]", Rule::EcBurstRegister,
                start().burst_inc(4, 0xA4, {1, 2, 3}).irq());
    cases.error("burst leaves the page", Rule::EcBurstRegister,
                start().gate(18, true).burst_inc(23, 0xFF8, {1, 2, 3}).gate(18, false).irq());
    cases.warning("write to VERSION", Rule::EcReadOnlyRegister, start().write(4, 4, 1).irq());
    cases.warning("burst over VERSION", Rule::EcReadOnlyRegister,
                  start().burst_inc(4, 0, {1, 2, 3}).irq());
    cases.error("STRENG0 without clock", Rule::EcClockGate, start().write(5, 8, 1).irq());
    cases.error("CONVACC1 behind the wrong gate", Rule::EcClockGate,
                start().gate(10, true).write(16, 8, 1).gate(10, false).irq());
    cases.error("poll after the gate closed", Rule::EcClockGate,
                start().gate(0, true).gate(0, false).poll(5, 0, 31).irq());
    cases.error("DEBUG_TRACE without clock", Rule::EcClockGate, start().write(31, 0, 1).irq());
    cases.warning("gate 3 left on", Rule::EcClockGateLeftOn, start().gate(3, true).irq());
    cases.warning("gates left on by a whole write", Rule::EcClockGateLeftOn,
                  start().write(0, 0x10, 5).irq());
}

void add_order_cases(StreamCases& cases) {
    cases.warning("no first label", Rule::EcFirstLabel, EcAssembler().irq());
    cases.error("labels descend", Rule::EcLabelOrder, start().label(6).irq());
    cases.error("no irq", Rule::EcIrqMissing, start().label(8));
    cases.error("last instruction a write", Rule::EcIrqMissing, start().write(4, 0, 1));
    cases.error("two irqs", Rule::EcIrqEarly, start().irq().irq());
    cases.warning("irq 1", Rule::EcIrqNumber, start().irq(1));
    cases.error("no instruction", Rule::EcStreamEmpty, EcAssembler());
    const std::vector<std::uint8_t> good = blob_bytes(start().irq().words());
    const auto damaged = [&](const char* name, Rule rule, auto change) {
        std::vector<std::uint8_t> bytes = good;
        change(bytes);
        cases.list.push_back({name, rule, Severity::Error, bytes});
    };
    damaged("blob of seven bytes", Rule::EcStreamShort, [](auto& bytes) { bytes.resize(7); });
    damaged("blob of no byte", Rule::EcStreamShort, [](auto& bytes) { bytes.clear(); });
    damaged("blob magic wrong in a plain blob", Rule::EcBlobMagic,
            [](auto& bytes) { bytes[3] = 0xCB; });
    damaged("plain blob cut", Rule::EcBlobLength, [](auto& bytes) { bytes.resize(12); });
    cases.list.push_back({"plain stream called encrypted", Rule::EcNotEncrypted, Severity::Error,
                          good, Cipher::Encrypted});
}

}  // namespace

std::vector<EcContainerCase> ec_container_cases() {
    std::vector<EcContainerCase> cases;
    for (const std::uint32_t magic : {kEcMagic0020, kEcMagic0030, kEcMagic0050}) {
        add_header_cases(cases, magic);
        add_symbol_cases(cases, magic);
        if (magic != kEcMagic0020) add_patch_cases(cases, magic);
    }
    add_debug_cases(cases);
    add_built_cases(cases);
    return cases;
}

std::vector<EcStreamCase> ec_stream_cases() {
    StreamCases cases;
    add_encoding_cases(cases);
    add_register_cases(cases);
    add_order_cases(cases);
    return cases.list;
}

std::vector<EcTargetCase> ec_target_cases() {
    const EcProgram program = sample_program();
    std::vector<EcTargetCase> cases;
    const auto relocating = [&](const char* name, Rule rule, Severity severity,
                                const std::vector<EcEntry>& symbols) {
        cases.push_back(
            {name, rule, severity, build_ec(kEcMagic0050, program.words, symbols).bytes});
    };
    const auto patching = [&](const char* name, Rule rule, Severity severity, std::uint32_t word) {
        cases.push_back({name, rule, severity,
                         build_ec(kEcMagic0050, program.words, {}, {{"p", {word}}}).bytes});
    };
    const Words& pair = program.addresses[0];
    relocating("index on an opcode", Rule::EcRelocOnInstruction, Severity::Error,
               {{"a", {program.instruction}}});
    relocating("index on the first word", Rule::EcRelocOnInstruction, Severity::Error,
               {{"a", {0}}});
    relocating("index on CTRL", Rule::EcRelocOnOperand, Severity::Error,
               {{"a", {program.other_operand}}});
    relocating("index on FSIZE", Rule::EcRelocOnOperand, Severity::Error, {{"a", {pair[0] + 1}}});
    relocating("index on LIMIT", Rule::EcRelocOnOperand, Severity::Error, {{"a", {pair[1] - 1}}});
    relocating("index on a poll operand", Rule::EcRelocOnOperand, Severity::Error,
               {{"a", {program.poll_operand}}});
    relocating("index twice in one symbol", Rule::EcRelocTwice, Severity::Error,
               {{"a", {pair[0], pair[1], pair[0]}}});
    relocating("index in two symbols", Rule::EcRelocTwice, Severity::Error,
               {{"a", pair}, {"b", pair}});
    relocating("ADDR without LIMITADDR", Rule::EcRelocUnpaired, Severity::Warning,
               {{"a", {pair[0]}}});
    relocating("LIMITADDR without ADDR", Rule::EcRelocUnpaired, Severity::Warning,
               {{"a", {pair[1]}}});
    patching("patch on an opcode", Rule::EcPatchOnInstruction, Severity::Error,
             program.instruction);
    patching("patch on ADDR", Rule::EcPatchOnOperand, Severity::Warning, pair[0]);
    // One array alone is above the budget of 2^26 reads if every word is named, out of order.
    EcAssembler labels;
    while (labels.size() < 400'000) labels.label(1);
    Words backwards;
    for (std::uint32_t word = labels.size(); word-- != 0;) backwards.push_back(word);
    cases.push_back({"indices backwards", Rule::EcIndicesTooLong, Severity::Error,
                     build_ec(kEcMagic0050, labels.irq().words(), {{"a", backwards}}).bytes});
    cases.push_back({"patch indices backwards", Rule::EcIndicesTooLong, Severity::Error,
                     build_ec(kEcMagic0050, labels.words(), {}, {{"p", backwards}}).bytes});
    Words ciphertext = program.words;
    for (std::uint32_t& word : ciphertext) word ^= 0x5A5A5A5A;
    cases.push_back({"encrypted stream with relocations", Rule::EcEncryptedTables, Severity::Error,
                     build_ec(kEcMagic0050, ciphertext, {{"a", pair}}).bytes, Cipher::Encrypted});
    cases.push_back({"encrypted stream that is not", Rule::EcNotEncrypted, Severity::Error,
                     build_ec(kEcMagic0050, program.words, {}).bytes, Cipher::Encrypted});
    return cases;
}

}  // namespace n6vp::test

// SPDX-License-Identifier: Apache-2.0
#include "loader/ec_check.h"

#include <cstddef>

#include "loader/ec_instruction.h"
#include "loader/format.h"

namespace n6vp::loader::ec {
namespace {

constexpr std::uint32_t kHeaderWords = 2;
constexpr std::uint32_t kControllerGate = 1u << 25;  ///< EPOCHCTRL: on while any blob runs

/// Passes findings on and remembers the first error.
class Reporter {
  public:
    explicit Reporter(FindingSink sink) : sink_(sink) {}

    void report(Diagnosis finding) {
        finding.stage = Stage::EpochBlob;
        finding.status = finding.severity == Severity::Error ? Status::InvalidBinary : Status::Ok;
        if (first_ == Status::Ok) first_ = finding.status;
        if (!stopped_ && sink_.report != nullptr) stopped_ = !sink_.report(sink_.context, finding);
    }
    [[nodiscard]] bool stopped() const { return stopped_; }
    [[nodiscard]] Status status() const { return first_; }

  private:
    FindingSink sink_;
    Status first_ = Status::Ok;
    bool stopped_ = false;
};

/// The instruction words of a blob whose header has been checked.
struct Stream {
    const std::uint8_t* data = nullptr;
    std::uint32_t count = 0;      ///< N
    std::uint32_t at_offset = 0;  ///< what a finding calls the offset of instruction word 0

    [[nodiscard]] std::uint32_t word(std::uint32_t index) const {
        return format::load_word(data + std::size_t{4} * index);
    }
    [[nodiscard]] std::uint32_t offset(std::uint32_t index) const { return at_offset + 4 * index; }
};

/// Walks a stream once and judges every instruction.
class Decoder {
  public:
    Decoder(Stream stream, StreamFacts& facts, Reporter& reporter)
        : stream_(stream), facts_(facts), reporter_(reporter) {}

    /// Returns the number of words that belong to known, complete instructions.
    std::uint32_t run() {
        while (position_ < stream_.count && !reporter_.stopped()) {
            instruction_ = Instruction{stream_.word(position_)};
            const std::uint32_t words = instruction_.words();
            if (words == 0) {
                report(Rule::EcOpcode, kNotApplicable, instruction_.code());
                return position_;
            }
            if (words > stream_.count - position_) {
                const bool burst = instruction_.opcode() == Opcode::Burst ||
                                   instruction_.opcode() == Opcode::BurstIncrement;
                report(burst ? Rule::EcBurstTruncated : Rule::EcOperandMissing, words - 1,
                       stream_.count - position_ - 1);
                return position_;
            }
            if (position_ == 0 && instruction_.opcode() != Opcode::Label) {
                report(Rule::EcFirstLabel, static_cast<std::uint32_t>(Opcode::Label),
                       instruction_.code(), Severity::Warning);
            }
            judge(position_ + words == stream_.count);
            position_ += words;
        }
        if (position_ == stream_.count) finish();
        return position_;
    }

  private:
    void report(Rule rule, std::uint32_t expected, std::uint32_t found,
                Severity severity = Severity::Error, std::uint32_t address = kNotApplicable) {
        Diagnosis finding;
        finding.rule = rule;
        finding.severity = severity;
        finding.file_offset = stream_.offset(position_);
        finding.index = position_;
        finding.address = GuestAddr{address};
        finding.expected = expected;
        finding.found = found;
        reporter_.report(finding);
    }

    void judge(bool last) {
        switch (instruction_.opcode()) {
            case Opcode::Write:
                ++facts_.writes;
                write();
                break;
            case Opcode::WriteField:
                ++facts_.write_fields;
                write_field();
                break;
            case Opcode::Burst:
                ++facts_.bursts;
                burst(false);
                break;
            case Opcode::BurstIncrement:
                ++facts_.increment_bursts;
                burst(true);
                break;
            case Opcode::Poll:
                ++facts_.polls;
                poll();
                break;
            case Opcode::Irq:
                irq(last);
                break;
            case Opcode::Label:
                label();
                break;
        }
        if (last && instruction_.opcode() != Opcode::Irq) {
            report(Rule::EcIrqMissing, static_cast<std::uint32_t>(Opcode::Irq),
                   instruction_.code());
        }
    }

    /// Judges one access. Returns false if the register does not exist.
    bool access(std::uint32_t offset, bool writes, Rule missing = Rule::EcRegister) {
        const std::uint32_t ip = instruction_.ip();
        const std::uint32_t address = ip << 12 | offset;
        if (ip >= kUnits) {
            report(Rule::EcUnit, kUnits - 1, ip);
            return false;
        }
        if (!register_exists(ip, offset)) {
            report(missing, kNotApplicable, offset, Severity::Error, address);
            return false;
        }
        if (writes && register_is_read_only(ip, offset)) {
            report(Rule::EcReadOnlyRegister, kNotApplicable, offset, Severity::Warning, address);
        }
        return true;
    }

    /// Once per instruction: a burst behind a closed gate is one fault, not hundreds.
    void check_gate() {
        const std::uint32_t gate = clock_gate(instruction_.ip());
        if ((gate & ~gates_) != 0) {
            report(Rule::EcClockGate, gate, gates_, Severity::Error,
                   instruction_.ip() << 12 | instruction_.offset());
        }
    }

    void follow_gates(std::uint32_t offset, std::uint32_t mask, std::uint32_t value) {
        if (instruction_.ip() == kClockControlIp && offset == kBackboneGates) {
            gates_ = (gates_ & ~mask) | (value & mask);
        }
    }

    void check_field_order() {
        if (instruction_.reserved_bit() != 0) report(Rule::EcReservedBit, 0, instruction_.word);
        if (instruction_.msb() < instruction_.lsb()) {
            report(Rule::EcFieldOrder, instruction_.lsb(), instruction_.msb());
        }
    }

    void write() {
        check_field_order();
        if (!access(instruction_.offset(), true)) return;
        check_gate();
        const std::uint32_t msb = instruction_.msb();
        const std::uint32_t lsb = instruction_.lsb();
        if (msb < lsb) return;
        if (msb != 31 || lsb != 0)
            report(Rule::EcPartialWrite, 31, msb << 8 | lsb, Severity::Warning);
        const std::uint32_t mask = (0xFFFFFFFFu >> (31 - msb)) & (0xFFFFFFFFu << lsb);
        follow_gates(instruction_.offset(), mask, stream_.word(position_ + 1) << lsb);
    }

    void write_field() {
        if (instruction_.field_is_wide()) {
            report(Rule::EcFieldWide, 0, instruction_.word & 0x001FDC00u, Severity::Warning);
        }
        const std::uint32_t lsb = instruction_.lsb();
        const std::uint32_t width = instruction_.field_width();
        if (lsb + width > 32) report(Rule::EcFieldRange, 32, lsb + width);
        if (!access(instruction_.offset(), true)) return;
        check_gate();
        follow_gates(instruction_.offset(), ((1u << width) - 1) << lsb,
                     instruction_.field_value() << lsb);
    }

    void burst(bool increment) {
        const std::uint32_t count = instruction_.burst();
        const std::uint32_t first = instruction_.offset();
        if (count == 0) report(Rule::EcBurstEmpty, 1, 0);
        if (!access(first, true)) return;
        check_gate();
        for (std::uint32_t k = 0; k < count; ++k) {
            const std::uint32_t offset = increment ? first + 4 * k : first;
            if (increment && k > 0 && !access(offset, true, Rule::EcBurstRegister)) return;
            follow_gates(offset, 0xFFFFFFFFu, stream_.word(position_ + 1 + k));
        }
    }

    void poll() {
        check_field_order();
        if (!access(instruction_.offset(), false)) return;
        check_gate();
        const std::uint32_t operand = stream_.word(position_ + 1);
        const std::uint32_t expected = stream_.word(position_ + 2);
        if (operand != kPollOperand)
            report(Rule::EcPollOperand, kPollOperand, operand, Severity::Warning);
        if (instruction_.msb() < instruction_.lsb()) return;
        const std::uint32_t highest =
            0xFFFFFFFFu >> (31 - (instruction_.msb() - instruction_.lsb()));
        if (expected > highest) report(Rule::EcPollValue, highest, expected);
    }

    void irq(bool last) {
        ++facts_.irqs;
        if (!last) report(Rule::EcIrqEarly, stream_.count - 1, position_);
        if (instruction_.number() != 0)
            report(Rule::EcIrqNumber, 0, instruction_.number(), Severity::Warning);
    }

    void label() {
        const std::uint32_t number = instruction_.number();
        if (facts_.labels++ == 0) {
            facts_.first_label = number;
        } else if (number < facts_.last_label) {
            report(Rule::EcLabelOrder, facts_.last_label, number);
        }
        facts_.last_label = number;
    }

    void finish() {
        if ((gates_ & ~kControllerGate) == 0) return;
        position_ = stream_.count - 1;
        report(Rule::EcClockGateLeftOn, kControllerGate, gates_, Severity::Warning);
        position_ = stream_.count;
    }

    Stream stream_;
    StreamFacts& facts_;
    Reporter& reporter_;
    Instruction instruction_;
    std::uint32_t position_ = 0;
    std::uint32_t gates_ = kControllerGate;
};

/// What a word of the stream is, as far as the tables care.
enum WordKind : std::uint8_t {
    kOpcodeWord,
    kOtherOperand,
    kAddressOperand,
    kLimitOperand,
    kEncryptOperand
};
constexpr std::uint8_t kSeen = 0x80;  ///< some relocation index already named this word

WordKind kind_of(Instruction instruction, std::uint32_t operand) {
    const Opcode opcode = instruction.opcode();
    const bool stream_engine =
        instruction.ip() >= kFirstStreamIp && instruction.ip() <= kLastStreamIp;
    if (!stream_engine || opcode == Opcode::Poll) return kOtherOperand;
    std::uint32_t offset = instruction.offset();
    if (opcode == Opcode::BurstIncrement) offset += 4 * operand;
    switch (offset) {
        case kStreamAddr:
            return kAddressOperand;
        case kStreamLimitAddr:
            return kLimitOperand;
        case kStreamEncryptLow:
        case kStreamEncryptHigh:
            return kEncryptOperand;
        default:
            return kOtherOperand;
    }
}

/// Judges where the indices of both tables point, one window of the stream at a time. An ascending
/// array is read along with the windows. Any other is read again for each of them, as long as the
/// reads of all arrays together stay within a budget; memory is bounded by the window.
class TargetCheck {
  public:
    TargetCheck(const Container& container, Stream stream, std::uint32_t decoded,
                Reporter& reporter)
        : container_(container), stream_(stream), decoded_(decoded), reporter_(reporter) {}

    void run() {
        if (reporter_.stopped() || !plan(kSymbols) || !plan(kPatches)) return;
        for (start_ = 0; start_ < decoded_ && !reporter_.stopped(); start_ += kWindow) {
            classify();
            check(kSymbols);
            check(kPatches);
        }
        for (std::uint32_t index = 0; index < container_.symbol_count && decoded_ == stream_.count;
             ++index) {
            if (balance_[index] != 0) report_balance(index);
        }
    }

  private:
    enum Table : std::uint8_t { kSymbols, kPatches };
    struct Indices {
        std::uint32_t offset = 0;
        std::uint32_t count = 0;
    };
    static constexpr std::uint32_t kWindow = 2048;
    static constexpr std::uint32_t kUnordered = 0xFFFFFFFF;
    /// Most reads of indices: fractions of a second on a host. The 64 M indices of one ascending
    /// array would fill all that the chip can map of one external memory.
    static constexpr std::uint32_t kReads = 1u << 26;

    [[nodiscard]] std::uint32_t entries(Table table) const {
        return table == kSymbols ? container_.symbol_count : container_.patch_count;
    }

    [[nodiscard]] Indices indices(Table table, std::uint32_t index) const {
        if (table == kSymbols) {
            Symbol entry;
            if (symbol(container_, index, entry)) return {entry.indices_offset, entry.count};
        } else {
            Patch entry;
            if (patch(container_, index, entry)) return {entry.indices_offset, entry.count};
        }
        return {};
    }

    [[nodiscard]] bool ascending(Indices array) const {
        std::uint32_t previous = 0;
        for (std::uint32_t k = 0; k < array.count; ++k) {
            std::uint32_t word = 0;
            if (!target(container_, array.offset, k, word) || word < previous) return false;
            previous = word;
        }
        return true;
    }

    /// Takes `reads` from the budget. Returns false if it does not have them.
    bool spend(std::uint64_t reads) {
        if (reads > reads_left_) return false;
        reads_left_ -= static_cast<std::uint32_t>(reads);
        return true;
    }

    /// Decides how each array of a table is read. Returns false, with a finding, if the budget does
    /// not allow it: then no index is judged.
    bool plan(Table table) {
        const std::uint32_t windows = (decoded_ + kWindow - 1) / kWindow;
        for (std::uint32_t index = 0; index < entries(table); ++index) {
            const Indices array = indices(table, index);
            bool affordable = spend(array.count);
            if (affordable && !ascending(array)) {
                cursors_[table][index] = kUnordered;
                affordable = spend(std::uint64_t{array.count} * windows);
            }
            if (affordable) continue;
            report(Rule::EcIndicesTooLong, Severity::Error, array.offset, index, array.count);
            return false;
        }
        return true;
    }

    [[nodiscard]] bool inside(std::uint32_t word) const {
        return word >= start_ && word - start_ < kWindow && word < decoded_;
    }

    /// Fills the window. `next_` is the first instruction that reaches into it, or beyond.
    void classify() {
        while (next_ < decoded_ && next_ < start_ + kWindow) {
            const Instruction instruction{stream_.word(next_)};
            const std::uint32_t words = instruction.words();
            if (inside(next_)) kinds_[next_ - start_] = kOpcodeWord;
            for (std::uint32_t k = 1; k < words; ++k) {
                if (inside(next_ + k)) kinds_[next_ + k - start_] = kind_of(instruction, k - 1);
            }
            if (next_ + words > start_ + kWindow) break;  // The rest belongs to the next window.
            next_ += words;
        }
    }

    void report(Rule rule, Severity severity, std::uint32_t table_offset, std::uint32_t index,
                std::uint32_t found) {
        Diagnosis finding;
        finding.rule = rule;
        finding.severity = severity;
        finding.file_offset = table_offset;
        finding.index = index;
        finding.found = found;
        reporter_.report(finding);
    }

    /// Judges the indices of a table that point into the window.
    void check(Table table) {
        for (std::uint32_t index = 0; index < entries(table); ++index) {
            const Indices array = indices(table, index);
            std::uint32_t& cursor = cursors_[table][index];
            const bool ordered = cursor != kUnordered;
            std::uint32_t k = ordered ? cursor : 0;
            for (; k < array.count && !reporter_.stopped(); ++k) {
                std::uint32_t word = 0;
                if (!target(container_, array.offset, k, word)) return;
                if (ordered && word >= start_ + kWindow) break;
                if (inside(word)) check_target(table, index, array.offset + 4 * k, word);
            }
            if (ordered) cursor = k;
        }
    }

    void check_target(Table table, std::uint32_t index, std::uint32_t at, std::uint32_t word) {
        if (table == kSymbols) {
            check_symbol_target(index, at, word);
        } else {
            check_patch_target(index, at, word);
        }
    }

    void check_symbol_target(std::uint32_t index, std::uint32_t table_offset, std::uint32_t word) {
        std::uint8_t& kind = kinds_[word - start_];
        if ((kind & kSeen) != 0)
            report(Rule::EcRelocTwice, Severity::Error, table_offset, index, word);
        switch (kind & ~kSeen) {
            case kAddressOperand:
                ++balance_[index];
                break;
            case kLimitOperand:
                --balance_[index];
                break;
            case kOpcodeWord:
                report(Rule::EcRelocOnInstruction, Severity::Error, table_offset, index, word);
                break;
            default:
                report(Rule::EcRelocOnOperand, Severity::Error, table_offset, index, word);
                break;
        }
        kind |= kSeen;
    }

    void check_patch_target(std::uint32_t index, std::uint32_t table_offset, std::uint32_t word) {
        const auto kind = static_cast<std::uint8_t>(kinds_[word - start_] & ~kSeen);
        if (kind == kOpcodeWord) {
            report(Rule::EcPatchOnInstruction, Severity::Error, table_offset, index, word);
        } else if (kind != kEncryptOperand) {
            // No container with a patch table is public, so this is unusual rather than wrong.
            report(Rule::EcPatchOnOperand, Severity::Warning, table_offset, index, word);
        }
    }

    void report_balance(std::uint32_t index) {
        Symbol entry;
        if (!symbol(container_, index, entry)) return;
        Diagnosis finding;
        finding.rule = Rule::EcRelocUnpaired;
        finding.severity = Severity::Warning;
        finding.file_offset = entry.indices_offset;
        finding.index = index;
        finding.expected = 0;
        finding.found =
            static_cast<std::uint32_t>(balance_[index] < 0 ? -balance_[index] : balance_[index]);
        reporter_.report(finding);
    }

    const Container& container_;
    Stream stream_;
    std::uint32_t decoded_;
    Reporter& reporter_;
    std::uint32_t start_ = 0;
    std::uint32_t next_ = 0;
    std::uint32_t reads_left_ = kReads;
    std::uint8_t kinds_[kWindow] = {};
    std::uint32_t cursors_[2][kMaxEntries] = {};  ///< first index not judged yet, or kUnordered
    std::int32_t balance_[kMaxEntries] =
        {};  ///< ADDR operands minus LIMITADDR operands, per symbol
};

void report_at(Reporter& reporter, Rule rule, std::uint32_t offset, std::uint32_t expected,
               std::uint32_t found) {
    Diagnosis finding;
    finding.rule = rule;
    finding.file_offset = offset;
    finding.expected = expected;
    finding.found = found;
    reporter.report(finding);
}

/// Judges the two header words of a blob at `at_offset` of whatever the findings count from.
bool open_stream(Bytes blob, std::uint32_t at_offset, Stream& stream, Reporter& reporter) {
    if (blob.data == nullptr || blob.size < 4 * kHeaderWords) {
        report_at(reporter, Rule::EcStreamShort, at_offset, 4 * kHeaderWords, blob.size);
        return false;
    }
    const std::uint32_t magic = format::load_word(blob.data);
    const std::uint32_t count = format::load_word(blob.data + 4);
    if (magic != kBlobMagic) {
        report_at(reporter, Rule::EcBlobMagic, at_offset, kBlobMagic, magic);
        return false;
    }
    const std::uint32_t room = blob.size / 4 - kHeaderWords;
    if (count > room) {
        report_at(reporter, Rule::EcBlobLength, at_offset + 4, room, count);
        return false;
    }
    if (count == 0) {
        report_at(reporter, Rule::EcStreamEmpty, at_offset + 4, 1, 0);
        return false;
    }
    stream = {blob.data + std::size_t{4} * kHeaderWords, count, at_offset + 4 * kHeaderWords};
    return true;
}

/// A stream called encrypted must not read as a program: then the flag, or the file, is wrong.
void check_encrypted(Stream stream, Reporter& reporter) {
    StreamFacts ignored;
    Reporter silent{FindingSink{}};
    Decoder decoder(stream, ignored, silent);
    const bool whole = decoder.run() == stream.count;
    if (whole && silent.status() == Status::Ok) {
        report_at(reporter, Rule::EcNotEncrypted, stream.at_offset, kNotApplicable, stream.count);
    }
}

}  // namespace

Status check_blob(Bytes blob, StreamFacts& facts, FindingSink sink, Cipher cipher) {
    facts = StreamFacts{};
    Reporter reporter(sink);
    Stream stream;
    if (!open_stream(blob, 0, stream, reporter)) return reporter.status();
    facts.words = stream.count;
    if (cipher == Cipher::Encrypted) {
        check_encrypted(stream, reporter);
    } else {
        Decoder(stream, facts, reporter).run();
    }
    return reporter.status();
}

Status check_container(const Container& container, StreamFacts& facts, FindingSink sink,
                       Cipher cipher) {
    facts = StreamFacts{};
    Reporter reporter(sink);
    Stream stream;
    const std::uint32_t at = container.blob_offset;
    if (container.bytes.data == nullptr || at > container.bytes.size) {
        report_at(reporter, Rule::EcStreamShort, at, 4 * kHeaderWords, container.bytes.size);
        return reporter.status();
    }
    if (!open_stream({container.bytes.data + at, container.bytes.size - at}, at, stream,
                     reporter)) {
        return reporter.status();
    }
    facts.words = stream.count;
    if (cipher == Cipher::Encrypted) {
        if (container.symbol_count + container.patch_count != 0) {
            report_at(reporter, Rule::EcEncryptedTables, 4, 0,
                      container.symbol_count + container.patch_count);
        }
        check_encrypted(stream, reporter);
        return reporter.status();
    }
    const std::uint32_t decoded = Decoder(stream, facts, reporter).run();
    TargetCheck(container, stream, decoded, reporter).run();
    return reporter.status();
}

}  // namespace n6vp::loader::ec

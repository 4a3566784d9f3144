// SPDX-License-Identifier: Apache-2.0
#include "tests/sim/generate/models/register_walk.h"

#include <fmt/format.h>

#include <fstream>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "sim/ecdump/ec_text.h"
#include "sim/generate/lower/epoch_steps.h"

namespace n6vp::test {

using namespace sim::generate;

namespace {

constexpr std::uint32_t kPage = 0x1000;

std::uint32_t number(const std::string& text) {
    return static_cast<std::uint32_t>(std::stoul(text, nullptr, 0));
}

class Walk {
  public:
    explicit Walk(const DocumentedRegisters& documented) : documented_(documented) {}

    /// A write of bits msb..lsb.
    void write(std::uint32_t at, std::uint32_t value, unsigned lsb, unsigned msb) {
        ++result_.writes;
        const DocumentedRegisters::Fields* const fields = documented_.find(at);
        if (fields == nullptr) return fault(at, value, "is no register");
        const auto mask = static_cast<std::uint32_t>((std::uint64_t{2} << msb) - 1) >> lsb << lsb;
        // Bits that no field has keep what they have after a reset.
        const std::uint32_t wrong = (value ^ fields->reset) & mask & ~fields->all;
        if (wrong != 0) fault(at, value, "reserved bits");
        if ((mask & fields->writable) == 0) fault(at, value, "nothing to write there");
    }
    void bits(std::uint32_t at, std::uint32_t mask) {
        ++result_.writes;
        const DocumentedRegisters::Fields* const fields = documented_.find(at);
        if (fields == nullptr || (mask & ~fields->writable) != 0) fault(at, mask, "no such bits");
    }
    WalkResult take() { return std::move(result_); }

  private:
    void fault(std::uint32_t at, std::uint32_t value, const char* what) {
        result_.faults.push_back(fmt::format("0x{:05x} := 0x{:08x}: {}", at, value, what));
    }

    const DocumentedRegisters& documented_;
    WalkResult result_;
};

void walk_blob(const EpochBlock& block, Walk& walk) {
    using loader::ec::Opcode;
    // The blob stands at the end of its container; a word of padding may follow.
    const std::size_t padding = block.container.size() % 2 == 0 && block.blob_words % 2 != 0;
    const std::size_t start = block.container.size() - padding - block.blob_words + 2;
    const std::span<const std::uint32_t> words(block.container.data() + start,
                                               block.blob_words - 2);
    std::optional<sim::EcFault> fault;
    for (const sim::EcInstruction& one : sim::decode_stream(words, fault)) {
        const std::uint32_t at = one.head.ip() * kPage + one.head.offset();
        std::uint32_t next = at;
        switch (one.head.opcode()) {
            case Opcode::Write:
                walk.write(at, one.operands[0], one.head.lsb(), one.head.msb());
                break;
            case Opcode::WriteField:
                walk.write(at, one.head.field_value() << one.head.lsb(), one.head.lsb(),
                           one.head.lsb() + one.head.field_width() - 1);
                break;
            case Opcode::Burst:
            case Opcode::BurstIncrement:
                for (const std::uint32_t value : one.operands) {
                    walk.write(next, value, 0, 31);
                    if (one.head.opcode() == Opcode::BurstIncrement) next += 4;
                }
                break;
            default:
                break;
        }
    }
    if (fault) throw std::runtime_error(fault->text());
}

void walk_steps(const std::vector<Step>& steps, Walk& walk) {
    for (const Step& step : steps) {
        if (step.kind == StepKind::Write) walk.write(step.offset, step.value, 0, 31);
        if (step.kind == StepKind::SetBits || step.kind == StepKind::ClearBits) {
            walk.bits(step.offset, step.value);
        }
    }
}

}  // namespace

DocumentedRegisters::DocumentedRegisters(const std::string& path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);  // licence
    std::getline(file, line);  // names of the columns
    while (std::getline(file, line)) add_row(line);
    if (registers_.empty()) throw std::runtime_error("no registers in " + path);
}

/// Columns: unit, unit_count, unit_base_stride, register, offset, reset, field, lsb, width, access,
/// note.
void DocumentedRegisters::add_row(const std::string& line) {
    std::vector<std::string> row;
    std::istringstream stream(line);
    for (std::string cell; std::getline(stream, cell, ',');) row.push_back(cell);
    row.resize(11);
    std::uint32_t elements = 1, stride = 4;
    if (const std::size_t dots = row[3].find(".."); dots != std::string::npos) {
        elements =
            number(row[3].substr(dots + 2)) - number(row[3].substr(row[3].find('[') + 1)) + 1;
        stride = number(row[10].substr(row[10].find("array stride ") + 13));
    }
    const std::uint32_t bits = static_cast<std::uint32_t>((std::uint64_t{1} << number(row[8])) - 1)
                               << number(row[7]);
    for (std::uint32_t unit = 0; unit < number(row[1]); ++unit) {
        for (std::uint32_t element = 0; element < elements; ++element) {
            Fields& fields =
                registers_[number(row[2]) + unit * kPage + number(row[4]) + element * stride];
            fields.reset = number(row[5]);
            fields.all |= bits;
            if (row[9] != "RO") fields.writable |= bits;
        }
    }
}

const DocumentedRegisters::Fields* DocumentedRegisters::find(std::uint32_t offset) const {
    const auto found = registers_.find(offset);
    return found == registers_.end() ? nullptr : &found->second;
}

WalkResult walk_registers(const DocumentedRegisters& documented, const ModelPlan& plan,
                          const std::vector<EpochBlock>& blocks) {
    Walk walk(documented);
    for (const EpochBlock& block : blocks) {
        if (!block.container.empty()) {
            walk_blob(block, walk);
            continue;
        }
        if (block.software) continue;
        const CoreSteps steps = core_steps(std::get<NpuEpoch>(plan.epochs[block.first - 1]));
        walk_steps(steps.start, walk);
        walk_steps(steps.end, walk);
    }
    return walk.take();
}

}  // namespace n6vp::test

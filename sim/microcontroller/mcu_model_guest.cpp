// SPDX-License-Identifier: Apache-2.0
#include "sim/microcontroller/mcu_model_guest.h"

#include <fmt/format.h>

#include <array>
#include <bit>

#include "loader/firmware/mcu/job.h"
#include "loader/format.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

using models::mcu_chip::Microcontroller;

/// Reads until something is not there; everything read after that is 0.
class Reader {
  public:
    explicit Reader(Microcontroller& chip) : chip_(chip) {}

    [[nodiscard]] bool failed() const { return failed_; }
    [[nodiscard]] std::uint32_t number(std::uint32_t address, unsigned bytes) {
        std::array<std::uint8_t, 4> raw{};
        if (failed_ || !chip_.fetch(GuestAddr{address}, std::span(raw).first(bytes))) {
            failed_ = true;
            return 0;
        }
        return loader::format::load_word(raw.data());
    }
    [[nodiscard]] std::uint32_t word(std::uint32_t address) { return number(address, 4); }
    /// Returns a text of at most 63 characters; "" for a null pointer.
    [[nodiscard]] std::string text(std::uint32_t address) {
        constexpr std::uint32_t kMost = 63;
        std::string result;
        if (address == 0) return result;
        while (result.size() < kMost) {
            const auto character =
                static_cast<char>(number(address + static_cast<std::uint32_t>(result.size()), 1));
            if (failed_ || character == '\0') break;
            result += character;
        }
        return result;
    }

  private:
    Microcontroller& chip_;
    bool failed_ = false;
};

[[nodiscard]] std::uint32_t field(std::uint32_t word, unsigned low, std::uint32_t mask) {
    return word >> low & mask;
}

/// Returns the type as NumPy calls it, "" for none.
[[nodiscard]] std::string type_of(std::uint32_t format) {
    constexpr std::uint32_t kFloat = 1, kFixed = 2, kBool = 3;
    const std::uint32_t type = field(format, 17, 0xF), bits = field(format, 7, 0x7F);
    if (type == kFloat && bits == 32) return "f4";
    if (type == kBool && bits == 8) return "b1";
    if (type != kFixed || (bits != 8 && bits != 16 && bits != 32)) return "";
    return fmt::format("{}{}", field(format, 23, 1) != 0 ? 'i' : 'u', bits / 8);
}

/// Returns the dimensions as they are in memory, outermost first: the channel is the last one.
[[nodiscard]] std::vector<std::uint64_t> shape_at(Reader& memory, std::uint32_t shape,
                                                  std::uint32_t dimensions) {
    // Batch, then height, width, depth, extension, then channel.
    constexpr std::array<unsigned, 6> kOrder = {0, 3, 2, 4, 5, 1};
    std::vector<std::uint64_t> result;
    if (shape < 4 || shape > kOrder.size()) return result;
    // Six dimensions have the extension behind the depth: B, H, W, D, E, C.
    for (const unsigned position : kOrder) {
        if (position < shape) result.push_back(memory.word(dimensions + 4 * position));
    }
    return result;
}

[[nodiscard]] std::int32_t zero_point(Reader& memory, std::uint32_t flags, std::uint32_t at) {
    constexpr std::uint32_t kU8 = 2, kS8 = 4, kU16 = 8, kS16 = 16;
    if (at == 0) return 0;
    if ((flags & kU8) != 0) return static_cast<std::int32_t>(memory.number(at, 1));
    if ((flags & kS8) != 0) return static_cast<std::int8_t>(memory.number(at, 1));
    if ((flags & kU16) != 0) return static_cast<std::int32_t>(memory.number(at, 2));
    if ((flags & kS16) != 0) return static_cast<std::int16_t>(memory.number(at, 2));
    return 0;
}

void read_quantisation(Reader& memory, std::uint32_t meta, model_run::Tensor& tensor) {
    if (meta == 0 || (memory.word(meta) & 1) == 0) return;
    const std::uint32_t list = memory.word(meta + 4);
    if (list == 0 || memory.number(list + 2, 2) == 0) return;
    const std::uint32_t flags = memory.number(list, 2), info = memory.word(list + 4);
    if (info == 0 || memory.word(info) == 0) return;
    tensor.quantised = true;
    tensor.scale = std::bit_cast<float>(memory.word(memory.word(info)));
    tensor.zero = zero_point(memory, flags, memory.word(info + 4));
}

[[nodiscard]] std::uint64_t bytes_of_shape(const model_run::Tensor& tensor, std::uint32_t bits) {
    std::uint64_t elements = 1;
    constexpr std::uint64_t kMost = 1u << 30;
    for (const std::uint64_t each : tensor.shape) {
        if (each == 0 || elements > kMost / each) return 0;
        elements *= each;
    }
    return (elements * bits + 7) / 8;
}

[[nodiscard]] McuTensor tensor_at(Reader& memory, std::uint32_t buffer, bool input,
                                  std::uint32_t number, std::string& why) {
    constexpr std::uint64_t kMost = 64u << 20;
    McuTensor result;
    model_run::Tensor& tensor = result.tensor;
    tensor.input = input;
    tensor.number = number;
    tensor.name = fmt::format("{}_{}", input ? "input" : "output", number);
    const std::uint32_t format = memory.word(buffer), shape = memory.word(buffer + 0x14);
    const std::uint32_t bits = field(format, 7, 0x7F);
    result.address = memory.word(buffer + 4);
    const std::uint64_t bytes = (std::uint64_t{memory.word(buffer + 0x10)} * bits + 7) / 8;
    if (bytes == 0 || bytes > kMost) why = fmt::format("{} has {} bytes", tensor.name, bytes);
    tensor.bytes = static_cast<std::uint32_t>(std::min(bytes, kMost));
    tensor.type = type_of(format);
    tensor.shape = shape_at(memory, shape >> 8, memory.word(buffer + 0x18));
    if (bytes_of_shape(tensor, bits) != bytes) {
        tensor.type.clear();
        tensor.shape.clear();
    }
    read_quantisation(memory, memory.word(buffer + 8), tensor);
    return result;
}

[[nodiscard]] std::string version_text(std::uint32_t word) {
    return fmt::format("{}.{}.{}", word & 0xFF, word >> 8 & 0xFF, word >> 16 & 0xFF);
}

}  // namespace

std::optional<McuModelReport> read_report(Microcontroller& chip, const McuDescription& at,
                                          std::string& why) {
    constexpr std::uint32_t kBufferBytes = 28, kReportBytes = 136;
    if (at.report_bytes != kReportBytes || at.input_count > firmware::mcu::kMaxTensors ||
        at.output_count > firmware::mcu::kMaxTensors) {
        why = "the firmware's description is damaged";
        return std::nullopt;
    }
    Reader memory(chip);
    McuModelReport report;
    report.name = memory.text(memory.word(at.report));
    report.runtime = version_text(memory.word(at.report + 0x14));
    report.tools = version_text(memory.word(at.report + 0x1C));
    report.macc = memory.word(at.report + 0x30) | std::uint64_t{memory.word(at.report + 0x34)}
                                                      << 32;
    report.nodes = memory.word(at.report + 0x7C);
    for (std::uint32_t i = 0; i < at.input_count; ++i)
        report.inputs.push_back(tensor_at(memory, at.inputs + kBufferBytes * i, true, i, why));
    for (std::uint32_t i = 0; i < at.output_count; ++i)
        report.outputs.push_back(tensor_at(memory, at.outputs + kBufferBytes * i, false, i, why));
    if (memory.failed()) why = "a pointer in its report leads out of memory";
    if (!why.empty()) return std::nullopt;
    return report;
}

}  // namespace n6vp::sim

// SPDX-License-Identifier: Apache-2.0
#include "sim/inference/firmware_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "sim/host/errors.h"
#include "sim/host/numbers.h"
#include "sim/model_file/model_source.h"
#include "traces/escape.h"

namespace n6vp::sim::model_run {

namespace {

constexpr std::size_t kMaxTensors = 256, kMaxBlocks = 4096, kMaxInferences = 4096;
constexpr std::size_t kMaxLine = 4096;

/// Buffer_DataType_TypeDef, by number; Core 2.1 does not have the small types in its list.
constexpr std::array<std::string_view, 18> kBufferTypes21 = {"",   "f4", "u1", "i1", "u2", "i2",
                                                             "i4", "i8", "",   "b1", "f2", "f8",
                                                             "u4", "u8", "c8", "",   "",   ""};
constexpr std::array<std::string_view, 22> kBufferTypes = {
    "",   "f4", "",   "",   "",   "",   "u1", "i1", "u2", "i2", "i4",
    "i8", "",   "b1", "f2", "f8", "u4", "u8", "c8", "",   "",   ""};
constexpr std::uint32_t kFixedPoint = 100;

[[nodiscard]] std::string type_name(loader::Generation generation, std::uint32_t number,
                                    std::uint32_t bits, bool is_unsigned) {
    if (number == kFixedPoint && (bits == 8 || bits == 16 || bits == 32)) {
        return fmt::format("{}{}", is_unsigned ? 'u' : 'i', bits / 8);
    }
    if (generation == loader::Generation::Core21) {
        return std::string(number < kBufferTypes21.size() ? kBufferTypes21[number] : "");
    }
    return std::string(number < kBufferTypes.size() ? kBufferTypes[number] : "");
}

[[noreturn]] void fail(std::string_view line) {
    throw UserError(fmt::format("unexpected line from the firmware: '{}'",
                                traces::terminal_text(line.substr(0, 200))),
                    "check the firmware version, and that the model does not overwrite its memory");
}

/// `key=value` words of a line.
class Words {
  public:
    explicit Words(std::string_view line) : line_(line) {}

    /// Returns the value of a key; fails if it is missing.
    [[nodiscard]] std::string_view text(std::string_view key) const {
        const std::string wanted = fmt::format(" {}=", key);
        const std::size_t at = line_.find(wanted);
        if (at == std::string_view::npos) fail(line_);
        const std::string_view rest = line_.substr(at + wanted.size());
        return rest.substr(0, rest.find(' '));
    }
    template <typename Number = std::uint32_t>
    [[nodiscard]] Number number(std::string_view key) const {
        return parse<Number>(text(key));
    }
    /// The word at a place of the line, 0 the first.
    [[nodiscard]] std::string_view word(std::size_t place) const {
        std::string_view rest = line_;
        for (; place != 0; --place)
            rest.remove_prefix(std::min(rest.find(' '), rest.size() - 1) + 1);
        return rest.substr(0, rest.find(' '));
    }
    template <typename Number>
    [[nodiscard]] Number parse(std::string_view digits) const {
        const bool hex = digits.starts_with("0x");
        const auto value = parse_digits<Number>(hex ? digits.substr(2) : digits, hex ? 16 : 10);
        if (!value) fail(line_);
        return *value;
    }

  private:
    std::string_view line_;
};

[[nodiscard]] std::vector<std::uint64_t> parse_shape(const Words& words) {
    std::vector<std::uint64_t> shape;
    std::string_view rest = words.text("shape");
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('x'), rest.size());
        shape.push_back(words.parse<std::uint32_t>(rest.substr(0, end)));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return shape;
}

/// Returns true if a tensor of that shape and type has that many bytes.
[[nodiscard]] bool fits(const Tensor& tensor) {
    if (tensor.type.empty()) return false;
    std::uint64_t bytes = static_cast<std::uint64_t>(tensor.type[1] - '0');
    for (const std::uint64_t size : tensor.shape) {
        bytes *= size;
        if (bytes > kMaxModelBytes) return false;
    }
    return bytes == tensor.bytes;
}

}  // namespace

void FirmwareLines::take(std::string_view text) {
    partial_ += text;
    std::size_t start = 0;
    for (std::size_t end = 0; (end = partial_.find('\n', start)) != std::string::npos;
         start = end + 1) {
        take_line(std::string_view(partial_).substr(start, end - start));
    }
    partial_.erase(0, start);
    if (partial_.size() > kMaxLine) fail(partial_);
}

void FirmwareLines::take_line(std::string_view line) {
    if (line.starts_with("tensor ")) return take_tensor(line);
    if (line.starts_with("block ")) return take_block(line);
    const Words words(line);
    if (line.starts_with("tensors ")) {
        if (words.number("outputs") == 0) {
            throw UserError("the model has no outputs: nothing of an inference could be seen",
                            "copy the file again, or build the model with outputs; a pointer that "
                            "is zero by damage passes `n6vp check`");
        }
        if (on_all_tensors) on_all_tensors();
    } else if (line.starts_with("plan ")) {
        last_epoch_ = words.number("last_epoch");
    } else if (line.starts_with("run ")) {
        if (inferences_.size() == kMaxInferences) fail(line);
        inferences_.push_back({words.number("cycles"), words.number("output_crc")});
    } else if (line.starts_with("install ")) {
        install_code_ = words.number<std::int64_t>("code");
        // A line before this one may have said what was missing.
        if (*install_code_ == 0 || !other_.empty()) return;
        other_ += fmt::format(
            "n6vp: the loader on the chip refused the model: code {}\n"
            "      `n6vp check` explains the reason\n",
            *install_code_);
    } else if (!line.starts_with("inference ") && other_.size() < kMaxLine) {
        other_ += traces::terminal_text(line) + '\n';
    }
}

void FirmwareLines::take_tensor(std::string_view line) {
    if (tensors_.size() == kMaxTensors) fail(line);
    const Words words(line);
    Tensor tensor;
    tensor.input = words.word(1) == "input";
    tensor.number = words.parse<std::uint32_t>(words.word(2));
    tensor.bytes = words.number("bytes");
    if (tensor.number >= kMaxTensors) fail(line);
    // All of them are somewhere in the chip's memory; each becomes a file.
    std::uint64_t all = tensor.bytes;
    for (const Tensor& other : tensors_) all += other.bytes;
    if (all > kMaxModelBytes) fail(line);
    tensor.type = type_name(generation_, words.number("type"), words.number("bits"),
                            words.number("unsigned") != 0);
    tensor.shape = parse_shape(words);
    // Only values that agree with the buffer are reported.
    if (!fits(tensor)) {
        tensor.type.clear();
        tensor.shape.clear();
    }
    tensor.quantised = words.number("quantised") != 0;
    tensor.scale = std::bit_cast<float>(words.number("scale"));
    tensor.zero = words.number<std::int32_t>("zero");
    tensor.name = words.text("name");
    tensors_.push_back(tensor);
    if (on_tensor) on_tensor(tensors_.back());
}

void FirmwareLines::take_block(std::string_view line) {
    if (blocks_.size() == kMaxBlocks) fail(line);
    const Words words(line);
    const std::string_view epochs = words.text("epoch");
    const std::size_t dots = epochs.find("..");
    if (dots == std::string_view::npos) fail(line);
    blocks_.push_back({words.parse<std::int32_t>(epochs.substr(0, dots)),
                       words.parse<std::int32_t>(epochs.substr(dots + 2)),
                       std::string(words.text("kind")), words.number("pre"), words.number("core"),
                       words.number("post")});
}

bool identical_outputs(const std::vector<Inference>& inferences) {
    return std::all_of(inferences.begin(), inferences.end(), [&](const Inference& one) {
        return one.output_crc == inferences.front().output_crc;
    });
}

}  // namespace n6vp::sim::model_run

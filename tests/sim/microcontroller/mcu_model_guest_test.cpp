// SPDX-License-Identifier: Apache-2.0
// What a model of the older family says of itself, in the 32-bit layouts of the client API
// (ai_platform.h): ai_network_report has 136 bytes, ai_buffer 28.
#include "sim/microcontroller/mcu_model_guest.h"

#include <doctest/doctest.h>

#include <bit>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "memmap/chips/chips.h"
#include "models/chip/mcu/core_of_chip.h"
#include "models/chip/mcu/microcontroller.h"

using namespace n6vp;

namespace {

constexpr std::uint32_t kReport = 0x20001000, kInputs = 0x20001100, kOutputs = 0x20001400,
                        kName = 0x20001800, kShapes = 0x20002000, kMeta = 0x20003000;
constexpr std::uint32_t kFloat = 0x00821040, kU8 = 0x00040440, kS8 = 0x00840440, kU16 = 0x00040840,
                        kS16 = 0x00840840, kU32 = 0x00041040, kS32 = 0x00841040, kBool = 0x00060440,
                        kQ7 = 0x00840447, kS1 = 0x008400C0, kNone = 0x00000040;
/// Flags of the list of scales: float scale, and the type of the zero point.
constexpr std::uint32_t kScale = 1, kZeroU8 = 2, kZeroS8 = 4, kZeroU16 = 8, kZeroS16 = 16;

/// An STM32L4R5 with a report in its RAM.
class Model {
  public:
    Model()
        : row_(*memmap::find_chip("stm32l4r5")),
          chip("chip", row_, models::mcu_chip::parameters_of_chip(row_)) {
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
        put(kReport, kName);
        put_text(kName, "network");
    }
    void put(std::uint32_t at, std::uint32_t value, std::uint32_t bytes = 4) {
        std::vector<std::uint8_t> raw(bytes);
        for (std::uint32_t i = 0; i < bytes; ++i)
            raw[i] = static_cast<std::uint8_t>(value >> 8 * i);
        REQUIRE(chip.store(GuestAddr{at}, raw));
    }
    void put_text(std::uint32_t at, const std::string& text) {
        std::vector<std::uint8_t> raw(text.begin(), text.end());
        raw.push_back(0);
        REQUIRE(chip.store(GuestAddr{at}, raw));
    }
    /// `shape`: by the indices batch, channel, width, height, depth, extension.
    void put_buffer(std::uint32_t list, std::uint32_t number, std::uint32_t format,
                    std::uint32_t elements, const std::vector<std::uint32_t>& shape) {
        const std::uint32_t at = list + 28 * number, dimensions = kShapes + next_;
        next_ += 32;
        put(at, format);
        put(at + 0x04, 0x20010000 + 0x100 * number);
        put(at + 0x08, 0);
        put(at + 0x10, elements);
        put(at + 0x14, static_cast<std::uint32_t>(shape.size()) << 8 | 5);
        put(at + 0x18, dimensions);
        for (std::uint32_t i = 0; i < shape.size(); ++i) put(dimensions + 4 * i, shape[i]);
    }
    /// Quantisation of the first input.
    void put_scale(std::uint32_t flags, std::uint32_t scale, std::uint32_t zero) {
        put(kInputs + 0x08, kMeta);
        put(kMeta, 1);                    // HAS_INTQ
        put(kMeta + 4, kMeta + 0x10);     // list
        put(kMeta + 0x10, flags, 2);      //
        put(kMeta + 0x12, 1, 2);          // one of them
        put(kMeta + 0x14, kMeta + 0x20);  // info
        put(kMeta + 0x20, kMeta + 0x30);  // of scales
        put(kMeta + 0x24, kMeta + 0x34);  // of zero points
        put(kMeta + 0x30, scale);
        put(kMeta + 0x34, zero);
    }
    std::optional<sim::McuModelReport> read(std::uint32_t inputs, std::uint32_t outputs = 0,
                                            std::uint32_t bytes = 136) {
        why.clear();
        return sim::read_report(chip, {kReport, bytes, kInputs, inputs, kOutputs, outputs}, why);
    }
    sim::model_run::Tensor first_input() {
        const auto report = read(1);
        REQUIRE(report);
        return report->inputs[0].tensor;
    }

  private:
    const memmap::Chip& row_;
    std::uint32_t next_ = 0;

  public:
    models::mcu_chip::Microcontroller chip;
    std::string why;
};

using Shape = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("a model's report: names, versions, counts and tensors are those of its words") {
    Model model;
    for (std::uint32_t at = 4; at < 136; at += 4) model.put(kReport + at, 0x11110000 + at);
    model.put(kReport + 0x14, 0xFF070204);  // major, minor, micro, reserved
    model.put(kReport + 0x1C, 0xFF010305);
    model.put(kReport + 0x30, 0x89ABCDEF);
    model.put(kReport + 0x34, 0x00000012);
    model.put(kReport + 0x7C, 37);
    model.put_buffer(kInputs, 0, kS8, 60, {1, 5, 4, 3});
    model.put_buffer(kInputs, 1, kU8, 4, {1, 4, 1, 1});
    model.put_buffer(kOutputs, 0, kFloat, 10, {1, 10, 1, 1});
    const auto report = model.read(2, 1);
    REQUIRE(report);
    CHECK(model.why.empty());
    CHECK(report->name == "network");
    CHECK(report->runtime == "4.2.7");
    CHECK(report->tools == "5.3.1");
    CHECK(report->macc == 0x12'89AB'CDEF);
    CHECK(report->nodes == 37);
    REQUIRE(report->inputs.size() == 2);
    REQUIRE(report->outputs.size() == 1);
    const sim::model_run::Tensor& first = report->inputs[0].tensor;
    CHECK(first.input);
    CHECK(first.number == 0);
    CHECK(first.name == "input_0");
    CHECK(first.bytes == 60);
    CHECK(first.type == "i1");
    CHECK(first.shape == Shape{1, 3, 4, 5});  // batch, height, width, channel
    CHECK_FALSE(first.quantised);
    CHECK(report->inputs[0].address == 0x20010000);
    CHECK(report->inputs[1].address == 0x20010100);
    CHECK(report->inputs[1].tensor.number == 1);
    CHECK(report->inputs[1].tensor.name == "input_1");
    CHECK(report->inputs[1].tensor.bytes == 4);
    const sim::model_run::Tensor& out = report->outputs[0].tensor;
    CHECK_FALSE(out.input);
    CHECK(out.number == 0);
    CHECK(out.name == "output_0");
    CHECK(out.bytes == 40);
    CHECK(out.type == "f4");
    CHECK(out.shape == Shape{1, 1, 1, 10});
}

TEST_CASE("a model's report: the type is that of the format word, none for packed bits") {
    Model model;
    struct Row {
        std::uint32_t format, bits;
        const char* type;
    };
    const Row rows[] = {
        {kFloat, 32, "f4"},
        {kU8, 8, "u1"},
        {kS8, 8, "i1"},
        {kU16, 16, "u2"},
        {kS16, 16, "i2"},
        {kU32, 32, "u4"},
        {kS32, 32, "i4"},
        {kQ7, 8, "i1"},
        {kBool, 8, "b1"},
        {kS1, 1, ""},
        {kU8 | 1u << 30 | 1u << 29 | 1u << 27, 8, "u1"},  // CONST, STATIC, IS_IO
        {(kFloat & ~(0x7Fu << 7)) | 16u << 7, 16, ""},    // float of 16 bits
        {(kBool & ~(0x7Fu << 7)) | 32u << 7, 32, ""},     // bool of 32 bits
        {(kS8 & ~(0x7Fu << 7)) | 24u << 7, 24, ""},       // fixed point of 24 bits
        {(kU8 & ~(15u << 17)) | 4u << 17, 8, ""},         // no such type
        {kNone | 8u << 7, 8, ""},
    };
    for (const Row& row : rows) {
        CAPTURE(row.format);
        model.put_buffer(kInputs, 0, row.format, 8, {1, 8, 1, 1});
        const sim::model_run::Tensor tensor = model.first_input();
        CHECK(tensor.type == row.type);
        CHECK(tensor.bytes == row.bits);  // eight elements
        CHECK(tensor.shape == Shape{1, 1, 1, 8});
    }
    // Bytes are those of all bits, rounded up.
    model.put_buffer(kInputs, 0, kS1, 9, {1, 9, 1, 1});
    CHECK(model.first_input().bytes == 2);
}

TEST_CASE("a model's report: dimensions are in the order of memory, channels last") {
    Model model;
    struct Row {
        std::vector<std::uint32_t> stored;
        Shape shown;
        std::uint32_t elements;
    };
    const Row rows[] = {
        {{2, 3, 5, 7}, {2, 7, 5, 3}, 210},
        {{1, 3, 5, 7, 2}, {1, 7, 5, 2, 3}, 210},
        {{1, 3, 5, 7, 2, 11}, {1, 7, 5, 2, 11, 3}, 2310},
        // Fewer than four dimensions are no description, nor are seven.
        {{2, 3, 5}, {}, 30},
        {{1, 1, 1, 1, 1, 1, 2}, {}, 2},
        // What does not have the bytes of the buffer is none.
        {{2, 3, 5, 7}, {}, 211},
        {{2, 3, 0, 7}, {}, 210},
        {{0x8000, 0x8000, 0x8000, 0x8000}, {}, 4},
    };
    for (const Row& row : rows) {
        CAPTURE(row.elements);
        model.put_buffer(kInputs, 0, kU8, row.elements, row.stored);
        const sim::model_run::Tensor tensor = model.first_input();
        CHECK(tensor.shape == row.shown);
        CHECK(tensor.type == (row.shown.empty() ? "" : "u1"));
        CHECK(tensor.bytes == row.elements);
    }
    // As many as 64 MiB hold.
    model.put_buffer(kInputs, 0, kS1, 1u << 29, {1u << 10, 1u << 19, 1, 1});
    CHECK(model.first_input().shape == Shape{1u << 10, 1, 1, 1u << 19});
}

TEST_CASE("a model's report: scale and zero point of each type") {
    Model model;
    struct Row {
        std::uint32_t flags, word;
        std::int32_t zero;
    };
    const Row rows[] = {
        {kScale | kZeroU8, 0xFFFFFF83, 0x83},
        {kScale | kZeroS8, 0x00000083, -125},
        {kScale | kZeroU16, 0xFFFF8301, 0x8301},
        {kScale | kZeroS16, 0x00008301, -31999},
        {kScale, 0xFFFFFFFF, 0},
    };
    for (const Row& row : rows) {
        CAPTURE(row.flags);
        model.put_buffer(kInputs, 0, kS8, 4, {1, 4, 1, 1});
        model.put_scale(row.flags, std::bit_cast<std::uint32_t>(0.375F), row.word);
        const sim::model_run::Tensor tensor = model.first_input();
        CHECK(tensor.quantised);
        CHECK(tensor.scale == 0.375F);
        CHECK(tensor.zero == row.zero);
    }
    model.put(kMeta + 0x24, 0);  // no zero points
    CHECK(model.first_input().quantised);
    CHECK(model.first_input().zero == 0);
    // Each of these takes the scale away.
    const auto without = [&model](std::uint32_t at, std::uint32_t value, std::uint32_t bytes) {
        model.put_scale(kScale | kZeroU8, std::bit_cast<std::uint32_t>(0.375F), 3);
        REQUIRE(model.first_input().quantised);
        model.put(at, value, bytes);
        CHECK_FALSE(model.first_input().quantised);
        CHECK(model.first_input().zero == 0);
    };
    without(kMeta, 2, 4);
    without(kMeta + 4, 0, 4);
    without(kMeta + 0x12, 0, 2);
    without(kMeta + 0x14, 0, 4);
    without(kMeta + 0x20, 0, 4);
    without(kInputs + 0x08, 0, 4);
}

TEST_CASE("a model's report: a name ends after 63 characters, and may be none") {
    Model model;
    model.put_text(kName, std::string(100, 'x'));
    CHECK(model.read(0)->name == std::string(63, 'x'));
    model.put_text(kName, std::string(62, 'y'));
    CHECK(model.read(0)->name == std::string(62, 'y'));
    model.put(kReport, 0);
    REQUIRE(model.read(0));
    CHECK(model.read(0)->name.empty());
}

TEST_CASE("a model's report: damage is told, whatever it is") {
    Model model;
    for (std::uint32_t i = 0; i < 17; ++i) {
        model.put_buffer(kInputs, i, kU8, 4, {1, 4, 1, 1});
        model.put_buffer(kOutputs, i, kU8, 4, {1, 4, 1, 1});
    }
    CHECK(model.read(16, 16));
    for (const auto& [inputs, outputs, bytes] :
         {std::tuple{17u, 0u, 136u}, {0u, 17u, 136u}, {1u, 1u, 135u}, {1u, 1u, 137u}}) {
        CHECK_FALSE(model.read(inputs, outputs, bytes));
        CHECK(model.why == "the firmware's description is damaged");
    }
    // 64 MiB are the most, and an empty buffer is none.
    constexpr std::uint32_t kMost = 64u << 20;
    for (const std::uint32_t elements : {1u, kMost}) {
        model.put(kInputs + 0x10, elements);
        REQUIRE(model.read(1));
        CHECK(model.first_input().bytes == elements);
    }
    for (const std::uint32_t elements : {0u, kMost + 1}) {
        model.put(kInputs + 0x10, elements);
        CHECK_FALSE(model.read(1));
        CHECK(model.why == "input_0 has " + std::to_string(elements) + " bytes");
    }
    model.put(kInputs + 0x10, 4);
    model.put(kOutputs + 28 + 0x10, 0);
    CHECK_FALSE(model.read(1, 2));
    CHECK(model.why == "output_1 has 0 bytes");
    model.put(kInputs + 0x18, 0x60000000);  // no memory
    CHECK_FALSE(model.read(1));
    CHECK(model.why == "a pointer in its report leads out of memory");
    model.put(kReport, 0x60000000);
    CHECK_FALSE(model.read(0));
    CHECK(model.why == "a pointer in its report leads out of memory");
}

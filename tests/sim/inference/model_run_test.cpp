// SPDX-License-Identifier: Apache-2.0
// What `n6vp run MODEL` makes of the firmware's lines, of arrays and of random numbers.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "sim/host/errors.h"
#include "sim/host/npy.h"
#include "sim/inference/comparison.h"
#include "sim/inference/firmware_lines.h"
#include "sim/inference/model_memory.h"
#include "sim/inference/random_numbers.h"

using namespace n6vp;
using namespace n6vp::sim::model_run;
using sim::UserError;

namespace {

const std::string kTensor =
    "tensor input 3 bytes=320 type=7 bits=8 unsigned=0 shape=1x1x40x8 quantised=1 "
    "scale=0x3c000000 zero=-5 name=Input_3\n";

std::string tensor_of(std::uint32_t number, std::uint32_t bytes) {
    return "tensor input " + std::to_string(number) + " bytes=" + std::to_string(bytes) +
           " type=7 bits=8 unsigned=0 shape= quantised=0 scale=0x00000000 zero=0 name=x\n";
}

Tensor tensor(const std::string& type, std::uint32_t bytes) {
    Tensor result;
    result.type = type;
    result.bytes = bytes;
    return result;
}

template <typename Number>
std::vector<std::uint8_t> bytes_of(const std::vector<Number>& numbers) {
    std::vector<std::uint8_t> bytes(numbers.size() * sizeof(Number));
    std::memcpy(bytes.data(), numbers.data(), bytes.size());
    return bytes;
}

}  // namespace

TEST_CASE("a model without outputs ended with 0 and said nothing") {
    FirmwareLines lines(loader::Generation::Core30);
    try {
        lines.take(kTensor + "tensors inputs=1 outputs=0\n");
        FAIL("accepted");
    } catch (const UserError& error) {
        CHECK(std::string(error.what()).find("no outputs") != std::string::npos);
    }
}

TEST_CASE("a model without outputs was sent to a check that passes it") {
    FirmwareLines lines(loader::Generation::Core30);
    std::string remedy;
    try {
        lines.take(kTensor + "tensors inputs=1 outputs=0\n");
    } catch (const UserError& error) {
        remedy = error.remedy();
    }
    CHECK(remedy.find("passes `n6vp check`") != std::string::npos);
    CHECK(remedy.find("may say more") == std::string::npos);
}

TEST_CASE("lines of the firmware are read in whatever pieces they come") {
    FirmwareLines lines(loader::Generation::Core30);
    std::size_t told = 0;
    bool all = false;
    lines.on_tensor = [&](const Tensor&) { ++told; };
    lines.on_all_tensors = [&] { all = true; };
    const std::string text =
        "plan blocks=4 last_epoch=17\n" + kTensor +
        "tensors inputs=1 outputs=1\nrun 0 cycles=12 output_crc=0xabcd0123\n"
        "block 0 epoch=1..4 kind=EC pre=1 core=2 post=3\n"
        "block 1 epoch=-2..-2 kind=internal pre=4 core=5 post=6\nsomething else \x1b[2J\n";
    for (const char c : text) lines.take({&c, 1});
    CHECK(told == 1);
    CHECK(all);
    CHECK(lines.last_epoch() == 17);
    REQUIRE(lines.tensors().size() == 1);
    const Tensor& one = lines.tensors()[0];
    CHECK(one.number == 3);
    CHECK(one.type == "i1");
    CHECK(one.shape == std::vector<std::uint64_t>{1, 1, 40, 8});
    CHECK(one.scale == 0.0078125F);
    CHECK(one.zero == -5);
    REQUIRE(lines.inferences().size() == 1);
    CHECK(lines.inferences()[0].output_crc == 0xABCD0123);
    REQUIRE(lines.blocks().size() == 2);
    CHECK(lines.blocks()[0].cycles() == 6);
    CHECK(lines.blocks()[1].first_epoch == -2);
    CHECK(lines.other().find('\x1b') == std::string::npos);
    CHECK(lines.other().find("something else") == 0);
}

TEST_CASE("numbers of types are those of the generation") {
    for (const auto& [generation, type] : {std::pair(loader::Generation::Core21, "i8"),
                                           std::pair(loader::Generation::Core30, "i1")}) {
        FirmwareLines lines(generation);
        std::string text = kTensor;
        // As 8-byte integers there are 40 of them.
        if (generation == loader::Generation::Core21) text.replace(text.find("40x8"), 4, "40x1");
        lines.take(text);
        REQUIRE(lines.tensors().size() == 1);
        const std::string found = lines.tensors()[0].type;
        CHECK(found == type);
    }
}

TEST_CASE("what contradicts the buffer is no fact, and what cannot be read ends the run") {
    FirmwareLines lines(loader::Generation::Core30);
    std::string text = kTensor;
    text.replace(text.find("40x8"), 4, "40x9");
    lines.take(text);
    CHECK(lines.tensors()[0].type.empty());
    CHECK(lines.tensors()[0].shape.empty());
    CHECK_THROWS_AS(lines.take("tensor input x\n"), UserError);
    CHECK_THROWS_AS(lines.take("tensor\n"), UserError);
    CHECK_THROWS_AS(lines.take("run 0 cycles=-1 output_crc=0\n"), UserError);
    CHECK_THROWS_AS(lines.take("block 0 epoch=1 kind=EC pre=1 core=2 post=3\n"), UserError);
    CHECK_THROWS_AS(lines.take("plan last_epoch=99999999999\n"), UserError);
}

TEST_CASE("a model cannot make the host keep more than the chip has") {
    FirmwareLines lines(loader::Generation::Core30);
    lines.take(tensor_of(0, 200u << 20));
    CHECK_THROWS_AS(lines.take(tensor_of(1, 100u << 20)), UserError);
    FirmwareLines many(loader::Generation::Core30);
    const auto flood = [&many] {
        for (std::uint32_t i = 0; i < 1000; ++i) many.take(tensor_of(i % 100, 1));
    };
    CHECK_THROWS_AS(flood(), UserError);
    FirmwareLines endless(loader::Generation::Core30);
    CHECK_THROWS_AS(endless.take(std::string(100'000, 'x')), UserError);
}

TEST_CASE("arrays are compared by their numbers") {
    const std::vector<float> found{1.0F, 2.5F, std::numeric_limits<float>::quiet_NaN(), -0.0F};
    std::vector<float> wanted = found;
    wanted[3] = 0.0F;
    const Tensor floats = tensor("f4", 16);
    const Comparison same = compare(floats, bytes_of(found), bytes_of(wanted), 0);
    CHECK(same.holds());
    CHECK(same.unequal == 1);  // the two zeros
    wanted[1] = 2.25F;
    CHECK_FALSE(compare(floats, bytes_of(found), bytes_of(wanted), 0.125).holds());
    CHECK(compare(floats, bytes_of(found), bytes_of(wanted), 0.25).holds());
    wanted[2] = 7;
    const Comparison none = compare(floats, bytes_of(found), bytes_of(wanted), 1000);
    CHECK(none.too_far == 1);
    CHECK(none.first == 2);
    // Bytes as they are where the type is unknown; what is missing is too far.
    const Tensor unknown = tensor("", 3);
    const Comparison shorter =
        compare(unknown, bytes_of<std::uint8_t>({1, 2}), bytes_of<std::uint8_t>({1, 9, 3}), 0);
    CHECK(shorter.numbers == 3);
    CHECK(shorter.too_far == 2);
    CHECK(shorter.first == 1);
    CHECK(shorter.largest == 7);
    CHECK_THROWS_AS(require_comparable(unknown, 1), UserError);
    CHECK_NOTHROW(require_comparable(unknown, 0));
}

TEST_CASE("random numbers fill their range and nothing else") {
    RandomNumbers integers(7, NumberRange{-3, 4, true});
    bool seen[8] = {};
    for (const std::uint8_t byte : integers.make(tensor("i1", 4096))) {
        const auto value = static_cast<std::int8_t>(byte);
        REQUIRE(value >= -3);
        REQUIRE(value <= 4);
        seen[value + 3] = true;
    }
    for (const bool one : seen) CHECK(one);
    const std::vector<std::uint8_t> bytes =
        RandomNumbers(7, NumberRange{-3, 4}).make(tensor("f4", 4096));
    double sum = 0;
    for (std::size_t at = 0; at < bytes.size(); at += 4) {
        float value = 0;
        std::memcpy(&value, bytes.data() + at, sizeof value);
        REQUIRE(value >= -3);
        REQUIRE(value <= 4);
        sum += value;
    }
    CHECK(std::fabs(sum / 1024 - 0.5) < 0.5);
    const std::vector<std::uint8_t> words =
        RandomNumbers(1, NumberRange{70000, 70000, true}).make(tensor("i4", 8));
    CHECK(words == bytes_of<std::int32_t>({70000, 70000}));
    CHECK_THROWS_AS((void)RandomNumbers(1, NumberRange{0, 256, true}).make(tensor("u1", 4)),
                    UserError);
    CHECK_THROWS_AS((void)RandomNumbers(1, NumberRange{0, 1}).make(tensor("", 4)), UserError);
    for (const char* text : {"", "1", "1:", ":1", "a:1", "2:1", "nan:1", "0:inf", "1:2:3",
                             "stored:", "stored:1", "stored 0:1"}) {
        CAPTURE(text);
        CHECK_THROWS_AS((void)parse_number_range(text, "--range"), UserError);
    }
    CHECK(parse_number_range("-1.5:2e3", "--range").high == 2000);
    CHECK_FALSE(parse_number_range("-1.5:2e3", "--range").stored);
    CHECK(parse_number_range("stored:-5:7", "--range").stored);
    CHECK(parse_number_range("stored:-5:7", "--range").low == -5);
}

TEST_CASE("a range is of real numbers: in a tensor of integers by its scale and zero point") {
    Tensor quantised = tensor("i1", 4096);
    quantised.quantised = true;
    quantised.scale = 0.25F;
    quantised.zero = 10;
    // -1 to 2 in quarters above 10: 6 to 18, both ends included.
    int least = 1000, most = -1000;
    for (const std::uint8_t byte : RandomNumbers(3, NumberRange{-1, 2}).make(quantised)) {
        least = std::min<int>(least, static_cast<std::int8_t>(byte));
        most = std::max<int>(most, static_cast<std::int8_t>(byte));
    }
    CHECK(least == 6);
    CHECK(most == 18);
    // What the type does not hold is cut, unless it holds nothing of the range.
    most = -1000;
    for (const std::uint8_t byte : RandomNumbers(3, NumberRange{0, 1000}).make(quantised)) {
        most = std::max<int>(most, static_cast<std::int8_t>(byte));
    }
    CHECK(most == 127);
    CHECK_THROWS_AS((void)RandomNumbers(3, NumberRange{30, 40}).make(quantised), UserError);
    CHECK_THROWS_AS((void)RandomNumbers(3, NumberRange{0, 1}).make(tensor("i1", 4)), UserError);
    CHECK_THROWS_AS((void)RandomNumbers(3, NumberRange{0, 1, true}).make(tensor("f4", 4)),
                    UserError);
}

TEST_CASE("a head of an array is read back, and what is no such file is refused") {
    const std::vector<std::uint64_t> shapes[] = {{}, {5}, {2, 3}};
    for (const std::vector<std::uint64_t>& shape : shapes) {
        std::uint64_t count = 1;
        for (const std::uint64_t size : shape) count *= size;
        const std::string head = npy_head("i2", shape);
        CHECK(head.size() % 64 == 0);
        std::vector<std::uint8_t> file(head.begin(), head.end());
        file.resize(file.size() + 2 * count, 1);
        const NpyArray array = parse_npy(file, "a.npy");
        CHECK(array.type == "i2");
        CHECK(array.shape == shape);
        CHECK(array.bytes.size() == 2 * count);
        file.pop_back();
        CHECK_THROWS_AS((void)parse_npy(file, "a.npy"), UserError);
        file.resize(20);
        CHECK_THROWS_AS((void)parse_npy(file, "a.npy"), UserError);
    }
}

TEST_CASE("run a model: the longest stretch of the PSRAM that nothing is in") {
    using Range = std::pair<std::uint32_t, std::uint32_t>;
    const auto beside = [](const std::vector<Range>& taken) {
        std::vector<AddressRange> ranges;
        ranges.reserve(taken.size());
        for (const auto& [start, bytes] : taken) ranges.push_back({GuestAddr{start}, bytes});
        const AddressRange longest = free_psram(std::move(ranges));
        return Range{to_word(longest.start), longest.bytes};
    };
    constexpr std::uint32_t kAll = 32u << 20;
    CHECK(beside({}) == Range{0x90000000, kAll});
    // On-chip memory and flash are elsewhere; nothing takes nothing.
    CHECK(beside({{0x34060000, 1u << 20}, {0x71000000, 4096}, {0x90001000, 0}}) ==
          Range{0x90000000, kAll});
    // Before, behind and between; whole lines of the caches.
    CHECK(beside({{0x90100000, kAll}}) == Range{0x90000000, 1u << 20});
    CHECK(beside({{0x90000000, 100}}) == Range{0x90000080, kAll - 128});
    CHECK(beside({{0x91FF0010, 1u << 20}, {0x90001000, 4096}}) == Range{0x90002000, 0x1FEE000});
    // One within another.
    CHECK(beside({{0x90000000, kAll / 2}, {0x90001000, 4096}}) == Range{0x91000000, kAll / 2});
    CHECK(beside({{0x90000000, kAll}}).second == 0);
}

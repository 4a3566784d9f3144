// SPDX-License-Identifier: Apache-2.0
// Lines of the firmware: numbers of types, shapes that fit, and limits on what it may say.
#include "sim/inference/firmware_lines.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "sim/host/errors.h"

using namespace n6vp;
using namespace n6vp::sim::model_run;
using sim::UserError;

namespace {

std::string tensor_line(unsigned type, unsigned bits, bool is_unsigned, unsigned bytes,
                        const std::string& shape, unsigned number = 0) {
    return "tensor output " + std::to_string(number) + " bytes=" + std::to_string(bytes) +
           " type=" + std::to_string(type) + " bits=" + std::to_string(bits) +
           " unsigned=" + (is_unsigned ? "1" : "0") + " shape=" + shape +
           " quantised=0 scale=0x00000000 zero=0 name=x\n";
}

std::string run_line(unsigned crc) {
    return "run 0 cycles=5 output_crc=" + std::to_string(crc) + "\n";
}

/// Returns how often the line is taken before it is refused.
unsigned count_taken(const std::string& line, unsigned most) {
    FirmwareLines lines(loader::Generation::Core30);
    for (unsigned i = 0; i < most; ++i) {
        try {
            lines.take(line);
        } catch (const UserError&) {
            return i;
        }
    }
    return most;
}

}  // namespace

// DataType of the runtimes: version 1.1.0, and 1.1.1 and later, which have types of 2 and 4 bits.
TEST_CASE("lines of the firmware: each number of a type, of either generation") {
    struct Row {
        unsigned number;
        const char* first;
        const char* later;
    };
    const Row rows[] = {
        {0, "", ""},      {1, "f4", "f4"},  {2, "u1", ""},   {3, "i1", ""},    {4, "u2", ""},
        {5, "i2", ""},    {6, "i4", "u1"},  {7, "i8", "i1"}, {8, "", "u2"},    {9, "b1", "i2"},
        {10, "f2", "i4"}, {11, "f8", "i8"}, {12, "u4", ""},  {13, "u8", "b1"}, {14, "c8", "f2"},
        {15, "", "f8"},   {16, "", "u4"},   {17, "", "u8"},  {18, "", "c8"},   {19, "", ""},
        {20, "", ""},     {21, "", ""},     {22, "", ""},    {99, "", ""},     {101, "", ""},
    };
    for (const Row& row : rows) {
        CAPTURE(row.number);
        for (const auto generation : {loader::Generation::Core21, loader::Generation::Core22,
                                      loader::Generation::Core30, loader::Generation::Core4x}) {
            const bool first = generation == loader::Generation::Core21;
            const std::string type = first ? row.first : row.later;
            FirmwareLines lines(generation);
            // Three elements, as large as the type says.
            const unsigned size = type.empty() ? 1 : static_cast<unsigned>(type[1] - '0');
            lines.take(tensor_line(row.number, 8, false, 3 * size, "3"));
            CHECK(lines.tensors().at(0).type == type);
            CHECK(lines.tensors().at(0).shape.empty() == type.empty());
        }
    }
}

TEST_CASE("lines of the firmware: fixed point is an integer of 8, 16 or 32 bits") {
    struct Row {
        unsigned bits;
        bool is_unsigned;
        const char* type;
    };
    const Row rows[] = {{8, false, "i1"},  {8, true, "u1"},  {16, false, "i2"}, {16, true, "u2"},
                        {32, false, "i4"}, {32, true, "u4"}, {4, false, ""},    {24, false, ""}};
    for (const Row& row : rows) {
        CAPTURE(row.bits);
        FirmwareLines lines(loader::Generation::Core30);
        lines.take(tensor_line(100, row.bits, row.is_unsigned, 5 * row.bits / 8, "5"));
        CHECK(lines.tensors().at(0).type == row.type);
    }
}

TEST_CASE("lines of the firmware: a shape counts if the tensor has its bytes") {
    struct Row {
        const char* shape;
        unsigned bytes;
        std::vector<std::uint64_t> shown;
    };
    const Row rows[] = {
        {"2x3x4", 24, {2, 3, 4}}, {"2x3x4", 23, {}},      {"2x3x4", 25, {}},
        {"24", 24, {24}},         {"65536x65536", 0, {}}, {"0x24", 1, {}},
    };
    for (const Row& row : rows) {
        CAPTURE(row.shape);
        FirmwareLines lines(loader::Generation::Core30);
        lines.take(tensor_line(7, 8, false, row.bytes, row.shape));
        const Tensor& found = lines.tensors().at(0);
        CHECK(found.shape == row.shown);
        CHECK(found.type == (row.shown.empty() ? "" : "i1"));
        CHECK_FALSE(found.input);
        CHECK(found.bytes == row.bytes);
        CHECK_FALSE(found.quantised);
    }
}

TEST_CASE("lines of the firmware: a tensor without dimensions is one number") {
    FirmwareLines lines(loader::Generation::Core30);
    lines.take(tensor_line(1, 32, false, 4, ""));
    CHECK(lines.tensors().at(0).type == "f4");
    CHECK(lines.tensors().at(0).shape.empty());
}

TEST_CASE("lines of the firmware: how many of each kind, and how long") {
    CHECK(count_taken(tensor_line(7, 8, false, 1, "1"), 300) == 256);
    CHECK(count_taken("block 0 epoch=1..1 kind=EC pre=1 core=2 post=3\n", 5000) == 4096);
    CHECK(count_taken(run_line(1), 5000) == 4096);
    CHECK(count_taken(tensor_line(7, 8, false, 1, "1", 255), 1) == 1);
    CHECK(count_taken(tensor_line(7, 8, false, 1, "1", 256), 1) == 0);
    CHECK(count_taken(std::string(4096, 'x'), 1) == 1);
    CHECK(count_taken(std::string(4097, 'x'), 1) == 0);
    // 256 MiB altogether.
    CHECK(count_taken(tensor_line(7, 8, false, 64u << 20, "1"), 9) == 4);
    // Other text is kept up to a limit, then it is left out.
    FirmwareLines lines(loader::Generation::Core30);
    for (int i = 0; i < 100; ++i) lines.take(std::string(99, 'y') + "\n");
    CHECK(lines.other().size() == 4100);
}

TEST_CASE("lines of the firmware: the code of the loader, and a word of it") {
    FirmwareLines good(loader::Generation::Core30);
    CHECK_FALSE(good.install_code());
    CHECK(good.last_epoch() == 0);
    good.take("install code=0\n");
    CHECK(good.install_code() == 0);
    CHECK(good.other().empty());
    FirmwareLines refused(loader::Generation::Core30);
    refused.take("install code=-4\n");
    CHECK(refused.install_code() == -4);
    CHECK(refused.other().find("refused the model: code -4\n") != std::string::npos);
    // What was said before is enough.
    FirmwareLines said(loader::Generation::Core30);
    said.take("exec RAM is missing\ninstall code=-4\n");
    CHECK(said.install_code() == -4);
    CHECK(said.other() == "exec RAM is missing\n");
    FirmwareLines running(loader::Generation::Core30);
    running.take("inference 0\n");
    CHECK(running.other().empty());
}

TEST_CASE("lines of the firmware: outputs are identical if all inferences have one CRC") {
    CHECK(identical_outputs({}));
    CHECK(identical_outputs({{1, 7}}));
    CHECK(identical_outputs({{1, 7}, {2, 7}, {3, 7}}));
    CHECK_FALSE(identical_outputs({{1, 7}, {1, 7}, {1, 8}}));
    CHECK_FALSE(identical_outputs({{1, 6}, {1, 7}, {1, 7}}));
}

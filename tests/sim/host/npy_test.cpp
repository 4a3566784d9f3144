// SPDX-License-Identifier: Apache-2.0
// Files of NumPy. Bytes by the description of the format, version 1.0 and 2.0.
#include "sim/host/npy.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/host/errors.h"

using namespace n6vp::sim;
using namespace n6vp::sim::model_run;

namespace {

using Shape = std::vector<std::uint64_t>;

/// A file whose head has these words; `version` 1 has two bytes of length, 2 has four.
std::vector<std::uint8_t> npy(const std::string& words, std::size_t bytes, char version = 1) {
    std::string text = "\x93NUMPY";
    text += version;
    text += '\0';
    text += static_cast<char>(words.size() & 0xFF);
    text += static_cast<char>(words.size() >> 8);
    if (version != 1) text += std::string(2, '\0');
    text += words + std::string(bytes, '\x07');
    return {text.begin(), text.end()};
}
std::string head(const std::string& descr, const std::string& shape,
                 const std::string& order = "False") {
    return "{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
}
std::string told(const std::vector<std::uint8_t>& file) {
    try {
        const NpyArray array = parse_npy(file, "a.npy");
        return array.type + " " + shape_text(array.shape) + " " +
               std::to_string(array.bytes.size());
    } catch (const UserError& error) {
        CHECK(error.remedy() == "save it with numpy.save(name, numpy.ascontiguousarray(array))");
        return error.what();
    }
}

}  // namespace

TEST_CASE("npy: arrays of both versions, of any shape and size of number") {
    CHECK(told(npy(head("'|i1'", "(2, 3)"), 6)) == "i1 2x3 6");
    CHECK(told(npy(head("'<f4'", "(5,)"), 20)) == "f4 5 20");
    CHECK(told(npy(head("'<f4'", "(5,)"), 20, 2)) == "f4 5 20");
    CHECK(told(npy(head("'<f8'", "()"), 8)) == "f8 scalar 8");
    CHECK(told(npy(head("'=u2'", "(1, 1, 1, 4)"), 8)) == "u2 1x1x1x4 8");
    CHECK(told(npy(head("'|u1'", "(0, 7)"), 0)) == "u1 0x7 0");
    CHECK(told(npy("{'shape':(2,),'fortran_order':False,'descr':'|b1'}", 2)) == "b1 2 2");
    const NpyArray array = parse_npy(npy(head("'<i2'", "(3,)"), 6), "a.npy");
    CHECK(array.bytes == std::vector<std::uint8_t>(6, 7));
    CHECK(array.shape == Shape{3});
}

TEST_CASE("npy: what is not read, with the reason") {
    const std::string plain = "a.npy: an array of something else than plain numbers";
    const std::string shape = "a.npy: a shape that cannot be read";
    const std::pair<std::vector<std::uint8_t>, std::string> rows[] = {
        {{0x93, 'N', 'U', 'M', 'P', 'X'}, "a.npy: no .npy file"},
        {{}, "a.npy: no .npy file"},
        {npy(head("'|i1'", "(1,)"), 1, 3), "a.npy: a version of .npy that is not read"},
        {npy(head("'|i1'", "(1,)"), 1, 0), "a.npy: a version of .npy that is not read"},
        {npy(head("'>i2'", "(1,)"), 2), "a.npy: big-endian numbers"},
        {npy(head("'<f16'", "(1,)"), 16), plain},
        {npy(head("'<i9'", "(1,)"), 9), plain},
        {npy(head("'<i0'", "(1,)"), 0), plain},
        {npy(head("[('a', '<i2')]", "(1,)"), 2), plain},
        {npy("{'fortran_order': False, 'shape': (1,), }\n", 1), plain},
        {npy(head("'|i1'", "(1,)", "True"), 1), "a.npy: Fortran order"},
        {npy(head("'|i1'", "[1]"), 1), shape},
        {npy(head("'|i1'", "(1"), 1), shape},
        {npy(head("'|i1'", "(-1,)"), 1), shape},
        {npy(head("'|i1'", "(x,)"), 1), shape},
        {npy(head("'<i2'", "(3,)"), 5), "a.npy: 5 bytes of numbers do not make 3 of type i2"},
        {npy(head("'<i2'", "(3, 2)"), 13), "a.npy: 13 bytes of numbers do not make 3x2 of type i2"},
        {npy(head("'|i1'", "()"), 2), "a.npy: 2 bytes of numbers do not make scalar of type i1"},
        {npy(head("'|i1'", "(4294967297, 0)"), 0),
         "a.npy: 0 bytes of numbers do not make 4294967297x0 of type i1"},
    };
    for (const auto& row : rows) CHECK(told(row.first) == row.second);
    // Cut off at any place of the head; the shortest is no file of that kind at all.
    const std::vector<std::uint8_t> whole = npy(head("'|i1'", "(1,)"), 1);
    for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) {
        const std::string text =
            told({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(bytes)});
        CAPTURE(bytes);
        if (bytes < 6) {
            CHECK(text == "a.npy: no .npy file");
        } else if (bytes < 10) {
            CHECK(text == "a.npy: a version of .npy that is not read");
        } else if (bytes + 1 < whole.size()) {
            CHECK(text == "a.npy: the file is cut off in its head");
        } else {
            CHECK(text == "a.npy: 0 bytes of numbers do not make 1 of type i1");
        }
    }
}

TEST_CASE("npy: heads are as numpy.save writes them") {
    const auto words = [](std::string_view type, const Shape& shape) {
        const std::string whole = npy_head(type, shape);
        CHECK(whole.size() % 64 == 0);
        CHECK(whole.substr(0, 8) == std::string("\x93NUMPY\x01\0", 8));
        const std::size_t length = static_cast<unsigned char>(whole[8]) +
                                   std::size_t{256} * static_cast<unsigned char>(whole[9]);
        CHECK(length + 10 == whole.size());
        CHECK(whole.back() == '\n');
        const std::string text = whole.substr(10, whole.size() - 11);
        return text.substr(0, text.find_last_not_of(' ') + 1);
    };
    CHECK(words("i1", {1, 40, 8}) ==
          "{'descr': '|i1', 'fortran_order': False, 'shape': (1, 40, 8), }");
    CHECK(words("u1", {7}) == "{'descr': '|u1', 'fortran_order': False, 'shape': (7,), }");
    CHECK(words("f4", {}) == "{'descr': '<f4', 'fortran_order': False, 'shape': (), }");
    CHECK(words("i2", {3, 2}) == "{'descr': '<i2', 'fortran_order': False, 'shape': (3, 2), }");
    // 10 bytes, 55 of words and the end of the line: 66, so 128.
    CHECK(npy_head("f4", Shape{}).size() == 128);
    for (const Shape& shape : {Shape{}, Shape{9}, Shape{1, 2}, Shape{1, 2, 3, 4, 5, 6}}) {
        const std::string start = npy_head("f4", shape);
        std::vector<std::uint8_t> file(start.begin(), start.end());
        std::size_t bytes = 4;
        for (const std::uint64_t size : shape) bytes *= size;
        file.resize(file.size() + bytes);
        CHECK(parse_npy(file, "x").shape == shape);
    }
}

// SPDX-License-Identifier: Apache-2.0
// What addresses of a model mean: sections, texts, symbols, and the bases of an install.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/model_file/placement.h"
#include "tests/sim/info/info_report.h"

using namespace n6vp;
using namespace n6vp::test;
using namespace n6vp::sim::report;

TEST_CASE("info: places by sections, at their first and last byte") {
    ImageSpec spec = small_spec(ImageGeneration::Core22);
    spec.bss_alignment = 256;
    const Image image = build_image(spec);
    const Report report(image);
    const LinkWords& words = report.words();
    const auto ram = [&](std::uint32_t offset) { return words.place(0x40000000 + offset).text(); };
    const auto flash = [&](std::uint32_t offset) {
        return words.place(0x20000000 + offset).text();
    };
    const std::uint32_t got = image.got - image.ro_bytes, got_end = got + 32;
    const auto plus = [](const char* section, std::uint32_t offset) {
        return fmt::format("{}+0x{:x}", section, offset);
    };
    CHECK(ram(0) == ".data+0x0");
    CHECK(ram(got - 1) == plus(".data", got - 1));
    CHECK(ram(got) == "GOT+0x0");
    CHECK(ram(got_end - 1) == "GOT+0x1f");
    REQUIRE(image.bss_start > got_end);
    CHECK(ram(got_end) == "gap before .bss+0x0");
    CHECK(ram(image.bss_start - 1) == plus("gap before .bss", image.bss_start - 1 - got_end));
    CHECK(ram(image.bss_start) == ".bss+0x0");
    CHECK(ram(image.bss_end) == plus(".bss", 24));
    CHECK(ram(image.bss_end + 1) == "? past RAM+0x1");
    CHECK(flash(0) == "RO+0x0");
    CHECK(flash(image.ro_bytes) == plus("RO", image.ro_bytes));
    CHECK(flash(image.ro_bytes + 1) == "? past RO+0x1");
    CHECK(words.place(0x80000010).text() == "PARAM_0+0x10");
    CHECK(words.place(0x90000020).text() == "PARAM_1+0x20");
    CHECK(words.place(0x50000020).text() == "illegal+0x50000020");
    CHECK(words.meaning(0) == "null");
    CHECK(LinkWords::space(0) == "null");
    CHECK(LinkWords::space(1) == "illegal");
    CHECK(words.content(0x20000000) == "header");
    CHECK(words.content(0x2000005F) == "header");
    CHECK(words.content(0x20000060 + 3) == "Thumb code");
    CHECK(words.content(0x20000060 + 2).empty());
    CHECK(words.label(0x20000060).substr(0, 21) == "entry ec_network_init");
    CHECK(words.label(0x20000062).empty());
    // From the middle of a text it is none.
    CHECK(words.content(0x20000000 + image.c_name) == "string \"sample\"");
    CHECK(words.content(0x20000000 + image.c_name + (image.c_name % 4 == 0 ? 1 : 5)) !=
          "string \"ample\"");
}

TEST_CASE("info: texts have three characters at least, 120 at most, and an end") {
    const auto text = [](const std::string& bytes, std::uint32_t at, std::uint32_t ro) {
        const std::vector<std::uint8_t> file(bytes.begin(), bytes.end());
        return ro_string(file, 4, ro, at);
    };
    const std::string end(1, '\0');
    CHECK(text("    abc" + end, 4, 8) == std::optional<std::string>("abc"));
    CHECK(text("    abc" + end, 4, 7) == std::nullopt);
    CHECK(text("    ab" + end, 4, 7) == std::nullopt);
    CHECK(text("    abc", 4, 7) == std::nullopt);
    CHECK(text("abc" + end, 0, 4) == std::nullopt);
    CHECK(text("    abc" + end, 8, 8) == std::nullopt);
    CHECK(text("     abc" + end, 5, 9) == std::nullopt);
    CHECK(text("   " + end + end + "abc" + end, 5, 9) == std::optional<std::string>("abc"));
    CHECK(text("    ~ !" + end, 4, 8) == std::optional<std::string>("~ !"));
    CHECK(text("    a\x7F"
               "c" +
                   end,
               4, 8) == std::nullopt);
    CHECK(text("    a\x1F"
               "c" +
                   end,
               4, 8) == std::nullopt);
    const std::string longest(120, 'x'), longer(121, 'x');
    CHECK(text("    " + longest + end, 4, 200) == std::optional<std::string>(longest));
    CHECK(text("    " + longer + end, 4, 200) == std::nullopt);
}

TEST_CASE("info: the symbol below a place, less than 4 KiB away") {
    const SymbolTable symbols = {{0x20000100, "f"}, {0x20000200, "g"}};
    CHECK(symbol_near(symbols, 0x200000FF).empty());
    CHECK(symbol_near(symbols, 0x20000100) == "f+0x0");
    CHECK(symbol_near(symbols, 0x200001FF) == "f+0xff");
    CHECK(symbol_near(symbols, 0x20000200) == "g+0x0");
    CHECK(symbol_near(symbols, 0x200011FF) == "g+0xfff");
    CHECK(symbol_near(symbols, 0x20001200).empty());
    CHECK(symbol_near({}, 0x20000000).empty());
}

TEST_CASE("info: bases of an install by its mode and its parameters") {
    const Image image = build_image(small_spec(ImageGeneration::Core22));
    const Report report(image);
    loader::InstallRequest request;
    request.file = GuestAddr{0x71000000};
    request.exec_ram = GuestAddr{0x34060000};
    request.ext_ram = GuestAddr{0x90100000};
    request.mode = loader::format::kModeXip;
    const auto bases = [&] { return install_bases(request, report.image(), report.facts()); };
    CHECK(to_word(bases().ro_base) == 0x71000000);
    CHECK(to_word(bases().ram_base) == 0x34060000);
    CHECK(to_word(bases().param0) == 0x71000000 + image.params_at);
    CHECK(to_word(bases().param1) == 0x90100000);
    request.mode = loader::format::kModeCopy;
    CHECK(to_word(bases().ro_base) == 0x34060000);
    CHECK(to_word(bases().ram_base) == 0x34060000 + image.ro_bytes);
    request.params = GuestAddr{0x71800000};
    CHECK(to_word(bases().param0) == 0x71800000);
    // A pool of weights moves PARAM_0 by its offset, any other does not.
    Image moved = image;
    moved.set(image.pool(0) + 8, 0x40);
    moved.set(image.pool(1) + 8, 0x80);
    const Report other(moved);
    CHECK(to_word(install_bases(request, other.image(), other.facts()).param0) == 0x71800040);
    for (const std::uint32_t flags : {0x02010500u, 0x01010501u, 0x01020500u, 0x01030500u}) {
        moved.set(image.pool(0) + 4, flags);
        const Report none(moved);
        CHECK(to_word(install_bases(request, none.image(), none.facts()).param0) == 0x71800000);
    }
}

// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <string>

#include "sim/host/errors.h"
#include "sim/registers/register_names.h"
#include "tests/support/process.h"

using n6vp::sim::RegisterNames;
using n6vp::sim::UserError;

namespace {

/// An SVD file with these peripherals; the first of them starts on line 4.
std::string device(const std::string& peripherals) {
    return "<?xml version=\"1.0\"?>\n<device><name>X</name>\n<peripherals>\n" + peripherals +
           "\n</peripherals></device>\n";
}
std::string peripheral(const std::string& name, const std::string& base,
                       const std::string& registers, const std::string& attribute = "") {
    return "<peripheral" + attribute + "><name>" + name + "</name><baseAddress>" + base +
           "</baseAddress>" +
           (registers.empty() ? "" : "<registers>" + registers + "</registers>") + "</peripheral>";
}
std::string reg(const std::string& name, const std::string& offset, const std::string& more = "") {
    return "<register>" + more + "<name>" + name + "</name><addressOffset>" + offset +
           "</addressOffset></register>";
}

std::string at(const RegisterNames& names, std::uint32_t address) {
    const RegisterNames::Name* name = names.find(address);
    return name == nullptr ? "" : name->peripheral + "." + name->name;
}

std::string error(const std::string& text) {
    try {
        (void)RegisterNames::parse(text, "x.svd");
    } catch (const UserError& e) {
        CHECK_FALSE(e.remedy().empty());
        return e.what();
    }
    return "none";
}

}  // namespace

TEST_CASE("svd: registers, numbers in every spelling, both aliases") {
    const RegisterNames names = RegisterNames::parse(
        device(peripheral("RCC", "0x46028000",
                          reg("CR", "0x0") + reg("AHB5ENR", "608") + reg("ODD", "#100"))),
        "x.svd");
    CHECK(names.size() == 3);
    CHECK(at(names, 0x46028000) == "RCC.CR");
    CHECK(at(names, 0x46028003) == "RCC.CR");
    CHECK(at(names, 0x46028004) == "RCC.ODD");
    CHECK(at(names, 0x46028260) == "RCC.AHB5ENR");
    CHECK(at(names, 0x56028260) == "RCC.AHB5ENR");
    CHECK(at(names, 0x46028008).empty());
    CHECK(at(names, 0x46027FFF).empty());
    CHECK(at(names, 0x36028000).empty());
}

TEST_CASE("svd: derived peripherals, arrays, clusters, sizes") {
    const std::string channel =
        "<cluster><dim>2</dim><dimIncrement>0x80</dimIncrement>"
        "<name>C%s</name><addressOffset>0x50</addressOffset>" +
        reg("CSR", "0x10") + reg("CCR", "0x14") + "</cluster>";
    const std::string ports =
        reg("AFR%s", "0x20", "<dim>2</dim><dimIncrement>4</dimIncrement><dimIndex>L,H</dimIndex>");
    const RegisterNames names =
        RegisterNames::parse(device(peripheral("GPIOA", "0x1000",
                                               ports + reg("HALF", "0x40", "<size>16</size>") +
                                                   reg("R[%s]", "0x30",
                                                       "<dim>3</dim><dimIncrement>4</dimIncrement>"
                                                       "<dimIndex>5-7</dimIndex>")) +
                                    peripheral("GPIOB", "0x2000", "", " derivedFrom=\"GPIOA\"") +
                                    peripheral("DMA", "0x3000", channel)),
                             "x.svd");
    CHECK(at(names, 0x1020) == "GPIOA.AFRL");
    CHECK(at(names, 0x2024) == "GPIOB.AFRH");
    CHECK(at(names, 0x1041) == "GPIOA.HALF");
    CHECK(at(names, 0x1042).empty());
    CHECK(at(names, 0x1038) == "GPIOA.R[7]");
    CHECK(at(names, 0x30E0) == "DMA.C1.CSR");
    CHECK(at(names, 0x3064) == "DMA.C0.CCR");
}

TEST_CASE("svd: broken files are refused with the line") {
    CHECK(error("").find("x.svd:1: broken XML") == 0);
    CHECK(error("no xml").find("x.svd:1:") == 0);
    CHECK(error("<a>\n<b>\n</a>").find("x.svd:3: broken XML") == 0);
    CHECK(error("<html/>").find("no <device>") != std::string::npos);
    CHECK(error("<device/>").find("without <peripherals>") != std::string::npos);
    CHECK(error(device("")).find("names no register") != std::string::npos);
    CHECK(error(device("<peripheral/>")).find("x.svd:4: <peripheral> without <name>") == 0);
    CHECK(error(device(peripheral("P", "0x100000000", ""))).find("<baseAddress> is above") !=
          std::string::npos);
    CHECK(error(device(peripheral("P", "base", ""))).find("'base' is not a number") !=
          std::string::npos);
    CHECK(error(device(peripheral("P", "0", reg("R", "0x")))).find("is not a number") !=
          std::string::npos);
    CHECK(
        error(device("\n" + peripheral("P", "0", reg("", "0")))).find("x.svd:5: <name> is empty") ==
        0);
    CHECK(
        error(device(peripheral("P", "0", "", " derivedFrom=\"Q\""))).find("names no peripheral") !=
        std::string::npos);
    CHECK(error(device(peripheral("P", "0xFFFFFFFF", reg("R", "4")))).find("above 0xFFFFFFFF") !=
          std::string::npos);
    CHECK(error(device(peripheral("P", "0", reg("R", "0", "<dim>2</dim>"))))
              .find("without <dimIncrement>") != std::string::npos);
}

TEST_CASE("svd: hostile files cost little") {
    // Clusters in clusters in clusters, 65536 of each, with nothing in them.
    std::string nested = reg("R", "0");
    for (int depth = 0; depth < 6; ++depth) {
        nested =
            "<cluster><name>c</name><addressOffset>0</addressOffset><dim>65536</dim>"
            "<dimIncrement>0</dimIncrement>" +
            (depth == 0 ? std::string() : nested) + "</cluster>";
    }
    CHECK(error(device(peripheral("P", "0", nested))).find("more than 1000000 registers") !=
          std::string::npos);
    std::string deep;
    for (int depth = 0; depth < 20; ++depth) {
        deep += "<cluster><name>c</name><addressOffset>0</addressOffset>";
    }
    for (int depth = 0; depth < 20; ++depth) deep += "</cluster>";
    CHECK(error(device(peripheral("P", "0", deep))).find("nest deeper than 8") !=
          std::string::npos);
    CHECK(error(device(peripheral("P", "0", reg(std::string(300, 'x'), "0"))))
              .find("300 characters") != std::string::npos);
    CHECK(error(device(peripheral("P", "0", reg("R", "0", "<dim>999999</dim>"))))
              .find("<dim> is above") != std::string::npos);
    std::string tower;
    for (int depth = 0; depth < 200'000; ++depth) tower += "<a>";
    CHECK(error(tower).find("broken XML") != std::string::npos);
    // Entities of the file's own are not expanded.
    const RegisterNames names = RegisterNames::parse(
        "<!DOCTYPE d [<!ENTITY e \"eeee\">]>" + device(peripheral("P", "0", reg("&e;", "0"))),
        "x.svd");
    CHECK(at(names, 0) == "P.&e;");
    const std::string hostile = error(device(peripheral("P", "\x1b[31m", "")));
    CHECK(hostile.find("\\x1b[31m") != std::string::npos);
    CHECK(hostile.find('\x1b') == std::string::npos);
}

TEST_CASE("svd: a file that is missing, empty or a folder is one clear error") {
    CHECK_THROWS_AS((void)RegisterNames::read("/nonexistent/x.svd"), UserError);
    const n6vp::test::ScratchFolder folder;
    CHECK_THROWS_AS((void)RegisterNames::read(folder.path().string()), UserError);
    const std::string file = folder.write("x.svd", device(peripheral("P", "0x10", reg("R", "0"))));
    CHECK(at(RegisterNames::read(file), 0x10) == "P.R");
}

// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "sim/host/errors.h"
#include "sim/model_file/mpool.h"

namespace {

using namespace n6vp;
using sim::MpoolRemark;

/// One pool entry as JSON, in the form of published files.
std::string pool(const std::string& name, const std::string& offset, const std::string& size,
                 const std::string& magnitude, const std::string& rights = "ACC_WRITE",
                 const std::string& more = "", const std::string& prop = "") {
    return fmt::format(
        R"({{ "fname": "F_{0}", "name": "{0}", "fformat": "FORMAT_RAW",
             "prop": {{ "rights": "{4}", "throughput": "MID", "latency": "HIGH", "byteWidth": 8,
                        "freqRatio": 2.50, "read_power": 9.381, "write_power": 8.569{6} }},
             "offset": {{ "value": "{1}", "magnitude": "BYTES" }},
             "size": {{ "value": "{2}", "magnitude": "{3}" }}{5} }})",
        name, offset, size, magnitude, rights, more, prop);
}

std::string file_with(const std::vector<std::string>& pools) {
    std::string text = R"({ "params": { "param": [
        { "paramname": "max_onchip_sram_size", "value": "1024", "magnitude": "KBYTES" } ] },
      "memory": {
        "cacheinfo": [ { "nlines": 512, "linesize": 64, "associativity": 8, "bypass_enable": 1,
            "prop": { "rights": "ACC_WRITE", "throughput": "MID", "latency": "MID", "byteWidth": 8,
                      "freqRatio": 2.50, "read_power": 13.584, "write_power": 12.645 } } ],
        "mem_file_prefix": "atonbuf",
        "mempools": [)";
    for (std::size_t index = 0; index < pools.size(); ++index) {
        text += (index == 0 ? "" : ",") + pools[index];
    }
    return text + "] } }";
}

sim::MpoolFile parse(const std::vector<std::string>& pools) {
    return sim::parse_mpool(file_with(pools), "test.mpool");
}

bool has(const std::vector<MpoolRemark>& remarks, MpoolRemark::Kind kind, std::size_t pool_index) {
    return std::any_of(remarks.begin(), remarks.end(), [=](const MpoolRemark& remark) {
        return remark.kind == kind && remark.pool == pool_index;
    });
}

std::string failure(const std::string& text) {
    try {
        static_cast<void>(sim::parse_mpool(text, "test.mpool"));
    } catch (const sim::UserError& error) {
        CHECK(error.exit_code() == 2);
        CHECK_FALSE(error.remedy().empty());
        return error.what();
    }
    return "";
}

void replace(std::string& text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("every field of a memory-pool file is read") {
    const sim::MpoolFile file =
        parse({pool("npuRAM3", "0x34200000", "448", "KBYTES"),
               pool("hyperRAM", "0x90000000", "32", "MBYTES", "ACC_READ",
                    R"(, "mode": "USEMODE_RELATIVE")",
                    R"(, "cacheable": "CACHEABLE_ON", "constants_preferred": "true")")});
    REQUIRE(file.parameters.size() == 1);
    CHECK(file.parameters[0].name == "max_onchip_sram_size");
    CHECK(file.parameters[0].value == 1048576);
    REQUIRE(file.caches.size() == 1);
    CHECK(file.caches[0].lines == 512);
    CHECK(file.caches[0].line_bytes == 64);
    CHECK(file.caches[0].ways == 8);
    CHECK(file.caches[0].bypass);
    CHECK(file.caches[0].properties.read_power == doctest::Approx(13.584));
    CHECK(file.file_prefix == "atonbuf");
    REQUIRE(file.pools.size() == 2);
    const sim::Mpool& first = file.pools[0];
    CHECK(first.name == "npuRAM3");
    CHECK(first.file_name == "F_npuRAM3");
    CHECK(first.format == "FORMAT_RAW");
    CHECK(to_word(first.range.start) == 0x34200000);
    CHECK(first.range.bytes == 458752);
    CHECK(first.properties.writable());
    CHECK(first.properties.byte_width == 8);
    CHECK(first.properties.freq_ratio == doctest::Approx(2.5));
    CHECK(first.properties.write_power == doctest::Approx(8.569));
    CHECK_FALSE(first.relative());
    CHECK_FALSE(first.properties.npu_cacheable());
    const sim::Mpool& second = file.pools[1];
    CHECK(second.range.bytes == 33554432);
    CHECK(second.relative());
    CHECK(second.properties.npu_cacheable());
    CHECK(second.properties.constants_preferred);
    CHECK_FALSE(second.properties.writable());
    CHECK(second.properties.latency == "HIGH");
    CHECK(file.unknown.empty());
}

TEST_CASE("keys and words that the reader does not know are listed with their path, not refused") {
    std::string text = file_with({pool("a", "0x34200000", "448", "KBYTES", "ACC_BOTH",
                                       R"(, "mode": "USEMODE_STRANGE", "colour": 3)")});
    replace(text, "\"mem_file_prefix\"", "\"newcomer\": [1, {\"x\": null}], \"mem_file_prefix\"");
    const sim::MpoolFile file = sim::parse_mpool(text, "test.mpool");
    const std::vector<std::string> expected = {"/memory/newcomer", "/memory/mempools/0/colour",
                                               "/memory/mempools/0/mode = \"USEMODE_STRANGE\"",
                                               "/memory/mempools/0/prop/rights = \"ACC_BOTH\""};
    for (const std::string& path : expected) {
        CAPTURE(path);
        CHECK(std::count(file.unknown.begin(), file.unknown.end(), path) == 1);
    }
    CHECK(file.unknown.size() == expected.size());
}

TEST_CASE("broken memory-pool files are refused with the place of the fault") {
    struct Case {
        const char* from;
        const char* to;
        const char* mentions;
    };
    const Case cases[] = {
        {"\"name\": \"a\"", "\"name\": 7", "/memory/mempools/0/name"},
        {"\"name\": \"a\",", "", "key \"name\" is missing"},
        {"\"value\": \"0x34200000\"", "\"value\": \"0xZZ\"", "/memory/mempools/0/offset/value"},
        {"\"value\": \"0x34200000\"", "\"value\": \"\"", "/memory/mempools/0/offset/value"},
        {"\"value\": \"0x34200000\"", "\"value\": -1", "/memory/mempools/0/offset/value"},
        {"\"value\": \"0x34200000\"", "\"value\": 4294967296", "/memory/mempools/0/offset/value"},
        {"\"value\": \"0x34200000\"", "\"value\": \"0x134200000\"", "offset/value"},
        {"\"value\": \"0x34200000\"", "\"value\": 1.5", "/memory/mempools/0/offset/value"},
        {"\"value\": \"448\", \"magnitude\": \"KBYTES\"",
         "\"value\": \"448\", \"magnitude\": \"PAGES\"", "/memory/mempools/0/size/magnitude"},
        {"\"value\": \"448\", \"magnitude\": \"KBYTES\"",
         "\"value\": \"5000\", \"magnitude\": \"MBYTES\"", "/memory/mempools/0/size"},
        {"\"value\": \"448\", \"magnitude\": \"KBYTES\"",
         "\"value\": \"4000\", \"magnitude\": \"MBYTES\"", "runs past 0xffffffff"},
        {"\"byteWidth\": 8", "\"byteWidth\": \"wide\"", "/prop/byteWidth"},
        {"\"freqRatio\": 2.50, \"read_power\": 9.381", "\"freqRatio\": -2", "/prop/freqRatio"},
        {"\"nlines\": 512", "\"nlines\": [512]", "/memory/cacheinfo/0/nlines"},
        {"\"mempools\": [", "\"mempools\": 3, \"x\": [", "/memory/mempools"},
        {"\"memory\": {", "\"memory\": 1, \"m\": {", "/memory"},
        {"\"fname\": \"F_a\"", "\"fname\": \"F_a\", \"name\": \"b\"", "given twice"},
        {"\"bypass_enable\": 1", "\"bypass_enable\": 2", "bypass_enable"},
        {"] } }", "] }", "parse error"},
    };
    for (const Case& row : cases) {
        CAPTURE(row.to);
        std::string text = file_with({pool("a", "0x34200000", "448", "KBYTES")});
        replace(text, row.from, row.to);
        const std::string message = failure(text);
        CHECK(message.find(row.mentions) != std::string::npos);
        CHECK(message.find("test.mpool") != std::string::npos);
    }
    CHECK(failure("").find("parse error") != std::string::npos);
    CHECK(failure("[]").find("must be an object") != std::string::npos);
    CHECK(failure("{}").find("\"memory\" is missing") != std::string::npos);
}

TEST_CASE("deep nesting and hostile names neither crash nor reach the terminal raw") {
    const std::string deep = std::string(200000, '[') + std::string(200000, ']');
    CHECK_FALSE(failure("{\"memory\": {\"mempools\": " + deep + "}}").empty());
    const std::string message = failure(file_with({pool("a", "\\u001b[31m", "448", "KBYTES")}));
    CHECK(message.find('\x1b') == std::string::npos);
    CHECK_FALSE(message.empty());
}

TEST_CASE("pools that fit the chip get no remark") {
    const sim::MpoolFile file = parse({pool("flexMEM", "0x34000000", "0", "KBYTES"),
                                       pool("cpuRAM2", "0x34100000", "1024", "KBYTES"),
                                       pool("npuRAM3", "0x34200000", "448", "KBYTES"),
                                       pool("npuRAM6", "0x34350000", "448", "KBYTES")});
    CHECK(sim::judge_mpool(file).empty());
}

TEST_CASE("pools are judged against the map and against each other") {
    using Kind = MpoolRemark::Kind;
    const std::string relative = R"(, "mode": "USEMODE_RELATIVE")";
    const std::string cacheable = R"(, "cacheable": "CACHEABLE_ON")";
    const sim::MpoolFile file = parse({
        pool("gap", "0x34420000", "16", "KBYTES"),                                // 0
        pool("runs_out", "0x34410000", "128", "KBYTES"),                          // 1
        pool("spans", "0x341F0000", "128", "KBYTES"),                             // 2
        pool("again", "0x34208000", "4", "KBYTES"),                               // 3
        pool("firmware", "0x34000000", "4", "KBYTES"),                            // 4
        pool("exec", "0x34080000", "4", "KBYTES"),                                // 5
        pool("tcm", "0x30000000", "64", "KBYTES"),                                // 6
        pool("nor", "0x70400000", "64", "MBYTES", "ACC_WRITE", relative),         // 7
        pool("cached", "0x34350000", "4", "KBYTES", "ACC_WRITE", "", cacheable),  // 8
        pool("low", "0x34360000", "4", "KBYTES", "ACC_WRITE", relative),          // 9
        pool("high", "0x90000000", "1", "MBYTES"),                                // 10
        pool("too_long", "0x91000000", "64", "MBYTES", "ACC_READ", relative),     // 11
        pool("cache_ram", "0x343C0000", "256", "KBYTES"),                         // 12
        pool("unused", "0x00000000", "0", "KBYTES", "ACC_WRITE", relative),       // 13
    });
    const std::vector<MpoolRemark> remarks = sim::judge_mpool(file);
    CHECK(has(remarks, Kind::OutsideMap, 0));
    CHECK(has(remarks, Kind::PastRegion, 1));
    CHECK(has(remarks, Kind::StraddlesBanks, 2));
    CHECK(has(remarks, Kind::OverlapsPool, 3));
    CHECK_FALSE(has(remarks, Kind::OverlapsPool, 2));
    CHECK(has(remarks, Kind::OverlapsFirmware, 4));
    CHECK(has(remarks, Kind::OverlapsFirmware, 5));
    CHECK(has(remarks, Kind::NotNpuMemory, 6));
    CHECK(has(remarks, Kind::WritesReadOnly, 7));
    CHECK(has(remarks, Kind::WidthDiffers, 7));
    CHECK(has(remarks, Kind::CacheableOnChip, 8));
    CHECK(has(remarks, Kind::RelativeOnChip, 9));
    CHECK(has(remarks, Kind::TooManyRelative, 9));
    CHECK(has(remarks, Kind::AbsoluteExternal, 10));
    CHECK(has(remarks, Kind::PastFitted, 11));
    CHECK(has(remarks, Kind::NpuCacheStorage, 12));
    for (const MpoolRemark& remark : remarks) CHECK(remark.pool != 13);
    const auto spans = std::find_if(remarks.begin(), remarks.end(), [](const MpoolRemark& remark) {
        return remark.kind == Kind::StraddlesBanks;
    });
    REQUIRE(spans != remarks.end());
    CHECK_FALSE(spans->warning);
    CHECK(spans->text.find("AXISRAM2 (65536 bytes), AXISRAM3 (65536 bytes)") != std::string::npos);
}

TEST_CASE("each pool has its remarks and no other, up to the borders of the map") {
    // Banks, widths and windows are those of the reference manual; the firmware and exec RAM are
    // the first 1 MiB of AXISRAM. Every pool of these files is 8 bytes wide. `!`: a warning.
    const std::string relative = R"(, "mode": "USEMODE_RELATIVE")";
    const auto one = [](const std::string& start, const std::string& bytes,
                        const std::string& rights = "ACC_WRITE", const std::string& more = "",
                        const std::string& prop = "") {
        return pool("p", start, bytes, "BYTES", rights, more, prop);
    };
    const std::string cacheable = R"(, "cacheable": "CACHEABLE_ON")";
    const struct {
        std::vector<std::string> pools;
        const char* remarks;
    } rows[] = {
        {{one("0x34200000", "458752")}, ""},  // AXISRAM3, all of its 448 KiB
        {{one("0x34200000", "458753")}, "0 straddles-banks"},
        {{one("0x341FFFFF", "1")}, ""},
        {{one("0x34000000", "1")}, "0 !overlaps-firmware"},
        {{one("0x3405FFFF", "1")}, "0 !overlaps-firmware"},
        {{one("0x3405FFFF", "2")}, "0 !overlaps-firmware, 0 !overlaps-firmware"},
        {{one("0x34060000", "1")}, "0 !overlaps-firmware"},
        {{one("0x340FFFFF", "1")}, "0 !overlaps-firmware"},
        {{one("0x34100000", "1")}, ""},
        // What an application places itself is judged by its kind, not by its place.
        {{one("0x34000000", "1", "ACC_WRITE", relative)}, "0 !relative-on-chip"},
        {{one("0x34200000", "16"), one("0x34200010", "16")}, ""},
        {{one("0x34200000", "17"), one("0x34200010", "16")}, "1 !overlaps-pool"},
        {{one("0x34200000", "16"), one("0x34200000", "0"), one("0x3420000F", "1")},
         "2 !overlaps-pool"},
        {{one("0x34200000", "16", "ACC_WRITE", "", cacheable)}, "0 !cacheable-on-chip"},
        {{one("0x34200000", "16", "ACC_READ")}, ""},
        // External memory has one port of 1 byte (XSPI2) and one of 2 bytes (XSPI1).
        {{one("0x71000000", "16", "ACC_READ", relative)}, "0 width-differs"},
        {{one("0x71000000", "16", "ACC_READ", relative, cacheable)}, "0 width-differs"},
        {{one("0x71000000", "16", "ACC_READ")}, "0 width-differs, 0 absolute-external"},
        {{one("0x71000000", "16", "ACC_WRITE", relative)}, "0 !writes-read-only, 0 width-differs"},
        {{one("0x90000000", "33554432", "ACC_WRITE", relative)}, "0 width-differs"},
        {{one("0x90000000", "33554433", "ACC_WRITE", relative)}, "0 !past-fitted, 0 width-differs"},
        {{one("0x71000000", "16", "ACC_READ", relative),
          one("0x90000000", "16", "ACC_WRITE", relative)},
         "0 width-differs, 1 width-differs"},
        {{one("0x71000000", "16", "ACC_READ", relative),
          one("0x71000010", "16", "ACC_READ", relative)},
         "0 width-differs, 1 width-differs, 1 !too-many-relative"},
        {{one("0x71000000", "0", "ACC_READ", relative),
          one("0x71000010", "16", "ACC_READ", relative)},
         "1 width-differs"},
        {{one("0x34420000", "16384")}, "0 !outside-map"},
        {{one("0x5FFFFFF0", "16", "ACC_READ", relative)}, "0 !outside-map, 0 !relative-on-chip"},
        {{one("0x5FFFFFF0", "16", "ACC_READ")}, "0 !outside-map"},
    };
    for (const auto& row : rows) {
        std::string remarks;
        for (const MpoolRemark& remark : sim::judge_mpool(parse(row.pools))) {
            remarks += fmt::format("{}{} {}{}", remarks.empty() ? "" : ", ", remark.pool,
                                   remark.warning ? "!" : "", sim::remark_name(remark.kind));
            CHECK_FALSE(remark.text.empty());
        }
        CAPTURE(row.remarks);
        CHECK(remarks == row.remarks);
    }
    CHECK(sim::judge_mpool(parse({one("0x34200000", "17"), one("0x34200010", "16")}))[0].text ==
          "0x34200010..0x3420001f overlaps pool 'p' at 0x34200000..0x34200010");
}

TEST_CASE("truth is said by words, by 0 and 1, and by true and false") {
    const std::pair<const char*, int> rows[] = {{"true", 1}, {"false", 0},    {"1", 1},
                                                {"0", 0},    {"\"true\"", 1}, {"\"false\"", 0},
                                                {"2", -1},   {"\"yes\"", -1}, {"-1", -1}};
    for (const auto& each : rows) {
        const auto& [value, wanted] = each;
        CAPTURE(each.first);
        std::string text = file_with({pool("a", "0x34200000", "4", "KBYTES")});
        replace(text, "\"bypass_enable\": 1", std::string("\"bypass_enable\": ") + value);
        if (wanted < 0) {
            CHECK(failure(text).find("/memory/cacheinfo/0/bypass_enable") != std::string::npos);
        } else {
            CHECK(sim::parse_mpool(text, "test.mpool").caches.at(0).bypass == (wanted == 1));
        }
    }
}

TEST_CASE("a range is split into its banks and the rest counted") {
    const sim::RegionCover covered = sim::cover({GuestAddr{0x34410000}, 0x20000});
    REQUIRE(covered.pieces.size() == 1);
    CHECK(covered.pieces[0].region == "VENCRAM");
    CHECK(covered.pieces[0].range.bytes == 0x10000);
    CHECK(covered.uncovered == 0x10000);
    CHECK(sim::cover({GuestAddr{0xF0000000}, 0x10000000}).uncovered == 0x10000000);
    CHECK(sim::cover({GuestAddr{0x34000000}, 0x00420000}).pieces.size() == 9);
}

TEST_CASE("a number too large for any type is refused like other broken text") {
    CHECK(failure("[1e999]").starts_with("test.mpool: "));
    CHECK(failure("[1e999]").find("json.exception") == std::string::npos);
    CHECK(failure(R"({ "memory": { "mempools": [ -1e999 ] } })").starts_with("test.mpool: "));
}

TEST_CASE("the greatest word and the greatest quantity there is are read") {
    std::string text = file_with({pool("a", "0", "0xFFFFFFFF", "BYTES")});
    replace(text, "\"nlines\": 512", "\"nlines\": 4294967295");
    const sim::MpoolFile file = sim::parse_mpool(text, "test.mpool");
    CHECK(file.caches.at(0).lines == 4294967295u);
    CHECK(file.pools.at(0).range.bytes == 4294967295u);
    replace(text, "4294967295", "4294967296");
    CHECK(failure(text).find("more than 32 bits") != std::string::npos);
    CHECK(failure(file_with({pool("a", "0", "4194304", "KBYTES")})).find("do not fit") !=
          std::string::npos);
}

TEST_CASE("a pool that runs past the last address is refused, whatever its mode") {
    for (const char* const mode : {"", R"(, "mode": "USEMODE_RELATIVE")", R"(, "mode": "OTHER")"}) {
        CAPTURE(mode);
        CHECK(failure(file_with({pool("a", "0xFFFFFF00", "1", "KBYTES", "ACC_READ", mode)}))
                  .find("runs past 0xffffffff") != std::string::npos);
    }
}

TEST_CASE("each remark says which bytes, which memory and what is wrong with them") {
    // Memories and their sizes as in the reference manual.
    const std::string relative = R"(, "mode": "USEMODE_RELATIVE")";
    const std::string cacheable = R"(, "cacheable": "CACHEABLE_ON")";
    const auto texts = [](const std::vector<std::string>& pools) {
        const std::vector<MpoolRemark> remarks = sim::judge_mpool(parse(pools));
        std::vector<std::string> list;
        list.reserve(remarks.size());
        for (const MpoolRemark& remark : remarks) list.push_back(remark.text);
        return list;
    };
    using Texts = std::vector<std::string>;
    CHECK(texts({pool("p", "0x34420000", "16", "BYTES")}) ==
          Texts{"no memory at 0x34420000..0x3442000f; nearest is VENCRAM, 1 bytes below"});
    CHECK(texts({pool("p", "0x33FFFFF0", "16", "BYTES")}) ==
          Texts{"no memory at 0x33fffff0..0x33ffffff; nearest is FLEXMEM, 16 bytes above"});
    CHECK(
        texts({pool("p", "0x3441FFF0", "32", "BYTES")}) ==
        Texts{"16 of 32 bytes lie in no memory: 0x3441fff0..0x3442000f starts in VENCRAM and runs "
              "past its end"});
    CHECK(texts({pool("p", "0x341FFFFC", "8", "BYTES")}) ==
          Texts{"spans several banks with separate ports: AXISRAM2 (4 bytes), AXISRAM3 (4 bytes)"});
    CHECK(texts({pool("p", "0x90000000", "64", "MBYTES", "ACC_READ", relative)}).front() ==
          "needs 67108864 bytes of the XSPI1 window, the discovery kit has 33554432");
    CHECK(texts({pool("p", "0x34200000", "16", "BYTES", "ACC_WRITE", "", cacheable)}) ==
          Texts{"CACHEABLE_ON in AXISRAM3: the NPU cache serves external memory only"});
    CHECK(texts({pool("p", "0x343C0000", "16", "BYTES")}).front() ==
          "lies in the storage of the NPU cache, which is RAM only while the cache is off");
    CHECK(texts({pool("p", "0x71000000", "16", "BYTES", "ACC_WRITE", relative)}) ==
          Texts{"ACC_WRITE in XSPI2, which is read-only while memory mapped",
                "byteWidth 8 but the port of XSPI2 is 1 bytes wide"});
    CHECK(texts({pool("p", "0x34000000", "16", "BYTES")}) ==
          Texts{"overlaps the validation firmware at 0x34000000..0x3405ffff"});
    CHECK(texts({pool("p", "0x340FFFF0", "16", "BYTES")}) ==
          Texts{"overlaps the default exec RAM at 0x34060000..0x340fffff"});
    CHECK(texts({pool("p", "0x34200000", "16", "BYTES", "ACC_READ", relative)}) ==
          Texts{"USEMODE_RELATIVE below 0x60000000: the generator of relocatable models refuses "
                "it"});
    CHECK(texts({pool("p", "0x90000000", "16", "BYTES")}).back() ==
          "absolute from 0x60000000 up: fine for static models, refused for relocatable ones that "
          "use it");
    const auto second = [&](const char* rights) {
        return texts({pool("p", "0x90000000", "16", "BYTES", rights, relative),
                      pool("q", "0x90000010", "16", "BYTES", rights, relative)})
            .back();
    };
    CHECK(second("ACC_WRITE") ==
          "a second read-write relative pool: relocatable models have one at most");
    CHECK(second("ACC_READ") ==
          "a second read-only relative pool: relocatable models have one at most");
    CHECK(texts({pool("p", "0x30000000", "16", "BYTES")}).front() == "the NPU does not reach DTCM");
}

TEST_CASE("refusals of a memory-pool file name the remedy") {
    const auto told = [](const std::string& from, const std::string& to) -> std::string {
        std::string text = file_with({pool("a", "0x34200000", "448", "KBYTES")});
        replace(text, from, to);
        try {
            static_cast<void>(sim::parse_mpool(text, "f"));
        } catch (const sim::UserError& error) {
            return std::string(error.what()) + " | " + error.remedy();
        }
        return "read";
    };
    const std::string compare = " | compare with a memory-pool file of the vendor's tools";
    CHECK(told("\"name\": \"a\",", "") ==
          "f: /memory/mempools/0: key \"name\" is missing" + compare);
    CHECK(told("\"name\": \"a\"", "\"name\": 7") ==
          "f: /memory/mempools/0/name: is number, must be a text" + compare);
    CHECK(told("\"byteWidth\": 8", "\"byteWidth\": null") ==
          "f: /memory/cacheinfo/0/prop/byteWidth: is null, must be a number from 0 up, or a text "
          "that holds one" +
              compare);
    CHECK(told("\"byteWidth\": 8", "\"byteWidth\": \"0x100000000\"") ==
          "f: /memory/cacheinfo/0/prop/byteWidth: '0x100000000' is not a 32-bit number | write "
          "decimal or 0x-hexadecimal digits, with K or M for multiples of 1024");
    CHECK(told("\"byteWidth\": 8", "\"byteWidth\": \"8K\"") ==
          "f: /memory/cacheinfo/0/prop/byteWidth: '8K' is not a number | write decimal or "
          "0x-hexadecimal digits");
    CHECK(told("\"freqRatio\": 2.50", "\"freqRatio\": -0.5") ==
          "f: /memory/cacheinfo/0/prop/freqRatio: the number is negative or not finite | write a "
          "number from 0 up");
    CHECK(told("\"freqRatio\": 2.50", "\"freqRatio\": \"2\"") ==
          "f: /memory/cacheinfo/0/prop/freqRatio: is string, must be a number" + compare);
    CHECK(told("\"nlines\": 512", "\"nlines\": 4294967296") ==
          "f: /memory/cacheinfo/0/nlines: the number has more than 32 bits | the chip has 32-bit "
          "addresses");
    CHECK(told("\"bypass_enable\": 1", "\"bypass_enable\": 2") ==
          "f: /memory/cacheinfo/0/bypass_enable: is number, must be true or false" + compare);
    CHECK(
        told("\"KBYTES\" } }", "\"GBYTES\" } }") ==
        "f: /memory/mempools/0/size/magnitude: 'GBYTES' is not a magnitude | use BYTES, KBYTES or "
        "MBYTES");
    CHECK(
        told("\"448\"", "\"4194304\"") ==
        "f: /memory/mempools/0/size: 4194304 KBYTES do not fit the 32-bit address space | correct "
        "value or magnitude");
    CHECK(told("\"448\"", "\"3340289\"") ==
          "f: /memory/mempools/0: offset plus size runs past 0xffffffff | correct offset or size");
    CHECK(told("\"fname\": \"F_a\"", "\"fname\": \"F_a\", \"fname\": \"\"") ==
          "f: key \"fname\" is given twice in one object | remove one of the two");
    CHECK(told("\"448\"", "\"3340288\"") == "read");
    CHECK(told("\"freqRatio\": 2.50, ", "") == "read");
}

TEST_CASE("properties of a pool that are left out are empty, no or 0") {
    std::string text = file_with({pool("a", "0x34200000", "448", "KBYTES")});
    replace(text,
            R"("rights": "ACC_WRITE", "throughput": "MID", "latency": "HIGH", "byteWidth": 8,)",
            "");
    replace(text, R"("freqRatio": 2.50, "read_power": 9.381, "write_power": 8.569)", "");
    replace(text, R"("fname": "F_a",)", "");
    replace(text, R"(, "fformat": "FORMAT_RAW")", "");
    replace(text, R"("mem_file_prefix": "atonbuf",)", "");
    replace(text, R"("bypass_enable": 1,)", "");
    const sim::MpoolFile file = sim::parse_mpool(text, "f");
    const sim::Mpool& one = file.pools.at(0);
    CHECK(one.file_name.empty());
    CHECK(one.format.empty());
    CHECK(one.mode.empty());
    CHECK(one.properties.rights.empty());
    CHECK(one.properties.throughput.empty());
    CHECK(one.properties.latency.empty());
    CHECK(one.properties.cacheable.empty());
    CHECK(one.properties.byte_width == 0);
    CHECK(one.properties.freq_ratio == 0);
    CHECK(one.properties.read_power == 0);
    CHECK(one.properties.write_power == 0);
    CHECK_FALSE(one.properties.constants_preferred);
    CHECK_FALSE(one.properties.writable());
    CHECK(one.json_path == "/memory/mempools/0");
    CHECK(file.file_prefix.empty());
    CHECK_FALSE(file.caches.at(0).bypass);
    CHECK(file.caches.at(0).properties.rights == "ACC_WRITE");
    CHECK(file.unknown.empty());
}

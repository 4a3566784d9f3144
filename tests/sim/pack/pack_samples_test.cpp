// SPDX-License-Identifier: Apache-2.0
// Packed sample models against an independent reading of their ELF files: own ELF walk, own layout
// arithmetic, own CRC.
#include <doctest/doctest.h>
#include <elf.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/host/elf.h"
#include "sim/pack/container_image.h"

namespace {

using namespace n6vp;
using Bytes = std::vector<std::uint8_t>;

Bytes read_bytes(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    REQUIRE_MESSAGE(file, path);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::uint32_t word(const Bytes& bytes, std::size_t offset) {
    std::uint32_t value = 0;
    REQUIRE(offset + 4 <= bytes.size());
    std::memcpy(&value, bytes.data() + offset, 4);  // test hosts are little-endian
    return value;
}

std::uint32_t off(std::uint32_t link_address) {
    return link_address & 0x0FFFFFFF;
}
std::size_t round8(std::size_t bytes) {
    return (bytes + 7) / 8 * 8;
}

/// The parts of an ELF file that this test compares with, read by the book.
struct PlainElf {
    std::map<std::string, std::uint32_t> symbols;
    std::map<std::string, Bytes> sections;
    std::vector<std::uint32_t> absolute;  ///< places of R_ARM_ABS32 in loaded sections
};

template <typename Record>
std::vector<Record> records(const Bytes& bytes, std::size_t offset, std::size_t count) {
    std::vector<Record> result(count);
    REQUIRE(offset + count * sizeof(Record) <= bytes.size());
    std::memcpy(result.data(), bytes.data() + offset, count * sizeof(Record));
    return result;
}

PlainElf read_elf(const std::string& path) {
    const Bytes bytes = read_bytes(path);
    PlainElf elf;
    const auto header = records<Elf32_Ehdr>(bytes, 0, 1)[0];
    const auto sections = records<Elf32_Shdr>(bytes, header.e_shoff, header.e_shnum);
    const auto text = [&](std::uint32_t table, std::uint32_t at) {
        return std::string(reinterpret_cast<const char*>(bytes.data()) + sections[table].sh_offset +
                           at);
    };
    for (const Elf32_Shdr& section : sections) {
        const auto begin = bytes.begin() + section.sh_offset;
        if (section.sh_type != SHT_NOBITS) {
            elf.sections[text(header.e_shstrndx, section.sh_name)] =
                Bytes(begin, begin + section.sh_size);
        }
        if (section.sh_type == SHT_SYMTAB) {
            for (const auto& symbol :
                 records<Elf32_Sym>(bytes, section.sh_offset, section.sh_size / 16)) {
                elf.symbols[text(section.sh_link, symbol.st_name)] = symbol.st_value;
            }
        }
        if (section.sh_type == SHT_REL && (sections[section.sh_info].sh_flags & SHF_ALLOC) != 0) {
            for (const auto& entry :
                 records<Elf32_Rel>(bytes, section.sh_offset, section.sh_size / 8)) {
                if (ELF32_R_TYPE(entry.r_info) == R_ARM_ABS32)
                    elf.absolute.push_back(entry.r_offset);
            }
        }
    }
    return elf;
}

/// CRC-32 bit by bit.
std::uint32_t slow_crc(const Bytes& bytes, std::size_t from) {
    std::uint32_t crc = 0xFFFFFFFF;
    for (std::size_t at = from; at < bytes.size(); ++at) {
        crc ^= bytes[at];
        for (int bit = 0; bit < 8; ++bit) crc = (crc & 1) != 0 ? crc >> 1 ^ 0xEDB88320 : crc >> 1;
    }
    return ~crc;
}

struct Sample {
    std::string title, name, generation;
    nlohmann::json entry;
    PlainElf elf;
    Bytes file, params;

    [[nodiscard]] std::uint32_t header_bytes() const {
        return generation == "2.1" || generation == "2.2" ? 96 : 104;
    }
    [[nodiscard]] std::uint32_t ro() const { return off(word(file, 0x10)); }
    [[nodiscard]] std::uint32_t context() const {
        return ro() + off(word(file, header_bytes() - 4));
    }
    /// Parameter section, wherever it is.
    [[nodiscard]] Bytes section() const {
        if (!params.empty()) return params;
        return Bytes(file.begin() + word(file, 0x30), file.end());
    }
};

const std::vector<Sample>& samples() {
    static const std::vector<Sample> all = [] {
        std::vector<Sample> result;
        const Bytes text = read_bytes(N6VP_SAMPLE_MANIFEST);
        for (const auto& entry : nlohmann::json::parse(text)) {
            Sample sample;
            sample.entry = entry;
            sample.name = entry["name"];
            sample.generation = entry["generation"];
            sample.title =
                sample.name + ' ' + sample.generation + ' ' + std::string(entry["variant"]);
            sample.elf = read_elf(entry["elf"]);
            sample.file = read_bytes(entry["file"]);
            if (!std::string(entry["params"]).empty()) sample.params = read_bytes(entry["params"]);
            result.push_back(std::move(sample));
        }
        return result;
    }();
    return all;
}

sim::pack::PackedContainer pack(const Sample& sample, bool split) {
    const sim::ElfFile elf = sim::ElfFile::read(std::string(sample.entry["elf"]));
    sim::pack::LinkedModel model = sim::pack::link_model(elf);
    sim::pack::PackRequest request;
    request.split = split;
    return sim::pack::build_container(model, request);
}

}  // namespace

TEST_CASE("samples: every variant of the format is there") {
    std::map<std::string, int> names;
    for (const Sample& sample : samples()) ++names[sample.name + ' ' + sample.generation];
    for (const char* name : {"got_data", "ec_reloc", "pools", "ext_ram", "reloc_mixed", "user_io",
                             "bss_gap", "blobs_in_params", "split"}) {
        for (const char* generation : {"2.1", "2.2", "3.0", "4.x"}) {
            CHECK_MESSAGE(names.count(std::string(name) + ' ' + generation) == 1, name, ' ',
                          generation);
        }
    }
}

TEST_CASE("samples: header words are the ELF's symbols") {
    const std::pair<std::uint32_t, const char*> fields[] = {
        {0x08, "_data_start"}, {0x0C, "_data_end"},  {0x10, "_data_load"}, {0x14, "_bss_start"},
        {0x18, "_bss_end"},    {0x1C, "_got_start"}, {0x20, "_got_end"},   {0x2C, "_params_desc"}};
    std::vector<const char*> vector = {
        "model_ec_network_init", "model_ec_inference_init", "model_set_input",   "model_get_input",
        "model_set_output",      "model_get_output",        "model_epoch_items", "model_outputs",
        "model_inputs",          "model_internals"};
    for (const Sample& sample : samples()) {
        CAPTURE(sample.title);
        CHECK(word(sample.file, 0) == 0x4E49424E);
        for (const auto& field : fields) {
            CAPTURE(field.second);
            CHECK(word(sample.file, field.first) == sample.elf.symbols.at(field.second));
        }
        std::vector<const char*> entries = vector;
        if (sample.header_bytes() == 104) {
            entries.insert(entries.end(), {"model_weight_encryption", "model_blob_encryption"});
        }
        for (std::uint32_t index = 0; index < entries.size(); ++index) {
            CAPTURE(entries[index]);
            CHECK(word(sample.file, 0x34 + 4 * index) == sample.elf.symbols.at(entries[index]));
        }
        CHECK(0x34 + 4 * (entries.size() + 1) == sample.header_bytes());
        CHECK(word(sample.file, sample.header_bytes() - 4) ==
              sample.elf.symbols.at("_network_rt_ctx"));
    }
}

TEST_CASE("samples: flags and version are those of the build") {
    const std::map<std::string, std::array<std::uint32_t, 2>> versions = {
        {"2.1", {0x01010000, 31}},
        {"2.2", {0x01010100, 14}},
        {"3.0", {0x01010300, 8}},
        {"4.x", {0x01010300, 262}}};
    for (const Sample& sample : samples()) {
        CAPTURE(sample.title);
        std::uint32_t flags = sample.name == "clang_ro" ? 0x80695D22 : 0x80785D22;
        if (sample.entry["variant"] == "plain") flags = 0x80085D22;
        CHECK(word(sample.file, 4) == flags);
        const std::uint32_t context = sample.context();
        CHECK(word(sample.file, context + 0x28) == versions.at(sample.generation)[0]);
        CHECK(word(sample.file, context + 0x2C) == versions.at(sample.generation)[1]);
        if (sample.generation == "2.1") continue;
        CHECK(word(sample.file, context + 0x38) == ((flags & 1u << 21) != 0 ? 0x3038u : 0x1438u));
    }
}

TEST_CASE("samples: the relocation table is the ELF's list of absolute words") {
    for (const Sample& sample : samples()) {
        CAPTURE(sample.title);
        std::vector<std::uint32_t> expected;
        for (const std::uint32_t place : sample.elf.absolute) {
            const bool vector = place >= 0x20000034 && place < 0x20000000 + sample.header_bytes();
            if (!vector) expected.push_back(place);
        }
        std::sort(expected.begin(), expected.end());
        const std::uint32_t start = off(word(sample.file, 0x24)),
                            end = off(word(sample.file, 0x28));
        CHECK(start == round8(sample.ro() + off(word(sample.file, 0x20))));
        REQUIRE(end - start == 4 * expected.size());
        for (std::uint32_t index = 0; index < expected.size(); ++index) {
            CHECK(word(sample.file, start + 4 * index) == expected[index]);
        }
        const bool in_ro = std::any_of(expected.begin(), expected.end(),
                                       [](std::uint32_t place) { return place >> 28 == 2; });
        CHECK(in_ro == (sample.name == "clang_ro"));
    }
}

TEST_CASE("samples: image bytes are the ELF's, but for the words that packing fills in") {
    for (const Sample& sample : samples()) {
        CAPTURE(sample.title);
        Bytes expected = sample.elf.sections.at(".flash");
        REQUIRE(expected.size() == sample.ro());
        const Bytes& data = sample.elf.sections.at(".data");
        expected.insert(expected.end(), data.begin(), data.end());
        REQUIRE(sample.file.size() >= expected.size());
        std::vector<std::size_t> filled = {0x24, 0x28, 0x30, sample.context() + 0x30,
                                           sample.context() + 0x34};
        const std::uint32_t table = sample.ro() + off(word(sample.file, 0x2C));
        for (std::uint32_t at = table; word(sample.file, at + 4) != 0; at += 20)
            filled.push_back(at + 8);
        for (std::size_t at = 0; at < expected.size(); at += 4) {
            if (std::find(filled.begin(), filled.end(), at) != filled.end()) continue;
            if (at + 4 > expected.size()) break;
            CAPTURE(at);
            REQUIRE(word(sample.file, at) == word(expected, at));
        }
    }
}

TEST_CASE("samples: parameters are containers, then each pool's payload, padded to 8") {
    for (const Sample& sample : samples()) {
        CAPTURE(sample.title);
        const auto blobs = sample.elf.sections.find(".params_0");
        Bytes expected = blobs == sample.elf.sections.end() ? Bytes() : blobs->second;
        const std::size_t blob_bytes = expected.size();
        CHECK((blob_bytes != 0) == (sample.name == "blobs_in_params"));
        const std::uint32_t table = sample.ro() + off(word(sample.file, 0x2C));
        for (std::uint32_t at = table; word(sample.file, at + 4) != 0; at += 20) {
            const std::uint32_t data_type = word(sample.file, at + 4) >> 16 & 0xFF;
            if (data_type != 1 && data_type != 3) {
                CHECK(word(sample.file, at + 8) == 0);
                continue;
            }
            const std::string name(
                reinterpret_cast<const char*>(&sample.file[off(word(sample.file, at))]));
            CHECK(word(sample.file, at + 8) == expected.size());
            const Bytes& payload = sample.elf.sections.at(".pool." + name);
            const std::size_t used = word(sample.file, at + 16);
            expected.insert(expected.end(), payload.begin(), payload.end());
            expected.resize(
                round8(expected.size() + (used > payload.size() ? used - payload.size() : 0)), 0);
        }
        CHECK(sample.section() == expected);
        CHECK(word(sample.file, sample.context() + 0x30) == expected.size() - blob_bytes);
        CHECK(word(sample.file, sample.context() + 0x34) == slow_crc(expected, blob_bytes));
        const std::size_t image = round8(off(word(sample.file, 0x28)));
        CHECK(word(sample.file, 0x30) == (sample.params.empty() ? image : 0));
        CHECK(sample.file.size() == image + (sample.params.empty() ? expected.size() : 0));
    }
}

TEST_CASE("samples: packing again gives the same bytes") {
    for (const Sample& sample : samples()) {
        CAPTURE(sample.title);
        const sim::pack::PackedContainer packed = pack(sample, !sample.params.empty());
        CHECK(packed.file == sample.file);
        CHECK(packed.parameters == sample.params);
    }
}

TEST_CASE("samples: a split model is the whole one cut in two") {
    for (const Sample& sample : samples()) {
        CAPTURE(sample.title);
        const sim::pack::PackedContainer whole = pack(sample, false), split = pack(sample, true);
        Bytes joined = split.file;
        CHECK(word(joined, 0x30) == 0);
        const auto length = static_cast<std::uint32_t>(joined.size());
        std::memcpy(joined.data() + 0x30, &length, 4);
        joined.insert(joined.end(), split.parameters.begin(), split.parameters.end());
        CHECK(joined == whole.file);
    }
}

TEST_CASE("samples: each shows what it was made for") {
    for (const Sample& sample : samples()) {
        CAPTURE(sample.title);
        const std::uint32_t got_end = off(word(sample.file, 0x20)),
                            bss = off(word(sample.file, 0x14));
        if (sample.name == "bss_gap") {
            // Padding to 8, then two relocation entries, which the loader copies to RAM.
            const std::uint32_t table = off(word(sample.file, 0x24));
            CHECK(bss % 16 == 0);
            CHECK(table == round8(sample.ro() + got_end));
            REQUIRE(sample.ro() + bss == table + 8);
            for (const std::uint32_t at : {table, table + 4}) {
                CHECK((word(sample.file, at) & 0xF0000000) == 0x40000000);
            }
        }
        if (sample.name == "got_data") {
            int spaces[16] = {};
            for (std::uint32_t at = off(word(sample.file, 0x1C)); at < got_end; at += 4) {
                ++spaces[word(sample.file, sample.ro() + at) >> 28];
            }
            CHECK(spaces[2] > 0);
            CHECK(spaces[4] > 0);
            CHECK(spaces[8] > 0);
            CHECK(spaces[0] >= 3);
        }
        if (sample.name == "clang_ro") CHECK(word(sample.file, 0x1C) == word(sample.file, 0x20));
        if (sample.name == "ext_ram" || sample.name == "reloc_mixed") {
            CHECK(word(sample.file, sample.context() + 0x20) != 0);
        }
        if (sample.name == "split") CHECK_FALSE(sample.params.empty());
    }
}

// SPDX-License-Identifier: Apache-2.0
#include "sim/epoch/epoch_buffers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "memmap/regions.h"
#include "sim/epoch/epoch_values.h"
#include "sim/host/input_file.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

constexpr std::uint64_t kMaxBytes = 64u << 20;  ///< of one buffer
constexpr std::uint32_t kAlignment = 64;        ///< of buffers that get their place here

[[nodiscard]] bool has_model(const memmap::Region& region) {
    using Kind = memmap::RegionKind;
    return region.kind == Kind::Ram || region.kind == Kind::NpuCacheRam ||
           region.kind == Kind::Nor || region.kind == Kind::Psram;
}

/// Reads one [[buffer]]: `next` is the first free address of each memory.
class BufferReader {
  public:
    BufferReader(const ScenarioNodes& nodes, std::map<std::string, std::uint64_t>& next)
        : nodes_(nodes), next_(next) {}

    BenchBuffer read(const toml::table& table) {
        buffer_.origin = nodes_.origin(table);
        if (const toml::node* const name = table.get("name")) buffer_.name = nodes_.text(*name);
        if (buffer_.name.empty() || buffer_.name.find_first_of("+. ") != std::string::npos) {
            nodes_.fail(table, "a buffer needs a name without blanks, dots and plus signs",
                        "write name = \"input\"");
        }
        for (const auto& [key, node] : table) read_key(key.str(), node);
        if (const toml::node* const offset = table.get("offset");
            offset != nullptr && content_key_ != "file") {
            nodes_.fail(*offset, fmt::format("buffer '{}' has an offset and no file", shown()),
                        "offset applies to the content of a file: leave it out");
        }
        fill(table);
        place(table);
        if (const toml::node* const expect = table.get("expect")) {
            read_expectation(nodes_.table(*expect, "expect"));
        }
        return std::move(buffer_);
    }

  private:
    void read_key(std::string_view key, const toml::node& node) {
        static const std::vector<std::string> kKnown{"name", "at",     "memory", "size",
                                                     "file", "offset", "bytes",  "fill",
                                                     "ramp", "random", "expect"};
        if (std::find(kKnown.begin(), kKnown.end(), key) == kKnown.end()) {
            nodes_.unknown_key(node, key, "[[buffer]]", kKnown);
        }
        if (key == "size") {
            buffer_.bytes = static_cast<std::uint32_t>(nodes_.number(node, key, kMaxBytes));
        } else if (key == "at") {
            buffer_.address = static_cast<std::uint32_t>(nodes_.number(node, key, 0xFFFFFFFFu));
        } else if (key == "file" || key == "bytes" || key == "fill" || key == "ramp" ||
                   key == "random") {
            if (content_ != nullptr) {
                nodes_.fail(node, fmt::format("two contents: {} and {}", content_key_, key),
                            "leave one of them out");
            }
            content_ = &node;
            content_key_ = key;
        }
    }

    void fill(const toml::table& table) {
        if (content_key_ == "bytes") {
            buffer_.content = byte_list(nodes_, *content_, "bytes");
        } else if (content_key_ == "file") {
            read_file_part(table);
        }
        if (buffer_.bytes == 0) {
            buffer_.bytes = static_cast<std::uint32_t>(buffer_.content.size());
        }
        if (buffer_.bytes == 0) {
            nodes_.fail(table, fmt::format("buffer '{}' has no size", shown()),
                        "give size, bytes or file");
        }
        if (buffer_.content.size() > buffer_.bytes) {
            nodes_.fail(*content_,
                        fmt::format("buffer '{}' has {} bytes, its content {}", shown(),
                                    buffer_.bytes, buffer_.content.size()),
                        "leave size out, or make it larger");
        }
        if (content_key_ == "fill") {
            const std::uint32_t value = field_value(nodes_, *content_, "fill", 8);
            buffer_.content.assign(buffer_.bytes, static_cast<std::uint8_t>(value));
        } else if (content_key_ == "random") {
            buffer_.content =
                random_bytes(field_value(nodes_, *content_, "random", 32), buffer_.bytes);
        } else if (content_key_ == "ramp") {
            const std::vector<std::uint8_t> start_step = byte_list(nodes_, *content_, "ramp");
            if (start_step.size() != 2) {
                nodes_.fail(*content_, "a ramp has a start and a step", "write ramp = [0, 1]");
            }
            buffer_.content.resize(buffer_.bytes);
            std::uint8_t value = start_step[0];
            for (std::uint8_t& byte : buffer_.content) {
                byte = value;
                value = static_cast<std::uint8_t>(value + start_step[1]);
            }
        }
    }

    void read_file_part(const toml::table& table) {
        const std::string path = nodes_.path(*content_);
        std::vector<std::uint8_t> all = read_input(path, kMaxBytes, "give a smaller file");
        std::uint64_t from = 0;
        if (const toml::node* const offset = table.get("offset")) {
            from = nodes_.number(*offset, "offset", all.size());
        }
        all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(from));
        if (buffer_.bytes != 0 && all.size() > buffer_.bytes) all.resize(buffer_.bytes);
        buffer_.content = std::move(all);
    }

    void place(const toml::table& table) {
        const toml::node* const memory = table.get("memory");
        const bool given = table.get("at") != nullptr;
        if (given == (memory != nullptr)) {
            nodes_.fail(table,
                        fmt::format("buffer '{}' has {} place", shown(), given ? "two" : "no"),
                        "give at = 0x342e0000, or memory = \"AXISRAM5\"");
        }
        if (memory != nullptr) place_in(*memory);
        if (!npu_reaches(buffer_.address, buffer_.bytes)) {
            nodes_.fail(table,
                        fmt::format("buffer '{}' at 0x{:08x} to 0x{:08x} is outside the memory "
                                    "that the NPU reaches",
                                    shown(), buffer_.address, buffer_.end() - 1),
                        "n6vp map lists the memories");
        }
    }

    void place_in(const toml::node& node) {
        const std::string name = nodes_.text(node);
        std::vector<std::string> known;
        for (const memmap::Region& region : memmap::kRegions) {
            if (!region.npu || !has_model(region)) continue;
            known.emplace_back(region.name);
            if (name != region.name) continue;
            std::uint64_t& next = next_.try_emplace(name, to_word(region.secure)).first->second;
            buffer_.address = static_cast<std::uint32_t>(next);
            const std::uint64_t bytes = buffer_.bytes;
            next += (bytes + kAlignment - 1) / kAlignment * kAlignment;
            return;
        }
        nodes_.fail(node, fmt::format("there is no memory '{}'", traces::terminal_text(name)),
                    fmt::format("possible: {}", fmt::join(known, ", ")));
    }

    void read_expectation(const toml::table& table) {
        static const std::vector<std::string> kKnown{"bytes", "file", "crc32", "size"};
        BufferExpectation expected;
        expected.origin = nodes_.origin(table);
        for (const auto& [key, node] : table) {
            if (std::find(kKnown.begin(), kKnown.end(), key.str()) == kKnown.end()) {
                nodes_.unknown_key(node, key.str(), "expect", kKnown);
            }
            if (key.str() == "bytes") expected.bytes = byte_list(nodes_, node, "expect.bytes");
            if (key.str() == "file") {
                expected.bytes = read_input(nodes_.path(node), kMaxBytes, "give a smaller file");
            }
            if (key.str() == "crc32") expected.crc32 = field_value(nodes_, node, "crc32", 32);
            if (key.str() == "size") {
                expected.count =
                    static_cast<std::uint32_t>(nodes_.number(node, "size", buffer_.bytes));
            }
        }
        if (expected.crc32.has_value() == !expected.bytes.empty()) {
            nodes_.fail(table, "expect needs one of bytes, file and crc32",
                        "crc32 as in zlib, over `size` bytes");
        }
        if (expected.count != 0 && !expected.crc32) {
            nodes_.fail(table, "size is for crc32 only", "leave size out: all bytes are compared");
        }
        if (expected.bytes.size() > buffer_.bytes) {
            nodes_.fail(table,
                        fmt::format("{} bytes are expected of a buffer of {}",
                                    expected.bytes.size(), buffer_.bytes),
                        "expect at most the size of the buffer");
        }
        if (expected.count == 0) {
            expected.count = expected.bytes.empty()
                                 ? buffer_.bytes
                                 : static_cast<std::uint32_t>(expected.bytes.size());
        }
        buffer_.expected = std::move(expected);
    }

    [[nodiscard]] std::string shown() const { return traces::terminal_text(buffer_.name); }

    const ScenarioNodes& nodes_;
    std::map<std::string, std::uint64_t>& next_;
    BenchBuffer buffer_;
    const toml::node* content_ = nullptr;
    std::string_view content_key_;
};

/// Asked of each buffer as it comes, so that what buffers hold together fits into the memories.
void refuse_overlap(const ScenarioNodes& nodes, const toml::node& node, const BenchBuffer& one,
                    const BenchBuffer& two) {
    if (two.address < one.address) {
        refuse_overlap(nodes, node, two, one);
    } else if (one.end() > two.address) {
        nodes.fail(node,
                   fmt::format("buffers '{}' ({}) and '{}' ({}) overlap at 0x{:08x}",
                               traces::terminal_text(one.name), one.origin,
                               traces::terminal_text(two.name), two.origin, two.address),
                   "move one, or give one buffer and offsets into it");
    }
}

}  // namespace

std::vector<std::uint8_t> random_bytes(std::uint32_t seed, std::size_t count) {
    std::vector<std::uint8_t> bytes(count);
    for (std::uint8_t& byte : bytes) {
        seed = seed * 1664525u + 1013904223u;
        byte = static_cast<std::uint8_t>(seed >> 24);
    }
    return bytes;
}

bool npu_reaches(std::uint64_t address, std::uint64_t bytes) {
    const std::uint64_t end = address + bytes;
    while (address < end) {
        if (address > 0xFFFFFFFFu) return false;
        const memmap::Location location =
            memmap::find_region(GuestAddr{static_cast<std::uint32_t>(address)});
        if (!location || !location.region->npu || !has_model(*location.region) ||
            location.offset >= location.region->fitted_bytes) {
            return false;
        }
        address += location.region->fitted_bytes - location.offset;
    }
    return true;
}

std::vector<BenchBuffer> read_buffers(const ScenarioNodes& nodes, const toml::node& node) {
    std::vector<BenchBuffer> buffers;
    std::map<std::string, std::uint64_t> next;
    for (const toml::table* const table : nodes.tables(node, "buffer")) {
        BenchBuffer buffer = BufferReader(nodes, next).read(*table);
        for (const BenchBuffer& other : buffers) {
            if (other.name == buffer.name) {
                nodes.fail(*table,
                           fmt::format("a second buffer '{}'", traces::terminal_text(buffer.name)),
                           fmt::format("the first is {}", other.origin));
            }
            refuse_overlap(nodes, *table, other, buffer);
        }
        buffers.push_back(std::move(buffer));
    }
    std::sort(buffers.begin(), buffers.end(),
              [](const auto& one, const auto& two) { return one.address < two.address; });
    return buffers;
}

std::uint32_t crc32(const std::vector<std::uint8_t>& bytes) {
    constexpr std::uint32_t kPolynomial = 0xEDB88320u;
    std::uint32_t crc = 0xFFFFFFFFu;
    for (const std::uint8_t byte : bytes) {
        crc ^= byte;
        for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1) != 0 ? kPolynomial : 0);
    }
    return ~crc;
}

}  // namespace n6vp::sim

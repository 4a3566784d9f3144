// SPDX-License-Identifier: Apache-2.0
#include "sim/model_file/mpool.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "sim/host/errors.h"
#include "sim/host/input_file.h"
#include "sim/model_file/model_source.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

using nlohmann::json;

/// Finds keys given twice, which the JSON parser itself accepts in silence.
class DuplicateFinder {
  public:
    bool operator()(int, json::parse_event_t event, json& value) {
        if (event == json::parse_event_t::object_start) keys_.emplace_back();
        if (event == json::parse_event_t::object_end) keys_.pop_back();
        if (event == json::parse_event_t::key) {
            const auto& key = value.get_ref<const std::string&>();
            if (!keys_.back().insert(key).second && twice_.empty()) twice_ = key;
        }
        return true;
    }
    [[nodiscard]] const std::string& twice() const { return twice_; }

  private:
    std::vector<std::set<std::string>> keys_;
    std::string twice_;
};

/// A JSON value with its path; every accessor fails with a UserError that names the path.
class Node {
  public:
    Node(const json& value, std::string path, std::string_view file)
        : value_(&value), path_(std::move(path)), file_(file) {}

    [[nodiscard]] const std::string& path() const { return path_; }

    [[noreturn]] void fail(std::string_view problem, std::string remedy) const {
        throw UserError(fmt::format("{}: {}: {}", file_,
                                    path_.empty() ? "/" : traces::terminal_text(path_), problem),
                        std::move(remedy));
    }

    [[nodiscard]] bool has(const char* key) const { return object().contains(key); }

    [[nodiscard]] Node at(const char* key) const {
        const json& fields = object();
        const auto found = fields.find(key);
        if (found == fields.end()) {
            fail(fmt::format("key \"{}\" is missing", key),
                 "compare with a memory-pool file of the vendor's tools");
        }
        return {*found, path_ + '/' + key, file_};
    }

    [[nodiscard]] std::vector<Node> elements() const {
        if (!value_->is_array()) wrong_type("an array");
        std::vector<Node> nodes;
        std::size_t index = 0;
        for (const json& element : *value_) {
            nodes.emplace_back(element, fmt::format("{}/{}", path_, index++), file_);
        }
        return nodes;
    }

    [[nodiscard]] std::string text() const {
        if (!value_->is_string()) wrong_type("a text");
        return value_->get<std::string>();
    }

    [[nodiscard]] double real() const {
        if (!value_->is_number()) wrong_type("a number");
        const double number = value_->get<double>();
        if (!std::isfinite(number) || number < 0) {
            fail("the number is negative or not finite", "write a number from 0 up");
        }
        return number;
    }

    /// Returns a 32-bit number, written as a number or as decimal or 0x-hexadecimal text.
    [[nodiscard]] std::uint32_t word() const {
        if (value_->is_number_unsigned()) {
            const auto number = value_->get<std::uint64_t>();
            if (number > 0xFFFFFFFFu)
                fail("the number has more than 32 bits", "the chip has 32-bit addresses");
            return static_cast<std::uint32_t>(number);
        }
        if (!value_->is_string()) wrong_type("a number from 0 up, or a text that holds one");
        const std::string digits = value_->get<std::string>();
        if (digits.find_first_not_of("0123456789abcdefABCDEFxX") != std::string::npos) {
            fail(fmt::format("'{}' is not a number", traces::terminal_text(digits)),
                 "write decimal or 0x-hexadecimal digits");
        }
        return parse_number(digits, fmt::format("{}: {}", file_, path_));
    }

    [[nodiscard]] bool boolean() const {
        if (value_->is_boolean()) return value_->get<bool>();
        if (value_->is_number_unsigned() && value_->get<std::uint64_t>() <= 1) {
            return value_->get<std::uint64_t>() == 1;
        }
        if (value_->is_string() && *value_ == "true") return true;
        if (value_->is_string() && *value_ == "false") return false;
        wrong_type("true or false");
    }

    /// Appends the paths of all keys outside `known`.
    template <std::size_t N>
    void list_unknown(const std::array<std::string_view, N>& known,
                      std::vector<std::string>& unknown) const {
        for (const auto& field : object().items()) {
            if (std::find(known.begin(), known.end(), field.key()) == known.end()) {
                unknown.push_back(path_ + '/' + field.key());
            }
        }
    }

  private:
    [[nodiscard]] const json& object() const {
        if (!value_->is_object()) wrong_type("an object");
        return *value_;
    }

    [[noreturn]] void wrong_type(std::string_view wanted) const {
        fail(fmt::format("is {}, must be {}", value_->type_name(), wanted),
             "compare with a memory-pool file of the vendor's tools");
    }

    const json* value_;
    std::string path_;
    std::string_view file_;
};

/// Returns the text at `key` and lists it as unknown if it is none of `known`; empty if absent.
template <std::size_t N>
std::string word_of(const Node& node, const char* key, const std::array<std::string_view, N>& known,
                    MpoolFile& file) {
    if (!node.has(key)) return {};
    std::string word = node.at(key).text();
    if (std::find(known.begin(), known.end(), word) == known.end()) {
        file.unknown.push_back(fmt::format("{}/{} = \"{}\"", node.path(), key, word));
    }
    return word;
}

MpoolProperties properties_of(const Node& node, MpoolFile& file) {
    constexpr std::array<std::string_view, 9> kKeys = {
        "rights",    "throughput", "latency",     "cacheable",          "byteWidth",
        "freqRatio", "read_power", "write_power", "constants_preferred"};
    constexpr std::array<std::string_view, 3> kLevels = {"LOW", "MID", "HIGH"};
    constexpr std::array<std::string_view, 2> kRights = {"ACC_READ", "ACC_WRITE"};
    constexpr std::array<std::string_view, 2> kCacheable = {"CACHEABLE_ON", "CACHEABLE_OFF"};
    node.list_unknown(kKeys, file.unknown);
    MpoolProperties properties;
    properties.rights = word_of(node, "rights", kRights, file);
    properties.throughput = word_of(node, "throughput", kLevels, file);
    properties.latency = word_of(node, "latency", kLevels, file);
    properties.cacheable = word_of(node, "cacheable", kCacheable, file);
    if (node.has("byteWidth")) properties.byte_width = node.at("byteWidth").word();
    if (node.has("freqRatio")) properties.freq_ratio = node.at("freqRatio").real();
    if (node.has("read_power")) properties.read_power = node.at("read_power").real();
    if (node.has("write_power")) properties.write_power = node.at("write_power").real();
    if (node.has("constants_preferred")) {
        properties.constants_preferred = node.at("constants_preferred").boolean();
    }
    return properties;
}

/// Returns value times magnitude. Fails if it does not fit `limit`.
std::uint64_t quantity(const Node& node, std::uint64_t limit, std::vector<std::string>& unknown) {
    constexpr std::array<std::string_view, 2> kKeys = {"value", "magnitude"};
    node.list_unknown(kKeys, unknown);
    const std::uint64_t value = node.at("value").word();
    const Node unit = node.at("magnitude");
    const std::string magnitude = unit.text();
    std::uint64_t factor = 0;
    if (magnitude == "BYTES") factor = 1;
    if (magnitude == "KBYTES") factor = 1024;
    if (magnitude == "MBYTES") factor = std::uint64_t{1024} * 1024;
    if (factor == 0) {
        unit.fail(fmt::format("'{}' is not a magnitude", traces::terminal_text(magnitude)),
                  "use BYTES, KBYTES or MBYTES");
    }
    if (value * factor > limit) {
        node.fail(fmt::format("{} {} do not fit the 32-bit address space", value, magnitude),
                  "correct value or magnitude");
    }
    return value * factor;
}

Mpool pool_of(const Node& node, MpoolFile& file) {
    constexpr std::array<std::string_view, 7> kKeys = {"fname",  "name", "fformat", "prop",
                                                       "offset", "size", "mode"};
    constexpr std::array<std::string_view, 1> kModes = {"USEMODE_RELATIVE"};
    constexpr std::array<std::string_view, 1> kFormats = {"FORMAT_RAW"};
    node.list_unknown(kKeys, file.unknown);
    Mpool pool;
    pool.json_path = node.path();
    pool.name = node.at("name").text();
    if (node.has("fname")) pool.file_name = node.at("fname").text();
    pool.format = word_of(node, "fformat", kFormats, file);
    pool.mode = word_of(node, "mode", kModes, file);
    pool.properties = properties_of(node.at("prop"), file);
    const std::uint64_t start = quantity(node.at("offset"), 0xFFFFFFFFu, file.unknown);
    const std::uint64_t bytes = quantity(node.at("size"), 0xFFFFFFFFu, file.unknown);
    pool.range = {GuestAddr{static_cast<std::uint32_t>(start)}, static_cast<std::uint32_t>(bytes)};
    if (pool.range.wraps()) {
        node.fail("offset plus size runs past 0xffffffff", "correct offset or size");
    }
    return pool;
}

MpoolCache cache_of(const Node& node, MpoolFile& file) {
    constexpr std::array<std::string_view, 5> kKeys = {"nlines", "linesize", "associativity",
                                                       "bypass_enable", "prop"};
    node.list_unknown(kKeys, file.unknown);
    MpoolCache cache;
    cache.lines = node.at("nlines").word();
    cache.line_bytes = node.at("linesize").word();
    cache.ways = node.at("associativity").word();
    if (node.has("bypass_enable")) cache.bypass = node.at("bypass_enable").boolean();
    if (node.has("prop")) cache.properties = properties_of(node.at("prop"), file);
    return cache;
}

void read_parameters(const Node& params, MpoolFile& file) {
    constexpr std::array<std::string_view, 1> kKeys = {"param"};
    params.list_unknown(kKeys, file.unknown);
    if (!params.has("param")) return;
    for (const Node& node : params.at("param").elements()) {
        constexpr std::array<std::string_view, 3> kFields = {"paramname", "value", "magnitude"};
        node.list_unknown(kFields, file.unknown);
        MpoolParameter parameter{node.at("paramname").text(), node.at("value").word()};
        if (node.has("magnitude")) {
            std::vector<std::string> listed;  // paramname is known here, quantity() would list it
            parameter.value = quantity(node, std::uint64_t{1} << 52, listed);
        }
        file.parameters.push_back(std::move(parameter));
    }
}

void read_memory(const Node& memory, MpoolFile& file) {
    constexpr std::array<std::string_view, 3> kKeys = {"cacheinfo", "mem_file_prefix", "mempools"};
    memory.list_unknown(kKeys, file.unknown);
    if (memory.has("mem_file_prefix")) file.file_prefix = memory.at("mem_file_prefix").text();
    if (memory.has("cacheinfo")) {
        for (const Node& node : memory.at("cacheinfo").elements()) {
            file.caches.push_back(cache_of(node, file));
        }
    }
    for (const Node& node : memory.at("mempools").elements()) {
        file.pools.push_back(pool_of(node, file));
    }
}

/// Returns what the JSON library says, without the name of its exception, "[json.exception.…] ".
[[nodiscard]] std::string cause_of(const json::exception& error) {
    const std::string_view text = error.what();
    const std::size_t name_end = text.find("] ");
    return traces::terminal_text(name_end == std::string_view::npos ? text
                                                                    : text.substr(name_end + 2));
}

}  // namespace

MpoolFile parse_mpool(std::string_view text, std::string_view shown_name) {
    json document;
    DuplicateFinder duplicates;
    try {
        document = json::parse(text, std::ref(duplicates));
    } catch (const json::exception& error) {  // a number may be too large for a double, too
        throw UserError(fmt::format("{}: {}", shown_name, cause_of(error)),
                        "a memory-pool file is JSON text; correct this line");
    }
    if (!duplicates.twice().empty()) {
        throw UserError(fmt::format("{}: key \"{}\" is given twice in one object", shown_name,
                                    traces::terminal_text(duplicates.twice())),
                        "remove one of the two");
    }
    constexpr std::array<std::string_view, 2> kKeys = {"params", "memory"};
    const Node root(document, "", shown_name);
    MpoolFile file;
    root.list_unknown(kKeys, file.unknown);
    if (root.has("params")) read_parameters(root.at("params"), file);
    read_memory(root.at("memory"), file);
    return file;
}

MpoolFile read_mpool(const std::string& path) {
    const std::vector<std::uint8_t> bytes =
        read_input(path, kMaxMpoolBytes, "give the .mpool file that the compiler was given");
    const std::string shown = traces::terminal_text(path);
    return parse_mpool({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, shown);
}

}  // namespace n6vp::sim

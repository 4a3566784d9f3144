// SPDX-License-Identifier: Apache-2.0
#include "sim/run/traffic_setting.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "memmap/regions.h"
#include "models/chip/memory_present.h"
#include "sim/host/errors.h"
#include "sim/host/nearest.h"
#include "sim/host/numbers.h"
#include "sim/run/run_config.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

using models::TrafficPattern;

const std::vector<std::string> kKeys = {"name", "pattern", "access", "address", "size",  "burst",
                                        "fifo", "fill",    "start",  "stop",    "rights"};
constexpr const char* kForm =
    "write NAME:PATTERN:ACCESS@ADDR, such as dcmipp:640x480x2@30:write@0x34200000";

[[nodiscard]] bool is_name(std::string_view text) {
    constexpr std::size_t kLongest = 32;
    const auto plain = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
               c == '_' || c == '-' || c == '.';
    };
    return !text.empty() && text.size() <= kLongest && std::all_of(text.begin(), text.end(), plain);
}

/// Reads a pattern; returns false if it is none.
class PatternReader {
  public:
    explicit PatternReader(TrafficPattern& into) : into_(into) {}
    [[nodiscard]] bool read(std::string_view text) {
        into_.text = text;
        return text.find('@') == std::string_view::npos ? read_rate(text) : read_pictures(text);
    }

  private:
    static constexpr double kMostPerSecond = 16e9;
    static constexpr double kMostBytes = 256.0 * memmap::kMib;
    static constexpr double kMostSide = 65536, kMostDepth = 16;

    /// "100MB/s".
    [[nodiscard]] bool read_rate(std::string_view text) {
        constexpr std::pair<std::string_view, double> kUnits[] = {
            {"kB/s", 1e3}, {"MB/s", 1e6}, {"GB/s", 1e9}};
        constexpr std::uint32_t kBuffer = 64 * memmap::kKib;
        for (const auto& [unit, factor] : kUnits) {
            if (!text.ends_with(unit)) continue;
            const auto number = parse_digits<double>(text.substr(0, text.size() - unit.size()));
            into_.bytes = kBuffer;
            return number && set_rate(*number * factor);
        }
        return false;
    }
    /// "640x480x2@30".
    [[nodiscard]] bool read_pictures(std::string_view text) {
        const auto width = take_digits<std::uint32_t>(text);
        if (!width || !take_x(text)) return false;
        const auto height = take_digits<std::uint32_t>(text);
        if (!height || !take_x(text)) return false;
        const std::size_t at = text.find('@');
        const auto depth = parse_digits<double>(text.substr(0, at));
        const auto per_second = parse_digits<double>(text.substr(at + 1));
        if (!depth || !per_second) return false;
        if (*width > kMostSide || *height > kMostSide || *depth > kMostDepth) return false;
        const double line = *width * *depth, picture = line * *height;
        const bool whole = line >= 1 && std::floor(line) == line;
        if (!whole || picture < 1 || picture > kMostBytes) return false;
        into_.line_bytes = static_cast<std::uint32_t>(line);
        into_.bytes = static_cast<std::uint32_t>(picture);
        return set_rate(picture * *per_second);
    }
    [[nodiscard]] static bool take_x(std::string_view& text) {
        if (!text.starts_with('x')) return false;
        text.remove_prefix(1);
        return true;
    }
    [[nodiscard]] bool set_rate(double bytes_per_second) {
        into_.bytes_per_second = bytes_per_second;
        return bytes_per_second >= 1 && bytes_per_second <= kMostPerSecond;
    }

    TrafficPattern& into_;
};

class MasterReader {
  public:
    explicit MasterReader(const TrafficSetting& setting) : setting_(setting) {}

    [[nodiscard]] models::TrafficMaster read() {
        for (const char* const key : {"name", "pattern", "access", "address"}) {
            if (setting_.get(key).empty())
                throw UserError(fmt::format("{}: master without {}", setting_.origin, key), kForm);
        }
        for (const TrafficSetting::Key& key : setting_.keys) read_key(key);
        check_times();
        set_size();
        set_bursts();
        check_memory();
        return master_;
    }

  private:
    using Key = TrafficSetting::Key;

    [[noreturn]] static void refuse(const Key& key, const std::string& remedy) {
        throw UserError(
            fmt::format("{}: {} = '{}'", key.origin, key.name, traces::terminal_text(key.text)),
            remedy);
    }
    [[nodiscard]] const Key* key(std::string_view name) const {
        const auto found = std::find_if(setting_.keys.begin(), setting_.keys.end(),
                                        [name](const Key& each) { return each.name == name; });
        return found == setting_.keys.end() ? nullptr : &*found;
    }
    [[nodiscard]] std::uint32_t number(const Key& key, std::uint32_t least, std::uint32_t most,
                                       std::uint32_t step) const {
        const auto value = parse_integer<std::uint32_t>(key.text);
        if (value && *value >= least && *value <= most && *value % step == 0) return *value;
        refuse(key, step == 1
                        ? fmt::format("give {} to {}", least, most)
                        : fmt::format("give {} to 0x{:x}, a multiple of {}", least, most, step));
    }
    [[nodiscard]] models::Picoseconds time(const Key& key) const {
        const auto value = parse_duration(key.text);
        if (!value) refuse(key, "give a number with a unit, such as 10ms or 1us");
        return *value;
    }
    [[nodiscard]] bool choice(const Key& key, std::string_view yes, std::string_view no) const {
        if (key.text == yes) return true;
        if (key.text == no) return false;
        refuse(key, fmt::format("give {} or {}", yes, no));
    }

    void read_key(const Key& key) {
        constexpr std::uint32_t kLongestBurst = 4096, kBusBytes = 8, kLargestFifo = 1 << 20;
        TrafficPattern& pattern = master_.pattern;
        if (key.name == "name") {
            read_name(key);
        } else if (key.name == "pattern") {
            if (!PatternReader(pattern).read(key.text))
                refuse(key,
                       "give WIDTHxHEIGHTxBYTES@RATE, such as 640x480x2@30, or a rate, such as "
                       "100MB/s (kB/s, MB/s, GB/s), of 16 GB/s at most");
        } else if (key.name == "access") {
            pattern.write = choice(key, "write", "read");
        } else if (key.name == "address") {
            pattern.address = number(key, 0, 0xFFFFFFF8, kBusBytes);
        } else if (key.name == "burst") {
            pattern.burst_bytes = number(key, kBusBytes, kLongestBurst, kBusBytes);
        } else if (key.name == "fifo") {
            pattern.fifo_bytes = number(key, 2 * kBusBytes, kLargestFifo, kBusBytes);
        } else if (key.name == "fill") {
            pattern.fill = static_cast<std::uint8_t>(number(key, 0, 0xFF, 1));
        } else if (key.name == "start") {
            pattern.start = time(key);
        } else if (key.name == "stop") {
            pattern.stop = time(key);
        } else if (key.name == "rights") {
            master_.granted = choice(key, "granted", "configured");
        }
    }
    void read_name(const Key& key) {
        if (!is_name(key.text)) refuse(key, "give up to 32 letters, digits, '.', '-' and '_'");
        master_.pattern.name = traffic_name(key.text);
        for (const models::TrafficPlace& place : models::kTrafficPlaces) {
            if (place.name == key.text) master_.place = place;
        }
    }
    void check_times() const {
        const TrafficPattern& pattern = master_.pattern;
        if (pattern.stop <= pattern.start) refuse(*key("stop"), "give a time after start");
        if (!master_.granted && master_.place.rimc < 0)
            refuse(*key("rights"), "RIFSC holds no attributes of this master: give granted");
    }
    void set_size() {
        const Key* const size = key("size");
        if (size == nullptr) return;
        TrafficPattern& pattern = master_.pattern;
        const std::uint32_t picture = pattern.line_bytes == 0 ? 8 : pattern.bytes;
        constexpr std::uint32_t kMost = 256 * memmap::kMib;
        pattern.bytes = number(*size, picture, kMost, picture);
    }
    void set_bursts() const {
        const TrafficPattern& pattern = master_.pattern;
        if (pattern.fill && !pattern.write)
            refuse(*key("fill"), "only a writer stores bytes: access = \"write\"");
        if (pattern.fifo_bytes != 0 && pattern.fifo_bytes < 2 * pattern.burst_bytes)
            refuse(*key("fifo"), "give two bursts at least");
    }
    void check_memory() const {
        const TrafficPattern& pattern = master_.pattern;
        const Key& address = *key("address");
        const AddressRange range{GuestAddr{pattern.address}, pattern.bytes};
        if (std::uint64_t{pattern.address} + pattern.bytes > 1ull << 32 ||
            !models::is_memory_present(range)) {
            refuse(address, fmt::format("{} bytes from there on need memory that masters beside "
                                        "the core reach; `n6vp map` shows all of it",
                                        pattern.bytes));
        }
        if (!pattern.write) return;
        const memmap::Location place = memmap::find_region(range.start);
        if (place && place.region->kind == memmap::RegionKind::Nor)
            refuse(address, "the flash is not written over the bus: read, or give RAM");
    }

    const TrafficSetting& setting_;
    models::TrafficMaster master_;
};

}  // namespace

std::string_view TrafficSetting::get(std::string_view key) const {
    for (const Key& each : keys) {
        if (each.name == key) return each.text;
    }
    return {};
}

std::string TrafficSetting::option() const {
    std::string text =
        fmt::format("{}:{}:{}@{}", get("name"), get("pattern"), get("access"), get("address"));
    for (const Key& each : keys) {
        const bool placed = each.name == "name" || each.name == "pattern" ||
                            each.name == "access" || each.name == "address";
        if (!placed) text += fmt::format(",{}={}", each.name, each.text);
    }
    return text;
}

TrafficSetting traffic_option(std::string_view text, const std::string& origin) {
    TrafficSetting setting{origin, {}};
    const auto add = [&](std::string_view name, std::string_view value) {
        setting.keys.push_back({std::string(name), std::string(value), origin});
    };
    const auto refuse = [&](const std::string& remedy) {
        throw UserError(fmt::format("{} '{}'", origin, traces::terminal_text(text)), remedy);
    };
    const std::size_t first = text.find(':'), second = text.rfind(':');
    const std::size_t at = text.rfind('@');
    if (first == second || at == std::string_view::npos || at < second) refuse(kForm);
    add("name", text.substr(0, first));
    add("pattern", text.substr(first + 1, second - first - 1));
    add("access", text.substr(second + 1, at - second - 1));
    std::string_view rest = text.substr(at + 1);
    for (bool is_address = true; is_address || !rest.empty(); is_address = false) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        const std::string_view part = rest.substr(0, comma);
        rest.remove_prefix(std::min(comma + 1, rest.size()));
        if (is_address) {
            add("address", part);
            continue;
        }
        const std::size_t equals = part.find('=');
        const std::string_view name = part.substr(0, equals);
        const bool known = std::find(kKeys.begin(), kKeys.end(), name) != kKeys.end();
        if (equals == std::string_view::npos || !known || !setting.get(name).empty())
            refuse(
                "behind the address: ,size=N ,burst=N ,fifo=N ,fill=N ,start=TIME ,stop=TIME "
                ",rights=granted or configured");
        add(name, part.substr(equals + 1));
    }
    return setting;
}

TrafficSetting traffic_table(const ScenarioNodes& nodes, const toml::table& table) {
    TrafficSetting setting{nodes.origin(table), {}};
    for (const auto& [key, node] : table) {
        const std::string name(key.str());
        if (std::find(kKeys.begin(), kKeys.end(), name) == kKeys.end())
            nodes.unknown_key(node, name, "[[master]]", kKeys);
        const bool hex = name == "address" && node.is_integer();
        setting.keys.push_back(
            {name,
             hex ? fmt::format("0x{:08x}", nodes.number(node, name, 0xFFFFFFFF)) : nodes.text(node),
             nodes.origin(node)});
    }
    return setting;
}

std::string traffic_name(std::string_view name) {
    return fmt::format("traffic {}", name);
}

models::TrafficMaster traffic_master(const TrafficSetting& setting) {
    return MasterReader(setting).read();
}

}  // namespace n6vp::sim

// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "models/npu/registers/register_file.h"
#include "models/npu/stream/extent.h"
#include "models/npu/stream/stream_registers.h"
#include "sim/ecdump/ec_report.h"
#include "sim/epoch/epoch_buffers.h"
#include "sim/epoch/epoch_file.h"
#include "sim/epoch/epoch_values.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

namespace npu = memmap::npu;
using models::npu::StreamConfig;

constexpr npu::Register kEngineAddress = npu::reg(npu::kStreng, "ADDR");

[[nodiscard]] StreamConfig stream_of(const UnitSettings& unit) {
    models::npu::RegisterFile registers(npu::kStreng);
    for (const RegisterSetting& setting : unit.registers) {
        registers.set_word(*setting.at, setting.value, setting.index);
    }
    return models::npu::decode_stream(registers);
}

class Reader {
  public:
    explicit Reader(const std::filesystem::path& path) : nodes_(path) {}

    EpochFile read() {
        const toml::table document = nodes_.parse();
        static const std::vector<std::string> kKnown{"title", "parameters", "defaults", "buffer",
                                                     "epoch"};
        for (const auto& [key, node] : document) {
            if (std::find(kKnown.begin(), kKnown.end(), key.str()) == kKnown.end()) {
                nodes_.unknown_key(node, key.str(), "a file of epochs", kKnown);
            }
        }
        if (const toml::node* const title = document.get("title")) {
            file_.title = nodes_.text(*title);
        }
        if (const toml::node* const node = document.get("parameters")) {
            file_.parameters = parameters_of(nodes_, nodes_.table(*node, "parameters"));
        }
        if (const toml::node* const node = document.get("buffer")) {
            file_.buffers = read_buffers(nodes_, *node);
        }
        if (const toml::node* const node = document.get("defaults")) {
            defaults_ = &nodes_.table(*node, "defaults");
            check_defaults();
        }
        if (const toml::node* const epochs = document.get("epoch")) {
            for (const toml::table* const epoch : nodes_.tables(*epochs, "epoch"))
                read_epoch(*epoch);
        }
        if (file_.epochs.empty()) {
            nodes_.fail(document, "the file has no epoch", "write [[epoch]] with links and units");
        }
        return std::move(file_);
    }

  private:
    void check_defaults() {
        for (const auto& [key, node] : *defaults_) {
            bool known = false;
            for (const npu::UnitType* const type : npu::kUnitTypes)
                known |= key.str() == type->name;
            if (!known) {
                nodes_.fail(node,
                            fmt::format("[defaults.{}]: no such kind of unit",
                                        traces::terminal_text(key.str())),
                            "kinds are written like STRENG, CONVACC, ARITH");
            }
        }
    }

    void read_epoch(const toml::table& table) {
        epoch_ = {};
        epoch_.origin = nodes_.origin(table);
        epoch_.name = fmt::format("epoch {}", file_.epochs.size() + 1);
        if (const toml::node* const name = table.get("name")) epoch_.name = nodes_.text(*name);
        for (const auto& [key, node] : table) {
            if (const toml::table* const settings = node.as_table()) {
                read_settings(*settings, find_unit(nodes_, node, key.str()));
            } else if (key.str() != "name" && key.str() != "links" && key.str() != "enable" &&
                       key.str() != "wait" && key.str() != "blob") {
                nodes_.unknown_key(
                    node, key.str(), "[[epoch]]",
                    {"name", "links", "enable", "wait", "blob", "STRENG0", "CONVACC0"});
            }
        }
        if (const toml::node* const blob = table.get("blob")) {
            read_blob(table, *blob);
            return;
        }
        if (const toml::node* const links = table.get("links")) read_links(*links);
        std::sort(epoch_.units.begin(), epoch_.units.end(), [](const auto& one, const auto& two) {
            return one.unit.page() < two.unit.page();
        });
        set_order(table);
        for (const UnitSettings& unit : epoch_.units) check_engine(table, unit);
        file_.epochs.push_back(std::move(epoch_));
    }

    void read_blob(const toml::table& table, const toml::node& blob) {
        for (const auto& [key, node] : table) {
            if (key.str() == "name" || key.str() == "blob") continue;
            nodes_.fail(node, fmt::format("'{}' beside a blob", traces::terminal_text(key.str())),
                        "the program of the blob sets the registers: leave it out, or use a "
                        "separate [[epoch]]");
        }
        const std::uint32_t address = address_value(nodes_, blob, "blob", file_.buffers);
        if (address % 8 != 0) {
            nodes_.fail(blob, fmt::format("a blob at 0x{:08x}", address),
                        "blobs lie at multiples of 8");
        }
        epoch_.blob = address;
        file_.epochs.push_back(std::move(epoch_));
    }

    UnitSettings& settings_of(npu::Unit unit, const std::string& origin) {
        for (UnitSettings& known : epoch_.units) {
            if (known.unit.page() == unit.page()) return known;
        }
        UnitSettings& fresh = epoch_.units.emplace_back();
        fresh.unit = unit;
        fresh.origin = origin;
        if (defaults_ != nullptr) {
            if (const toml::node* const node = defaults_->get(unit.type->name)) {
                read_unit(nodes_, nodes_.table(*node, unit.type->name), file_.buffers, fresh);
            }
        }
        return fresh;
    }

    void read_settings(const toml::table& table, npu::Unit unit) {
        read_unit(nodes_, table, file_.buffers, settings_of(unit, nodes_.origin(table)));
    }

    void read_links(const toml::node& node) {
        static const npu::Register& dst = npu::kStrswitch.registers[2];
        const toml::array* const list = node.as_array();
        if (list == nullptr) {
            nodes_.fail(node, "links are a list", "write links = [\"STRENG0 -> ARITH0.x\"]");
        }
        UnitSettings& settings = settings_of({&npu::kStrswitch, 0}, nodes_.origin(node));
        for (const toml::node& entry : *list) {
            const LinkSetting link = read_link(nodes_, entry);
            for (const RegisterSetting& setting : settings.registers) {
                if (setting.at->offset != dst.offset || setting.index != link.destination) continue;
                nodes_.fail(entry, "two links to the same destination",
                            "a destination has one link; write both turns in it: \"CONVACC0 [off "
                            "1, on 1] -> ARITH3.x\"");
            }
            settings.registers.push_back({&dst, link.destination, link.word});
        }
    }

    [[nodiscard]] static bool is_output(const UnitSettings& unit) {
        constexpr npu::Register kControl = npu::reg(npu::kStreng, "CTRL");
        constexpr npu::Field kDirection = npu::field(npu::kStreng, "CTRL.DIR");
        return unit.unit.type == &npu::kStreng &&
               npu::extract(unit.word(kControl), kDirection) != 0;
    }

    /// Output engines, units, input engines; what `enable` lists comes last, in its order.
    void set_order(const toml::table& table) {
        const auto rank = [](const UnitSettings& unit) {
            if (unit.unit.type != &npu::kStreng) return 1;
            return is_output(unit) ? 0 : 2;
        };
        std::vector<npu::Unit> listed;
        if (const toml::node* const node = table.get("enable")) listed = unit_list(*node, "enable");
        const auto is_listed = [&](npu::Unit unit) {
            return std::any_of(listed.begin(), listed.end(),
                               [&](npu::Unit one) { return one.page() == unit.page(); });
        };
        for (int step = 0; step < 3; ++step) {
            for (const UnitSettings& unit : epoch_.units) {
                if (rank(unit) != step || is_listed(unit.unit) || !is_worker(unit.unit)) continue;
                epoch_.enable.push_back(unit.unit);
            }
        }
        epoch_.enable.insert(epoch_.enable.end(), listed.begin(), listed.end());
        if (const toml::node* const node = table.get("wait")) {
            for (const npu::Unit unit : unit_list(*node, "wait")) {
                if (unit.type != &npu::kStreng) {
                    nodes_.fail(*node, unit_text(unit) + " is not a stream engine",
                                "wait for the output engines");
                }
                epoch_.waited.push_back(unit.index);
            }
        } else {
            for (const UnitSettings& unit : epoch_.units) {
                if (is_output(unit)) epoch_.waited.push_back(unit.unit.index);
            }
        }
        if (epoch_.waited.empty()) {
            nodes_.fail(table, fmt::format("'{}' has no output engine", shown()),
                        "an epoch ends with its output engines: set CTRL.DIR = 1 of one");
        }
        for (const UnitSettings& unit : epoch_.units) check_end(table, unit);
    }

    void check_end(const toml::table& table, const UnitSettings& unit) const {
        constexpr npu::Register kLimits = npu::reg(npu::kStreng, "LIMITEN");
        constexpr npu::Field kFrameLimit = npu::field(npu::kStreng, "LIMITEN.FRAMELIMIT");
        const bool waited = std::find(epoch_.waited.begin(), epoch_.waited.end(),
                                      unit.unit.index) != epoch_.waited.end();
        if (unit.unit.type != &npu::kStreng || !waited) return;
        if (npu::extract(unit.word(kLimits), kFrameLimit) != 0) return;
        nodes_.fail(node_of(table, unit.unit),
                    fmt::format("{} has no limit of frames: '{}' would never end",
                                unit_text(unit.unit), shown()),
                    "set LIMITEN.FRAMELIMIT = 1 and LIMIT, the number of frames");
    }

    /// Returns the settings of a unit in an epoch, or the epoch if they come from defaults.
    [[nodiscard]] static const toml::node& node_of(const toml::table& table, npu::Unit unit) {
        const toml::node* const named = table.get(unit_text(unit));
        return named == nullptr ? table : *named;
    }

    /// Units that software enables for an epoch; the others work as soon as they are set.
    [[nodiscard]] static bool is_worker(npu::Unit unit) {
        return unit.gate() != npu::kNoGate && unit.type != &npu::kEpochctrl &&
               unit.type != &npu::kDebugTrace;
    }

    [[nodiscard]] std::vector<npu::Unit> unit_list(const toml::node& node, const char* key) const {
        std::vector<npu::Unit> units;
        const toml::array* const list = node.as_array();
        if (list == nullptr) {
            nodes_.fail(node, fmt::format("{} is not a list", key),
                        fmt::format("write {} = [\"STRENG9\", \"ARITH0\"]", key));
        }
        for (const toml::node& entry : *list) {
            const npu::Unit unit = find_unit(nodes_, entry, nodes_.text(entry));
            const bool used =
                std::any_of(epoch_.units.begin(), epoch_.units.end(),
                            [&](const auto& one) { return one.unit.page() == unit.page(); });
            if (!used) {
                nodes_.fail(entry,
                            fmt::format("{} has no settings in '{}'", unit_text(unit), shown()),
                            fmt::format("write [epoch.{}] with its registers", unit_text(unit)));
            }
            units.push_back(unit);
        }
        return units;
    }

    /// An engine whose ADDR lies in a buffer must stay in it, any other in memory.
    void check_engine(const toml::table& table, const UnitSettings& unit) const {
        if (unit.unit.type != &npu::kStreng) return;
        StreamConfig config = stream_of(unit);
        // Where it would go: that its limit stops it there is no better.
        if (config.framelimit) config.addrlimit = false;
        if (!models::npu::judge(config).computable()) return;  // the NPU says why
        const models::npu::Extent extent = models::npu::extent_of(config);
        if (extent.bytes == 0) return;
        const std::uint64_t end = extent.first + extent.bytes;
        const std::uint32_t start = unit.word(kEngineAddress);
        const toml::node& node = node_of(table, unit.unit);
        const std::string range =
            fmt::format("{} {} 0x{:08x} to 0x{:08x}", unit_text(unit.unit),
                        config.dir ? "writes" : "reads", extent.first, end - 1);
        for (const BenchBuffer& buffer : file_.buffers) {
            if (start < buffer.address || start >= buffer.end()) continue;
            if (extent.first >= buffer.address && end <= buffer.end()) return;
            nodes_.fail(
                node,
                fmt::format("{}, buffer '{}' is 0x{:08x} to 0x{:08x}", range,
                            traces::terminal_text(buffer.name), buffer.address, buffer.end() - 1),
                "check FSIZE, DEPTH, offsets and LIMIT, or make the buffer larger");
        }
        if (!npu_reaches(extent.first, extent.bytes)) {
            nodes_.fail(node, range + ", where the NPU has no memory",
                        "check ADDR and the frame; n6vp map lists the memories");
        }
    }

    [[nodiscard]] std::string shown() const { return traces::terminal_text(epoch_.name); }

    ScenarioNodes nodes_;
    EpochFile file_;
    const toml::table* defaults_ = nullptr;
    BenchEpoch epoch_;
};

}  // namespace

EpochFile read_epoch_file(const std::filesystem::path& path) {
    return Reader(path).read();
}

}  // namespace n6vp::sim

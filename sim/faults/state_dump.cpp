// SPDX-License-Identifier: Apache-2.0
#include "sim/faults/state_dump.h"

#include <fmt/format.h>

#include <cstdint>
#include <ostream>
#include <system_error>

#include "sim/host/errors.h"
#include "sim/host/output_file.h"
#include "traces/escape.h"

namespace n6vp::sim::fault_report {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMaxBytes = std::uint64_t{64} << 20;

struct Piece {
    std::uint32_t address = 0, bytes = 0;
    std::string name;
};

/// Returns the stretches of RAM in which something was stored.
[[nodiscard]] std::vector<Piece> touched(Platform& platform) {
    constexpr std::uint32_t kPage = models::BackingStore::kPageBytes;
    std::vector<Piece> pieces;
    std::uint64_t left = kMaxBytes;
    for (unsigned target = 0; target < platform.memories().size(); ++target) {
        const Platform::Memory& memory = platform.memories()[target];
        if (memory.region->kind == memmap::RegionKind::Nor) continue;
        const models::BackingStore& contents = memory.model->contents();
        for (std::uint32_t at = 0; at < contents.bytes(); at += kPage) {
            const std::uint32_t count = std::min(kPage, contents.bytes() - at);
            if (!contents.known(at) || count > left) continue;
            left -= count;
            const std::uint32_t address = to_word(memory.region->secure) + at;
            if (!pieces.empty() && pieces.back().address + pieces.back().bytes == address) {
                pieces.back().bytes += count;
                continue;
            }
            pieces.push_back(
                {address, count, fmt::format("{}_0x{:08x}.bin", memory.region->name, address)});
        }
    }
    return pieces;
}

[[nodiscard]] Json core_json(Platform& platform) {
    models::core::Core& core = platform.core().core();
    const models::core::CpuState& cpu = core.state();
    Json general = Json::array();
    for (unsigned i = 0; i < 15; ++i) general.push_back(hex_word(core.reg(i)));
    general.push_back(hex_word(core.pc()));
    Json vectors = Json::array();
    for (unsigned i = 0; i < 32; ++i) {
        vectors.push_back(hex_word(models::core::vector_lane<std::uint32_t>(cpu, i)));
    }
    return {{"r", std::move(general)},
            {"apsr", hex_word(models::core::apsr(cpu))},
            {"ipsr", cpu.ipsr},
            {"secure", cpu.secure},
            {"privileged", cpu.privileged},
            {"s", std::move(vectors)},
            {"fpscr", hex_word(models::core::whole_fpscr(cpu))},
            {"vpr", hex_word(cpu.vpr)},
            {"asleep", platform.core().asleep()}};
}

[[nodiscard]] Json models_json(const RunFaults& faults) {
    Json list = Json::array();
    for (const auto& model : faults.names().models) {
        const loader::Resolver& bases = model->bases();
        list.push_back({{"file", model->name()},
                        {"read_only", hex_word(to_word(bases.ro_base))},
                        {"ram", hex_word(to_word(bases.ram_base))},
                        {"parameters", hex_word(to_word(bases.param0))},
                        {"external_ram", hex_word(to_word(bases.param1))},
                        {"exec_bytes", model->exec_bytes()}});
    }
    return list;
}

}  // namespace

void prepare_dump(const fs::path& folder) {
    std::error_code error;
    const std::string shown = traces::terminal_text(folder.string());
    fs::create_directories(folder, error);
    if (error || !fs::is_directory(folder, error)) {
        throw UserError(fmt::format("--dump {}: cannot create the folder", shown),
                        "name a writable folder");
    }
    if (!fs::is_empty(folder, error) || error) {
        throw UserError(fmt::format("--dump {}: the folder is not empty", shown),
                        "name an empty or new folder");
    }
}

std::vector<std::string> write_state(const fs::path& folder, Platform& platform,
                                     const RunFaults& faults) {
    std::vector<std::string> names;
    Json files = Json::array();
    for (const Piece& piece : touched(platform)) {
        std::vector<std::uint8_t> bytes(piece.bytes);
        // Without clock or power its contents cannot be read.
        if (!platform.core_view().fetch(piece.address, bytes)) continue;
        OutputFile file(folder / piece.name);
        file.stream().write(reinterpret_cast<const char*>(bytes.data()),
                            static_cast<std::streamsize>(bytes.size()));
        file.commit();
        files.push_back(
            {{"file", piece.name}, {"address", hex_word(piece.address)}, {"bytes", piece.bytes}});
        names.push_back(piece.name);
    }
    Json document = json_document("state");
    document["time_ps"] = platform.time();
    document["core"] = core_json(platform);
    document["models"] = models_json(faults);
    Json& reports = document["faults"] = Json::array();
    for (const FaultReport& report : faults.reports()) reports.push_back(report_json(report));
    document["memory"] = std::move(files);
    OutputFile file(folder / "state.json");
    write_json(file.stream(), document);
    file.commit();
    names.emplace_back("state.json");
    return names;
}

}  // namespace n6vp::sim::fault_report

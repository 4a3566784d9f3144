// SPDX-License-Identifier: Apache-2.0
#include "sim/install/install_dump.h"

#include <fmt/format.h>

#include <memory>
#include <stdexcept>
#include <system_error>

#include "sim/host/errors.h"
#include "sim/host/output_file.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

namespace fs = std::filesystem;

/// Files of one dump; nothing has its name before `commit`.
class Dump {
  public:
    explicit Dump(fs::path directory) : directory_(std::move(directory)) {
        std::error_code error;
        created_ = fs::create_directories(directory_, error);
        if (error) {
            throw UserError(
                fmt::format("cannot create the directory {}: {}",
                            traces::terminal_text(directory_.string()), error.message()),
                "give --dump a writable folder");
        }
    }
    ~Dump() {
        files_.clear();
        std::error_code ignored;
        if (created_ && !committed_) fs::remove(directory_, ignored);  // only if empty
    }
    Dump(const Dump&) = delete;
    Dump& operator=(const Dump&) = delete;

    std::ostream& add(const std::string& name) {
        files_.push_back(std::make_unique<OutputFile>(directory_ / name));
        names_.push_back(name);
        return files_.back()->stream();
    }

    void bytes(const std::string& name, std::span<const std::uint8_t> content) {
        add(name).write(reinterpret_cast<const char*>(content.data()),
                        static_cast<std::streamsize>(content.size()));
    }

    void memory(const std::string& name, Platform& platform, AddressRange range) {
        // A refused install may name memory that is not there, and a damaged pool any size.
        if (range.wraps() || !platform.present(range)) {
            left_out_.push_back(
                fmt::format("{}: {} bytes at 0x{:08x} are more than the platform has there", name,
                            range.bytes, to_word(range.start)));
            return;
        }
        std::vector<std::uint8_t> bytes(range.bytes);
        if (!platform.fetch(range.start, bytes))
            throw std::logic_error("memory that is present cannot be read");
        this->bytes(name, bytes);
    }

    DumpedFiles commit() {
        for (auto& file : files_) file->commit();
        committed_ = true;
        return {std::move(names_), std::move(left_out_)};
    }

  private:
    fs::path directory_;
    std::vector<std::unique_ptr<OutputFile>> files_;
    std::vector<std::string> names_, left_out_;
    bool created_ = false;
    bool committed_ = false;
};

[[nodiscard]] std::string file_name(const PoolImage& pool) {
    if (pool.type == loader::format::PoolType::Reloc) return "ext_ram.bin";
    return fmt::format("pool{}_{}.bin", pool.index, traces::file_name_part(pool.name));
}

}  // namespace

void require_dump_directory(const fs::path& directory, bool force) {
    std::error_code error;
    const fs::file_status status = fs::status(directory, error);
    if (!fs::exists(status)) return;
    const std::string shown = traces::terminal_text(directory.string());
    if (!fs::is_directory(status)) {
        throw UserError(fmt::format("--dump {}: is not a directory", shown),
                        "name a directory, or one that does not exist yet");
    }
    if (!force && !fs::is_empty(directory, error)) {
        throw UserError(fmt::format("--dump {}: the directory is not empty", shown),
                        "name another one, or add --force to replace files of the same names");
    }
}

DumpedFiles write_dump(const fs::path& directory, Platform& platform, const InstallPlan& plan,
                       std::span<const PoolImage> pools, const InstallOutcome& outcome,
                       const Json& report) {
    Dump dump(directory);
    write_json(dump.add("install.json"), report);
    traces::write_install_log(dump.add("install.csv"), outcome.events);
    dump.memory("exec_ram.bin", platform, plan.exec_ram());
    dump.memory("instance.bin", platform, plan.instance());
    bool external_done = false;
    for (const PoolImage& pool : pools) {
        const bool external = pool.type == loader::format::PoolType::Reloc;
        if (external && external_done) continue;
        external_done = external_done || external;
        dump.memory(file_name(pool), platform, pool.range);
    }
    return dump.commit();
}

DumpedFiles write_dump(const fs::path& directory, const Json& report,
                       std::span<const traces::InstallEvent> events,
                       std::span<const std::uint8_t> ram) {
    Dump dump(directory);
    write_json(dump.add("install.json"), report);
    traces::write_install_log(dump.add("install.csv"), events);
    dump.bytes("ram.bin", ram);
    return dump.commit();
}

}  // namespace n6vp::sim

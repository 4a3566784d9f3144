// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "models/simulator/mailbox.h"
#include "sim/console/phase_recorder.h"
#include "sim/host/granted_folder.h"

namespace n6vp::sim {

/// The host's side of the simulator mailbox: phases to a report, text to a console, files below one
/// folder, the exit code. Nothing of the host's time or state reaches the guest but files.
class RunMailbox : public models::MailboxService {
  public:
    struct Setup {
        std::filesystem::path folder;  ///< empty: no files
        std::shared_ptr<FileBudget> budget = std::make_shared<FileBudget>();
        std::string arguments;  ///< for the program
        std::uint32_t seed = 0x6E367670;
        /// Receives the guest's text unescaped; the printing code escapes it (ConsoleText).
        std::function<void(std::span<const std::uint8_t>)> on_text;
        std::function<void(std::uint32_t code, models::Picoseconds at)> on_exit;
        std::function<std::uint64_t(models::Picoseconds at)> cycles;  ///< of the core
    };
    /// `phases` must outlive the service. Fails with UserError if the folder cannot be opened.
    RunMailbox(Setup setup, PhaseRecorder& phases);
    ~RunMailbox() override;

    /// Set once the program has asked to end.
    [[nodiscard]] const std::optional<std::uint32_t>& exit_code() const { return exit_code_; }
    /// Closes what is open and forgets the exit code.
    void reset();

    Error begin_phase(std::uint32_t id, std::string_view name, models::Picoseconds at) override;
    Error end_phase(std::uint32_t id, models::Picoseconds at) override;
    void put(std::span<const std::uint8_t> text) override;
    void exit(std::uint32_t code, models::Picoseconds at) override;
    [[nodiscard]] std::uint64_t cycles(models::Picoseconds at) override;
    [[nodiscard]] std::uint32_t seed() override { return setup_.seed; }
    [[nodiscard]] std::string_view arguments() override { return setup_.arguments; }
    [[nodiscard]] bool has_folder() override { return static_cast<bool>(folder_); }
    [[nodiscard]] Outcome open(std::string_view name, OpenMode mode) override;
    [[nodiscard]] Error close(std::uint32_t handle) override;
    [[nodiscard]] Outcome read(std::uint32_t handle, std::span<std::uint8_t> bytes) override;
    [[nodiscard]] Outcome write(std::uint32_t handle, std::span<const std::uint8_t> bytes) override;
    [[nodiscard]] Error seek(std::uint32_t handle, std::uint32_t position) override;
    [[nodiscard]] Outcome size(std::uint32_t handle) override;

  private:
    [[nodiscard]] int descriptor(std::uint32_t handle) const;

    Setup setup_;
    PhaseRecorder& phases_;
    GrantedFolder folder_;
    std::map<std::uint32_t, int> files_;
    std::uint32_t next_handle_ = 1;
    std::optional<std::uint32_t> exit_code_;
};

}  // namespace n6vp::sim

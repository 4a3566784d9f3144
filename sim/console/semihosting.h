// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sim/host/console_text.h"
#include "sim/host/granted_folder.h"

namespace n6vp::sim {

/// Semihosting services (BKPT 0xAB): console, files below one folder, time and exit. File names of
/// a program are resolved component by component without following links; commands cannot be run.
/// Its texts are escaped before they reach the host.
class Semihosting {
  public:
    /// Returns guest memory, empty where there is none.
    using View = std::function<std::span<std::uint8_t>(std::uint32_t address, std::uint32_t bytes)>;

    struct Setup {
        View view;
        std::ostream* out = nullptr;  ///< console
        std::ostream* err = nullptr;
        std::istream* in = nullptr;
        std::filesystem::path folder;  ///< empty: no files
        std::shared_ptr<FileBudget> budget = std::make_shared<FileBudget>();
        /// Gets the text for `out` as the program wrote it.
        std::function<void(std::string_view)> on_text;
        std::string command_line;
        double hz = 0;  ///< ticks per second
    };
    /// Longest text of SYS_WRITE0: what has no end by then is cut off.
    static constexpr std::uint32_t kMaxText = 1u << 20;

    explicit Semihosting(Setup setup);
    ~Semihosting();
    Semihosting(const Semihosting&) = delete;
    Semihosting& operator=(const Semihosting&) = delete;

    /// Performs operation `operation` (r0) with `parameter` (r1), `ticks` after the program's
    /// start. Returns what belongs into r0.
    [[nodiscard]] std::uint32_t call(std::uint32_t operation, std::uint32_t parameter,
                                     std::uint64_t ticks);
    /// Writes the rest of the program's texts.
    void finish();
    /// Exit code once the program has asked to end.
    [[nodiscard]] const std::optional<std::uint32_t>& exit_code() const { return exit_code_; }
    /// Called before a service writes guest memory.
    std::function<void(std::uint32_t start, std::uint32_t end)> about_to_write;

  private:
    enum class Kind : std::uint8_t { In, Out, Err, File, Features };
    struct Handle {
        Kind kind = Kind::File;
        int descriptor = -1;
        std::uint32_t position = 0;  ///< of Features
    };

    [[nodiscard]] std::optional<std::uint32_t> word(std::uint32_t block, unsigned index);
    /// Returns guest memory to be written, empty where there is none.
    [[nodiscard]] std::span<std::uint8_t> target(std::uint32_t address, std::uint32_t bytes);
    bool set_word(std::uint32_t address, std::uint32_t value);
    [[nodiscard]] std::optional<std::string> text(std::uint32_t address, std::uint32_t bytes);
    [[nodiscard]] Handle* handle(std::uint32_t block);
    std::uint32_t fail(int error);

    std::uint32_t open(std::uint32_t block);
    std::uint32_t close(std::uint32_t block);
    std::uint32_t read(std::uint32_t block);
    std::uint32_t write(std::uint32_t block);
    std::uint32_t seek(std::uint32_t block);
    std::uint32_t length(std::uint32_t block);
    std::uint32_t remove(std::uint32_t block);
    std::uint32_t rename(std::uint32_t block);
    std::uint32_t command_line(std::uint32_t block);
    void say(std::string_view text);
    void say_byte(std::uint32_t address);
    std::uint32_t write_text(std::uint32_t address);
    std::uint32_t heap_info(std::uint32_t block);
    std::uint32_t elapsed(std::uint32_t block, std::uint64_t ticks);
    std::uint32_t exit(std::uint32_t reason, std::uint32_t code);

    Setup setup_;
    GrantedFolder folder_;
    ConsoleText out_, err_;
    std::map<std::uint32_t, Handle> handles_;
    std::uint32_t next_handle_ = 1;
    std::uint32_t error_ = 0;
    std::optional<std::uint32_t> exit_code_;
};

}  // namespace n6vp::sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/wait.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/process.h"

/// Runs the built `n6vp` as a user would, in a directory of its own that disappears afterwards.
namespace n6vp::test {

struct ToolResult {
    int exit_code = -1;
    std::string out;  ///< standard output
    std::string err;
};

class Toolbox {
  public:
    explicit Toolbox(std::string binary) : binary_(std::move(binary)) {}

    [[nodiscard]] const std::filesystem::path& path() const { return folder_.path(); }

    void save(const std::string& name, const std::vector<std::uint8_t>& bytes) const {
        static_cast<void>(folder_.write(name, bytes));
    }

    [[nodiscard]] std::string text(const std::filesystem::path& name) const {
        return read_text((path() / name).string());
    }
    [[nodiscard]] std::vector<std::uint8_t> bytes(const std::filesystem::path& name) const {
        const std::string content = text(name);
        return {content.begin(), content.end()};
    }

    /// Runs the tool inside the room; `arguments` is shell text.
    [[nodiscard]] ToolResult run(const std::string& arguments) const {
        const std::string command = "cd '" + path().string() + "' && '" + binary_ + "' " +
                                    arguments + " >.out 2>.err </dev/null";
        const int status = std::system(command.c_str());
        ToolResult result;
        result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        result.out = text(".out");
        result.err = text(".err");
        return result;
    }

  private:
    std::string binary_;
    ScratchFolder folder_;
};

}  // namespace n6vp::test

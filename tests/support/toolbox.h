// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

/// Runs the built `n6vp` as a user would, in a directory of its own that disappears afterwards.
namespace n6vp::test {

struct ToolResult {
    int exit_code = -1;
    std::string out;  ///< standard output
    std::string err;
};

class Toolbox {
  public:
    explicit Toolbox(std::string binary) : binary_(std::move(binary)) {
        std::string name = (std::filesystem::temp_directory_path() / "n6vp-test-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary directory");
        path_ = name;
    }
    ~Toolbox() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    Toolbox(const Toolbox&) = delete;
    Toolbox& operator=(const Toolbox&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

    void save(const std::string& name, const std::vector<std::uint8_t>& bytes) const {
        std::ofstream file(path_ / name, std::ios::binary);
        file.write(reinterpret_cast<const char*>(bytes.data()),
                   static_cast<std::streamsize>(bytes.size()));
        if (!file) throw std::runtime_error("cannot write a test file");
    }

    [[nodiscard]] std::string text(const std::filesystem::path& name) const {
        std::ifstream file(path_ / name, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    [[nodiscard]] std::vector<std::uint8_t> bytes(const std::filesystem::path& name) const {
        const std::string content = text(name);
        return {content.begin(), content.end()};
    }

    /// Runs the tool inside the room; `arguments` is shell text.
    [[nodiscard]] ToolResult run(const std::string& arguments) const {
        const std::string command = "cd '" + path_.string() + "' && '" + binary_ + "' " +
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
    std::filesystem::path path_;
};

}  // namespace n6vp::test

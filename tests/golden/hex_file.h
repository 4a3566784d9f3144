// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace n6vp::test {

/// Reads `offset: word word …` lines, bytes in file order; `#` starts a comment line. The words
/// `callback` and `instance` stand for those addresses. Throws std::runtime_error if it cannot.
inline std::vector<std::uint8_t> read_hex(const std::string& name, std::uint32_t callback = 0,
                                          std::uint32_t instance = 0) {
    std::ifstream stream(std::string(N6VP_GOLDEN_DIR "/") + name);
    if (!stream) throw std::runtime_error("cannot read " + name);
    std::vector<std::uint8_t> bytes;
    const auto add_address = [&bytes](std::uint32_t address) {
        for (int i = 0; i < 4; ++i) bytes.push_back(static_cast<std::uint8_t>(address >> (8 * i)));
    };
    for (std::string line; std::getline(stream, line);) {
        if (line.empty() || line[0] == '#') continue;
        std::istringstream words(line);
        std::string word;
        words >> word;
        if (std::stoul(word, nullptr, 16) != bytes.size())
            throw std::runtime_error("gap in " + name);
        while (words >> word) {
            if (word == "callback") {
                add_address(callback);
            } else if (word == "instance") {
                add_address(instance);
            } else {
                for (std::size_t i = 0; i < 8; i += 2) {
                    const auto byte = std::stoul(word.substr(i, 2), nullptr, 16);
                    bytes.push_back(static_cast<std::uint8_t>(byte));
                }
            }
        }
    }
    return bytes;
}

}  // namespace n6vp::test

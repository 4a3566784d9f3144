// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace n6vp::test {

/// Returns the data bytes of a .npy file of version 1.0: 10 bytes, then a header whose length
/// stands in bytes 8 and 9.
[[nodiscard]] inline std::vector<std::uint8_t> npy_bytes(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    const std::vector<std::uint8_t> whole{std::istreambuf_iterator<char>(file), {}};
    if (whole.size() < 10) throw std::runtime_error("no .npy file: " + path);
    const std::size_t header = std::size_t{10} + whole[8] + std::size_t{256} * whole[9];
    return {whole.begin() + static_cast<std::ptrdiff_t>(header), whole.end()};
}

}  // namespace n6vp::test

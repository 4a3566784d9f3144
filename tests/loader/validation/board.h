// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "loader/validation/server.h"

namespace n6vp::tests {

/// Bytes of "0a 1B…".
[[nodiscard]] std::string hex(std::string_view digits);

/// A board with a script in place of a client.
class ScriptedBoard {
  public:
    ScriptedBoard();
    ScriptedBoard(const ScriptedBoard&) = delete;
    ScriptedBoard& operator=(const ScriptedBoard&) = delete;

    /// A packet of the client: header and payload as hexadecimal digits, then zeros.
    ScriptedBoard& packet(std::string_view digits);
    ScriptedBoard& bytes(const std::string& raw);
    /// 200 ms without a byte.
    ScriptedBoard& silence();
    ScriptedBoard& acks(unsigned count);
    /// Runs the server to the end of the script. Returns what it sent.
    std::string serve();

    bool with_times = false;
    unsigned models = 1;
    bool with_tensor = false;         ///< the only node has an internal tensor
    validation::NpuCounters counted;  ///< for the only node, but for `what`
    std::vector<std::uint8_t> input = std::vector<std::uint8_t>(1);
    std::uint32_t input_elements = 1;
    unsigned inferences = 0;
    std::vector<std::uint32_t> selected;  ///< models, in order
    std::size_t buffer_bytes = 4096;

  private:
    [[nodiscard]] bool tensor(validation::TensorKind kind, std::uint32_t index,
                              validation::Tensor& to);
    bool run(const validation::Observer* observer, validation::Cycles& cycles);
    [[nodiscard]] validation::Device device();

    std::deque<int> script_;
    std::string sent_;
    std::array<std::uint32_t, 4> shape_{1, 1, 1, 1};
    std::uint8_t output_ = 0x4C;
};

/// What the board sent, taken apart: bytes that ask for the next packet, and messages.
struct Unframed {
    unsigned asked = 0;
    std::vector<std::string> messages;
    std::vector<std::string> headers;  ///< of each message: "0020 800f"
};
[[nodiscard]] Unframed unframe(const std::string& sent);

}  // namespace n6vp::tests

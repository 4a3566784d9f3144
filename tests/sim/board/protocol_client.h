// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

/// A client of the validation protocol with an encoder and a decoder of its own, written from the
/// protocol's description.
namespace n6vp::test {

/// Bytes of a packet, and those of its message in it.
inline constexpr std::size_t kPacket = 34, kPayload = 32;

/// Fields by number: numbers as such, contents as text.
struct Fields {
    std::multimap<unsigned, std::uint64_t> numbers;
    std::multimap<unsigned, std::string> texts;

    [[nodiscard]] std::uint64_t number(unsigned field) const;
    [[nodiscard]] std::string text(unsigned field) const;
    [[nodiscard]] std::vector<std::uint64_t> all(unsigned field) const;
};
[[nodiscard]] Fields decode(const std::string& bytes);

enum Command : unsigned { kSync = 0, kSystemInfo = 1, kNetworkInfo = 10, kNetworkRun = 11 };
enum Mode : std::uint32_t { kIoOnly = 1, kPerLayer = 3, kWithData = 7, kPerf = 0x209 };

/// What came of one inference.
struct Inference {
    std::vector<Fields> nodes;
    std::vector<std::string> logs;     ///< of the nodes
    std::vector<Fields> tensors;       ///< of the nodes: descriptions
    std::uint64_t cycles = 0;          ///< of all
    std::vector<std::string> outputs;  ///< bytes
};

class ProtocolClient {
  public:
    /// Connects to a place as the board prints it: "tcp 127.0.0.1:10000" or "pty /dev/pts/3".
    explicit ProtocolClient(const std::string& place);
    ~ProtocolClient();
    ProtocolClient(const ProtocolClient&) = delete;
    ProtocolClient& operator=(const ProtocolClient&) = delete;

    void request(unsigned command, std::uint32_t parameter, const std::string& name,
                 std::uint32_t option = 1);
    void data(const std::string& bytes);
    void ack();
    /// The next answer that is no log; logs are acknowledged and kept.
    [[nodiscard]] Fields answer();

    /// Synchronises and checks the version.
    void synchronise();
    /// Returns the description of a model; fails the test if there are not so many.
    [[nodiscard]] Fields model(std::uint32_t index);
    [[nodiscard]] Inference infer(const std::string& name, Mode mode,
                                  const std::vector<std::string>& inputs, std::uint32_t option = 1);

    void send_raw(const std::string& bytes);
    std::vector<std::string> logs;

  private:
    void send(const std::string& message);
    [[nodiscard]] std::string receive();
    [[nodiscard]] std::string read(std::size_t bytes);

    int file_ = -1;
    unsigned number_ = 0;
};

}  // namespace n6vp::test

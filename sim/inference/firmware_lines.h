// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loader/profile.h"

/// What the project's firmware says of a model while it runs it (loader/firmware/chip): one line of
/// text for each thing. A hostile model may have the firmware say anything: every number is
/// bounded here, and names are text of the file.
namespace n6vp::sim::model_run {

struct Tensor {
    bool input = false;
    std::uint32_t number = 0;  ///< in the model's list, which also names its file
    std::uint32_t bytes = 0;
    std::string type;                  ///< as NumPy calls it; empty: none that NumPy has
    std::vector<std::uint64_t> shape;  ///< as in memory, outermost first; empty: unknown
    bool quantised = false;
    float scale = 0;  ///< of the first channel
    std::int32_t zero = 0;
    std::string name;
};

struct Block {
    std::int32_t first_epoch = 0, last_epoch = 0;
    std::string kind;
    std::uint32_t pre = 0, core = 0, post = 0;  ///< core cycles

    [[nodiscard]] std::uint64_t cycles() const { return std::uint64_t{pre} + core + post; }
};

struct Inference {
    std::uint32_t cycles = 0, output_crc = 0;
};

/// All inferences wrote the same bytes.
[[nodiscard]] bool identical_outputs(const std::vector<Inference>& inferences);

/// Reads those lines as they come, in whatever pieces.
class FirmwareLines {
  public:
    explicit FirmwareLines(loader::Generation generation) : generation_(generation) {}

    /// Called for every tensor, inputs first, and once after the last one.
    std::function<void(const Tensor&)> on_tensor;
    std::function<void()> on_all_tensors;

    /// Fails with UserError for a line of a known kind that cannot be read.
    void take(std::string_view text);

    [[nodiscard]] const std::vector<Tensor>& tensors() const { return tensors_; }
    [[nodiscard]] const std::vector<Block>& blocks() const { return blocks_; }
    [[nodiscard]] const std::vector<Inference>& inferences() const { return inferences_; }
    /// Of the model's blocks, before it runs; 0 without debug information.
    [[nodiscard]] std::uint32_t last_epoch() const { return last_epoch_; }
    /// Code of the C API; none if the program did not get so far.
    [[nodiscard]] const std::optional<std::int64_t>& install_code() const { return install_code_; }
    /// All other lines, escaped: what went wrong.
    [[nodiscard]] const std::string& other() const { return other_; }

  private:
    void take_line(std::string_view line);
    void take_tensor(std::string_view line);
    void take_block(std::string_view line);

    loader::Generation generation_;
    std::string partial_, other_;
    std::vector<Tensor> tensors_;
    std::vector<Block> blocks_;
    std::vector<Inference> inferences_;
    std::optional<std::int64_t> install_code_;
    std::uint32_t last_epoch_ = 0;
};

}  // namespace n6vp::sim::model_run

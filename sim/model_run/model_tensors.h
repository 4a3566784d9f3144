// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "sim/model_run/firmware_lines.h"

/// The files through which a model gets its inputs and leaves its outputs.
namespace n6vp::sim::model_run {

/// A folder of one's own, which goes with what is in it.
class WorkFolder {
  public:
    WorkFolder();
    ~WorkFolder();
    WorkFolder(const WorkFolder&) = delete;
    WorkFolder& operator=(const WorkFolder&) = delete;
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

/// What the user gives the model.
struct InputChoice {
    std::vector<std::string> files;  ///< .npy or raw, in the order of the model's inputs
    bool random = false;             ///< inputs without a file; else they are zero
    std::uint32_t seed = 0;
};

/// Where one tensor's bytes came from, or went to.
struct TensorFile {
    Tensor tensor;
    std::string file;  ///< of the user; empty: made, or not kept
    std::uint32_t crc = 0;
};

/// Writes inputs as soon as the firmware says what they are, before it opens them.
class Inputs {
  public:
    /// Reads the files. Fails with UserError if one cannot be read.
    Inputs(const InputChoice& choice, std::filesystem::path folder);

    /// Fails with UserError if the next file does not fit the tensor.
    void add(const Tensor& tensor);
    /// Fails with UserError if files are left over.
    void all_added() const;
    [[nodiscard]] const std::vector<TensorFile>& files() const { return given_; }

  private:
    struct Source {
        std::string name;
        std::vector<std::uint8_t> content;
    };
    [[nodiscard]] std::vector<std::uint8_t> make(const Tensor& tensor);

    std::vector<Source> sources_;
    std::filesystem::path folder_;
    bool random_;
    std::mt19937 generator_;
    std::vector<TensorFile> given_;
};

/// Reads what the firmware left of every output in `folder`, and writes it to the folder `to`
/// unless that is empty: .npy if the model says type and shape, else raw. Fails with UserError.
[[nodiscard]] std::vector<TensorFile> collect_outputs(const std::vector<Tensor>& tensors,
                                                      const std::filesystem::path& folder,
                                                      const std::string& to);

}  // namespace n6vp::sim::model_run

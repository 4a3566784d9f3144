// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "loader/install.h"
#include "sim/faults/blob_origin.h"
#include "sim/info/link_words.h"
#include "sim/model_file/model_image.h"
#include "sim/platform/platform.h"

namespace n6vp::sim::fault_report {

/// A model file in memory, before its installation.
struct ModelPlace {
    std::uint32_t address = 0, bytes = 0;
    std::string name;  ///< of the file
};

/// The word of an installed model that an address came from.
struct Origin {
    report::LinkRow row;
    std::uint32_t now = 0;       ///< what the word holds
    std::uint32_t distance = 0;  ///< of the address from that
    std::string meaning;         ///< of what the file holds: "PARAM_0+0x40 (weights)"
};

/// An installed model, found by its runtime context in memory, independent of its installer and
/// address. All data of the file are untrusted and checked.
class InstalledModel {
  public:
    /// Looks for the context of the model of that file. Null if there is none, or if the file is no
    /// model. `symbols` are those of its linked ELF file; they may be empty.
    [[nodiscard]] static std::unique_ptr<InstalledModel> find(Platform& platform,
                                                              const ModelPlace& place,
                                                              report::SymbolTable symbols);

    [[nodiscard]] const loader::Resolver& bases() const { return bases_; }
    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] AddressRange read_only() const;
    [[nodiscard]] AddressRange ram() const;
    /// Returns the exec RAM that the install took.
    [[nodiscard]] std::uint32_t exec_bytes() const;
    /// Returns the external RAM that it says it needs.
    [[nodiscard]] std::uint32_t external_bytes() const {
        return facts_.context ? facts_.context->ext_ram_sz : 0;
    }

    /// Returns "correlate+0x12 (model+0x1234)" for code of the model, "" for any other address.
    [[nodiscard]] std::string function(std::uint32_t address) const;
    /// Returns the address at which the function begins that `address` is in, as far as known.
    [[nodiscard]] std::optional<std::uint32_t> function_start(std::uint32_t address) const;
    /// Returns what the model has at an address: "GOT+0x8 of the model", or "".
    [[nodiscard]] std::string part(std::uint32_t address) const;
    /// Returns "pool 1 (flash), 0x71001000 to 0x71001fff", or "".
    [[nodiscard]] std::string pool(std::uint32_t address) const;
    /// Returns the GOT word or relocated word from which `address` came: one that holds it, or the
    /// nearest below within `reach`.
    [[nodiscard]] std::optional<Origin> origin(std::uint32_t address, std::uint32_t reach) const;

    /// Returns the word of one of the model's blobs from which an address of the NPU came.
    [[nodiscard]] std::optional<BlobOrigin> blob_origin(std::uint32_t address,
                                                        std::uint32_t reach) const;

  private:
    InstalledModel(Platform& platform, const ModelPlace& place, std::vector<std::uint8_t> file,
                   report::SymbolTable symbols);

    [[nodiscard]] bool locate(std::uint32_t file_address);
    [[nodiscard]] bool context_at(std::uint32_t address, std::uint32_t file_address);
    /// Parameters and external RAM are where the relocated words point to.
    void infer_parameter_bases(std::uint32_t file_address);
    void collect_functions();
    [[nodiscard]] std::optional<std::uint32_t> word(std::uint32_t address) const;
    [[nodiscard]] std::map<std::uint32_t, std::string>::const_iterator function_of(
        std::uint32_t offset) const;

    Platform& platform_;
    std::string name_;
    report::ModelImage image_;
    report::ModelFacts facts_;
    report::LinkWords words_;
    loader::Resolver bases_;
    std::map<std::uint32_t, std::string> functions_;  ///< by RO offset
};

}  // namespace n6vp::sim::fault_report

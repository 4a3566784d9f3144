// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "loader/ec_check.h"
#include "memmap/guest_addr.h"
#include "sim/ecdump/ec_text.h"

/// Epoch-controller blobs of a file: a plain blob, a container, or a model with any number of
/// either.
namespace n6vp::sim {

/// One blob, cut into instructions. Not copied: the instructions refer to the words.
struct EcBlob {
    EcBlob() = default;
    EcBlob(EcBlob&&) = default;
    EcBlob& operator=(EcBlob&&) = default;
    EcBlob(const EcBlob&) = delete;
    EcBlob& operator=(const EcBlob&) = delete;
    ~EcBlob() = default;

    std::uint32_t magic = 0;        ///< of the container, or of the blob itself
    bool in_params_file = false;    ///< offsets count from the start of the parameter file
    std::uint32_t offset = 0;       ///< of container or blob
    std::uint32_t blob_offset = 0;  ///< of the blob's own magic
    std::vector<std::uint32_t> words;
    EcRelocations relocations;
    std::vector<std::string> symbols;         ///< raw text of the file
    std::vector<std::string> patches;         ///< ids, raw text of the file
    std::vector<EcInstruction> instructions;  ///< refer to `words`
    std::optional<EcFault> fault;
    loader::ec::StreamFacts facts;
    std::vector<loader::Diagnosis> findings;  ///< offsets count from the start of the file

    [[nodiscard]] bool container() const { return magic != loader::ec::kBlobMagic; }
    /// Returns the file offset of a word, counted from the first instruction.
    [[nodiscard]] std::uint32_t offset_of(std::uint32_t word) const {
        return blob_offset + 8 + 4 * word;
    }
    [[nodiscard]] bool has_errors() const;
};

/// A memory pool of the model that has an address of its own.
struct EcPool {
    std::string name;  ///< raw text of the file
    AddressRange range;
};

struct EcSource {
    std::vector<EcBlob> blobs;
    std::vector<EcPool> pools;
    bool model = false;
    std::uint32_t literals = 0;  ///< magics in a model that start nothing that decodes
};

/// Reads a file. Fails with UserError (exit code 2) if it is none of the three, or if a plain blob
/// or container is broken before its first instruction; the message names offset and rule.
[[nodiscard]] EcSource read_ec_source(const std::string& file, const std::string& params);

/// Returns "AXISRAM5+0x100, pool npuRAM5+0x100" for an address, or "" where the NPU reaches
/// nothing.
[[nodiscard]] std::string place_text(const EcSource& source, std::uint32_t address);

}  // namespace n6vp::sim

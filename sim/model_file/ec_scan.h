// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "loader/container.h"
#include "loader/ec_check.h"

/// Finds epoch-controller containers and plain blobs in a model and checks them deeply. The magics
/// also occur as literals in the model's own code, so a hit counts only if more agrees: for a
/// container its section offsets and the magic of its blob, for a plain blob its length and its
/// instructions. Not found: containers whose offsets or blob magic are destroyed, and encrypted
/// streams.
namespace n6vp::sim {

/// Part of a model that may hold blobs.
enum class EcSection : std::uint8_t { ReadOnly, Data, Params };

struct EcHit {
    bool container = false;  ///< else a plain blob
    EcSection section = EcSection::ReadOnly;
    bool in_params_file = false;  ///< `offset` counts from the start of the parameter file
    std::uint32_t offset = 0;     ///< file offset
    std::uint32_t bytes = 0;
    std::uint32_t magic = 0;
    std::uint32_t relocated_words = 0;
    std::vector<std::string> symbols;
    loader::ec::StreamFacts facts;
    /// Offsets count from the start of the file that holds the hit.
    std::vector<loader::Diagnosis> findings;
};

struct EcScan {
    std::vector<EcHit> hits;
    /// Magics that are followed by nothing that looks like a container or blob: literals in code,
    /// or blobs too damaged or encrypted to be judged.
    std::uint32_t literals = 0;
};

/// Scans the RO and data sections and the parameters, in the file or in a file of their own.
/// Findings include containers that the ecloader of `generation` does not accept.
[[nodiscard]] EcScan scan_ec(const loader::Header& header, loader::ec::Bytes file,
                             loader::ec::Bytes params, loader::Generation generation);

}  // namespace n6vp::sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace n6vp::loader {

/// Outcome class of a loader call. What exactly went wrong is a `Rule` inside a `Diagnosis`.
enum class Status : std::uint8_t {
    Ok = 0,
    InvalidBinary,     ///< the file, or a mismatch between file and firmware
    Memory,            ///< exec RAM missing, too small or misaligned
    NotSupported,      ///< a legal request that this mode cannot serve
    Argument,          ///< the request itself
    InvalidHandle,     ///< not an installed instance
    ParameterAddress,  ///< parameter or external RAM address
    ParameterTable,    ///< a memory-pool descriptor
    WouldOverwrite,    ///< Compat only: the vendor's loader would write outside the granted regions
                       ///< here
    WouldFault,        ///< Compat only: the vendor's loader would read outside the file or unmapped
                       ///< memory
    BusError,          ///< the memory port refused an access that all checks allowed
};

/// Returns the documented `AI_RELOC_RT_ERR_*` number: 0 or -1 … -8. The vendor's installer reports
/// a refused read-only relocation as INVALID_BIN, so NotSupported maps to -1; the last three have
/// no number of their own there and map to -1 too.
[[nodiscard]] constexpr int vendor_code(Status status) {
    switch (status) {
        case Status::Ok:
            return 0;
        case Status::Memory:
            return -2;
        case Status::Argument:
            return -4;
        case Status::InvalidHandle:
            return -5;
        case Status::ParameterAddress:
            return -7;
        case Status::ParameterTable:
            return -8;
        case Status::InvalidBinary:
        case Status::NotSupported:
        case Status::WouldOverwrite:
        case Status::WouldFault:
        case Status::BusError:
            break;
    }
    return -1;
}

}  // namespace n6vp::loader

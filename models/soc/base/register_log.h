// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/picoseconds.h"

namespace n6vp::models {

/// One access to a register of a peripheral.
struct RegisterAccess {
    const char* block = "";     ///< name of the peripheral
    std::uint32_t address = 0;  ///< as accessed
    std::uint32_t offset = 0;   ///< within the block
    std::uint32_t value = 0;    ///< read or written
    bool write = false;
    bool modelled = true;   ///< false: a stub, or no register known here, answered
    const char* name = "";  ///< of the register, "" if not known
    Picoseconds at = 0;
};

/// Sees every access to a peripheral's registers; counts, names and prints are the business of
/// `sim`.
class RegisterLog {
  public:
    RegisterLog() = default;
    RegisterLog(const RegisterLog&) = delete;
    RegisterLog& operator=(const RegisterLog&) = delete;
    virtual ~RegisterLog() = default;

    /// Returns false to have the access answered with a bus error (strict runs, where it was not
    /// modelled). Depends on the register, on whether it is modelled, and on the direction alone.
    [[nodiscard]] virtual bool accessed(const RegisterAccess& access) = 0;
};

}  // namespace n6vp::models

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace n6vp::loader {

/// What can be wrong, one enumerator per distinct fault: two different faults never share one. Names, explanations and
/// remedies are in `traces/rule_text.cpp`, whose table is total. Letters in comments are the weakness of the vendor's
/// loader that the rule closes.
enum class Rule : std::uint16_t {
    None = 0,
    // File
    FileUnreadable,
    FileTooShort,
    FileAlignment,
    FileCacheLine,
    Magic,
    LegacyFormat,
    HeaderLength,
    // Install, Compat policy
    VendorOverwrite,
    VendorReadsOutside,
    kCount  ///< number of enumerators, not a rule
};

}  // namespace n6vp::loader

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "models/soc/stubs/stub_block.h"

/// What the peripherals that are not modelled show to firmware. A table is for all peripherals of
/// its type; those that have no model of their own are plain stubs.
namespace n6vp::models {

/// The tables of one source.
using StubTables = std::span<const StubTable>;
extern const StubTables kSystemStubs, kMemoryStubs, kLinkStubs, kOtherStubs;

/// Returns the table of a type of peripherals, or nullptr.
[[nodiscard]] const StubTable* stub_of(std::string_view type);

}  // namespace n6vp::models

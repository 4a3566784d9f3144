// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>
#include <optional>
#include <string>

#include "sim/ecdump/ec_epochs.h"
#include "sim/ecdump/ec_source.h"
#include "sim/host/json_output.h"

/// Text and JSON of `n6vp ecdump`.
namespace n6vp::sim {

/// Which blobs are shown, and how.
struct EcView {
    std::optional<std::size_t> blob;  ///< none: all
    bool listing = false;             ///< instructions too
};

/// Writes every epoch with its units, registers and links.
void write_epochs(std::ostream& out, const EcSource& source, const EcView& view);

/// Writes the instructions as a text that assembles to the same words: what is known about each
/// stands behind it as a comment.
void write_listing(std::ostream& out, const EcSource& source, const EcView& view);

[[nodiscard]] Json ecdump_json(const EcSource& source, const EcView& view);

/// Returns "STRENG3".
[[nodiscard]] std::string unit_text(memmap::npu::Unit unit);
/// Returns "CTRL" or "DST[3]".
[[nodiscard]] std::string register_text(memmap::npu::Place place);
/// Returns "EN=1 SIZE0=8": every field that is not zero, or "" if all are.
[[nodiscard]] std::string fields_text(const memmap::npu::Register& at, std::uint32_t value);
/// Returns "STRENG3 -> ARITH0.x", with frames or pixels where the link has two contexts.
[[nodiscard]] std::string link_text(const EcLink& link);
/// Returns what an instruction does, by names.
[[nodiscard]] std::string meaning_text(const EcSource& source, const EcBlob& blob,
                                       const EcInstruction& instruction);
/// Returns what is at the address that a stream engine's register holds, or "" for other registers.
[[nodiscard]] std::string address_text(const EcSource& source, const EcBlob& blob,
                                       memmap::npu::Unit unit, const memmap::npu::Register& at,
                                       const EcSetting& setting);

}  // namespace n6vp::sim

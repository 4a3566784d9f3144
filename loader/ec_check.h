// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "loader/ec_container.h"

/// Deep check of an epoch-controller instruction stream. Separate from the core loader: a board needs the tables
/// only when it wants this check.
namespace n6vp::loader::ec {

/// Totals of a decoded stream.
struct StreamFacts {
    std::uint32_t words = 0;
    std::uint32_t writes = 0, write_fields = 0, bursts = 0, increment_bursts = 0, polls = 0, labels = 0, irqs = 0;
    std::uint32_t first_label = kNotApplicable, last_label = kNotApplicable;
};

/// Decodes a plain blob (word 0 = blob magic) to its end: every opcode known, operands inside, reserved bits zero, every
/// register in the register table, clock gates on at each access and off at the end, labels non-decreasing, last
/// instruction `irq`. Reports all findings (file_offset counts from the blob start). Returns the first error's status.
[[nodiscard]] Status check_blob(Bytes blob, StreamFacts& facts, FindingSink sink);

/// As check_blob, and also that every relocation index of the container hits an operand written to STRENG ADDR or LIMITADDR.
[[nodiscard]] Status check_container(const Container& container, StreamFacts& facts, FindingSink sink);

/// Returns true if the unit (IP number) has a register at this byte offset of its 4 KiB page.
[[nodiscard]] bool register_exists(std::uint32_t ip, std::uint32_t byte_offset);

/// Returns the unit's name with its index ("STRENG3"), or nullptr.
[[nodiscard]] const char* unit_name(std::uint32_t ip);

}  // namespace n6vp::loader::ec

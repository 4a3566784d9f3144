// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "loader/ec_container.h"
#include "loader/ec_registers.h"

/// Deep check of an epoch-controller instruction stream. Separate from the core loader: a board
/// needs the tables only when it wants this check. Uses up to 6 KiB of stack and no heap.
namespace n6vp::loader::ec {

/// What the epoch item says about the blob (flag 0x100).
enum class Cipher : std::uint8_t { Plain, Encrypted };

/// Totals of a decoded stream.
struct StreamFacts {
    std::uint32_t words = 0;
    std::uint32_t writes = 0, write_fields = 0, bursts = 0, increment_bursts = 0, polls = 0,
                  labels = 0, irqs = 0;
    std::uint32_t first_label = kNotApplicable, last_label = kNotApplicable;
};

/// Decodes a plain blob (word 0 = blob magic) to its end: every opcode known, operands inside,
/// reserved bits zero, every register in the register table, clock gates on at each access and off
/// at the end, labels non-decreasing, last instruction `irq`. Reports all findings: file_offset
/// counts from the blob start, index is the word number from the first instruction, address is the
/// NPU-relative register. Returns the first error's status. An encrypted stream is not decoded, but
/// one that is called encrypted and decodes without an error is refused.
[[nodiscard]] Status check_blob(Bytes blob, StreamFacts& facts, FindingSink sink,
                                Cipher cipher = Cipher::Plain);

/// As check_blob, and also that every relocation index of the container hits an operand written to
/// STRENG ADDR or LIMITADDR, no two hit the same word, and every patch index an operand. Here
/// file_offset counts from the container start, and index is the symbol or patch entry in findings
/// about the tables. Index arrays that would take more than 2^26 reads are not judged but refused.
[[nodiscard]] Status check_container(const Container& container, StreamFacts& facts,
                                     FindingSink sink, Cipher cipher = Cipher::Plain);

}  // namespace n6vp::loader::ec

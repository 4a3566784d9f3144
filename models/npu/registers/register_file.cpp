// SPDX-License-Identifier: Apache-2.0
#include "models/npu/registers/register_file.h"

namespace n6vp::models::npu {
namespace {

/// Bits of a register by what a write does to them.
struct Masks {
    std::uint32_t stored = 0;    ///< Rw, Wo
    std::uint32_t cleared = 0;   ///< W1c
    std::uint32_t triggers = 0;  ///< W1t, Sc
    std::uint32_t readable = 0;  ///< all but Wo and W1t
    std::uint32_t locked = 0;    ///< while running
};

Masks masks_of(const Register& at) {
    Masks masks;
    for (std::size_t i = 0; i < at.field_count; ++i) {
        const Field& one = at.fields[i];
        const std::uint32_t bits = one.mask();
        const std::uint32_t fixed = ((std::uint32_t{1} << one.fixed) - 1) << one.lsb;
        if (one.access == Access::Rw || one.access == Access::Wo) masks.stored |= bits & ~fixed;
        if (one.access == Access::W1c) masks.cleared |= bits;
        if (one.access == Access::W1t || one.access == Access::Sc) masks.triggers |= bits;
        if (one.access != Access::Wo && one.access != Access::W1t) masks.readable |= bits;
        if (one.lock == Lock::WhileRunning) masks.locked |= bits;
    }
    return masks;
}

}  // namespace

RegisterFile::RegisterFile(const UnitType& type) : type_(&type) {
    for (std::size_t i = 0; i < type.register_count; ++i) {
        const Register& at = type.registers[i];
        for (std::uint32_t k = 0; k < at.count; ++k) {
            index_[(at.offset + k * at.stride) / 4] = static_cast<std::uint8_t>(i + 1);
        }
    }
    reset();
}

const Register* RegisterFile::find(std::uint32_t offset) const {
    if (offset >= kPageBytes || offset % 4 != 0 || index_[offset / 4] == 0) return nullptr;
    return &type_->registers[index_[offset / 4] - 1];
}

std::uint32_t RegisterFile::read(std::uint32_t offset) const {
    const Register* at = find(offset);
    return at == nullptr ? 0 : words_[offset / 4] & masks_of(*at).readable;
}

RegisterFile::WriteOutcome RegisterFile::write(std::uint32_t offset, std::uint32_t value,
                                               std::uint32_t mask, Activity activity) {
    WriteOutcome outcome;
    const Register* at = find(offset);
    if (at == nullptr) {
        outcome.exists = false;
        return outcome;
    }
    const Masks masks = masks_of(*at);
    const std::uint32_t barred = activity == Activity::Running ? masks.locked : 0;
    const std::uint32_t open = mask & ~barred;
    std::uint32_t& word = words_[offset / 4];
    const std::uint32_t ones = value & mask;
    outcome.locked = barred & mask & ((masks.stored & (word ^ value)) | (masks.triggers & value));
    outcome.ignored = ones & ~(masks.stored | masks.cleared | masks.triggers);
    outcome.triggered = value & open & masks.triggers;
    outcome.cleared = value & open & masks.cleared & word;
    const std::uint32_t stored = masks.stored & open;
    word = ((word & ~stored) | (value & stored)) & ~outcome.cleared;
    return outcome;
}

void RegisterFile::reset() {
    words_.fill(0);
    for (std::size_t i = 0; i < type_->register_count; ++i) {
        const Register& at = type_->registers[i];
        for (std::uint32_t k = 0; k < at.count; ++k) set_word(at, at.reset, k);
    }
}

void RegisterFile::reset_configuration() {
    for (std::size_t i = 0; i < type_->register_count; ++i) {
        const Register& at = type_->registers[i];
        const std::uint32_t stored = masks_of(at).stored;
        for (std::uint32_t k = 0; k < at.count; ++k) {
            set_word(at, (word(at, k) & ~stored) | (at.reset & stored), k);
        }
    }
}

}  // namespace n6vp::models::npu

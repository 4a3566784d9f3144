// SPDX-License-Identifier: Apache-2.0
#include "loader/capi/handle.h"

#include "loader/capi/extensions.h"
#include "loader/container.h"
#include "loader/install.h"

namespace n6vp::loader::capi {

namespace {

constexpr std::uint32_t kNoEntry = 0xFFFFFFFFu;
constexpr std::uint32_t kLastShortContextVersion = 0x010100FFu;

/// Returns the index of an entry in a vector of 12: as models are built, or as the vendor's loader
/// reads it.
constexpr std::uint32_t long_index(Entry entry) {
    switch (entry) {
        case Entry::InternalBuffers:
            return kCompat ? 11 : 9;
        case Entry::WeightEncryption:
            return kCompat ? 9 : 10;
        case Entry::BlobEncryption:
            return kCompat ? 10 : 11;
        default:
            return static_cast<std::uint32_t>(entry);
    }
}

constexpr std::uint32_t short_index(Entry entry) {
    const auto index = static_cast<std::uint32_t>(entry);
    return index <= static_cast<std::uint32_t>(Entry::InternalBuffers) ? index : kNoEntry;
}

}  // namespace

std::uint32_t handle_of(const Environment& environment, const NN_Instance_TypeDef* instance) {
    if (instance == nullptr) return 0;
    const std::uint32_t offset = instance_layout(environment.profile()).inst_reloc;
    std::uint32_t handle = 0;
    return environment.word(to_word(address_of(instance)) + offset, handle) ? handle : 0;
}

Handle::Handle(const Environment& environment, std::uint32_t context)
    : environment_(environment), context_(context) {
    open();
}

Handle::Handle(const Environment& environment, const NN_Instance_TypeDef* instance)
    : environment_(environment),
      context_(handle_of(environment, instance)),
      owner_(to_word(address_of(instance))) {
    open();
}

void Handle::open() {
    namespace at = context_offset;
    if (context_ == 0) return;
    const bool readable = environment_.word(context_ + at::kRomAddr, rom_) &&
                          environment_.word(context_ + at::kRamAddr, ram_) &&
                          environment_.word(context_ + at::kFileAddr, file_) &&
                          environment_.word(context_ + at::kState, run_state_);
    state_ = readable ? judge() : AI_RELOC_RT_ERR_INVALID_BIN;
}

int Handle::judge() const {
    std::uint32_t magic = 0;
    if (rom_ == 0 || !environment_.word(rom_, magic) || magic != format::kMagic)
        return AI_RELOC_RT_ERR_INVALID_BIN;
    if ((run_state_ & format::kStateInitialized) == 0) return AI_RELOC_RT_ERR_INVALID_BIN;
    if (kCompat) return AI_RELOC_RT_ERR_NONE;
    if (!fits_header()) return AI_RELOC_RT_ERR_INVALID_BIN;
    return is_registered() ? AI_RELOC_RT_ERR_NONE : AI_RELOC_RT_ERR_INVALID_HDL;
}

/// A handle into exec RAM that got another use does not agree with the header it leads to, or names
/// another owner.
bool Handle::fits_header() const {
    if (((context_ | rom_ | ram_) & 3) != 0) return false;
    Container container(environment_.port(), GuestAddr{rom_}, kUnknownBytes);
    Diagnosis why;
    if (container.open(why) != Status::Ok) return false;
    if (ram_ + format::link_offset(container.header().context()) != context_) return false;
    if (owner_ == 0) return true;
    std::uint32_t version = 0;
    std::uint32_t owner = 0;
    if (!environment_.word(context_ + context_offset::kVersion, version)) return false;
    const std::uint32_t at = context_offset::instance(version > kLastShortContextVersion);
    return environment_.word(context_ + at, owner) && owner == owner_;
}

bool Handle::is_registered() const {
    const n6vp_reloc_registry& registry = environment_.platform().registry;
    if (registry.slots == nullptr) return true;
    for (std::uint32_t i = 0; i < registry.slot_count; ++i) {
        if (handle_of(environment_, registry.slots[i]) == context_) return true;
    }
    return false;
}

bool Handle::entry_word(Entry entry, std::uint32_t& word) const {
    bool is_long = environment_.profile().generation >= Generation::Core30;
    std::uint32_t ro_bytes = 0;
    if (!kCompat) {
        Container container(environment_.port(), GuestAddr{rom_}, kUnknownBytes);
        Diagnosis why;
        if (container.open(why) != Status::Ok) return false;
        is_long = container.header().header_bytes == format::kLongHeaderBytes;
        ro_bytes = container.header().ro_bytes();
    }
    const std::uint32_t index = is_long ? long_index(entry) : short_index(entry);
    if (index == kNoEntry || !environment_.word(rom_ + format::kVectorOffset + 4 * index, word))
        return false;
    if (kCompat) return true;
    const bool is_thumb = (word & 1) != 0;
    return format::in_space(word, format::Space::Flash) && is_thumb &&
           format::link_offset(word) < ro_bytes;
}

bool Handle::call(Entry entry, Arguments arguments, std::uint32_t& result) const {
    std::uint32_t word = 0;
    if (!good() || !entry_word(entry, word)) return false;
    const bool encryption = entry == Entry::WeightEncryption || entry == Entry::BlobEncryption;
    const std::uint32_t base = kCompat && encryption ? 0 : ram_;
    result = n6vp_call_model(arguments.a, arguments.b, arguments.c,
                             rom_ + format::link_offset(word), base);
    return true;
}

}  // namespace n6vp::loader::capi

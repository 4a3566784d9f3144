// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "loader/capi/n6vp_reloc_platform.h"
#include "loader/direct_port.h"
#include "loader/profile.h"

namespace n6vp::loader::capi {

#ifdef N6VP_RELOC_POLICY_COMPAT
inline constexpr bool kCompat = true;
#else
inline constexpr bool kCompat = false;
#endif

[[nodiscard]] inline GuestAddr address_of(const void* pointer) {
    return GuestAddr{static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(pointer))};
}
[[nodiscard]] inline GuestAddr address_of(std::uintptr_t pointer) {
    return GuestAddr{static_cast<std::uint32_t>(pointer)};
}
template <typename T>
[[nodiscard]] T* typed_pointer(std::uint32_t address) {
    return reinterpret_cast<T*>(static_cast<std::uintptr_t>(address));
}

/// The application's platform in the loader's terms, made anew in every call: the library keeps no
/// state.
class Environment {
  public:
    Environment();
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;

    /// Returns false if the platform names more ranges than N6VP_RELOC_MAX_RANGES.
    [[nodiscard]] bool usable() const { return usable_; }
    [[nodiscard]] const n6vp_reloc_platform_t& platform() const { return *platform_; }
    [[nodiscard]] const RuntimeProfile& profile() const { return profile_; }
    /// A reference, because a Container keeps one to its port.
    [[nodiscard]] const MemoryPort& port() const { return port_; }
    [[nodiscard]] const AddressRange* grants() const { return grants_; }
    [[nodiscard]] std::uint32_t grant_count() const { return grant_count_; }
    void print(const char* characters, std::uint32_t count) const {
        if (platform_->text != nullptr) platform_->text(characters, count);
    }

    [[nodiscard]] bool word(std::uint32_t address, std::uint32_t& value) const {
        return read_word(port_, GuestAddr{address}, value);
    }

  private:
    const n6vp_reloc_platform_t* platform_;
    RuntimeProfile profile_;
    DirectMemory memory_;
    MemoryPort port_;
    AddressRange mapped_[N6VP_RELOC_MAX_RANGES];
    AddressRange grants_[N6VP_RELOC_MAX_RANGES];
    std::uint32_t grant_count_ = 0;
    bool usable_ = false;
};

}  // namespace n6vp::loader::capi

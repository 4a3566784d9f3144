// SPDX-License-Identifier: Apache-2.0
#include "memmap/regions.h"
#include "models/chip/stm32n6_parts.h"

namespace n6vp::models {

bool Stm32n6::CoreView::may_access(std::uint32_t address, std::size_t bytes, bool write) const {
    constexpr std::uint32_t kSecureAlias = 0x10000000;
    Transfer transfer;
    transfer.initiator = static_cast<std::uint8_t>(number(Initiator::CoreData));
    transfer.secure = (address & kSecureAlias) != 0;
    const memmap::Location location = memmap::find_region(GuestAddr{address});
    if (location && !location.region->has_two_aliases()) transfer.secure = true;
    if (write && location && location.region->kind == memmap::RegionKind::Nor) return false;
    return chip_.bus_->may_access(transfer, {address, static_cast<std::uint32_t>(bytes), write});
}

bool Stm32n6::CoreView::fetch(std::uint32_t address, std::span<std::uint8_t> bytes) {
    if (!may_access(address, bytes.size(), false)) return false;
    if (!chip_.fetch(GuestAddr{address}, bytes)) return false;
    chip_.core_->core().look_through_cache(address, bytes);
    return true;
}

bool Stm32n6::CoreView::store(std::uint32_t address, std::span<const std::uint8_t> bytes) {
    if (bytes.empty()) return true;
    if (!may_access(address, bytes.size(), true)) return false;
    if (!chip_.store(GuestAddr{address}, bytes)) return false;
    const auto last = static_cast<std::uint32_t>(address + (bytes.size() - 1));
    chip_.core_->core().change_through_cache(address, bytes);
    chip_.core_->core().invalidate(address, last);
    return true;
}

GuestView& Stm32n6::core_view() {
    return *core_view_;
}

}  // namespace n6vp::models

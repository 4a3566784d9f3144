// SPDX-License-Identifier: Apache-2.0
#include "models/memory/backing_store.h"

#include <algorithm>
#include <cstring>

namespace n6vp::models {

BackingStore::BackingStore(std::uint32_t bytes, std::uint8_t fill)
    : bytes_(bytes), fill_(fill), pages_((std::size_t{bytes} + kPageBytes - 1) / kPageBytes) {}

void BackingStore::read(std::uint32_t offset, std::uint8_t* to, std::uint32_t count) const {
    while (count != 0) {
        const std::uint32_t within = offset % kPageBytes;
        const std::uint32_t piece = std::min(count, kPageBytes - within);
        const auto& page = pages_[offset / kPageBytes];
        if (page) {
            std::memcpy(to, page.get() + within, piece);
        } else {
            std::memset(to, fill_, piece);
        }
        offset += piece;
        to += piece;
        count -= piece;
    }
}

void BackingStore::write(std::uint32_t offset, const std::uint8_t* from, std::uint32_t count) {
    while (count != 0) {
        const std::uint32_t within = offset % kPageBytes;
        const std::uint32_t piece = std::min(count, kPageBytes - within);
        std::memcpy(page(offset) + within, from, piece);
        offset += piece;
        from += piece;
        count -= piece;
    }
}

std::uint8_t* BackingStore::page(std::uint32_t offset) {
    auto& page = pages_[offset / kPageBytes];
    if (!page) {
        page = std::make_unique_for_overwrite<std::uint8_t[]>(kPageBytes);
        std::memset(page.get(), fill_, kPageBytes);
    }
    return page.get();
}

void BackingStore::reset() {
    for (auto& page : pages_) page.reset();
}

std::uint64_t BackingStore::allocated_bytes() const {
    const auto used = std::count_if(pages_.begin(), pages_.end(),
                                    [](const auto& page) { return page != nullptr; });
    return static_cast<std::uint64_t>(used) * kPageBytes;
}

}  // namespace n6vp::models

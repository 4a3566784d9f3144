// SPDX-License-Identifier: Apache-2.0
#include "models/memory/backing_store.h"

#include <algorithm>
#include <cstring>

namespace n6vp::models {

BackingStore::BackingStore(std::uint32_t bytes, std::uint8_t fill)
    : bytes_(bytes), fill_(fill), blocks_((std::size_t{bytes} + kBlockBytes - 1) / kBlockBytes) {}

void BackingStore::read(std::uint32_t offset, std::uint8_t* to, std::uint32_t count) const {
    while (count != 0) {
        const std::uint32_t within = offset % kBlockBytes;
        const std::uint32_t piece = std::min(count, kBlockBytes - within);
        const Block& block = blocks_[offset / kBlockBytes];
        if (block.bytes) {
            std::memcpy(to, block.bytes.get() + within, piece);
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
        const std::uint32_t piece = std::min(count, kPageBytes - offset % kPageBytes);
        std::memcpy(block(offset) + offset % kBlockBytes, from, piece);
        expect(offset);
        offset += piece;
        from += piece;
        count -= piece;
    }
}

std::uint8_t* BackingStore::block(std::uint32_t offset) {
    auto& bytes = blocks_[offset / kBlockBytes].bytes;
    if (!bytes) {
        bytes = std::make_unique_for_overwrite<std::uint8_t[]>(kBlockBytes);
        std::memset(bytes.get(), fill_, kBlockBytes);
    }
    return bytes.get();
}

void BackingStore::reset() {
    for (Block& block : blocks_) block = {};
}

std::uint64_t BackingStore::allocated_bytes() const {
    const auto used = std::count_if(blocks_.begin(), blocks_.end(),
                                    [](const Block& block) { return block.bytes != nullptr; });
    return static_cast<std::uint64_t>(used) * kBlockBytes;
}

}  // namespace n6vp::models

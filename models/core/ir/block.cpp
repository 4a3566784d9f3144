// SPDX-License-Identifier: Apache-2.0
#include "models/core/ir/block.h"

#include <algorithm>
#include <utility>

#include "models/core/ir/access.h"
#include "models/core/ir/branches.h"

namespace n6vp::models::core {

namespace {

/// The block that an entry micro-op belongs to, from the sentinel before it.
Block& block_of(const MicroOp* entry) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the sentinel has one word for all its uses
    return *reinterpret_cast<Block*>(static_cast<std::uintptr_t>(entry[-1].extra));
}

std::uint32_t first_page(const Block& block) {
    return block.key.pc / kPageBytes;
}
std::uint32_t last_page(const Block& block) {
    return (block.key.pc + block.bytes - 1) / kPageBytes;
}

}  // namespace

Block* BlockCache::find(const BlockKey& key) {
    const auto found = blocks_.find(key.packed());
    if (found == blocks_.end()) return nullptr;
    Block& block = *found->second;
    if (key.itstate == 0 && key.issue_state == 0) {
        const std::uint32_t jump = key.pc | (key.secure ? 1u : 0u);
        jumps.entries[JumpCache::index(jump)] = {jump, block.entry()};
        jumps_known_ = true;
    }
    return &block;
}

Block& BlockCache::insert(std::unique_ptr<Block> block) {
    Block& result = *block;
    // Programs that write their code anew everywhere, or run through all memory, come here.
    if (host_bytes_ + result.host_bytes() > max_host_bytes) drop_all();
    host_bytes_ += result.host_bytes();
    result.ops.front().extra = reinterpret_cast<std::uintptr_t>(&result);
    code_.add(result.key.pc);
    code_.add(result.key.pc + result.bytes - 1);
    pages_[first_page(result)].push_back(&result);
    if (last_page(result) != first_page(result)) pages_[last_page(result)].push_back(&result);
    blocks_[result.key.packed()] = std::move(block);
    return result;
}

void BlockCache::link(const MicroOp& from, Block& to, bool skips_once) {
    // Blocks hand out their micro-ops as constant; links are the one part that changes.
    auto& op = const_cast<MicroOp&>(from);
    if (to.contains(&from)) {
        op.link = to.entry() + (skips_once ? to.once : 0);
        return;
    }
    op.link = to.entry();
    to.incoming.push_back(&op);
}

void BlockCache::unlink(Block& block) {
    for (MicroOp* op : block.incoming) op->link = nullptr;
    for (MicroOp& op : block.ops) {
        if (!has_link(op) || op.link == nullptr) continue;
        if (!block.contains(op.link)) std::erase(block_of(op.link).incoming, &op);
        op.link = nullptr;  // a dropped block that still runs must not lead to others
    }
    const std::uint32_t jump = block.key.pc | (block.key.secure ? 1u : 0u);
    JumpCache::Entry& entry = jumps.entries[JumpCache::index(jump)];
    if (entry.entry == block.entry()) entry = {};
}

void BlockCache::remove(Block& block) {
    unlink(block);
    for (const std::uint32_t page : {first_page(block), last_page(block)}) {
        const auto found = pages_.find(page);
        if (found == pages_.end()) continue;
        std::erase(found->second, &block);
        if (found->second.empty()) pages_.erase(found);
    }
    const auto found = blocks_.find(block.key.packed());
    host_bytes_ -= block.host_bytes();
    dropped_.push_back(std::move(found->second));
    blocks_.erase(found);
}

bool BlockCache::drop_found(std::uint32_t start, std::uint32_t end) {
    std::vector<Block*> victims;
    const auto collect = [&](const std::vector<Block*>& blocks) {
        for (Block* block : blocks) {
            const bool before = block->key.pc + (block->bytes - 1) < start;
            if (!before && block->key.pc <= end) victims.push_back(block);
        }
    };
    if (end / kPageBytes - start / kPageBytes < pages_.size()) {
        for (std::uint32_t page = start / kPageBytes; page <= end / kPageBytes; ++page) {
            const auto found = pages_.find(page);
            if (found != pages_.end()) collect(found->second);
        }
    } else {
        for (const auto& [page, blocks] : pages_) collect(blocks);
    }
    std::ranges::sort(victims);  // a block that spans two pages was collected twice
    victims.erase(std::unique(victims.begin(), victims.end()), victims.end());
    for (Block* block : victims) remove(*block);
    if (!victims.empty()) ++drops_;
    return !victims.empty();
}

void BlockCache::forget_jumps() {
    // Many ask for it: resets, exceptions from unprivileged code. Few find anything.
    if (jumps_known_) jumps.entries.fill({});
    jumps_known_ = false;
}

void BlockCache::drop_all() {
    for (auto& [key, block] : blocks_) {
        for (MicroOp& op : block->ops) {
            if (has_link(op)) op.link = nullptr;
        }
        dropped_.push_back(std::move(block));
    }
    blocks_.clear();
    pages_.clear();
    code_.clear();
    host_bytes_ = 0;
    forget_jumps();
    ++drops_;
}

}  // namespace n6vp::models::core

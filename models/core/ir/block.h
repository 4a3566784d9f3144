// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "models/core/ir/micro_op.h"
#include "models/core/ir/page_filter.h"

namespace n6vp::models::core {

/// What a block of code is found by.
struct BlockKey {
    std::uint32_t pc = 0;
    std::uint8_t itstate = 0;  ///< of its first instruction
    bool secure = true;
    unsigned context = 0;          ///< System::context: what may be executed depends on it
    std::uint8_t issue_state = 0;  ///< in which it is entered: its cycles depend on it

    [[nodiscard]] std::uint64_t packed() const {
        return std::uint64_t{issue_state} << 48 | std::uint64_t{context} << 40 |
               std::uint64_t{itstate} << 32 | pc | (secure ? 1u : 0u);
    }
};

/// Decoded straight-line code.
struct Block {
    BlockKey key;
    std::uint32_t bytes = 0;  ///< of code from key.pc
    /// The first is a sentinel that no execution reaches: its `extra` is the block's address. The
    /// last leads away.
    std::vector<MicroOp> ops;
    std::vector<MicroOp*> incoming;  ///< branches of other blocks whose `link` leads here

    /// Micro-ops at the start that a loop of this block alone need not repeat: unit check and
    /// instruction cache.
    unsigned once = 0;
    /// Lines of code that it touches in the instruction cache; 0 without one.
    unsigned lines = 0;
    /// Raises the fault of a fetch: not kept, since the next fetch may succeed.
    bool transient = false;
    /// Nothing but integer arithmetic, loads, stores and branches: what it does depends on core
    /// registers and memory alone.
    bool plain = true;

    [[nodiscard]] const MicroOp* entry() const { return ops.data() + 1; }
    /// What the allocator and the tables that find a block take beside it: two nodes, two
    /// headers, a share of their buckets, and `incoming` elsewhere for the two ways out.
    static constexpr std::size_t kBookkeeping = 192;

    [[nodiscard]] std::size_t host_bytes() const {
        return sizeof(Block) + kBookkeeping + ops.capacity() * sizeof(MicroOp);
    }
    [[nodiscard]] bool contains(const MicroOp* op) const {
        return op >= ops.data() && op < ops.data() + ops.size();
    }
};

/// Blocks that indirect branches went to lately, by address. An entry is valid if its key equals
/// the address of the target with the security state in bit 0.
struct JumpCache {
    struct Entry {
        std::uint32_t key = 0xFFFFFFFE;  ///< no code there
        const MicroOp* entry = nullptr;
    };
    static constexpr std::uint32_t kEntries = 4096;
    std::array<Entry, kEntries> entries;

    [[nodiscard]] static std::uint32_t index(std::uint32_t key) { return key / 2 % kEntries; }
    [[nodiscard]] const MicroOp* find(std::uint32_t key) const {
        const Entry& entry = entries[index(key)];
        return entry.key == key ? entry.entry : nullptr;
    }
};

/// Owns blocks and the links between them.
class BlockCache {
  public:
    /// Returns the block of `key`, or nullptr.
    [[nodiscard]] Block* find(const BlockKey& key);
    /// The same, unknown to indirect branches.
    [[nodiscard]] const Block* peek(const BlockKey& key) const {
        const auto found = blocks_.find(key.packed());
        return found == blocks_.end() ? nullptr : found->second.get();
    }
    /// Takes a block. Returns it. Drops all others if it would be one too many.
    Block& insert(std::unique_ptr<Block> block);
    /// Makes the branch `from` lead to `to` directly. A loop of one block leads past what it need
    /// not repeat if `skips_once`.
    static void link(const MicroOp& from, Block& to, bool skips_once);

    /// Drops every block with code in [start, end]. Returns true if there was one. Dropped blocks
    /// live on until `bury`, since one of them may be running.
    bool drop(std::uint32_t start, std::uint32_t end) {
        return code_.may_have(start, end) && drop_found(start, end);
    }
    void drop_all();
    /// Indirect branches look their targets up again.
    void forget_jumps();
    /// Frees dropped blocks. Only while no block is running.
    void bury() { dropped_.clear(); }

    /// Returns what the blocks that can be found take on the host.
    [[nodiscard]] std::size_t host_bytes() const { return host_bytes_; }
    /// Returns how many times blocks were dropped.
    [[nodiscard]] std::uint64_t drops() const { return drops_; }

    /// Returns true if a page holds code of a block.
    [[nodiscard]] bool has_code(std::uint32_t page) const { return pages_.contains(page); }

    JumpCache jumps;
    /// What all blocks together may take on the host: code of a MiB or two, decoded once. When it
    /// is reached, what is dropped lives on beside the new until the block that runs has ended.
    std::size_t max_host_bytes = std::size_t{128} << 20;

  private:
    bool drop_found(std::uint32_t start, std::uint32_t end);
    void unlink(Block& block);
    void remove(Block& block);

    std::unordered_map<std::uint64_t, std::unique_ptr<Block>> blocks_;
    std::unordered_map<std::uint32_t, std::vector<Block*>> pages_;  ///< by page number
    PageFilter code_;  ///< of blocks since all were dropped
    std::vector<std::unique_ptr<Block>> dropped_;
    bool jumps_known_ = false;  ///< something is in `jumps`
    std::size_t host_bytes_ = 0;
    std::uint64_t drops_ = 0;
};

}  // namespace n6vp::models::core

// SPDX-License-Identifier: Apache-2.0
#include "sim/console/rtt_reader.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <utility>

namespace n6vp::sim {

namespace {

constexpr std::uint32_t kRttWord = 4;
/// The identifier, the numbers of up- and down-buffers, then the up-buffers.
constexpr std::uint32_t kUpBuffers = 16, kFirstBuffer = 24;
/// Of a buffer: name, memory, its size, WrOff, RdOff, flags.
constexpr std::uint32_t kBufferBytes = 24, kBufferMemory = 4, kBufferSize = 8, kBufferWrite = 12,
                        kBufferRead = 16;

[[nodiscard]] std::array<std::uint8_t, RttReader::kIdBytes> identifier() {
    constexpr std::string_view kText = "SEGGER RTT";
    std::array<std::uint8_t, RttReader::kIdBytes> id{};
    std::copy(kText.begin(), kText.end(), id.begin());
    return id;
}

}  // namespace

RttReader::RttReader(Memory memory, const ElfFile* symbols) : memory_(std::move(memory)) {
    const ElfSymbol* const block =
        symbols == nullptr ? nullptr : symbols->find_symbol("_SEGGER_RTT");
    if (block != nullptr) symbol_ = block->value;
}

std::optional<std::uint32_t> RttReader::word(std::uint32_t address) const {
    std::array<std::uint8_t, kRttWord> bytes{};
    if (address > 0xFFFFFFFF - kRttWord || !memory_.read(address, bytes)) return std::nullopt;
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data(), sizeof value);
    return value;
}

bool RttReader::is_block(std::uint32_t address) const {
    const bool in_ram =
        std::any_of(memory_.ram.begin(), memory_.ram.end(), [address](const Range& range) {
            return address - range.start < range.bytes &&
                   range.bytes - (address - range.start) >= kFirstBuffer + kBufferBytes;
        });
    std::array<std::uint8_t, kIdBytes> bytes{};
    if (!in_ram || !memory_.read(address, bytes) || bytes != identifier()) return false;
    // Code in RAM has the identifier, too, without buffers behind it.
    constexpr std::uint32_t kMostBuffers = 256;
    const auto up = word(address + kUpBuffers), down = word(address + kUpBuffers + kRttWord);
    return up && down && *up != 0 && *up <= kMostBuffers && *down <= kMostBuffers;
}

std::optional<std::uint32_t> RttReader::search() const {
    constexpr std::uint32_t kPage = 4096;
    const auto id = identifier();
    for (const Range& range : memory_.ram) {
        // A block may begin at the end of one page and go on in the next.
        std::vector<std::uint8_t> window;
        for (std::uint32_t done = 0; done < range.bytes;) {
            const std::uint32_t count = std::min(kPage, range.bytes - done);
            const std::size_t kept = window.size();
            window.resize(kept + count);
            if (!memory_.read(range.start + done, std::span(window).subspan(kept))) {
                window.clear();  // without clock or power
                done += count;
                continue;
            }
            const std::uint32_t first = range.start + done - static_cast<std::uint32_t>(kept);
            auto place = std::search(window.begin(), window.end(), id.begin(), id.end());
            while (place != window.end()) {
                const auto address = first + static_cast<std::uint32_t>(place - window.begin());
                if (is_block(address)) return address;
                place = std::search(place + 1, window.end(), id.begin(), id.end());
            }
            const std::size_t tail = std::min<std::size_t>(window.size(), kIdBytes - 1);
            window.erase(window.begin(), window.end() - static_cast<std::ptrdiff_t>(tail));
            done += count;
        }
    }
    return std::nullopt;
}

void RttReader::look() {
    ++looks_;
    if (symbol_) {
        block_ = is_block(*symbol_) ? symbol_ : std::nullopt;
        return;
    }
    if (block_ && is_block(*block_)) return;
    block_.reset();
    if (looks_ < next_search_) return;
    next_search_ = 2 * looks_;
    block_ = search();
    if (block_) next_search_ = looks_ + 1;
}

std::string RttReader::take(unsigned channel) {
    if (!block_) return {};
    const auto buffers = word(*block_ + kUpBuffers);
    if (!buffers || channel >= *buffers) return {};
    const std::uint32_t buffer = *block_ + kFirstBuffer + kBufferBytes * channel;
    const auto memory = word(buffer + kBufferMemory), size = word(buffer + kBufferSize),
               write = word(buffer + kBufferWrite), read = word(buffer + kBufferRead);
    // A buffer that the program has not set up has no memory.
    if (!memory || !size || !write || !read || *memory == 0 || *size > kMostBytes ||
        *write >= *size || *read >= *size || *write == *read)
        return {};
    std::string text;
    const auto append = [&](std::uint32_t from, std::uint32_t to) {
        const std::size_t had = text.size();
        text.resize(had + (to - from));
        return memory_.read(*memory + from,
                            {reinterpret_cast<std::uint8_t*>(text.data()) + had, to - from});
    };
    const bool wraps = *write < *read;
    if (!append(*read, wraps ? *size : *write) || (wraps && !append(0, *write))) return {};
    std::array<std::uint8_t, kRttWord> moved{};
    std::memcpy(moved.data(), &*write, kRttWord);
    if (!memory_.write(buffer + kBufferRead, moved)) return {};
    return text;
}

}  // namespace n6vp::sim

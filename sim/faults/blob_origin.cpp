// SPDX-License-Identifier: Apache-2.0
#include "sim/faults/blob_origin.h"

#include <algorithm>
#include <array>

#include "loader/format.h"

namespace n6vp::sim::fault_report {

namespace {

namespace ec = loader::ec;
using loader::format::load_word;

constexpr std::uint32_t kHeadWords = 2;  ///< magic and length, before the first instruction
/// Memory may be full of what looks like one.
constexpr unsigned kMaxBlobs = 1000;

[[nodiscard]] std::uint32_t blob_word(const ec::Container& container, std::uint32_t number) {
    return load_word(container.bytes.data + container.blob_offset + std::size_t{4} * number);
}

class Search {
  public:
    Search(Platform& platform, const std::vector<BlobPlace>& places, std::uint32_t address,
           std::uint32_t reach)
        : platform_(platform), places_(places), address_(address), reach_(reach) {}

    std::optional<BlobOrigin> run() {
        for (unsigned target = 0; target < platform_.memories().size(); ++target) {
            if (platform_.memories()[target].region->kind == memmap::RegionKind::Nor) continue;
            look_in(target);
        }
        return best_;
    }

  private:
    /// Blobs begin at multiples of 8.
    void look_in(unsigned target) {
        constexpr std::uint32_t kPage = models::BackingStore::kPageBytes;
        const models::BackingStore& contents = platform_.memories()[target].model->contents();
        std::array<std::uint8_t, kPage> page{};
        for (std::uint32_t at = 0; at < contents.bytes(); at += kPage) {
            if (!contents.known(at)) continue;
            const std::uint32_t count = std::min(kPage, contents.bytes() - at);
            contents.read(at, page.data(), count);
            for (std::uint32_t i = 0; i + 8 <= count; i += 8) {
                if (load_word(&page[i]) != ec::kBlobMagic) continue;
                if (left_ == 0) return;
                --left_;
                look_at(target, at + i);
            }
        }
    }
    void look_at(unsigned target, std::uint32_t offset) {
        const models::BackingStore& contents = platform_.memories()[target].model->contents();
        for (const BlobPlace& place : places_) {
            const std::uint32_t bytes = 4 * place.container.blob_words;
            if (!contents.holds(offset, bytes)) continue;
            std::vector<std::uint8_t> copy(bytes);
            contents.read(offset, copy.data(), bytes);
            // Blobs are distinguished by length and first instruction.
            if (load_word(&copy[4]) != blob_word(place.container, 1)) continue;
            if (bytes > 8 && load_word(&copy[8]) != blob_word(place.container, kHeadWords))
                continue;
            const std::vector<std::uint32_t> seen = platform_.bus().addresses_of(target, offset);
            if (!seen.empty()) look_at_words(place, copy, seen.back());
        }
    }
    void look_at_words(const BlobPlace& place, const std::vector<std::uint8_t>& copy,
                       std::uint32_t at) {
        for (std::uint32_t i = 0; i < place.container.symbol_count; ++i) {
            ec::Symbol symbol;
            if (!ec::symbol(place.container, i, symbol)) return;
            for (std::uint32_t element = 0; element < symbol.count; ++element) {
                std::uint32_t index = 0;
                if (!ec::target(place.container, symbol.indices_offset, element, index)) break;
                const std::uint32_t number = index + kHeadWords;
                if (number >= place.container.blob_words) continue;
                judge(place, symbol, index, at + 4 * number,
                      load_word(&copy[std::size_t{4} * number]));
            }
        }
    }
    void judge(const BlobPlace& place, const ec::Symbol& symbol, std::uint32_t index,
               std::uint32_t at, std::uint32_t now) {
        const std::uint32_t distance = address_ - now;
        if (distance > reach_ || (best_ && distance >= best_->distance)) return;
        const std::uint32_t number = index + kHeadWords;
        best_ = BlobOrigin{place.offset,
                           symbol.name,
                           index,
                           place.offset + place.container.blob_offset + 4 * number,
                           blob_word(place.container, number),
                           at,
                           now,
                           distance};
    }

    Platform& platform_;
    const std::vector<BlobPlace>& places_;
    std::uint32_t address_, reach_;
    unsigned left_ = kMaxBlobs;
    std::optional<BlobOrigin> best_;
};

}  // namespace

std::optional<BlobOrigin> find_blob_origin(Platform& platform, const std::vector<BlobPlace>& places,
                                           std::uint32_t address, std::uint32_t reach) {
    if (places.empty()) return std::nullopt;
    return Search(platform, places, address, reach).run();
}

}  // namespace n6vp::sim::fault_report

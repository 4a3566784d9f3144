// SPDX-License-Identifier: Apache-2.0
#include "models/soc/crypto/mce.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <systemc>
#include <utility>

#include "models/duration.h"

namespace n6vp::models::crypto {

namespace {

// Offsets and bits: device header.
enum MceOffset : std::uint32_t {
    kMceCr = 0x00,
    kMceSr = 0x04,
    kMceIasr = 0x08,
    kMceIacr = 0x0C,
    kMceIaier = 0x10,
    kMceIaddr = 0x24,
    kMceRegions = 0x40,
    kMceRegionsEnd = 0x80,
    kMceMaster = 0x200,
    kMceFastMaster = 0x220,
    kMceContexts = 0x240,
    kMceContextBytes = 0x30,
    kMceEnd = 0x2A0,
};
constexpr const char* kMceRegionNames[][3] = {{"REGCR1", "SADDR1", "EADDR1"},
                                              {"REGCR2", "SADDR2", "EADDR2"},
                                              {"REGCR3", "SADDR3", "EADDR3"},
                                              {"REGCR4", "SADDR4", "EADDR4"}};
constexpr const char* kMceKeyNames[] = {
    "MKEYR0",  "MKEYR1",  "MKEYR2",  "MKEYR3",  "MKEYR4",  "MKEYR5",  "MKEYR6",  "MKEYR7",
    "FMKEYR0", "FMKEYR1", "FMKEYR2", "FMKEYR3", "FMKEYR4", "FMKEYR5", "FMKEYR6", "FMKEYR7"};
constexpr const char* kMceContextNames[][7] = {
    {"CC1CFGR", "CC1NR0", "CC1NR1", "CC1KEYR0", "CC1KEYR1", "CC1KEYR2", "CC1KEYR3"},
    {"CC2CFGR", "CC2NR0", "CC2NR1", "CC2KEYR0", "CC2KEYR1", "CC2KEYR2", "CC2KEYR3"}};

constexpr std::uint32_t kMceLock = 1, kMceKeyLock = 2;  ///< CR
constexpr std::uint32_t kMceCrBits = 0x33;
constexpr std::uint32_t kMceAes128 = 1, kMceNoekeon = 2, kMceAes256 = 3;  ///< CIPHERSEL
constexpr std::uint32_t kMceRegionBits = 0xC601, kMceRegionOn = 1;        ///< REGCR
constexpr std::uint32_t kMceContextOn = 1, kMceContextLock = 2, kMceContextKeyLock = 4;
constexpr std::uint32_t kMceContextBits = 0xFFFF0037, kMceCrcField = 0xFF00;  ///< CCCFGR
constexpr std::uint32_t kMcePage = 0xFFFFF000;

void put_word(Block& block, unsigned word, std::uint32_t value) {
    for (unsigned i = 0; i < 4; ++i)
        block[4 * word + i] = static_cast<std::uint8_t>(value >> (24 - 8 * i));
}

/// The words of a key, the highest first, as bytes.
[[nodiscard]] std::vector<std::uint8_t> key_bytes(const std::vector<std::uint32_t>& words) {
    std::vector<std::uint8_t> bytes;
    for (const std::uint32_t word : words)
        for (unsigned i = 0; i < 4; ++i)
            bytes.push_back(static_cast<std::uint8_t>(word >> (24 - 8 * i)));
    return bytes;
}

[[nodiscard]] Noekeon::Words words_of(const Block& block) {
    Noekeon::Words words{};
    for (unsigned i = 0; i < block.size(); ++i) words[i / 4] = words[i / 4] << 8 | block[i];
    return words;
}

[[nodiscard]] Block block_of(const Noekeon::Words& words) {
    Block block{};
    for (unsigned i = 0; i < words.size(); ++i) put_word(block, i, words[i]);
    return block;
}

[[nodiscard]] Block reversed(const Block& block) {
    Block result{};
    std::reverse_copy(block.begin(), block.end(), result.begin());
    return result;
}

}  // namespace

Mce::Mce(const char* name, std::uint32_t start, const FlagTimes& times)
    : RegisterBlock(name), start_(start), key_ps_(ns_to_ps(times.key.value * 1e3)) {}

void Mce::reset() {
    held_ = {};
    contexts_ = {};
    master_ = fast_master_ = {};
    rebuild(0);
}

std::uint32_t Mce::key_crc(const std::array<std::uint32_t, 4>& key) {
    constexpr std::uint32_t kStrobe[] = {0xAA55AA55, 0x3, 0x18, 0xC0};
    std::uint32_t crc = 0;
    for (unsigned word = 0; word < key.size(); ++word) {
        std::uint32_t value = key[word] ^ kStrobe[0];
        if (word != 0)
            value = key[word] ^ (kStrobe[word] << 24 | crc << 16 | kStrobe[word] << 8 | crc);
        crc = 0;
        for (unsigned bit = 32; bit-- > 0;) {
            const bool feeds = ((crc >> 7 ^ value >> bit) & 1) != 0;
            crc = crc << 1 & 0xFF;
            if (feeds) crc ^= 0x07;
        }
        crc ^= 0x55;
    }
    return crc;
}

std::uint32_t Mce::status(Picoseconds at) const {
    return (at >= master_.valid_from ? 1u : 0) | (at >= fast_master_.valid_from ? 4u : 0);
}

RegisterBlock::Answer Mce::read(std::uint32_t offset, Picoseconds at) {
    if (offset == kMceCr) return {.value = get(offset), .name = "CR"};
    if (offset == kMceSr) return {.value = status(at), .name = "SR"};
    if (offset == kMceIasr) return {.name = "IASR"};
    if (offset == kMceIacr) return {.name = "IACR"};
    if (offset == kMceIaier) return {.value = get(offset), .name = "IAIER"};
    if (offset == kMceIaddr) return {.name = "IADDR"};
    if (offset >= kMceRegions && offset < kMceRegionsEnd && offset % 16 < 12)
        return {.value = get(offset),
                .name = kMceRegionNames[(offset - kMceRegions) / 16][offset % 16 / 4]};
    if (offset >= kMceMaster && offset < kMceContexts)  // written only
        return {.name = kMceKeyNames[(offset - kMceMaster) / 4]};
    if (offset < kMceContexts || offset >= kMceEnd) return {.modelled = false};
    const unsigned index = (offset - kMceContexts) / kMceContextBytes;
    const unsigned word = (offset - kMceContexts) % kMceContextBytes / 4;
    if (word > 6) return {.modelled = false};
    Answer answer{.name = kMceContextNames[index][word]};
    if (word == 0) answer.value = contexts_[index].configuration;
    if (word == 1 || word == 2) answer.value = contexts_[index].nonce[word - 1];
    return answer;
}

/// Locks hold until reset.
bool Mce::locked(std::uint32_t offset) const {
    const std::uint32_t control = get(kMceCr);
    if ((control & kMceLock) != 0) return offset != kMceIacr && offset != kMceIaier;
    if ((control & kMceKeyLock) != 0 && offset >= kMceMaster && offset < kMceContexts) return true;
    if (offset < kMceContexts || offset >= kMceEnd) return false;
    const Context& context = contexts_[(offset - kMceContexts) / kMceContextBytes];
    const unsigned word = (offset - kMceContexts) % kMceContextBytes / 4;
    if ((context.configuration & kMceContextLock) != 0) return true;
    return word > 2 && (context.configuration & kMceContextKeyLock) != 0;
}

RegisterBlock::Answer Mce::write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                                 Picoseconds at) {
    Answer answer = read(offset, at);
    if (!answer.modelled || locked(offset))
        return {.modelled = answer.modelled, .name = answer.name};
    answer.value = 0;
    const auto merged = [&](std::uint32_t held) { return (held & ~mask) | (value & mask); };
    const bool was_active = active_;
    if (offset == kMceCr) {
        const std::uint32_t locks = get(kMceCr) & (kMceLock | kMceKeyLock);
        this->at(kMceCr) = (merged(get(kMceCr)) & kMceCrBits) | locks;
    } else if (offset == kMceIaier) {
        this->at(offset) = merged(get(offset)) & 2;
    } else if (offset >= kMceRegions && offset < kMceRegionsEnd) {
        const bool control = offset % 16 == 0;
        this->at(offset) = merged(get(offset)) & (control ? kMceRegionBits : kMcePage);
        if (offset % 16 == 8) this->at(offset) |= ~kMcePage;  // the page of the end is inside
    } else if (offset >= kMceContexts) {
        write_context(contexts_[(offset - kMceContexts) / kMceContextBytes],
                      (offset - kMceContexts) % kMceContextBytes, value, mask);
    } else if (offset >= kMceMaster) {
        const unsigned word = (offset - kMceMaster) / 4;
        write_key(word < 8 ? master_ : fast_master_, word % 8, merged(0), at);
    }
    rebuild(at);
    // The cipher is a substitute: named when it comes into use.
    answer.modelled = was_active || !active_;
    return answer;
}

/// A write to the first word makes a valid key invalid; the last one makes it valid.
void Mce::write_key(MasterKey& key, unsigned word, std::uint32_t value, Picoseconds at) {
    constexpr unsigned kLastWord = 7;
    if (word == 0) key.valid_from = kNever;
    key.words[word] = value;
    if (word == kLastWord) key.valid_from = at + key_ps_;
}

void Mce::write_context(Context& context, std::uint32_t offset, std::uint32_t value,
                        std::uint32_t mask) {
    const unsigned word = offset / 4;
    const auto merged = [&](std::uint32_t held) { return (held & ~mask) | (value & mask); };
    std::uint32_t& configuration = context.configuration;
    if (word == 0) {
        const std::uint32_t locks = configuration & (kMceContextLock | kMceContextKeyLock);
        configuration =
            (merged(configuration) & kMceContextBits) | locks | (configuration & kMceCrcField);
    } else if (word < 3) {
        context.nonce[word - 1] = merged(context.nonce[word - 1]);
    } else {
        context.key[word - 3] = merged(0);
        configuration &= ~kMceCrcField;
        if (word == 6) configuration |= key_crc(context.key) << 8;
    }
}

/// What is encrypted follows the registers. A master key counts from its last word on.
void Mce::rebuild(Picoseconds at) {
    const bool before = active_;
    regions_.clear();
    for (unsigned i = 0; i < kRegions; ++i)
        if (std::optional<Active> region = activate(i, at)) regions_.push_back(*std::move(region));
    active_ = !regions_.empty();
    if (active_ && !std::exchange(told_, true)) {
        SC_REPORT_INFO("n6vp/mce", (std::string(name()) +
                                    ": encrypts by a substitute of the silicon's cipher (assumed); "
                                    "what it stores differs from real memory")
                                       .c_str());
    }
    if ((before || active_) && on_change) on_change();
}

std::optional<Mce::Active> Mce::activate(unsigned region, Picoseconds /*at*/) const {
    const std::uint32_t place = kMceRegions + 16 * region, control = get(place);
    const auto mode = static_cast<Mode>(control >> 14 & 3);
    if ((control & kMceRegionOn) == 0 || mode == Mode::None) return std::nullopt;
    Active active{get(place + 4), get(place + 8) | ~kMcePage, mode, {}, {}, {}, control >> 9 & 3};
    const std::uint32_t cipher = get(kMceCr) >> 4 & 3;
    if (cipher == kMceNoekeon) {
        const MasterKey& key = mode == Mode::FastBlocks ? fast_master_ : master_;
        if (mode == Mode::Stream || key.valid_from == kNever) return std::nullopt;
        const auto& words = key.words;
        active.noekeon = {Noekeon({words[3], words[2], words[1], words[0]}),
                          Noekeon({words[7], words[6], words[5], words[4]})};
        return active;
    }
    const bool known = active.context == 1 || active.context == 2;
    if ((cipher != kMceAes128 && cipher != kMceAes256) || !known) return std::nullopt;
    const Context& context = contexts_[active.context - 1];
    const bool allowed = static_cast<Mode>(context.configuration >> 4 & 3) == mode;
    if ((context.configuration & kMceContextOn) == 0 || !allowed) return std::nullopt;
    active.vector = {context.nonce[1], context.nonce[0], context.configuration >> 16};
    std::vector<std::uint32_t> words;
    const auto add = [&words](const Context& from) {
        words.insert(words.end(), from.key.rbegin(), from.key.rend());
    };
    if (cipher == kMceAes256) {
        add(contexts_[1]);
        add(contexts_[0]);
    } else {
        add(context);
    }
    active.aes.emplace_back(key_bytes(words));
    return active;
}

const Mce::Active* Mce::region_of(std::uint32_t address) const {
    const auto found =
        std::find_if(regions_.begin(), regions_.end(), [address](const Active& region) {
            return address >= region.first && address <= region.last;
        });
    return found == regions_.end() ? nullptr : &*found;
}

bool Mce::covers(std::uint32_t offset, std::uint32_t bytes) const {
    const std::uint32_t first = start_ + offset, last = first + (bytes - 1);
    return std::any_of(regions_.begin(), regions_.end(), [&](const Active& region) {
        return first <= region.last && last >= region.first;
    });
}

Block Mce::vector_of(const Active& region, std::uint32_t address) {
    Block vector{};
    for (unsigned i = 0; i < region.vector.size(); ++i) put_word(vector, i, region.vector[i]);
    put_word(vector, 3, region.context << 28 | address >> 4);
    return vector;
}

/// `tweak`: by the key for T.
Block Mce::encrypt(const Active& region, bool tweak, const Block& block) {
    if (!region.aes.empty()) return region.aes.front().encrypt(block);
    return block_of(region.noekeon[tweak ? 1 : 0].encrypt(words_of(block)));
}

MemoryCipher::Block Mce::transform(std::uint32_t offset, const MemoryCipher::Block& data,
                                   bool encrypts) const {
    const std::uint32_t address = start_ + offset;
    const Active* const region = region_of(address);
    if (region == nullptr) return data;
    const Block mask = encrypt(*region, true, vector_of(*region, address));
    Block block = reversed(data) ^ mask;
    if (region->mode == Mode::Stream) return reversed(block);
    if (encrypts) {
        block = encrypt(*region, false, block);
    } else if (!region->aes.empty()) {
        block = region->aes.front().decrypt(block);
    } else {
        block = block_of(region->noekeon.front().decrypt(words_of(block)));
    }
    return reversed(block ^ mask);
}

MemoryCipher::Block Mce::to_memory(std::uint32_t offset, const MemoryCipher::Block& plain) const {
    return transform(offset, plain, true);
}

MemoryCipher::Block Mce::to_bus(std::uint32_t offset, const MemoryCipher::Block& held) const {
    return transform(offset, held, false);
}

}  // namespace n6vp::models::crypto

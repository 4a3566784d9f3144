// SPDX-License-Identifier: Apache-2.0
#include "tests/support/image_builder.h"

#include <algorithm>
#include <stdexcept>

namespace n6vp::test {

namespace {

constexpr std::uint32_t kFlash = 0x20000000, kRam = 0x40000000;
constexpr std::uint32_t kTypeReloc = 1, kTypeCopy = 2;
constexpr std::uint32_t kDataParam = 1, kDataMixed = 3;

std::uint32_t round_up(std::uint32_t value, std::uint32_t multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

bool is_long(ImageGeneration generation) {
    return generation >= ImageGeneration::Core30;
}

/// Where everything of one image lies, then its bytes.
class Layout {
  public:
    explicit Layout(const ImageSpec& spec) : spec_(spec) {
        if (spec.bss_alignment == 0 || spec.ro_alignment == 0) {
            throw std::invalid_argument("alignment 0");
        }
        place_read_only();
        place_data();
        place_tail();
        fill_read_only();
        fill_data();
        fill_tail();
    }

    Image take() { return std::move(image_); }

  private:
    void place_read_only();
    void place_data();
    void place_tail();
    void fill_read_only();
    void fill_header();
    void fill_data();
    void fill_context();
    void fill_pools();
    void fill_tail();

    [[nodiscard]] std::uint32_t resolve(const ImageWord& word) const;
    void text(std::uint32_t at, const std::string& string);
    void relocate(std::uint32_t link_address) { relocations_.push_back(link_address); }
    [[nodiscard]] std::uint32_t ram_link(std::uint32_t file_offset) const {
        return kRam + file_offset - image_.ro_bytes;
    }

    const ImageSpec& spec_;
    Image image_;
    std::vector<std::uint32_t> relocations_;
    std::vector<std::uint8_t> raw_;
    std::vector<std::uint32_t> foff_;
};

void Layout::place_read_only() {
    image_.header_bytes = is_long(spec_.generation) ? 104 : 96;
    image_.vector_words = is_long(spec_.generation) ? 12 : 10;
    image_.code = image_.header_bytes;
    image_.ro_words = round_up(image_.code + spec_.code_bytes, 4);
    auto at = image_.ro_words + 4 * static_cast<std::uint32_t>(spec_.ro_words.size());
    const auto take_text = [&at](const std::string& string) {
        const std::uint32_t here = at;
        at += static_cast<std::uint32_t>(string.size()) + 1;
        return here;
    };
    image_.c_name = take_text(spec_.c_name);
    image_.version_text = take_text(spec_.version_text);
    for (const PoolSpec& pool : spec_.pools) image_.pool_names.push_back(take_text(pool.name));
    image_.ro_bytes = round_up(at, spec_.ro_alignment);
}

void Layout::place_data() {
    image_.interface = image_.ro_bytes + 4 * static_cast<std::uint32_t>(spec_.data.size());
    // NN_Interface_TypeDef: as many pointers as the vector has words.
    image_.context = image_.interface + 4 * (image_.vector_words + 1);
    image_.context_bytes = spec_.generation == ImageGeneration::Core21 ? 64 : 68;
    image_.pool_table = image_.context + image_.context_bytes;
    image_.pool_count = static_cast<std::uint32_t>(spec_.pools.size());
    image_.data_end = image_.pool(image_.pool_count + 1);
    image_.got = image_.data_end;
    image_.got_words = spec_.got.empty() ? 0 : static_cast<std::uint32_t>(spec_.got.size()) + 3;
    const std::uint32_t got_end = image_.got_word(image_.got_words) - image_.ro_bytes;
    image_.bss_start = round_up(got_end, spec_.bss_alignment);
    image_.bss_end = image_.bss_start + spec_.bss_bytes;
}

void Layout::place_tail() {
    image_.rel = round_up(image_.got_word(image_.got_words), 8);
    const auto needs_entry = [](const ImageWord& word) { return word.relocated; };
    const auto count = std::count_if(spec_.data.begin(), spec_.data.end(), needs_entry) +
                       std::count_if(spec_.ro_words.begin(), spec_.ro_words.end(), needs_entry);
    // Beside those: network_name, c_name, rt_version_desc, itf_network and every pool's name.
    image_.rel_count = static_cast<std::uint32_t>(count) + 4 + image_.pool_count;
    image_.blob_bytes = round_up(static_cast<std::uint32_t>(spec_.blobs.size()), 8);
    for (const PoolSpec& pool : spec_.pools) {
        const std::uint32_t data = pool.flags >> 16 & 0xFF;
        const bool holds_data = (data == kDataParam || data == kDataMixed) && !pool.payload.empty();
        auto position = holds_data ? static_cast<std::uint32_t>(raw_.size()) : 0;
        if (holds_data) {
            raw_.insert(raw_.end(), pool.payload.begin(), pool.payload.end());
            const auto length = static_cast<std::uint32_t>(pool.payload.size());
            raw_.resize(round_up(position + std::max(length, pool.size), 8));
            if (pool.flags >> 24 == kTypeCopy) position += image_.blob_bytes;
        }
        foff_.push_back(pool.foff.value_or(position));
    }
    image_.raw_bytes = static_cast<std::uint32_t>(raw_.size());
    const std::uint32_t running = round_up(image_.relocation(image_.rel_count), 8);
    image_.params_at = raw_.empty() || spec_.split ? 0 : running;
    image_.file.resize(running);
}

std::uint32_t Layout::resolve(const ImageWord& word) const {
    switch (word.kind) {
        case ImageWord::Kind::Plain:
            return word.value;
        case ImageWord::Kind::Code:
            return kFlash + image_.code + word.value;
        case ImageWord::Kind::Text:
            return kFlash + image_.c_name + word.value;
        case ImageWord::Kind::Bss:
            return kRam + image_.bss_start + word.value;
    }
    throw std::invalid_argument("unknown kind of word");
}

void Layout::text(std::uint32_t at, const std::string& string) {
    for (std::size_t i = 0; i < string.size(); ++i) {
        image_.file[at + i] = static_cast<std::uint8_t>(string[i]);
    }
    image_.file[at + string.size()] = 0;
}

void Layout::fill_read_only() {
    // The linker fills what it leaves between sections with 0xFF.
    std::fill(image_.file.begin(), image_.file.begin() + image_.ro_bytes, std::uint8_t{0xFF});
    for (std::uint32_t i = 0; i + 2 <= spec_.code_bytes; i += 2) {
        image_.file[image_.code + i] = 0x70;
        image_.file[image_.code + i + 1] = 0x47;
    }
    for (std::size_t i = 0; i < spec_.ro_words.size(); ++i) {
        const std::uint32_t at = image_.ro_words + 4 * static_cast<std::uint32_t>(i);
        image_.set(at, resolve(spec_.ro_words[i]));
        if (spec_.ro_words[i].relocated) relocate(kFlash + at);
    }
    text(image_.c_name, spec_.c_name);
    text(image_.version_text, spec_.version_text);
    for (std::size_t i = 0; i < spec_.pools.size(); ++i) {
        text(image_.pool_names[i], spec_.pools[i].name);
    }
    fill_header();
}

void Layout::fill_header() {
    const std::uint32_t words[] = {
        0x4E49424E,
        spec_.flags,
        kRam,
        ram_link(image_.data_end),
        kFlash + image_.ro_bytes,
        kRam + image_.bss_start,
        kRam + image_.bss_end,
        ram_link(image_.got),
        ram_link(image_.got_word(image_.got_words)),
        kFlash + image_.rel,
        kFlash + image_.relocation(image_.rel_count),
        ram_link(image_.pool_table),
        image_.params_at,
    };
    std::uint32_t at = 0;
    for (const std::uint32_t word : words) {
        image_.set(at, word);
        at += 4;
    }
    for (std::uint32_t i = 0; i < image_.vector_words; ++i) {
        const bool given = i < spec_.entries.size();
        image_.set(image_.vector + 4 * i, given ? spec_.entries[i] : kFlash + image_.code + 1);
    }
    image_.set(image_.vector + 4 * image_.vector_words, ram_link(image_.context));
}

void Layout::fill_data() {
    for (std::size_t i = 0; i < spec_.data.size(); ++i) {
        const std::uint32_t at = image_.ro_bytes + 4 * static_cast<std::uint32_t>(i);
        image_.set(at, resolve(spec_.data[i]));
        if (spec_.data[i].relocated) relocate(ram_link(at));
    }
    image_.set(image_.interface, kFlash + image_.c_name);
    relocate(ram_link(image_.interface));
    fill_context();
    fill_pools();
    for (std::size_t i = 0; i < spec_.got.size(); ++i) {
        image_.set(image_.got_word(static_cast<std::uint32_t>(i)), resolve(spec_.got[i]));
    }
}

void Layout::fill_context() {
    std::uint32_t acts = 0, params = 0, external = 0;
    for (const PoolSpec& pool : spec_.pools) {
        const bool constant = (pool.flags >> 16 & 0xFF) == kDataParam;
        (constant ? params : acts) += pool.size;
        if (pool.flags >> 24 == kTypeReloc && (pool.flags & 0xFF) == 1) external = pool.size;
    }
    const std::uint32_t at = image_.context;
    image_.set(at + 0x14, kFlash + image_.c_name);
    image_.set(at + 0x18, spec_.acts_sz.value_or(acts));
    image_.set(at + 0x1C, spec_.params_sz.value_or(params));
    image_.set(at + 0x20, spec_.ext_ram_sz.value_or(external));
    image_.set(at + 0x24, kFlash + image_.version_text);
    image_.set(at + 0x28, spec_.rt_version);
    image_.set(at + 0x2C, spec_.rt_version_extra);
    image_.set(at + 0x30, image_.raw_bytes);
    image_.set(at + 0x34, crc32(raw_.data(), raw_.size()));
    if (image_.context_bytes == 68) {
        const bool debug = (spec_.flags >> 21 & 1) != 0;
        image_.set(at + 0x38, spec_.struct_sizes.value_or(debug ? 0x3038 : 0x1438));
    }
    const std::uint32_t interface_at = at + image_.context_bytes - 4;
    image_.set(interface_at, ram_link(image_.interface));
    relocate(ram_link(at + 0x14));
    relocate(ram_link(at + 0x24));
    relocate(ram_link(interface_at));
}

void Layout::fill_pools() {
    for (std::uint32_t i = 0; i < image_.pool_count; ++i) {
        const PoolSpec& pool = spec_.pools[i];
        const std::uint32_t at = image_.pool(i);
        image_.set(at, kFlash + image_.pool_names[i]);
        image_.set(at + 4, pool.flags);
        image_.set(at + 8, foff_[i]);
        image_.set(at + 12, pool.dst);
        image_.set(at + 16, pool.size);
        relocate(ram_link(at));
    }
}

void Layout::fill_tail() {
    for (std::uint32_t i = 0; i < image_.rel_count; ++i) {
        image_.set(image_.relocation(i), relocations_[i]);
    }
    std::vector<std::uint8_t> section = spec_.blobs;
    section.resize(image_.blob_bytes);
    section.insert(section.end(), raw_.begin(), raw_.end());
    if (spec_.split) {
        image_.params = section;
    } else {
        image_.file.insert(image_.file.end(), section.begin(), section.end());
    }
}

}  // namespace

std::uint32_t Image::word(std::uint32_t file_offset) const {
    std::uint32_t value = 0;
    for (std::uint32_t i = 0; i < 4; ++i) {
        value |= std::uint32_t{file.at(file_offset + i)} << (8 * i);
    }
    return value;
}

void Image::set(std::uint32_t file_offset, std::uint32_t value) {
    for (std::uint32_t i = 0; i < 4; ++i) {
        file.at(file_offset + i) = static_cast<std::uint8_t>(value >> (8 * i));
    }
}

std::uint32_t Image::exec_bytes(bool copy) const {
    return round_up(bss_end, 8) + (copy ? round_up(ro_bytes, 8) : 0);
}

void Image::update_crc() {
    const std::vector<std::uint8_t>& holder = params.empty() ? file : params;
    const std::uint32_t at = (params.empty() ? params_at : 0) + blob_bytes;
    set(context + 0x34, crc32(holder.data() + at, raw_bytes));
}

Image build_image(const ImageSpec& spec) {
    return Layout(spec).take();
}

std::uint32_t crc32(const std::uint8_t* bytes, std::size_t count) {
    std::uint32_t crc = 0xFFFFFFFF;
    for (std::size_t i = 0; i < count; ++i) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xEDB88320 : 0);
    }
    return ~crc;
}

std::vector<std::uint8_t> pattern(std::uint32_t count, std::uint32_t seed) {
    std::vector<std::uint8_t> bytes(count);
    std::uint32_t state = seed * 2654435761u + 1;
    for (std::uint8_t& byte : bytes) {
        state = state * 1664525u + 1013904223u;
        byte = static_cast<std::uint8_t>(state >> 24);
    }
    return bytes;
}

}  // namespace n6vp::test

// SPDX-License-Identifier: Apache-2.0
#include "tests/support/legacy_builder.h"

#include <algorithm>

namespace n6vp::test {

namespace {

constexpr std::uint32_t kLegacyFlash = 0x20000000, kLegacyRam = 0x80000000, kHeader = 100;

std::uint32_t up4(std::uint32_t value) {
    return (value + 3) / 4 * 4;
}

std::uint32_t load(const std::vector<std::uint8_t>& bytes, std::size_t at) {
    return static_cast<std::uint32_t>(bytes.at(at) | bytes.at(at + 1) << 8 |
                                      bytes.at(at + 2) << 16) |
           static_cast<std::uint32_t>(bytes.at(at + 3)) << 24;
}

void store(std::vector<std::uint8_t>& bytes, std::size_t at, std::uint32_t value) {
    for (std::size_t i = 0; i < 4; ++i)
        bytes.at(at + i) = static_cast<std::uint8_t>(value >> 8 * i);
}

std::uint32_t value_of(const LegacyWord& word, const LegacyImage& image) {
    switch (word.kind) {
        case LegacyWord::Kind::Plain:
            return word.value;
        case LegacyWord::Kind::Code:
            return kLegacyFlash + kHeader + word.value;
        case LegacyWord::Kind::Name:
            return kLegacyFlash + image.name + word.value;
        case LegacyWord::Kind::Bss:
            return kLegacyRam + image.bss_start + word.value;
    }
    return 0;
}

void lay_out(const LegacySpec& spec, LegacyImage& image) {
    image.name = kHeader + spec.code_bytes;
    image.ro_bytes = up4(image.name + static_cast<std::uint32_t>(spec.name.size()) + 1);
    image.context = image.ro_bytes + 4 * static_cast<std::uint32_t>(spec.data.size());
    image.context_bytes = spec.has_crc ? 60 : 52;
    image.data_end = image.context + image.context_bytes - image.ro_bytes;
    image.got_start = image.data_end + 4;
    const std::size_t words = spec.got.empty() ? 0 : spec.got.size() + 3;
    image.got_end = image.got_start + 4 * static_cast<std::uint32_t>(words);
    const std::uint32_t unit = spec.bss_alignment;
    image.bss_start = (image.got_end + unit - 1) / unit * unit;
    image.bss_end = image.bss_start + spec.bss_bytes;
    image.rel = image.ro_bytes + image.got_end;
    image.rel_count = 1 + static_cast<std::uint32_t>(
                              std::count_if(spec.data.begin(), spec.data.end(),
                                            [](const LegacyWord& word) { return word.relocated; }));
    image.rel_end = image.rel + 4 * image.rel_count;
    image.weights = spec.weights.empty() ? 0 : image.rel_end;
}

void write_header(const LegacySpec& spec, LegacyImage& image) {
    const std::uint32_t weights_end =
        image.weights == 0 ? 0 : image.weights + static_cast<std::uint32_t>(spec.weights.size());
    const std::uint32_t words[] = {0x4E49424E,
                                   spec.flags,
                                   kLegacyRam,
                                   kLegacyRam + image.data_end,
                                   kLegacyFlash + image.ro_bytes,
                                   kLegacyRam + image.bss_start,
                                   kLegacyRam + image.bss_end,
                                   kLegacyRam + image.got_start,
                                   kLegacyRam + image.got_end,
                                   kLegacyFlash + image.rel,
                                   kLegacyFlash + image.rel_end,
                                   image.weights == 0 ? 0 : kLegacyFlash + image.weights,
                                   weights_end == 0 ? 0 : kLegacyFlash + weights_end};
    for (std::uint32_t i = 0; i < 13; ++i) image.set(4 * i, words[i]);
    // Each function is its own `bx lr`.
    for (std::uint32_t i = 0; i < 11; ++i)
        image.set(0x34 + 4 * i, kLegacyFlash + kHeader + 2 * i + 1);
    image.set(0x60, kLegacyRam + image.context - image.ro_bytes);
}

}  // namespace

std::uint32_t LegacyImage::word(std::uint32_t file_offset) const {
    return load(file, file_offset);
}

void LegacyImage::set(std::uint32_t file_offset, std::uint32_t value) {
    store(file, file_offset, value);
}

std::uint32_t LegacyImage::ram_bytes(bool copy) const {
    return up4(bss_end) + (copy ? up4(ro_bytes) : 0);
}

LegacyImage build_legacy(const LegacySpec& spec) {
    LegacyImage image;
    lay_out(spec, image);
    image.file.assign(image.rel_end, 0);
    write_header(spec, image);
    for (std::uint32_t at = 0; at < spec.code_bytes; at += 2) {
        image.file[kHeader + at] = 0x70;
        image.file[kHeader + at + 1] = 0x47;
    }
    std::copy(spec.name.begin(), spec.name.end(), image.file.begin() + image.name);
    std::uint32_t entry = 0;
    for (std::uint32_t i = 0; i < spec.data.size(); ++i) {
        image.set(image.ro_bytes + 4 * i, value_of(spec.data[i], image));
        if (spec.data[i].relocated) image.set(image.relocation(entry++), kLegacyRam + 4 * i);
    }
    image.set(image.context + 0x14, kLegacyFlash + image.name);
    image.set(image.context + 0x18, spec.activations_bytes);
    image.set(image.context + 0x1C, spec.weights_bytes);
    image.set(image.relocation(entry), kLegacyRam + image.context + 0x14 - image.ro_bytes);
    for (std::uint32_t i = 0; i < spec.got.size(); ++i)
        image.set(image.got_word(i), value_of(spec.got[i], image));
    image.file.insert(image.file.end(), spec.weights.begin(), spec.weights.end());
    return image;
}

LegacySpec legacy_sample(bool has_crc) {
    using WordKind = LegacyWord::Kind;
    LegacySpec spec;
    spec.has_crc = has_crc;
    spec.data = {{WordKind::Plain, 0x12345678, false},
                 {WordKind::Code, 5, true},
                 {WordKind::Bss, 8, true},
                 {WordKind::Plain, 0x80000004, false},
                 {WordKind::Plain, 0x80000000, true},
                 {WordKind::Plain, 0, true}};
    spec.got = {{WordKind::Bss, 0, false},
                {WordKind::Code, 1, false},
                {WordKind::Name, 0, false},
                {WordKind::Plain, 0x80000010, false}};
    return spec;
}

std::uint32_t legacy_handle(const std::vector<std::uint8_t>& file, const LegacyPlace& place) {
    const std::uint32_t ro = load(file, 0x10) & 0x0FFFFFFF;
    const std::uint32_t data = place.ram + (place.copy ? up4(ro) : 0);
    return data + (load(file, 0x60) & 0x0FFFFFFF);
}

std::vector<std::uint8_t> legacy_installed(const std::vector<std::uint8_t>& file,
                                           const LegacyPlace& place) {
    const auto offset = [&file](std::size_t at) { return load(file, at) & 0x0FFFFFFF; };
    const std::uint32_t ro = offset(0x10);
    const std::uint32_t copied = offset(0x14);
    std::vector<std::uint8_t> data(offset(0x18), 0);
    std::copy_n(file.begin() + ro, copied, data.begin());
    const std::uint32_t code_base = place.copy ? place.ram : place.file;
    const std::uint32_t data_base = place.ram + (place.copy ? up4(ro) : 0);
    const auto resolve = [&](std::uint32_t at) {
        const std::uint32_t link = load(data, at);
        if (link == 0) return;
        const std::uint32_t base = link >> 28 == 8 ? data_base : code_base;
        store(data, at, base + (link & 0x0FFFFFFF));
    };
    for (std::uint32_t at = offset(0x1C); at < offset(0x20); at += 4) resolve(at);
    for (std::uint32_t at = offset(0x24); at < offset(0x28); at += 4)
        resolve(load(file, at) & 0x0FFFFFFF);
    const std::uint32_t context = offset(0x60);
    store(data, context, place.copy ? 1 : 3);
    store(data, context + 0x08, data_base);
    store(data, context + 0x0C, code_base);
    store(data, context + 0x10, place.heap_block);
    if (!place.copy) return data;
    std::vector<std::uint8_t> all(file.begin(), file.begin() + up4(ro));
    all.insert(all.end(), data.begin(), data.end());
    return all;
}

}  // namespace n6vp::test

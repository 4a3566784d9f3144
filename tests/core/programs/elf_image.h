// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <elf.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/core/diff/flat_bus.h"

namespace n6vp::test {

/// Copies the loadable segments of a 32-bit ELF file to memory. Throws if one does not fit. A
/// reader of its own: these tests compare the core alone and use nothing of the tool.
inline void load_elf(const std::string& path, FlatBus& bus) {
    std::ifstream file(path, std::ios::binary);
    const std::vector<char> bytes((std::istreambuf_iterator<char>(file)), {});
    if (bytes.size() < sizeof(Elf32_Ehdr)) throw std::runtime_error("cannot read " + path);
    Elf32_Ehdr header;
    std::memcpy(&header, bytes.data(), sizeof header);
    for (unsigned i = 0; i < header.e_phnum; ++i) {
        Elf32_Phdr segment;
        const std::size_t at = header.e_phoff + i * sizeof segment;
        if (at + sizeof segment > bytes.size()) throw std::runtime_error("short file " + path);
        std::memcpy(&segment, bytes.data() + at, sizeof segment);
        if (segment.p_type != PT_LOAD || segment.p_filesz == 0) continue;
        std::uint8_t* to = bus.find(segment.p_paddr, segment.p_memsz);
        if (to == nullptr || segment.p_offset + segment.p_filesz > bytes.size())
            throw std::runtime_error("segment outside memory in " + path);
        std::memcpy(to, bytes.data() + segment.p_offset, segment.p_filesz);
    }
}

}  // namespace n6vp::test

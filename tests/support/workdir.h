// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/process.h"
#include "tests/support/thumb.h"

/// `n6vp run` with small programs, in a folder that disappears afterwards.
namespace n6vp::test {

using Json = nlohmann::json;

inline constexpr std::uint32_t kBase = 0x34000000, kMailbox = 0x5FFFF000, kExit = kMailbox + 0x2C;

/// An executable with one segment at kBase.
inline std::vector<std::uint8_t> elf(const Thumb& program) {
    const std::vector<std::uint8_t> content = program.image(kBase, 0x34060000, 0x200);
    Elf32_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS32;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_type = ET_EXEC;
    header.e_machine = EM_ARM;
    header.e_version = EV_CURRENT;
    header.e_ehsize = sizeof header;
    header.e_phoff = sizeof header;
    header.e_phentsize = sizeof(Elf32_Phdr);
    header.e_phnum = 1;
    const auto bytes = static_cast<std::uint32_t>(content.size());
    const Elf32_Phdr segment{PT_LOAD, 0x80, kBase, kBase, bytes, bytes, PF_R | PF_X, 4};
    std::vector<std::uint8_t> file(0x80 + content.size());
    std::memcpy(file.data(), &header, sizeof header);
    std::memcpy(file.data() + sizeof header, &segment, sizeof segment);
    std::memcpy(file.data() + 0x80, content.data(), content.size());
    return file;
}

inline Thumb exiting(std::uint32_t code) {
    return Thumb().write(kExit, code).raw({0xE7FE});
}
inline Thumb endless() {
    return Thumb().raw({0xE7FE});
}

struct Workdir {
    ScratchFolder folder;
    Outcome run(const Thumb& program, const std::vector<std::string>& options) const {
        std::vector<std::string> words{N6VP_BINARY, "run", "--elf",
                                       folder.write("program.elf", elf(program))};
        words.insert(words.end(), options.begin(), options.end());
        return run_process(words);
    }
    /// Runs s.toml, beside which there is program.elf.
    Outcome scenario(const std::string& text, const std::vector<std::string>& options = {},
                     const Thumb& program = exiting(0)) const {
        static_cast<void>(folder.write("program.elf", elf(program)));
        std::vector<std::string> words{N6VP_BINARY, "run", folder.write("s.toml", text)};
        words.insert(words.end(), options.begin(), options.end());
        return run_process(words);
    }
    [[nodiscard]] Json report() const {
        std::ifstream stream(folder.file("r.json"));
        return Json::parse(stream);
    }
};

inline bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace n6vp::test

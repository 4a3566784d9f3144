// SPDX-License-Identifier: Apache-2.0
#include "sim/run/run_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>

#include "memmap/regions.h"
#include "sim/host/input_file.h"
#include "sim/model_file/model_pools.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

/// As in the Armv8-M Architecture Reference Manual: the low bits of VTOR are zero.
constexpr std::uint32_t kVectorsAligned = 128;
/// Room of the boot header before an image; a linker may put the ELF header there.
constexpr std::uint32_t kHeaderBytes = 0x400;

[[nodiscard]] std::uint32_t word_at(const std::vector<std::uint8_t>& content, std::size_t offset) {
    std::uint32_t value = 0;
    if (offset + sizeof value <= content.size()) {
        std::memcpy(&value, content.data() + offset, sizeof value);
    }
    return value;
}

[[nodiscard]] bool has_memory(std::uint32_t address) {
    const memmap::Location location = memmap::find_region(GuestAddr{address});
    return location && location.offset < location.region->fitted_bytes;
}

/// A stack pointer and an address of code.
[[nodiscard]] bool has_vectors(const ExecProgram::Segment& segment, std::size_t offset) {
    const std::uint32_t sp = word_at(segment.content, offset),
                        pc = word_at(segment.content, offset + 4);
    return sp != 0 && sp % 4 == 0 && has_memory(sp - 4) && (pc & 1) != 0 && has_memory(pc) &&
           (segment.address + offset) % kVectorsAligned == 0;
}

/// Returns whether a segment has a vector table at that address.
[[nodiscard]] bool has_vectors(const ExecProgram& program, std::uint32_t address) {
    return std::any_of(program.segments.begin(), program.segments.end(),
                       [address](const ExecProgram::Segment& segment) {
                           return address >= segment.address &&
                                  has_vectors(segment, address - segment.address);
                       });
}

/// Returns where the program's symbols or sections say that its vector table is.
[[nodiscard]] std::optional<std::uint32_t> named_vectors(const ExecProgram& program,
                                                         const ElfFile& symbols) {
    // Of start-up code of the vendor, CMSIS, IAR and Zephyr.
    for (const char* const name :
         {"g_pfnVectors", "__Vectors", "__vector_table", "_vector_table", ".isr_vector"}) {
        const ElfSymbol* const symbol = symbols.find_symbol(name);
        if (symbol != nullptr && has_vectors(program, symbol->value)) return symbol->value;
    }
    for (const ElfSection& section : symbols.sections()) {
        if (section.name == ".isr_vector" && has_vectors(program, section.address)) {
            return section.address;
        }
    }
    return std::nullopt;
}

[[nodiscard]] std::vector<HexPart> parts_of(const RunPlan::Image& image,
                                            std::vector<std::uint8_t> content) {
    const std::string shown = traces::terminal_text(image.file);
    const bool hex = is_intel_hex(content);
    if (!image.at) {
        if (hex) return parse_intel_hex(content, image.file);
        throw UserError(shown + " is not an Intel HEX file, and raw bytes need an address",
                        "write --image ADDR=FILE, or `at` in [[image]]");
    }
    if (hex) {
        throw UserError(shown + " is an Intel HEX file: its records have addresses",
                        "leave the address out: --image FILE, or no `at` in [[image]]");
    }
    const std::uint32_t at = to_word(*image.at);
    if (at + std::uint64_t{content.size()} > std::uint64_t{1} << 32) {
        throw UserError(fmt::format("{} at 0x{:08x}, {} bytes, exceeds the address space", shown,
                                    at, content.size()),
                        "choose a lower address, such as 0x71000000 in the external flash");
    }
    return {{at, std::move(content)}};
}

[[nodiscard]] AddressRange range_of(const RunFile& file) {
    return {GuestAddr{file.address}, static_cast<std::uint32_t>(file.content.size())};
}

[[noreturn]] void refuse_overlap(const RunFile& file, const RunFile& earlier) {
    throw UserError(fmt::format("{}: {} at 0x{:08x}, {} bytes, overlaps {} at 0x{:08x}, {} bytes",
                                file.origin, file.name, file.address, file.content.size(),
                                earlier.name, earlier.address, earlier.content.size()),
                    "choose addresses that do not overlap");
}

/// A damaged program may have tens of thousands of segments: neighbours are compared, not pairs.
void require_files_apart(const std::vector<RunFile>& files) {
    struct Placed {
        std::uint64_t start;
        std::size_t index;
        bool operator<(const Placed& other) const {
            return start != other.start ? start < other.start : index < other.index;
        }
    };
    std::vector<Placed> order;
    order.reserve(files.size());
    for (std::size_t i = 0; i < files.size(); ++i) {
        order.push_back({one_alias(GuestAddr{files[i].address}), i});
    }
    std::sort(order.begin(), order.end());
    for (std::size_t i = 1; i < order.size(); ++i) {
        const Placed& before = order[i - 1];
        if (order[i].start - before.start >= files[before.index].content.size()) continue;
        const auto [first, second] = std::minmax(before.index, order[i].index);
        refuse_overlap(files[second], files[first]);
    }
}

/// Memory of the program that its file has nothing for, such as .bss, is the program's, too.
[[nodiscard]] std::vector<UsedRange> used_by(const std::vector<RunFile>& files,
                                             const ElfFile* symbols, std::size_t segments) {
    std::vector<UsedRange> used;
    for (std::size_t i = 0; i < files.size(); ++i) {
        used.push_back({range_of(files[i]), i < segments ? "the program" : files[i].name});
    }
    if (symbols == nullptr) return used;
    for (const ElfSection& section : symbols->sections()) {
        if (!section.allocated() || section.bytes == 0) continue;
        used.push_back({{GuestAddr{section.address}, section.bytes},
                        "the program's " + traces::terminal_text(section.name)});
    }
    return used;
}

void require_models_apart(const RunPlan& plan, const std::vector<RunFile>& files,
                          const std::vector<UsedRange>& used, std::size_t segments) {
    for (std::size_t i = segments; i < files.size(); ++i) {
        if (!is_model(files[i].content)) continue;
        std::vector<UsedRange> others = used;
        if (plan.exec_ram) {
            require_exec_ram_apart(*plan.exec_ram, plan.exec_ram_origin, used);
            others.push_back({*plan.exec_ram, "exec RAM (--exec)"});
        }
        require_pools_apart(files[i].path, files[i].origin, GuestAddr{files[i].address},
                            files[i].content, others);
    }
}

/// One file with one name, and what the run has to do with it.
struct NamedFile {
    std::string what, path;
};

[[nodiscard]] bool same_file(const std::string& one, const std::string& other) {
    std::error_code error;
    if (std::filesystem::equivalent(one, other, error)) return true;
    const auto place = [&error](const std::string& name) {
        return std::filesystem::weakly_canonical(std::filesystem::absolute(name, error), error);
    };
    const std::filesystem::path a = place(one);
    return !a.empty() && a == place(other);
}

[[nodiscard]] std::vector<NamedFile> inputs_of(const RunPlan& plan, const RunSources& read) {
    std::vector<NamedFile> inputs{{"the scenario", read.scenario},
                                  {"the parameter file", read.parameters},
                                  {"the program", plan.elf.text},
                                  {"the SVD file", plan.svd.text}};
    for (const RunPlan::Image& image : plan.images) inputs.push_back({"an image", image.file});
    for (const auto& memory : plan.expect.memory) {
        inputs.push_back({"a reference file of [expect]", memory.value.file});
    }
    for (const std::string& tensor : read.tensors) {
        inputs.push_back({"an input or expected output of the model", tensor});
    }
    return inputs;
}

}  // namespace

std::vector<HexPart> read_image(const RunPlan::Image& image) {
    constexpr std::uintmax_t kLargest = 256u << 20;
    constexpr const char* kSizes = "an image has 1 byte to 256 MiB";
    try {
        const std::string shown = traces::terminal_text(image.file);
        std::vector<std::uint8_t> content = read_input(image.file, kLargest, kSizes);
        if (content.empty()) throw UserError(shown + " is empty", kSizes);
        if (image.bytes && *image.bytes != content.size()) {
            throw UserError(
                fmt::format("{} has {} bytes, not {}", shown, content.size(), *image.bytes),
                "check the file, or correct `bytes`");
        }
        return parts_of(image, std::move(content));
    } catch (const UserError& error) {
        throw UserError(fmt::format("{}: {}", image.origin, error.what()), error.remedy(),
                        error.exit_code());
    }
}

std::vector<RunFile> read_run_files(const RunPlan& plan, const ExecProgram& program,
                                    const ElfFile* symbols) {
    std::vector<RunFile> files;
    for (const ExecProgram::Segment& segment : program.segments) {
        files.push_back({segment.address, segment.content,
                         fmt::format("a segment of {}", traces::terminal_text(plan.elf.text)),
                         plan.elf.origin, ""});
    }
    const std::size_t segments = files.size();
    for (const RunPlan::Image& image : plan.images) {
        for (HexPart& part : read_image(image)) {
            files.push_back({part.address, std::move(part.content),
                             traces::terminal_text(image.file), image.origin, image.file});
        }
    }
    require_files_apart(files);
    require_models_apart(plan, files, used_by(files, symbols, segments), segments);
    return files;
}

std::uint32_t vectors_of(const RunPlan& plan, const ExecProgram& program, const ElfFile* symbols,
                         const std::vector<RunFile>& files) {
    if (plan.vectors) {
        const std::uint32_t vectors = *plan.vectors;
        constexpr std::uint32_t kFirstTwo = 8;  // stack pointer and reset handler
        const bool loaded = std::any_of(files.begin(), files.end(), [vectors](const RunFile& file) {
            return share_memory(range_of(file), {GuestAddr{vectors}, kFirstTwo});
        });
        if (loaded && vectors % kVectorsAligned == 0) return vectors;
        throw UserError(
            fmt::format("{}: no vector table at 0x{:08x}: {}", plan.vectors_origin, vectors,
                        loaded ? "the address is not a multiple of 128"
                               : "neither the program nor an image covers this address"),
            "omit --vectors if the program starts with its table");
    }
    if (symbols != nullptr) {
        if (const auto vectors = named_vectors(program, *symbols)) return *vectors;
    }
    for (const std::uint32_t offset : {0u, kHeaderBytes}) {
        for (const ExecProgram::Segment& segment : program.segments) {
            if (has_vectors(segment, offset)) return segment.address + offset;
        }
    }
    throw UserError("no vector table at the start of any segment of the program, nor 0x400 into it",
                    "name its address: --vectors ADDR");
}

void require_outputs_apart(const RunPlan& plan, const RunSources& read, const RunOutputs& written) {
    constexpr std::string_view kFile = "file:";
    std::vector<NamedFile> outputs;
    if (!written.report.empty()) outputs.push_back({"the report", written.report});
    if (!written.trace.empty()) outputs.push_back({"the trace", written.trace});
    if (plan.uart.text.starts_with(kFile)) {
        outputs.push_back({"the console", plan.uart.text.substr(kFile.size())});
    }
    std::vector<NamedFile> taken = inputs_of(plan, read);
    for (const NamedFile& output : outputs) {
        for (const NamedFile& other : taken) {
            if (other.path.empty() || !same_file(output.path, other.path)) continue;
            throw UserError(fmt::format("{} would overwrite {}: {}", output.what, other.what,
                                        traces::terminal_text(output.path)),
                            "choose another file");
        }
        taken.push_back(output);
    }
}

}  // namespace n6vp::sim

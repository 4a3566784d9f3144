// SPDX-License-Identifier: Apache-2.0
#include "sim/run/run_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>

#include "memmap/regions.h"
#include "models/soc/system/boot_image.h"
#include "sim/info/image_report.h"
#include "sim/model_file/model_pools.h"
#include "sim/run/image_file.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

/// As in the Armv8-M Architecture Reference Manual: the low bits of VTOR are zero.
constexpr std::uint32_t kVectorsAligned = 128;

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

[[nodiscard]] bool is_stack(std::uint32_t sp) {
    return sp != 0 && sp % 4 == 0 && has_memory(sp - 4);
}

/// A stack pointer and an address of code.
[[nodiscard]] bool has_vectors(const std::vector<std::uint8_t>& content, std::uint32_t address,
                               std::size_t offset) {
    const std::uint32_t sp = word_at(content, offset), pc = word_at(content, offset + 4);
    return is_stack(sp) && (pc & 1) != 0 && has_memory(pc) &&
           (address + offset) % kVectorsAligned == 0;
}

/// Returns whether a segment has a vector table at that address.
[[nodiscard]] bool has_vectors(const ExecProgram& program, std::uint32_t address) {
    return std::any_of(program.segments.begin(), program.segments.end(),
                       [address](const ExecProgram::Segment& segment) {
                           return address >= segment.address &&
                                  has_vectors(segment.content, segment.address,
                                              address - segment.address);
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
                                  {"the SVD file", plan.svd.text},
                                  {"the camera's picture", plan.camera.text},
                                  {"the image of the card", plan.sd.text},
                                  {"the recording", plan.microphone.text}};
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

namespace {

[[nodiscard]] bool is_loaded(const std::vector<RunFile>& files, std::uint32_t address) {
    return std::any_of(files.begin(), files.end(), [address](const RunFile& file) {
        return share_memory(range_of(file), {GuestAddr{address & ~1u}, 2});
    });
}

/// Returns where an image with boot header starts if it runs where it was loaded.
[[nodiscard]] std::optional<RunStart> start_by_header(const RunFile& image) {
    if (!models::is_boot_image(image.content)) return std::nullopt;
    const models::BootHeader header = report::boot_header_of(image.path, image.content);
    if (!share_memory(range_of(image), {GuestAddr{header.entry & ~1u}, 2})) return std::nullopt;
    RunStart start{image.address + models::kBootCode, std::nullopt};
    const bool same = word_at(image.content, models::kBootCode + 4) == header.entry;
    if (!same || !has_vectors(image.content, image.address, models::kBootCode)) {
        start.registers = models::boot_start(header, image.content);
    }
    return start;
}

/// A table in an image counts if its first code was loaded, too: data may look like one.
[[nodiscard]] std::optional<RunStart> start_of_images(std::span<const RunFile> images,
                                                      const std::vector<RunFile>& files) {
    for (const RunFile& image : images) {
        if (const std::optional<RunStart> start = start_by_header(image)) return start;
    }
    for (const std::uint32_t offset : {0u, models::kBootCode}) {
        for (const RunFile& image : images) {
            if (has_vectors(image.content, image.address, offset) &&
                is_loaded(files, word_at(image.content, offset + 4))) {
                return RunStart{image.address + offset, std::nullopt};
            }
        }
    }
    return std::nullopt;
}

/// Requires what the boot ROM requires. The vector table does not count: the header does.
[[nodiscard]] RunStart start_from_flash(const RunPlan& plan, const std::vector<RunFile>& files) {
    constexpr const char* kRemedy =
        "load a first-stage boot loader with boot header there: --image fsbl-trusted.bin";
    if (plan.vectors) {
        throw UserError(plan.vectors_origin + ": a vector table and boot = flash",
                        "the boot ROM starts at the entry of the boot header: leave it out");
    }
    const auto found = std::find_if(files.begin(), files.end(), [](const RunFile& file) {
        return one_alias(GuestAddr{file.address}) == one_alias(GuestAddr{models::kBootFlash});
    });
    if (found == files.end()) {
        throw UserError(fmt::format("nothing to boot: no image at 0x{:08x}, the start of the flash",
                                    models::kBootFlash),
                        kRemedy);
    }
    if (!models::is_boot_image(found->content)) {
        throw UserError(fmt::format("{}: {} at 0x{:08x} has no boot header", found->origin,
                                    found->name, found->address),
                        kRemedy);
    }
    const models::BootHeader header = report::boot_header_of(found->name, found->content);
    if (header.image_bytes() > models::kMaxBootBytes) {
        throw UserError(
            fmt::format("{}: {} has {} bytes: the boot ROM takes {} at most", found->origin,
                        found->name, header.image_bytes(), models::kMaxBootBytes),
            "load a smaller first stage");
    }
    return {models::kBootRam + models::kBootCode, std::nullopt};
}

[[noreturn]] void refuse_start(std::span<const RunFile> images) {
    for (const RunFile& image : images) {
        if (models::is_boot_image(image.content) && image.address == models::kBootFlash) {
            throw UserError(fmt::format("{}: {} is an image that the boot ROM copies from flash",
                                        image.origin, image.name),
                            "let it: --boot flash");
        }
    }
    for (const RunFile& image : images) {
        for (const std::uint32_t offset : {0u, models::kBootCode}) {
            if (!has_vectors(image.content, image.address, offset)) continue;
            throw UserError(
                fmt::format("{}: the program in {} at 0x{:08x} starts at 0x{:08x}, where nothing "
                            "is loaded",
                            image.origin, image.name, image.address,
                            word_at(image.content, offset + 4)),
                "a boot loader copies it there: load that, too, and boot with --boot flash; or "
                "load the program where it runs");
        }
    }
    throw UserError("no vector table at the start of any segment of the program, nor 0x400 into it",
                    "name its address: --vectors ADDR");
}

}  // namespace

RunStart start_of(const RunPlan& plan, const ExecProgram& program, const ElfFile* symbols,
                  const std::vector<RunFile>& files) {
    if (plan.options.boot == BootState::Flash) return start_from_flash(plan, files);
    if (plan.vectors) {
        const std::uint32_t vectors = *plan.vectors;
        constexpr std::uint32_t kFirstTwo = 8;  // stack pointer and reset handler
        const bool loaded = std::any_of(files.begin(), files.end(), [vectors](const RunFile& file) {
            return share_memory(range_of(file), {GuestAddr{vectors}, kFirstTwo});
        });
        if (loaded && vectors % kVectorsAligned == 0) return {vectors, std::nullopt};
        throw UserError(
            fmt::format("{}: no vector table at 0x{:08x}: {}", plan.vectors_origin, vectors,
                        loaded ? "the address is not a multiple of 128"
                               : "neither the program nor an image covers this address"),
            "omit --vectors if the program starts with its table");
    }
    if (symbols != nullptr) {
        if (const auto vectors = named_vectors(program, *symbols)) return {*vectors, std::nullopt};
    }
    const std::size_t segments = program.segments.size();
    // Data may look like a table: one whose first code is loaded, too, comes first.
    for (const bool with_code : {true, false}) {
        for (const std::uint32_t offset : {0u, models::kBootCode}) {
            for (const ExecProgram::Segment& segment : program.segments) {
                if (!has_vectors(segment.content, segment.address, offset)) continue;
                if (!with_code || is_loaded(files, word_at(segment.content, offset + 4)))
                    return {segment.address + offset, std::nullopt};
            }
        }
    }
    const std::span<const RunFile> images = std::span(files).subspan(segments);
    if (const std::optional<RunStart> start = start_of_images(images, files)) return *start;
    refuse_start(images);
}

void require_outputs_apart(const RunPlan& plan, const RunSources& read, const RunOutputs& written) {
    constexpr std::string_view kFile = "file:";
    std::vector<NamedFile> outputs;
    if (!written.report.empty()) outputs.push_back({"the report", written.report});
    if (!written.trace.empty()) outputs.push_back({"the trace", written.trace});
    if (!plan.screen.text.empty()) outputs.push_back({"the screen", plan.screen.text});
    if (!plan.sd_out.text.empty()) outputs.push_back({"the card", plan.sd_out.text});
    if (!plan.speaker.text.empty()) outputs.push_back({"the speaker", plan.speaker.text});
    if (plan.uart.text.starts_with(kFile)) {
        outputs.push_back({"the console", plan.uart.text.substr(kFile.size())});
    }
    for (const PortPlace& one : plan.uarts) {
        if (one.place.starts_with(kFile))
            outputs.push_back({"serial port " + one.port, one.place.substr(kFile.size())});
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

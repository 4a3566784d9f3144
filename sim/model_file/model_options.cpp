// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <string>

#include "sim/host/errors.h"
#include "sim/host/numbers.h"
#include "sim/model_file/model_source.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

constexpr std::uint64_t kTooMuch = std::uint64_t{1} << 32;

UserError bad_number(std::string_view text, std::string_view option) {
    return UserError(
        fmt::format("{}: '{}' is not a 32-bit number", option, traces::terminal_text(text)),
        "write decimal or 0x-hexadecimal digits, with K or M for multiples of 1024");
}

/// Returns the multiplier that a suffix names, or 0 for a suffix that means nothing.
std::uint64_t suffix_factor(std::string_view suffix) {
    if (suffix.empty()) return 1;
    const std::string_view tail = suffix.substr(1);
    if (!tail.empty() && tail != "B" && tail != "iB") return 0;
    switch (std::tolower(static_cast<unsigned char>(suffix.front()))) {
        case 'k':
            return 1024;
        case 'm':
            return std::uint64_t{1024} * 1024;
        case 'g':
            return std::uint64_t{1024} * 1024 * 1024;
        default:
            return 0;
    }
}

/// One --firmware word that sets a switch of the profile.
struct Switch {
    std::string_view word;
    std::uint8_t group;  ///< words of one group exclude each other
    void (*apply)(loader::RuntimeProfile& profile);
};

using loader::RuntimeProfile;
constexpr std::array kSwitches = {
    Switch{"secure", 0, [](RuntimeProfile& profile) { profile.secure = true; }},
    Switch{"nonsecure", 0, [](RuntimeProfile& profile) { profile.secure = false; }},
    Switch{"dbg", 1, [](RuntimeProfile& profile) { profile.dbg_info = true; }},
    Switch{"nodbg", 1, [](RuntimeProfile& profile) { profile.dbg_info = false; }},
    Switch{"async", 2, [](RuntimeProfile& profile) { profile.async = true; }},
    Switch{"polling", 2, [](RuntimeProfile& profile) { profile.async = false; }},
    Switch{"debug", 3, [](RuntimeProfile& profile) { profile.ndebug = false; }},
    Switch{"ndebug", 3, [](RuntimeProfile& profile) { profile.ndebug = true; }},
    Switch{"short-enums", 4, [](RuntimeProfile& profile) { profile.buffer_info_bytes = 56; }},
    Switch{"int-enums", 4, [](RuntimeProfile& profile) { profile.buffer_info_bytes = 64; }},
    Switch{"fpu", 5, [](RuntimeProfile& profile) { profile.fpu_enabled = true; }},
    Switch{"nofpu", 5, [](RuntimeProfile& profile) { profile.fpu_enabled = false; }},
};
constexpr std::uint8_t kGroupCpu = 6;
constexpr std::uint8_t kGroupVersion = 7;

void set_version(RuntimeProfile& profile, const loader::RuntimeVersion& version) {
    profile.version = version;
    profile.generation = loader::generation_of(version);
}

/// Applies one word and returns its group. Fails with UserError for a word that means nothing.
std::uint8_t apply_word(std::string_view word, RuntimeProfile& profile) {
    for (const Switch& candidate : kSwitches) {
        if (candidate.word != word) continue;
        candidate.apply(profile);
        return candidate.group;
    }
    if (word.substr(0, 3) == "rt=") {
        set_version(profile, parse_runtime_version(word.substr(3), "--firmware rt"));
        return kGroupVersion;
    }
    if (word.substr(0, 4) == "cpu=") {
        std::string_view digits = word.substr(4);
        if (digits.substr(0, 2) == "0x") digits.remove_prefix(2);
        const auto part = parse_digits<std::uint32_t>(digits, 16);
        if (part && *part <= 0xFFF) {
            profile.cpu_part = *part;
            return kGroupCpu;
        }
    }
    throw UserError(
        fmt::format("--firmware: unknown property '{}'", traces::terminal_text(word)),
        "use secure|nonsecure, dbg|nodbg, async|polling, debug|ndebug, short-enums|int-enums, "
        "fpu|nofpu, cpu=D22 or rt=1.1.3-8");
}

bool is_known_version(const loader::RuntimeVersion& version) {
    return version.major == 1 && version.minor == 1 && version.micro <= 3;
}

}  // namespace

std::uint32_t parse_number(std::string_view text, std::string_view option) {
    std::string_view rest = text;
    const bool hex = text.starts_with("0x") || text.starts_with("0X");
    if (hex) rest.remove_prefix(2);
    const auto value = take_digits<std::uint32_t>(rest, hex ? 16 : 10);
    const std::uint64_t result = value.value_or(0) * suffix_factor(rest);
    if (!value || suffix_factor(rest) == 0 || result >= kTooMuch) throw bad_number(text, option);
    return static_cast<std::uint32_t>(result);
}

AddressRange parse_range(std::string_view text, std::string_view option) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) {
        throw UserError(fmt::format("{}: '{}' has no size", option, traces::terminal_text(text)),
                        "write ADDR:SIZE, such as 0x34060000:640K");
    }
    const AddressRange range{GuestAddr{parse_number(text.substr(0, colon), option)},
                             parse_number(text.substr(colon + 1), option)};
    if (range.wraps()) {
        throw UserError(
            fmt::format("{}: '{}' runs past 0xffffffff", option, traces::terminal_text(text)),
            "the address space has 32 bits");
    }
    return range;
}

loader::RuntimeVersion parse_runtime_version(std::string_view text, std::string_view option) {
    std::string_view rest = text;
    std::array<std::uint32_t, 4> numbers{};
    const std::array<char, 4> separators{'.', '.', '-', '\0'};
    std::size_t count = 0;
    while (count < numbers.size()) {
        const auto number = take_digits<std::uint32_t>(rest);
        if (!number) break;
        numbers[count] = *number;
        const char separator = separators[count++];
        if (rest.empty() || rest.front() != separator) break;
        rest.remove_prefix(1);
    }
    const bool complete = rest.empty() && count >= 3 && text.back() != '-';
    if (!complete || numbers[0] > 255 || numbers[1] > 255 || numbers[2] > 255) {
        throw UserError(
            fmt::format("{}: '{}' is not a version", option, traces::terminal_text(text)),
            "write major.minor.micro or major.minor.micro-dev, such as 1.1.3-8");
    }
    loader::RuntimeVersion version{static_cast<std::uint8_t>(numbers[0]),
                                   static_cast<std::uint8_t>(numbers[1]),
                                   static_cast<std::uint8_t>(numbers[2]), numbers[3]};
    if (count == 3) {
        version.dev = loader::default_profile(loader::generation_of(version)).version.dev;
    }
    return version;
}

std::uint32_t parse_mode(std::string_view text, bool clear) {
    const std::uint32_t clear_bit = clear ? loader::format::kModeClear : 0;
    if (text == "xip") return loader::format::kModeXip | clear_bit;
    if (text == "copy") return loader::format::kModeCopy | clear_bit;
    if (text.empty() || text.find_first_not_of("0123456789") != std::string_view::npos) {
        throw UserError(fmt::format("--mode: '{}' is not a mode", traces::terminal_text(text)),
                        "use xip or copy; a number stands for the raw mode bits of the C API");
    }
    return parse_number(text, "--mode") | clear_bit;
}

loader::RuntimeProfile matching_profile(const loader::Container& container) {
    const loader::Header& header = container.header();
    loader::RuntimeProfile profile = loader::default_profile(
        header.header_bytes == loader::format::kShortHeaderBytes ? loader::Generation::Core22
                                                                 : loader::Generation::Core30);
    loader::RuntimeContext context;
    if (container.context(context) && is_known_version(context.version())) {
        set_version(profile, context.version());
    }
    profile.secure = header.flags.secure();
    profile.dbg_info = header.flags.dbg_info();
    profile.async = header.flags.async();
    profile.epoch_item_bytes = profile.dbg_info ? 48 : 20;
    return profile;
}

loader::RuntimeProfile parse_firmware(std::string_view text, const loader::RuntimeProfile& base) {
    loader::RuntimeProfile profile = base;
    std::uint32_t seen = 0;
    while (!text.empty()) {
        const std::size_t comma = std::min(text.find(','), text.size());
        const std::string_view word = text.substr(0, comma);
        const std::uint32_t bit = 1u << apply_word(word, profile);
        if ((seen & bit) != 0) {
            throw UserError(fmt::format("--firmware: '{}' repeats or contradicts an earlier word",
                                        traces::terminal_text(word)),
                            "give each property once");
        }
        seen |= bit;
        text.remove_prefix(comma);
        if (text.empty()) break;
        text.remove_prefix(1);
        if (text.empty()) apply_word(text, profile);  // A trailing comma is an empty word.
    }
    profile.epoch_item_bytes = profile.dbg_info ? 48 : 20;
    return profile;
}

std::string_view generation_name(loader::Generation generation) {
    switch (generation) {
        case loader::Generation::Core21:
            return "ST Edge AI Core 2.1";
        case loader::Generation::Core22:
            return "ST Edge AI Core 2.2";
        case loader::Generation::Core30:
            return "ST Edge AI Core 3.0";
        case loader::Generation::Core4x:
            return "ST Edge AI Core 4.x";
    }
    return "unknown";
}

std::string_view generation_number(loader::Generation generation) {
    const std::string_view name = generation_name(generation);
    return name.substr(name.rfind(' ') + 1);
}

std::string version_text(const loader::RuntimeVersion& version) {
    return fmt::format("{}.{}.{}-{}", version.major, version.minor, version.micro, version.dev);
}

std::string profile_text(const loader::RuntimeProfile& profile) {
    return fmt::format("ll_aton {} ({}), {}, {}, {}, {}, {}, CPU part 0x{:03x}, FPU {}",
                       version_text(profile.version), generation_name(profile.generation),
                       profile.secure ? "secure" : "nonsecure", profile.dbg_info ? "dbg" : "nodbg",
                       profile.async ? "async" : "polling", profile.ndebug ? "ndebug" : "debug",
                       profile.buffer_info_bytes == 56 ? "short-enums" : "int-enums",
                       profile.cpu_part, profile.fpu_enabled ? "enabled" : "off");
}

}  // namespace n6vp::sim

// SPDX-License-Identifier: Apache-2.0
#include "sim/run/run_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <utility>

#include "models/soc/system/boot_image.h"
#include "sim/host/errors.h"
#include "sim/host/log.h"
#include "sim/host/nearest.h"
#include "sim/host/numbers.h"
#include "sim/model_file/model_source.h"
#include "sim/platform/parameter_file.h"
#include "sim/run/camera_setup.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

using models::core::Coherence;
using models::core::Timing;

[[nodiscard]] std::size_t index_of(std::string_view key) {
    const auto* const found = std::find_if(kRunKeys.begin(), kRunKeys.end(),
                                           [key](const RunKey& row) { return row.name == key; });
    return static_cast<std::size_t>(found - kRunKeys.begin());
}

[[noreturn]] void refuse(const RunConfig::Value& value, std::string_view key,
                         const std::string& remedy) {
    throw UserError(
        fmt::format("{}: {} = '{}'", value.origin, key, traces::terminal_text(value.text)), remedy);
}

/// Returns the number of the choice that the value is.
[[nodiscard]] std::size_t choice(const RunConfig& config, std::string_view key) {
    std::vector<std::string> words;
    for (std::string_view rest = kRunKeys[index_of(key)].choices; !rest.empty();) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        words.emplace_back(rest.substr(0, comma));
        rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
    const RunConfig::Value& value = config.get(key);
    const auto found = std::find(words.begin(), words.end(), value.text);
    if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
    std::string list;
    for (const std::string& word : words) list += (list.empty() ? "" : ", ") + word;
    const std::string_view near = nearest(value.text, words);
    refuse(value, key,
           near.empty() ? "give one of " + list
                        : fmt::format("did you mean {}? possible: {}", near, list));
}

[[nodiscard]] models::Picoseconds duration(const RunConfig& config, std::string_view key) {
    const RunConfig::Value& value = config.get(key);
    const std::optional<models::Picoseconds> time = parse_duration(value.text);
    if (!time)
        refuse(value, key, "give a number with a unit, such as 10ms, 1us or 2s, of 1ps at least");
    return *time;
}

[[nodiscard]] std::uint64_t count(const RunConfig& config, std::string_view key) {
    const RunConfig::Value& value = config.get(key);
    const auto result = parse_digits<std::uint64_t>(value.text);
    if (!result) refuse(value, key, "give a whole number below 2^64");
    return *result;
}

/// A program that reads a console may wait for as long as people do.
[[nodiscard]] models::Picoseconds quiet_limit(const RunConfig& config) {
    const auto has_input = [](std::string_view place) {
        return place == "stdio" || place == "pty" || place.starts_with("tcp:");
    };
    const bool any = has_input(config.get("uart").text) ||
                     std::any_of(config.uarts().begin(), config.uarts().end(),
                                 [&](const PortPlace& one) { return has_input(one.place); });
    const bool unset = config.get("max_quiet").origin == "default";
    if (any && unset) return 0;
    // A program may wait for the next input of its scenario.
    models::Picoseconds longest = 0;
    for (const BoardInput& input : config.board().inputs)
        longest = std::max({longest, input.at, input.every});
    return duration(config, "max_quiet") + (unset ? longest : 0);
}

[[nodiscard]] bool is_stm32n6(std::string_view chip) {
    return chip == "stm32n6" || chip == "n6";
}

/// Consoles, the board, and masters beside the core.
void set_surroundings(const RunConfig& config, RunPlan& plan) {
    plan.uart = config.get("uart");
    plan.uart_port = config.get("uart_port");
    plan.uarts = config.uarts();
    plan.board = config.board();
    add_camera_sensor(config, plan.board);
    constexpr const char* kLedBoards[] = {"none", "dk", "nucleo"};
    plan.board.watch_leds(kLedBoards[choice(config, "leds")]);
    for (const TrafficSetting& one : config.masters())
        plan.options.masters.push_back(traffic_master(one));
}

void set_files(const RunConfig& config, RunPlan& plan) {
    plan.files = config.get("files");
    plan.arguments = config.get("arguments");
    plan.camera = config.get("camera");
    plan.svd = config.get("svd");
    plan.screen = config.get("screen");
    plan.sd = config.get("sd");
    plan.sd_out = config.get("sd_out");
    plan.microphone = config.get("microphone");
    plan.speaker = config.get("speaker");
    plan.dump = config.get("dump");
    plan.symbols = config.symbols();
}

void set_images(const RunConfig& config, RunPlan& plan) {
    const bool other_chip = !is_stm32n6(config.get("chip").text);
    for (const RunConfig::Image& image : config.images()) {
        std::optional<GuestAddr> at;
        if (!image.at.text.empty()) {
            at = GuestAddr{parse_number(image.at.text, image.at.origin.c_str())};
        }
        std::optional<GuestAddr> boot_at;
        const bool to_flash = plan.options.boot == BootState::Flash;
        if (!other_chip) boot_at = GuestAddr{to_flash ? models::kBootFlash : models::kBootRam};
        plan.images.push_back(
            {at, image.file, image.at.origin, image.bytes, image.format, boot_at});
    }
}

}  // namespace

std::optional<models::Picoseconds> parse_duration(std::string_view text) {
    if (text == "0") return 0;  // of any unit
    const std::size_t digits = std::min(text.find_first_not_of("0123456789.e+-"), text.size());
    const double value = parse_digits<double>(text.substr(0, digits)).value_or(-1);
    if (value < 0) return std::nullopt;
    const std::string_view unit = text.substr(digits);
    constexpr std::pair<std::string_view, double> kUnits[] = {
        {"s", 1e12}, {"ms", 1e9}, {"us", 1e6}, {"ns", 1e3}, {"ps", 1}};
    constexpr double kLongest = 1e18;  // 11 days: far from the end of the kernel's time
    for (const auto& [name, ps] : kUnits) {
        if (unit != name || value * ps > kLongest) continue;
        const auto result = static_cast<models::Picoseconds>(std::llround(value * ps));
        // 0 says that there is no limit: a time that is too short to count is not that.
        if (result == 0 && value != 0) return std::nullopt;
        return result;
    }
    return std::nullopt;
}

RunConfig::RunConfig() {
    for (std::size_t i = 0; i < kRunKeys.size(); ++i) values_[i].text = kRunKeys[i].standard;
}

void RunConfig::set(std::string_view key, std::string text, std::string origin) {
    const std::size_t index = index_of(key);
    if (index == kRunKeys.size()) {
        std::vector<std::string> names;
        names.reserve(kRunKeys.size());
        for (const RunKey& row : kRunKeys) names.emplace_back(row.name);
        const std::string_view near = nearest(key, names);
        throw UserError(
            fmt::format("{}: unknown key '{}' in [run]", origin, traces::terminal_text(key)),
            near.empty() ? std::string("`n6vp run --print-config` lists the keys")
                         : fmt::format("did you mean {}?", near));
    }
    values_[index] = {std::move(text), std::move(origin)};
}

const RunConfig::Value& RunConfig::get(std::string_view key) const {
    return values_.at(index_of(key));
}

void RunConfig::set_uart(std::string_view text, const std::string& origin) {
    PortPlace place = port_place(text, origin);
    if (place.port.empty()) return set("uart", std::move(place.place), origin);
    const auto same = std::find_if(uarts_.begin(), uarts_.end(),
                                   [&](const PortPlace& one) { return one.port == place.port; });
    if (same != uarts_.end()) {
        *same = std::move(place);
    } else {
        uarts_.push_back(std::move(place));
    }
}

void RunConfig::move_uarts(std::string_view from, std::string_view to, const std::string& origin) {
    if (get("uart").text == from) set("uart", std::string(to), origin);
    for (PortPlace& one : uarts_) {
        if (one.place == from) one = {one.port, std::string(to), origin};
    }
}

void RunConfig::set_master(TrafficSetting master) {
    const auto same = std::find_if(
        masters_.begin(), masters_.end(),
        [&](const TrafficSetting& one) { return one.get("name") == master.get("name"); });
    if (same != masters_.end()) {
        *same = std::move(master);
        return;
    }
    if (masters_.size() == models::kMaxTrafficMasters) {
        throw UserError(master.origin + ": too many masters",
                        fmt::format("a run has {} at most", models::kMaxTrafficMasters));
    }
    masters_.push_back(std::move(master));
}

void RunConfig::set_parameter(const std::string& setting, const std::string& origin) {
    const std::size_t equals = setting.find('=');
    const std::string name = setting.substr(0, equals);
    const std::string text = equals == std::string::npos ? "" : setting.substr(equals + 1);
    const auto same = std::find_if(parameters_.begin(), parameters_.end(),
                                   [&](const Parameter& one) { return one.name == name; });
    if (same != parameters_.end()) {
        same->value = {text, origin};
    } else {
        parameters_.push_back({name, {text, origin}});
    }
}

void RunConfig::write(std::ostream& out) const {
    out << fmt::format("{:<19} {:<23} {:<23} {}\n", "key", "value", "from", "meaning");
    for (std::size_t i = 0; i < kRunKeys.size(); ++i) {
        out << fmt::format("{:<19} {:<23} {:<23} {}\n", kRunKeys[i].name,
                           traces::terminal_text(values_[i].text),
                           traces::terminal_text(values_[i].origin), kRunKeys[i].meaning);
    }
    for (const PortPlace& one : uarts_) {
        out << fmt::format("{:<19} {:<23} {:<23} {}\n", "uart",
                           traces::terminal_text(one.port + "=" + one.place),
                           traces::terminal_text(one.origin), "another serial port");
    }
    for (const TrafficSetting& one : masters_) {
        out << fmt::format("{:<19} {:<23} {:<23} {}\n", "master",
                           traces::terminal_text(one.option()), traces::terminal_text(one.origin),
                           "generated traffic");
    }
    for (const Image& image : images_) {
        out << fmt::format(
            "{:<19} {:<23} {:<23} {}\n", "image",
            image.at.text.empty() ? "addresses of the file" : traces::terminal_text(image.at.text),
            traces::terminal_text(image.at.origin), traces::terminal_text(image.file));
    }
    for (const Parameter& one : parameters_) {
        out << fmt::format("{:<19} {:<23} {:<23} {}\n", traces::terminal_text(one.name),
                           traces::terminal_text(one.value.text),
                           traces::terminal_text(one.value.origin), "parameter");
    }
    out << "all other parameters have their defaults (`n6vp params`)\n";
}

RunPlan make_plan(const RunConfig& config) {
    for (const RunKey& key : kRunKeys) {
        const RunConfig::Value& value = config.get(key.name);
        log(LogComponent::Config, LogLevel::Debug, "{} = '{}' ({})", key.name, value.text,
            value.origin);
    }
    RunPlan plan;
    plan.elf = config.get("elf");
    // Chips beside the STM32N6 say themselves what they run.
    if (plan.elf.text.empty() && plan.elf.origin != "--chip" && config.images().empty()) {
        throw UserError("no program to run",
                        "name it with --elf FW.elf, --image FW.hex or --image ADDR=FW.bin, or as "
                        "elf in [run]");
    }
    constexpr Timing kTimings[] = {Timing::Functional, Timing::Approx, Timing::Precise};
    plan.options.timing = kTimings[choice(config, "timing")];
    const bool real = choice(config, "coherence") == 1;
    plan.options.coherence = real ? Coherence::Real : Coherence::Ideal;
    constexpr BootState kBootStates[] = {BootState::Ready, BootState::Reset, BootState::Flash};
    plan.options.boot = kBootStates[choice(config, "boot")];
    const bool from_reset = plan.options.boot != BootState::Ready;
    plan.strict = choice(config, "strict") == 1;
    plan.options.quantum = duration(config, "quantum");
    constexpr models::Picoseconds kShortest = 10'000, kLongest = 1'000'000'000;
    if (plan.options.quantum < kShortest || plan.options.quantum > kLongest) {
        refuse(config.get("quantum"), "quantum", "give 10ns to 1ms");
    }
    plan.limits.time = duration(config, "max_time");
    plan.host_seconds = static_cast<double>(duration(config, "max_host_time")) * 1e-12;
    plan.quiet = quiet_limit(config);
    plan.rtt_interval = duration(config, "rtt_interval");
    constexpr models::Picoseconds kBetweenPolls = 1'000'000'000;
    if (plan.rtt_interval < kBetweenPolls)
        refuse(config.get("rtt_interval"), "rtt_interval", "give 1ms or more");
    plan.limits.instructions = count(config, "max_instructions");
    plan.resets = count(config, "resets");
    if (const RunConfig::Value& vectors = config.get("vectors"); !vectors.text.empty()) {
        plan.vectors = parse_number(vectors.text, vectors.origin.c_str());
        plan.vectors_origin = vectors.origin;
    }
    if (const RunConfig::Value& exec = config.get("exec_ram"); exec.text != "none") {
        plan.exec_ram = parse_range(exec.text, exec.origin);
        plan.exec_ram_origin = exec.origin;
        if (plan.exec_ram->bytes == 0) refuse(exec, "exec_ram", "give a size in bytes, or none");
    }
    set_surroundings(config, plan);
    set_files(config, plan);
    set_images(config, plan);
    std::vector<ParameterSetting> settings;
    settings.reserve(config.parameters().size());
    for (const RunConfig::Parameter& one : config.parameters()) {
        settings.push_back({one.name + '=' + one.value.text, one.value.origin});
    }
    apply_settings(plan.parameters, settings);
    plan.expect = config.expectations();
    if (!plan.expect.outputs.empty() && plan.files.text.empty()) {
        throw UserError(plan.expect.outputs.front().origin + ": the run has no output folder",
                        "set files in [run], or give --files DIR");
    }
    if (const std::string* const origin = plan.expect.first_about_set_up();
        origin != nullptr && !from_reset) {
        throw UserError(
            *origin + ": set-up steps are checked only with boot = \"reset\" or \"flash\"",
            "set it in [run], or give --boot reset");
    }
    return plan;
}

}  // namespace n6vp::sim

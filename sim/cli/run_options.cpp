// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/run_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>

#include "sim/cli/debugger_options.h"
#include "sim/cli/log_options.h"
#include "sim/host/errors.h"
#include "sim/platform/parameter_file.h"
#include "sim/run/scenario_run.h"
#include "traces/escape.h"

namespace n6vp::sim::cli {

namespace {

constexpr KeyOption kKeyOptions[] = {
    {"--chip", "chip", "NAME"},
    {"--timing", "timing", "GRADE"},
    {"--coherence", "coherence", "MODE"},
    {"--boot", "boot", "STATE"},
    {"--uart-port", "uart_port", "NAME"},
    {"--rtt-interval", "rtt_interval", "TIME"},
    {"--quantum", "quantum", "TIME"},
    {"--max-time", "max_time", "TIME"},
    {"--max-host-time", "max_host_time", "TIME"},
    {"--max-quiet", "max_quiet", "TIME"},
    {"--max-instr", "max_instructions", "N"},
    {"--resets", "resets", "N"},
    {"--vectors", "vectors", "ADDR"},
    {"--external", "external", "ADDR:SIZE"},
    {"--exec,--exec-ram", "exec_ram", "ADDR:SIZE"},
    {"--files", "files", "DIR"},
    {"--arguments", "arguments", "TEXT"},
    {"--svd", "svd", "FILE"},
    {"--leds", "leds", "BOARD"},
    {"--screen", "screen", "FILE"},
    {"--camera", "camera", "FILE"},
    {"--camera-sensor", "camera_sensor", "[BUS:]NAME"},
    {"--sd", "sd", "FILE"},
    {"--sd-out", "sd_out", "FILE"},
    {"--microphone", "microphone", "FILE"},
    {"--speaker", "speaker", "FILE"},
    {"--dump", "dump", "DIR"},
};

std::string first_name(const KeyOption& option) {
    const std::string_view names(option.names);
    return std::string(names.substr(0, names.find(',')));
}

/// The first ELF file is the program; the bytes of the others are loaded beside it.
void add_images(const RunOptions& options, RunConfig& config) {
    for (std::size_t i = 0; i < options.elf.size(); ++i) {
        if (i == 0) {
            config.set("elf", options.elf[i], "--elf");
        } else {
            config.add_image({{"", "--elf"}, options.elf[i], std::nullopt, ImageFormat::Elf});
        }
    }
    for (const std::string& image : options.images) {
        const std::size_t equals = image.find('=');
        if (image.empty() || equals == 0 || equals + 1 == image.size()) {
            throw UserError(fmt::format("--image '{}'", traces::terminal_text(image)),
                            "write --image 0x71000000=model.bin, or --image firmware.hex");
        }
        // A name may have the sign, too: what stands before it is an address if it begins with a
        // digit, and the whole is a file if there is one.
        std::error_code error;
        const bool named =
            (image[0] < '0' || image[0] > '9') && std::filesystem::is_regular_file(image, error);
        const bool raw = equals != std::string::npos && !named;
        config.add_image({{raw ? image.substr(0, equals) : "", "--image"},
                          raw ? image.substr(equals + 1) : image,
                          std::nullopt});
    }
    for (const std::string& file : options.hex)
        config.add_image({{"", "--hex"}, file, std::nullopt, ImageFormat::Hex});
    for (const std::string& file : options.srec)
        config.add_image({{"", "--srec"}, file, std::nullopt, ImageFormat::SRecords});
    for (const std::string& image : options.bin) {
        const std::size_t at = image.rfind('@');
        if (at == 0 || at == std::string::npos || at + 1 == image.size()) {
            throw UserError(
                fmt::format("--bin '{}' {}", traces::terminal_text(image),
                            at == 0 ? "names no file"
                                    : "has no address: raw bytes do not say where they go"),
                "write --bin FILE@ADDR, such as --bin firmware.bin@0x34180400");
        }
        const std::string_view address = std::string_view(image).substr(at + 1);
        if (address.size() > 1 && address[0] == '0' && address[1] >= '0' && address[1] <= '9') {
            throw UserError(
                fmt::format("--bin '{}': {} is no hexadecimal address",
                            traces::terminal_text(image), traces::terminal_text(address)),
                fmt::format("write 0x{}", traces::terminal_text(address)));
        }
        config.add_image({{image.substr(at + 1), "--bin"}, image.substr(0, at), std::nullopt});
    }
}

void add_key_options(CLI::App& verb, RunOptions& options) {
    for (const KeyOption& row : kKeyOptions) {
        options.keys.emplace_back(&row, std::make_unique<std::string>());
        std::string meaning, type = row.type;
        for (const RunKey& key : kRunKeys) {
            if (key.name != row.key) continue;
            meaning = key.meaning;
            if (!key.choices.empty()) type += fmt::format(":{{{}}}", key.choices);
            if (!key.standard.empty()) meaning += fmt::format(" [{}]", key.standard);
        }
        verb.add_option(row.names, *options.keys.back().second, meaning)->type_name(type);
    }
    const RunKey& uart = *std::find_if(kRunKeys.begin(), kRunKeys.end(),
                                       [](const RunKey& key) { return key.name == "uart"; });
    verb.add_option("--uart", options.uarts, fmt::format("{} [{}]", uart.meaning, uart.standard))
        ->type_name("[NAME=]PLACE")
        ->allow_extra_args(false);
    verb.add_option("--master", options.masters,
                    "generate the traffic of another master on the bus: "
                    "dcmipp:640x480x2@30:write@0x34200000 writes 640 x 480 pixels of 2 bytes, 30 "
                    "times per second; ltdc:100MB/s:read@ADDR reads at a rate; behind ADDR "
                    ",size= ,burst= ,fifo= ,fill= ,start= ,stop= ,rights=; memory keeps its "
                    "contents without fill (repeatable)")
        ->type_name("NAME:PATTERN:ACCESS@ADDR")
        ->allow_extra_args(false);
}

void add_image_options(CLI::App& verb, RunOptions& options) {
    const auto add = [&verb](const char* name, std::vector<std::string>& to, const char* type,
                             const char* meaning) {
        verb.add_option(name, to, meaning)->type_name(type)->allow_extra_args(false);
    };
    add("--elf", options.elf, "FILE",
        "program to run (repeatable: the first one starts, others are only loaded)");
    add("--image", options.images, "[ADDR=]FILE",
        "load a file into memory or flash before the run: raw bytes at ADDR; without ADDR Intel "
        "HEX, S-records, ELF, or an image with boot header (STM2), which goes where the boot ROM "
        "puts it, with --boot flash to the start of the flash (repeatable)");
    add("--hex", options.hex, "FILE", "Intel HEX file; same as --image FILE (repeatable)");
    add("--srec", options.srec, "FILE",
        "as --image FILE, but the file must be S-records (repeatable)");
    add("--bin", options.bin, "FILE@ADDR", "as --image ADDR=FILE: raw bytes (repeatable)");
}

}  // namespace

std::string RunOptions::typed(std::string_view key) const {
    if (key == "elf") return elf.empty() ? "" : elf.front();
    for (const auto& [option, text] : keys) {
        if (option->key == key) return *text;
    }
    return {};
}

void add_run_options(CLI::App& verb, RunOptions& options, Session& session) {
    verb.add_option("MODEL", options.files,
                    "one or more models (network_rel.bin) for one run, or one or more TOML "
                    "scenarios, run in sequence");
    add_model_run_options(verb, options.model);
    add_key_options(verb, options);
    add_image_options(verb, options);
    verb.add_option("--symbols", options.symbols,
                    "ELF file with the symbols of a model, for fault reports (repeatable)")
        ->type_name("ELF")
        ->allow_extra_args(false);
    add_parameter_options(verb, options.parameters);
    verb.add_flag(
        "--strict", options.strict,
        "end the run with exit code 4 at unmodelled or assumed behaviour of a register or the NPU; "
        "exit code 3 after stale data, access to a buffer in use, or a denied access");
    verb.add_option(
            "--report", options.report,
            "write the report to FILE: HTML if the name ends in .html, else JSON (n6vp.run/2)")
        ->type_name("FILE");
    verb.add_option("--junit", options.junit,
                    "run each scenario in a separate process and write JUnit XML")
        ->type_name("FILE");
    CLI::Option* csv = verb.add_flag("--csv", options.csv,
                                     "print phases and traffic as CSV instead of the report");
    verb.add_flag("--json", options.json,
                  "write the report to standard output as JSON (n6vp.run/2); console output of "
                  "the program goes to standard error")
        ->excludes(csv);
    add_trace_options(verb, options.trace);
    add_debugger_options(verb, options.debugger);
    verb.add_flag("--quiet", options.quiet, "no report on standard output");
    verb.add_flag("--print-config", options.print_config,
                  "show every setting with its origin, without running");
    add_log_options(verb, session);
}

RunConfig configure(const RunOptions& options, bool has_model) {
    RunConfig config;
    if (!options.scenario.empty() && !has_model) read_scenario(options.scenario, config);
    for (const auto& [option, text] : options.keys) {
        if (!text->empty()) config.set(option->key, *text, first_name(*option));
    }
    for (const std::string& uart : options.uarts) config.set_uart(uart, "--uart");
    for (const std::string& master : options.masters)
        config.set_master(traffic_option(master, "--master"));
    if (options.strict) config.set("strict", "true", "--strict");
    add_images(options, config);
    for (const std::string& file : options.symbols) config.add_symbols({file, "--symbols"});
    if (!options.parameters.file.empty()) {
        for (const ParameterSetting& one : read_parameter_file(options.parameters.file)) {
            config.set_parameter(one.setting, one.origin);
        }
    }
    for (const std::string& setting : options.parameters.settings)
        config.set_parameter(setting, "--set");
    return config;
}

std::vector<std::string> options_for_each(const RunOptions& options) {
    std::vector<std::string> words;
    const auto add = [&words](const std::string& option, const std::string& value) {
        // In one word: a value may begin like an option.
        words.push_back(option + "=" + value);
    };
    for (const auto& [option, text] : options.keys) {
        if (!text->empty() && std::string_view(option->key) != "dump")
            add(first_name(*option), *text);
    }
    for (const std::string& file : options.elf) add("--elf", file);
    for (const std::string& uart : options.uarts) add("--uart", uart);
    for (const std::string& master : options.masters) add("--master", master);
    for (const std::string& image : options.images) add("--image", image);
    for (const std::string& file : options.hex) add("--hex", file);
    for (const std::string& file : options.srec) add("--srec", file);
    for (const std::string& image : options.bin) add("--bin", image);
    if (!options.parameters.file.empty()) add("--params-file", options.parameters.file);
    for (const std::string& setting : options.parameters.settings) add("--set", setting);
    for (const std::string& file : options.symbols) add("--symbols", file);
    if (options.strict) words.emplace_back("--strict");
    return words;
}

}  // namespace n6vp::sim::cli

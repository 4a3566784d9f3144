// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/console/console_group.h"
#include "sim/platform/platform.h"
#include "sim/run/board_setup.h"
#include "sim/run/run_expect.h"
#include "sim/run/traffic_setting.h"

namespace n6vp::sim {

/// What a file with bytes for the memory must be.
enum class ImageFormat : std::uint8_t {
    Any,  ///< raw bytes if it has an address, else what its content says
    Elf,
    Hex,
    SRecords,
};

/// One setting of a run.
struct RunKey {
    std::string_view name;      ///< in [run] of a scenario
    std::string_view standard;  ///< value if it is not set
    std::string_view meaning;
    std::string_view choices = {};  ///< "xip,copy": the only values; empty: any
};
inline constexpr std::array kRunKeys = {
    RunKey{"elf", "", "program to run"},
    RunKey{"chip", "stm32n6",
           "chip to simulate (list: n6vp map --chip list); all but the STM32N6 run firmware, whose "
           "programs are elf and images"},
    RunKey{"timing", "approx", "accuracy of time", "functional,approx,precise"},
    RunKey{"coherence", "ideal",
           "ideal: report stale data, except for stores under functional timing; real: compute "
           "with stale data",
           "ideal,real"},
    RunKey{
        "boot", "ready",
        "ready: memories and NPU are set up; reset: reset state of the hardware; flash: the same, "
        "and the boot ROM starts the image at the start of the flash (0x70000000)",
        "ready,reset,flash"},
    RunKey{"strict", "false",
           "unmodelled or assumed behaviour of a register or the NPU ends the run", "false,true"},
    RunKey{
        "uart", "stdout",
        "place of a serial port: none, stdout, stderr, stdio, pty, file:PATH or tcp:PORT; "
        "NAME=PLACE, such as usart2=tcp:10000, connects another port; itm and rtt are text for a "
        "debug probe: itm, itm1 to itm31 stimulus ports of the ITM, rtt, rtt1 ... buffers of "
        "SEGGER's RTT (repeatable)"},
    RunKey{"uart_port", "",
           "serial port connected to a uart without NAME; empty: USART1 on the STM32N6, else that "
           "of the board's debug probe"},
    RunKey{"rtt_interval", "1ms",
           "polling interval of the debug probe for RTT buffers, from 1ms on"},
    RunKey{"quantum", "1us",
           "largest time by which the core runs ahead of the kernel. While no other unit is due it "
           "may be 8 times that (64 on older chips): its lead"},
    RunKey{"max_time", "0s",
           "limit of simulated time, which the core may exceed by its lead (quantum); 0: none"},
    RunKey{"max_host_time", "0s",
           "limit of host time, examined each 1 ms of simulated time; 0: none"},
    RunKey{"max_quiet", "1s",
           "simulated time without progress that ends the run, examined each 1 ms. Progress: a "
           "write to a device, an "
           "exception, a sleep until SysTick, NPU activity, output. New register values count for "
           "up to 60 times the limit. 0: no limit, the default if uart takes input. [[input]] "
           "extends the default by its times"},
    RunKey{
        "max_instructions", "0",
        "limit of instructions, which the core may exceed by those of its lead (quantum); 0: none"},
    RunKey{"resets", "0",
           "resets by the program or a watchdog after which it starts again, as on a board; the "
           "next one ends the run; wake-ups from Standby mode do not count"},
    RunKey{"vectors", "",
           "address of the vector table; empty: g_pfnVectors or .isr_vector of the program, else "
           "a table at the start of a segment or at its offset 0x400"},
    RunKey{"external", "",
           "memory of the board, on chips other than the STM32N6: ADDR:SIZE, parted by commas"},
    RunKey{"exec_ram", "0x34060000:655360",
           "must not overlap the pools of a model; none: no check"},
    RunKey{"files", "", "folder whose files the program may open"},
    RunKey{"arguments", "", "arguments of the program"},
    RunKey{"svd", "", "CMSIS-SVD file with names of registers"},
    RunKey{"leds", "none", "watch the LEDs of a board on the STM32N6: their pins are in the report",
           "none,dk,nucleo"},
    RunKey{"screen", "", "PNG file for the last picture that LTDC has shown"},
    RunKey{"camera", "",
           "pictures of the camera: PPM (P6) or .npy (height x width x 3 bytes), or a folder of "
           "them, shown in the order of their names and again"},
    RunKey{"camera_sensor", "",
           "image sensor of the camera: imx335, vd66gy, vd55g1, vd65g4 or ov5640, on I2C1 as on "
           "the discovery kit; BUS:NAME, such as I2C2:imx335, for the Nucleo board; empty: imx335 "
           "if there is a camera picture, else none; without pictures it sends colour bars"},
    RunKey{
        "sd", "",
        "image of an SD card in the slot of the discovery kit (SDMMC2): blocks of 512 bytes; the "
        "file is only read"},
    RunKey{"sd_out", "", "file for the contents of the card at the end of the run"},
    RunKey{"microphone", "",
           "WAV file (16-bit PCM, mono or stereo) that the microphones hear from the moment when "
           "firmware first listens, interpolated to the sample rate of the firmware; silence after "
           "its end, and without a file"},
    RunKey{"speaker", "", "WAV file for the samples sent by the first SAI block that transmits"},
    RunKey{"dump", "",
           "folder for registers and memory at the end of the run; of a "
           "model on an older chip for its images as installed"},
};

/// The settings of a run as text, with their origin. Later settings replace earlier ones.
class RunConfig {
  public:
    struct Value {
        std::string text;
        std::string origin = "default";  ///< "scenario.toml:7", "--timing"
    };
    struct Image {
        Value at;  ///< "": the file has addresses itself
        std::string file;
        std::optional<std::uint64_t> bytes;  ///< that the file must have
        ImageFormat format = ImageFormat::Any;
    };
    struct Parameter {
        std::string name;  ///< "clock.cpu"
        Value value;
    };

    RunConfig();
    /// Fails with UserError if there is no such key.
    void set(std::string_view key, std::string text, std::string origin);
    [[nodiscard]] const Value& get(std::string_view key) const;
    void add_image(Image image) { images_.push_back(std::move(image)); }
    /// `setting` is name=value.
    void set_parameter(const std::string& setting, const std::string& origin);

    /// A place of a serial port: "PLACE", which is the key uart, or "NAME=PLACE".
    void set_uart(std::string_view text, const std::string& origin);
    /// Puts every port that stands at the place `from` to the place `to`.
    void move_uarts(std::string_view from, std::string_view to, const std::string& origin);
    /// Takes the place of a master of the same name. Fails with UserError for too many.
    void set_master(TrafficSetting master);
    void set_board(BoardSetup board) { board_ = std::move(board); }

    /// An ELF file with symbols of a model.
    void add_symbols(Value path) { symbols_.push_back(std::move(path)); }

    /// Takes the demands of the scenario; the command line has none.
    void set_expectations(RunExpectations expected) { expected_ = std::move(expected); }

    [[nodiscard]] const std::vector<Image>& images() const { return images_; }
    [[nodiscard]] const std::vector<Value>& symbols() const { return symbols_; }
    /// Those with a name.
    [[nodiscard]] const std::vector<PortPlace>& uarts() const { return uarts_; }
    [[nodiscard]] const std::vector<TrafficSetting>& masters() const { return masters_; }
    [[nodiscard]] const BoardSetup& board() const { return board_; }
    [[nodiscard]] const RunExpectations& expectations() const { return expected_; }
    [[nodiscard]] const std::vector<Parameter>& parameters() const { return parameters_; }

    /// Writes every value with its origin; of the platform's parameters those that were set.
    void write(std::ostream& out) const;

  private:
    std::array<Value, kRunKeys.size()> values_;
    std::vector<Image> images_;
    std::vector<Parameter> parameters_;
    std::vector<Value> symbols_;
    std::vector<PortPlace> uarts_;
    std::vector<TrafficSetting> masters_;
    BoardSetup board_;
    RunExpectations expected_;
};

/// The same, parsed.
struct RunPlan {
    struct Image {
        std::optional<GuestAddr> at;  ///< none: the file has addresses itself
        std::string file, origin;
        std::optional<std::uint64_t> bytes;
        ImageFormat format = ImageFormat::Any;
        /// Of an image with boot header and without `at`; none: the chip has no such images.
        std::optional<GuestAddr> boot_at;
    };
    RunConfig::Value elf, uart, uart_port, files, arguments, svd, screen, camera, microphone,
        speaker, sd, sd_out, dump;
    std::vector<PortPlace> uarts;  ///< beside `uart`
    BoardSetup board;
    std::vector<RunConfig::Value> symbols;
    PlatformOptions options;
    PlatformParameters parameters;
    RunLimits limits;
    std::uint64_t resets = 0;       ///< by the program or a watchdog that do not end the run
    double host_seconds = 0;        ///< limit of elapsed time; 0: none
    models::Picoseconds quiet = 0;  ///< limit of time without progress; 0: none
    /// Between two looks at RTT. Assumed: software of probes does not state its interval.
    models::Picoseconds rtt_interval = 1'000'000'000;
    bool strict = false;
    std::optional<std::uint32_t> vectors;
    std::optional<AddressRange> exec_ram;
    std::string vectors_origin, exec_ram_origin;
    std::vector<Image> images;
    RunExpectations expect;
};

/// Fails with UserError, naming the origin, for an invalid value.
[[nodiscard]] RunPlan make_plan(const RunConfig& config);

/// Returns the duration of "10ms", "1.5us", "100ns", "2s" or "0"; none if it is no such text.
[[nodiscard]] std::optional<models::Picoseconds> parse_duration(std::string_view text);

}  // namespace n6vp::sim

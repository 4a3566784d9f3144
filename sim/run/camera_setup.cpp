// SPDX-License-Identifier: Apache-2.0
#include "sim/run/camera_setup.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>

#include "sim/host/errors.h"
#include "sim/host/input_file.h"
#include "sim/host/npy.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kParts = 3, kMostSide = 4095;
constexpr std::uintmax_t kMostFile = kMostSide * kMostSide * kParts + 4096, kMostBytes = 1u << 30;
constexpr const char* kPictureRemedy =
    "give binary PPM (P6, 8 bits) or a .npy array of height x width x 3 bytes";

[[noreturn]] void refuse(std::string_view shown, std::string_view why) {
    throw UserError(fmt::format("{}: {}", shown, why), kPictureRemedy);
}

models::Picture picture_of(std::uint64_t width, std::uint64_t height,
                           std::span<const std::uint8_t> bytes, std::string_view shown) {
    if (width == 0 || height == 0 || width > kMostSide || height > kMostSide)
        refuse(shown, fmt::format("{} x {} pixels: sides are 1 to {}", width, height, kMostSide));
    const std::uint64_t wanted = width * height * kParts;
    if (bytes.size() != wanted) {
        refuse(shown, fmt::format("{} bytes of pixels in place of {} x {} x 3 = {}", bytes.size(),
                                  width, height, wanted));
    }
    return {static_cast<std::uint32_t>(width),
            static_cast<std::uint32_t>(height),
            {bytes.begin(), bytes.end()}};
}

/// Header of a PPM file: numbers with white space and comments between them.
class PpmHeader {
  public:
    explicit PpmHeader(std::span<const std::uint8_t> file) : rest_(file.subspan(2)) {}

    /// Returns the next number; none where there is no small one.
    [[nodiscard]] std::optional<std::uint64_t> number() {
        skip();
        constexpr std::uint64_t kMost = 100'000;
        std::uint64_t value = 0;
        bool any = false;
        while (!rest_.empty() && std::isdigit(rest_.front()) != 0) {
            value = value * 10 + (rest_.front() - '0');
            if (value > kMost) return std::nullopt;
            any = true;
            rest_ = rest_.subspan(1);
        }
        if (!any) return std::nullopt;
        return value;
    }
    /// Returns what follows the one white space behind the last number.
    [[nodiscard]] std::optional<std::span<const std::uint8_t>> pixels() const {
        if (rest_.empty() || std::isspace(rest_.front()) == 0) return std::nullopt;
        return rest_.subspan(1);
    }

  private:
    void skip() {
        bool comment = false;
        while (!rest_.empty()) {
            const std::uint8_t c = rest_.front();
            if (c == '#') comment = true;
            if (!comment && std::isspace(c) == 0) return;
            if (c == '\n') comment = false;
            rest_ = rest_.subspan(1);
        }
    }
    std::span<const std::uint8_t> rest_;
};

models::Picture parse_ppm(std::span<const std::uint8_t> file, std::string_view shown) {
    PpmHeader header(file);
    const auto width = header.number(), height = header.number(), highest = header.number();
    const auto pixels = header.pixels();
    if (!width || !height || !highest || !pixels) refuse(shown, "no header of a PPM file");
    if (*highest != 255) refuse(shown, fmt::format("components up to {}, not 255", *highest));
    return picture_of(*width, *height, *pixels, shown);
}

models::Picture parse_array(std::span<const std::uint8_t> file, std::string_view shown) {
    const model_run::NpyArray array = model_run::parse_npy(file, shown);
    if (array.type != "u1" || array.shape.size() != 3 || array.shape[2] != kParts) {
        refuse(shown,
               fmt::format("an array of {} {}", model_run::shape_text(array.shape), array.type));
    }
    return picture_of(array.shape[1], array.shape[0], array.bytes, shown);
}

models::Picture read_picture(const std::string& path) {
    const std::vector<std::uint8_t> file = read_input(path, kMostFile, kPictureRemedy);
    const std::string shown = traces::terminal_text(path);
    if (model_run::is_npy(file)) return parse_array(file, shown);
    if (file.size() > 2 && file[0] == 'P' && file[1] == '6') return parse_ppm(file, shown);
    refuse(shown, "neither binary PPM nor .npy");
}

[[nodiscard]] std::vector<std::string> pictures_in(const std::string& folder) {
    std::vector<std::string> files;
    std::error_code error;
    for (fs::directory_iterator each(folder, error), end; !error && each != end;
         each.increment(error)) {
        const std::string kind = each->path().extension().string();
        if (kind == ".ppm" || kind == ".npy") files.push_back(each->path().string());
    }
    const std::string shown = traces::terminal_text(folder);
    if (error)
        throw UserError(fmt::format("cannot read {}: {}", shown, error.message()),
                        "check read permission");
    if (files.empty())
        throw UserError(fmt::format("{}: no .ppm or .npy file in this folder", shown),
                        kPictureRemedy);
    std::sort(files.begin(), files.end());
    return files;
}

constexpr std::pair<std::string_view, models::SensorKind> kSensors[] = {
    {"imx335", models::SensorKind::Imx335}, {"vd66gy", models::SensorKind::Vd66gy},
    {"vd55g1", models::SensorKind::Vd55g1}, {"vd65g4", models::SensorKind::Vd65g4},
    {"ov5640", models::SensorKind::Ov5640},
};

}  // namespace

std::vector<models::Picture> read_camera_pictures(const std::string& path) {
    std::error_code error;
    const std::vector<std::string> files =
        fs::is_directory(path, error) ? pictures_in(path) : std::vector<std::string>{path};
    std::vector<models::Picture> pictures;
    std::uintmax_t bytes = 0;
    for (const std::string& file : files) {
        pictures.push_back(read_picture(file));
        bytes += pictures.back().rgb.size();
        if (bytes <= kMostBytes) continue;
        throw UserError(fmt::format("{}: more than {} bytes of pixels", traces::terminal_text(path),
                                    kMostBytes),
                        "give fewer or smaller pictures");
    }
    return pictures;
}

std::string_view sensor_name(models::SensorKind kind) {
    return std::find_if(std::begin(kSensors), std::end(kSensors),
                        [kind](const auto& each) { return each.second == kind; })
        ->first;
}

std::optional<models::SensorKind> sensor_named(std::string_view name) {
    for (const auto& [known, kind] : kSensors) {
        if (known == name) return kind;
    }
    return std::nullopt;
}

const BoardSetup::I2cDevice* camera_sensor(const BoardSetup& board) {
    for (const BoardSetup::I2cDevice& device : board.i2c) {
        if (device.sensor) return &device;
    }
    return nullptr;
}

void add_camera_sensor(const RunConfig& config, BoardSetup& board) {
    const RunConfig::Value& wanted = config.get("camera_sensor");
    const RunConfig::Value& picture = config.get("camera");
    std::string bus = "I2C1", name = wanted.text;
    if (name.empty()) {
        if (picture.text.empty() || camera_sensor(board) != nullptr) return;
        name = "imx335";
    }
    if (const std::size_t colon = name.find(':'); colon != std::string::npos) {
        bus = name.substr(0, colon);
        name = name.substr(colon + 1);
    }
    const std::string& origin = wanted.text.empty() ? picture.origin : wanted.origin;
    const auto kind = sensor_named(name);
    if (kind && bus != "I2C1" && bus != "I2C2") {
        throw UserError(
            fmt::format("{}: no image sensor at '{}'", origin, traces::terminal_text(bus)),
            "give I2C1, the bus of the discovery kit's camera, or I2C2, that of the "
            "Nucleo board's");
    }
    if (!kind) {
        throw UserError(
            fmt::format("{}: no image sensor '{}'", origin, traces::terminal_text(wanted.text)),
            "give imx335, vd66gy, vd55g1, vd65g4 or ov5640, on the Nucleo board with "
            "its bus: I2C2:imx335");
    }
    BoardSetup::I2cDevice device;
    device.bus = bus;
    device.layout = models::ImageSensor::layout(*kind);
    device.sensor = kind;
    device.origin = origin;
    for (const BoardSetup::I2cDevice& other : board.i2c) {
        if (other.bus != bus || other.layout.address != device.layout.address ||
            other.layout.ten_bits)
            continue;
        throw UserError(fmt::format("{}: {} has a device at the sensor's address 0x{:02x} ({})",
                                    origin, bus, device.layout.address, other.origin),
                        "leave one of the two out");
    }
    board.i2c.push_back(std::move(device));
}

}  // namespace n6vp::sim

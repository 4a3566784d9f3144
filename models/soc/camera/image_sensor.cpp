// SPDX-License-Identifier: Apache-2.0
#include "models/soc/camera/image_sensor.h"

#include <algorithm>
#include <span>

namespace n6vp::models {

namespace {

struct SensorRegister {
    std::uint16_t number;
    std::uint8_t value;
};

// CSI-2 data types.
constexpr unsigned kYuv422 = 0x1E, kRaw8 = 0x2A, kRaw10 = 0x2B, kRaw12 = 0x2C;

// IMX335: mode select, A/D resolution.
constexpr std::uint32_t kImxMode = 0x3000, kImxDepth = 0x319D;
// VD66GY, VD55G1, VD65G4: commands; what they read is zero once they are done.
constexpr std::uint32_t kVdBoot = 0x0200, kVdStandby = 0x0201, kVdStreaming = 0x0202,
                        kVdPatching = 0x0203, kVdDepth = 0x030A;
/// The second halfword of a patch, at 0x2000, is its revision.
constexpr std::uint32_t kVdPatchRevision = 0x2002;
constexpr std::uint8_t kVdReady = 1, kVdInStandby = 2, kVdInStreaming = 3;
// OV5640: system control.
constexpr std::uint32_t kOvControl = 0x3008, kOvSleeps = 1u << 6;

/// VMAX, the lines of a picture: 4,500, which is 30 pictures a second. Drivers that leave the rate
/// as it is count the exposure down from there.
constexpr SensorRegister kImx335[] = {
    {0x3000, 0x01}, {0x3030, 0x94}, {0x3031, 0x11}, {0x3912, 0x00}};
constexpr SensorRegister kVd66gy[] = {
    {0x0000, 0x03}, {0x0001, 0x56}, {0x0003, 0x31}, {0x001A, 0x01}, {0x0028, kVdReady}};
constexpr SensorRegister kVd55g1[] = {{0x0000, 0x31},    {0x0001, 0x47}, {0x0002, 0x35},
                                      {0x0003, 0x53},    {0x0004, 0x20}, {0x0005, 0x20},
                                      {0x001C, kVdReady}};
constexpr SensorRegister kVd65g4[] = {{0x0000, 0x33},    {0x0001, 0x47}, {0x0002, 0x35},
                                      {0x0003, 0x53},    {0x0004, 0x30}, {0x0005, 0x30},
                                      {0x001C, kVdReady}};
constexpr SensorRegister kOv5640[] = {{0x3008, 0x42}, {0x300A, 0x56}, {0x300B, 0x40}};

[[nodiscard]] std::span<const SensorRegister> registers_of(SensorKind kind) {
    switch (kind) {
        case SensorKind::Vd66gy:
            return kVd66gy;
        case SensorKind::Vd55g1:
            return kVd55g1;
        case SensorKind::Vd65g4:
            return kVd65g4;
        case SensorKind::Ov5640:
            return kOv5640;
        default:
            return kImx335;
    }
}

}  // namespace

I2cRegisterDevice::Layout ImageSensor::layout(SensorKind kind) {
    const bool vd =
        kind == SensorKind::Vd66gy || kind == SensorKind::Vd55g1 || kind == SensorKind::Vd65g4;
    const auto address = static_cast<std::uint8_t>(vd                           ? 0x10
                                                   : kind == SensorKind::Ov5640 ? 0x3C
                                                                                : 0x1A);
    return {address, 2, 1};
}

ImageSensor::ImageSensor(SensorKind kind, Values values)
    : I2cRegisterDevice(layout(kind)), kind_(kind), values_(std::move(values)) {
    restart();
}

void ImageSensor::restart() {
    clear();
    for (const SensorRegister& each : registers_of(kind_)) set(each.number, each.value);
    for (const auto& [number, value] : values_) set(number, value);
    if (streams_) stream(false);
}

void ImageSensor::stream(bool streams) {
    streams_ = streams;
    if (on_streaming) on_streaming(streams, output());
}

SensorOutput ImageSensor::output() const {
    // Each begins with the whole of its pixels; a window of zero pixels is none, and none is
    // larger.
    const auto window = [](std::uint32_t pixels, std::uint32_t whole) {
        return pixels == 0 ? whole : std::min(pixels, whole);
    };
    const auto between = [](std::uint32_t first, std::uint32_t last) {
        return last == 0 || last < first ? 0 : last - first + 1;
    };
    switch (kind_) {
        case SensorKind::Vd66gy:
            return {window(between(little_word(0x045E), little_word(0x0460)), 1120),
                    window(between(little_word(0x0462), little_word(0x0464)), 1364),
                    get(kVdDepth) == 10 ? kRaw10 : kRaw8};
        case SensorKind::Vd55g1:
        case SensorKind::Vd65g4:
            return {window(little_word(0x0516), 804), window(little_word(0x0512), 704),
                    get(kVdDepth) == 10 ? kRaw10 : kRaw8};
        case SensorKind::Ov5640:
            return {window(big_word(0x3808), 2592), window(big_word(0x380A), 1944), kYuv422};
        default:
            return {2592, 1944, (get(kImxDepth) & 1) != 0 ? kRaw12 : kRaw10};
    }
}

void ImageSensor::written(std::uint32_t number) {
    switch (kind_) {
        case SensorKind::Imx335:
            if (number == kImxMode) stream((get(number) & 1) == 0);
            break;
        case SensorKind::Ov5640:
            if (number == kOvControl) stream((get(number) & kOvSleeps) == 0);
            break;
        default:
            obey_vd(number);
            break;
    }
}

void ImageSensor::obey_vd(std::uint32_t number) {
    if (number < kVdBoot || number > kVdPatching) return;
    const std::uint32_t command = get(number);
    set(number, 0);
    const bool gy = kind_ == SensorKind::Vd66gy;
    const std::uint32_t state = gy ? 0x0028 : 0x001C, revision = gy ? 0x001E : 0x0012;
    switch (number) {
        case kVdBoot:
            if (command == 2) {
                set(revision, get(kVdPatchRevision));
                set(revision + 1, get(kVdPatchRevision + 1));
            }
            // A patch of the VD66GY leaves the boot to another command.
            if (command == 1 || !gy) set(state, kVdInStandby);
            break;
        case kVdStandby:
            if (command != 1) break;
            set(state, kVdInStreaming);
            stream(true);
            break;
        case kVdStreaming:
            if (command != 1) break;
            set(state, kVdInStandby);
            stream(false);
            break;
        default:
            break;
    }
}

}  // namespace n6vp::models

// SPDX-License-Identifier: Apache-2.0
// CSI, DCMIPP and image sensors: registers, flags, captures into a memory, times.
#include <doctest/doctest.h>
#include <tlm_utils/simple_target_socket.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "models/soc/camera/camera_link.h"
#include "models/soc/camera/csi.h"
#include "models/soc/camera/dcmipp.h"
#include "models/soc/camera/image_sensor.h"

using namespace n6vp::models;

namespace {

constexpr std::uint32_t kAll = 0xFFFFFFFF;
constexpr std::uint32_t kCmcr = 0x204, kFrames = 0x208, kCmier = 0x3F0, kCmsr1 = 0x3F4,
                        kCmsr2 = 0x3F8, kCmfcr = 0x3FC;
constexpr std::uint32_t kPipe1 = 0x800, kPipe2 = 0xC00;
constexpr std::uint32_t kFlow = 0x04, kControl = 0x100, kCropStart = 0x104, kCropSize = 0x108,
                        kPacker = 0x1C0, kMemory = 0x1C4, kMemory2 = 0x1C8, kPitch = 0x1CC,
                        kWritten = 0x1D0;
constexpr std::uint32_t kRaw10 = 0x2B, kEnabled = 1u << 31, kRequest = 8, kSnapshot = 4;

/// Memory that takes its time and keeps what is written.
struct Cells : sc_core::sc_module {
    tlm_utils::simple_target_socket<Cells> from;
    std::map<std::uint32_t, std::uint8_t> bytes;
    std::vector<unsigned> bursts;
    std::uint32_t refused = 0xFFFFFFFF;
    Picoseconds takes = 100'000;
    bool secure = false;

    explicit Cells(const sc_core::sc_module_name& name) : sc_module(name), from("from") {
        from.register_b_transport(this, &Cells::serve);
    }
    void serve(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) {
        const auto address = static_cast<std::uint32_t>(trans.get_address());
        REQUIRE(trans.is_write());
        secure = trans.get_extension<Transfer>()->secure;
        bursts.push_back(trans.get_data_length());
        delay += to_sc_time(takes);
        for (unsigned i = 0; i < trans.get_data_length(); ++i)
            bytes[address + i] = trans.get_data_ptr()[i];
        trans.set_response_status(address == refused ? tlm::TLM_ADDRESS_ERROR_RESPONSE
                                                     : tlm::TLM_OK_RESPONSE);
    }
};

CameraParameters quick() {
    CameraParameters parameters;
    parameters.frame_rate.value = 1000;
    parameters.line_time.value = 10;
    return parameters;
}

/// A sensor of 8 x 4 pixels at 1000 frames each second; a line takes 10 us.
struct Bench : sc_core::sc_module {
    Csi csi{"CSI"};
    Dcmipp dcmipp{"dcmipp", "DCMIPP"};
    Cells cells{"cells"};
    CameraLink link{"link", quick(), csi, dcmipp};
    std::vector<bool> csi_levels, levels;

    explicit Bench(const sc_core::sc_module_name& name, bool with_picture = true)
        : sc_module(name) {
        dcmipp.port.to.bind(cells.from);
        csi.on_interrupt = [this](bool level) { csi_levels.push_back(level); };
        dcmipp.on_interrupt = [this](bool level) { levels.push_back(level); };
        // Pixel x of line y: red x, green 16 y, blue 7.
        Picture picture{8, 4, {}};
        for (unsigned y = 0; y < 4; ++y) {
            for (unsigned x = 0; x < 8; ++x) {
                picture.rgb.insert(picture.rgb.end(), {static_cast<std::uint8_t>(x),
                                                       static_cast<std::uint8_t>(16 * y), 7});
            }
        }
        if (with_picture) link.show({picture});
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
        csi_write(0x04, 7);
        csi_write(0x1000, 2);
        csi_write(0x00, 1);
        csi_write(0x00, 1 | 1u << 2);
        write(kCmcr, 1);
    }
    static Picoseconds now() { return sc_core::sc_time_stamp().value(); }
    void csi_write(std::uint32_t offset, std::uint32_t value) {
        CHECK(csi.write(offset, value, kAll, now()).modelled);
    }
    std::uint32_t csi_read(std::uint32_t offset) { return csi.read(offset, now()).value; }
    bool write(std::uint32_t offset, std::uint32_t value) {
        return dcmipp.write(offset, value, kAll, now()).modelled;
    }
    std::uint32_t read(std::uint32_t offset) { return dcmipp.read(offset, now()).value; }
    /// Sets a pixel pipe up for whole frames in RGB888 at `to`, lines 32 bytes apart.
    void prepare(std::uint32_t pipe, std::uint32_t to, std::uint32_t mode) {
        write(pipe + kFlow, read(pipe + kFlow) | kRaw10 | kEnabled);
        write(pipe + kMemory, to);
        write(pipe + kPitch, 32);
        write(pipe + kControl, mode | kRequest);
    }
    void stream(bool on = true) { link.set_streaming(on, {8, 4, kRaw10}); }
    static void pass_us(double us) { sc_core::sc_start(sc_core::sc_time(us, sc_core::SC_US)); }
};

}  // namespace

TEST_CASE("camera: registers have their reset values, and CMCR keeps what is written") {
    Bench bench("bench");
    bench.dcmipp.reset();
    CHECK(bench.read(0x000) == 2);
    CHECK(bench.read(0x008) == 1);
    CHECK(bench.read(0x01C) == 0xAA040314);
    CHECK(bench.read(0x038) == 0x013F0080);
    CHECK(bench.read(kCmcr) == 0);
    CHECK(bench.read(0x5B4) == 0xFFFFFF);
    CHECK(bench.read(0x8A4) == 0x20202020);
    CHECK(std::string(bench.dcmipp.read(0xD14, 0).name) == "P2DSRTIOR");
    CHECK(std::string(bench.dcmipp.read(0xB14, 0).name) == "P1CDSRTIOR");
    CHECK_FALSE(bench.dcmipp.read(0x3A0, 0).modelled);
    bench.write(kCmcr, 0xFFFFFFFF);
    CHECK(bench.read(kCmcr) == 0x97);
    bench.write(0x008, 0);
    CHECK(bench.read(0x008) == 1);
    // What is not modelled says so.
    CHECK_FALSE(bench.write(0x104, 1u << 14));
    CHECK_FALSE(bench.write(kPipe1 + 0x120, 1u << 16));
    CHECK_FALSE(bench.write(kPipe1 + 0x044, 1));
    CHECK(bench.write(kPipe1 + 0x044, 0x80 << 20));
    bench.csi.reset();
    CHECK(bench.csi_read(0x070) == 0x43210200);
    CHECK(bench.csi_read(0x1004) == 0x11003);
    CHECK_FALSE(bench.csi.write(0x074, 8, kAll, 0).modelled);
}

TEST_CASE("camera: each pixel pipe has eight regions of interest, of two words each") {
    Bench bench("bench");
    const auto name = [&bench](std::uint32_t offset) {
        return std::string(bench.dcmipp.read(offset, 0).name);
    };
    CHECK(name(0x924) == "P1RI1CR1");
    CHECK(name(0x928) == "P1RI1CR2");
    CHECK(name(0x92C) == "P1RI2CR1");
    CHECK(name(0x95C) == "P1RI8CR1");
    CHECK(name(0x960) == "P1RI8CR2");
    CHECK(name(0xD60) == "P2RI8CR2");
    CHECK(name(0xB60) == "P1CRI8CR2");
    for (const std::uint32_t behind : {0x964u, 0x968u, 0xD64u, 0xB64u})
        CHECK_FALSE(bench.dcmipp.read(behind, 0).modelled);
    bench.write(0x960, kAll);
    CHECK(bench.read(0x960) == 0x0FFF0FFF);
}

TEST_CASE("camera: a virtual channel starts and stops, its frames raise SOF and EOF") {
    Bench bench("bench");
    CHECK((bench.csi_read(0x90) >> 17 & 1) == 1);
    CHECK(bench.csi_read(0x00) == 1);
    bench.csi_write(0x80, 1u << 8 | 1u << 12);
    bench.stream();
    Bench::pass_us(1);
    CHECK((bench.csi_read(0x90) & 0xFF00) == 1u << 8);
    CHECK(bench.csi_levels == std::vector<bool>{true});
    bench.csi_write(0x100, 1u << 8);
    CHECK(bench.csi_levels == std::vector<bool>{true, false});
    // Four lines and one more.
    Bench::pass_us(48);
    CHECK((bench.csi_read(0x90) & 0xFF00) == 0);
    Bench::pass_us(2);
    CHECK((bench.csi_read(0x90) & 0xFF00) == 1u << 12);
    bench.csi_write(0x00, 1 | 1u << 3);
    CHECK((bench.csi_read(0x90) >> 17 & 1) == 0);
    bench.csi_write(0x100, 1u << 12);
    Bench::pass_us(5000);
    CHECK((bench.csi_read(0x90) & 0xFF00) == 0);
    CHECK(bench.link.statistics().frames == 6);
    CHECK(bench.link.statistics().received == 1);
}

TEST_CASE("camera: a snapshot writes one frame, in bursts, and ends its request") {
    Bench bench("bench");
    bench.prepare(kPipe1, 0x1000, kSnapshot);
    bench.write(kCmier, 7u << 16);
    bench.dcmipp.attributes.secure = true;
    bench.stream();
    Bench::pass_us(1);
    CHECK(bench.read(kCmsr2) == 1u << 18);  // VSYNCF
    CHECK(bench.read(kPipe1 + 0x1F8) == (4u | 1u << 23));
    CHECK((bench.read(kCmsr1) >> 23 & 1) == 1);
    CHECK(bench.levels == std::vector<bool>{true});
    bench.write(kCmfcr, 1u << 18);
    CHECK(bench.levels == std::vector<bool>{true, false});
    Bench::pass_us(12);
    CHECK(bench.read(kCmsr2) == 1u << 16);  // a line
    bench.write(kPipe1 + 0x1FC, 1);
    Bench::pass_us(40);
    CHECK((bench.read(kCmsr2) & 1u << 17) != 0);
    CHECK((bench.read(kCmsr1) >> 23 & 1) == 0);
    CHECK((bench.read(kPipe1 + kControl) & kRequest) == 0);
    CHECK(bench.read(kPipe1 + kWritten) == 0x1000);
    CHECK(bench.read(kFrames) == 0);  // counts the dump pipe
    // Blue, green, red of pixel 5 of line 2.
    CHECK(bench.cells.bytes[0x1000 + 2 * 32 + 15] == 7);
    CHECK(bench.cells.bytes[0x1000 + 2 * 32 + 16] == 32);
    CHECK(bench.cells.bytes[0x1000 + 2 * 32 + 17] == 5);
    CHECK(bench.cells.bytes.size() == 4 * 24);
    CHECK(bench.cells.secure);
    Bench::pass_us(3000);
    CHECK(bench.dcmipp.statistics(1).frames == 1);
    CHECK(bench.dcmipp.statistics(1).bytes == 4 * 24);
    // TRAFFIC 0: bursts of 8 bytes.
    CHECK(bench.cells.bursts == std::vector<unsigned>(4, 24));
    bench.cells.bursts.clear();
    bench.write(0x30, 0);
    bench.write(kPipe1 + kControl, kSnapshot | kRequest);
    Bench::pass_us(1500);
    CHECK(bench.cells.bursts == std::vector<unsigned>(12, 8));
}

TEST_CASE("camera: LINEF comes with every 1, 2, 4 to 128 lines of a frame") {
    Bench bench("bench");
    // Four lines are a frame, and counting begins with each.
    std::vector<unsigned> every;  ///< when lines end
    for (std::uint32_t code = 0; code < 8; ++code) {
        CAPTURE(code);
        bench.write(kPipe1 + 0x1C0, code << 13);
        bench.prepare(kPipe1, 0x1000, kSnapshot);
        bench.stream();
        std::vector<unsigned> lines;
        for (unsigned us = 1; us <= 60; ++us) {
            Bench::pass_us(1);
            if ((bench.read(kPipe1 + 0x1F8) & 1) == 0) continue;
            bench.write(kPipe1 + 0x1FC, 1);
            lines.push_back(us);
        }
        bench.stream(false);
        Bench::pass_us(3000);
        if (code == 0) every = lines;
        REQUIRE(every.size() == 4);
        const std::uint32_t each = 1u << code;
        REQUIRE(lines.size() == 4 / each);
        for (std::size_t i = 0; i < lines.size(); ++i) CHECK(lines[i] == every[(i + 1) * each - 1]);
    }
}

TEST_CASE("camera: continuous capture changes between two buffers, and ends with its frame") {
    Bench bench("bench");
    bench.write(kPipe1 + kMemory2, 0x2000);
    bench.write(kPipe1 + kPacker, 1u << 16);
    bench.write(kCmcr, 1 | 1u << 1);  // frames of the main pipe
    bench.prepare(kPipe1, 0x1000, 0);
    bench.stream();
    Bench::pass_us(500);
    CHECK(bench.cells.bytes.contains(0x1000));
    CHECK_FALSE(bench.cells.bytes.contains(0x2000));
    CHECK(bench.read(kPipe1 + kWritten) == 0x1000);
    Bench::pass_us(1000);
    CHECK(bench.cells.bytes.contains(0x2000));
    CHECK(bench.read(kPipe1 + kWritten) == 0x2000);
    // Within the third frame: the address holds, the request's end waits.
    Bench::pass_us(520);
    bench.write(kPipe1 + kMemory, 0x3000);
    CHECK(bench.read(kPipe1 + kMemory + 0x200) == 0x1000);
    bench.write(kPipe1 + kControl, 0);
    CHECK((bench.read(kCmsr1) >> 23 & 1) == 1);
    Bench::pass_us(50);
    CHECK((bench.read(kCmsr1) >> 23 & 1) == 0);
    Bench::pass_us(2000);
    CHECK(bench.dcmipp.statistics(1).frames == 3);
    CHECK(bench.read(kFrames) == 5);
    CHECK_FALSE(bench.cells.bytes.contains(0x3000));
    bench.write(kCmcr, 1 | 1u << 1 | 1u << 4);
    CHECK(bench.read(kFrames) == 0);
}

TEST_CASE("camera: the ancillary pipe shares the main flow unless the pipes differ") {
    Bench bench("bench");
    bench.write(kPipe2 + kCropStart, 1u << 16 | 2);
    bench.write(kPipe2 + kCropSize, kEnabled | 2u << 16 | 3);
    bench.prepare(kPipe1, 0x1000, 0);
    bench.write(kPipe2 + kFlow, kEnabled);
    bench.write(kPipe2 + kMemory, 0x2000);
    bench.write(kPipe2 + kPitch, 16);
    bench.write(kPipe2 + kPacker, 1u << 4);        // red first
    bench.write(kPipe2 + kControl, kRequest | 1);  // every other frame
    bench.stream();
    Bench::pass_us(2500);
    CHECK(bench.dcmipp.statistics(2).frames == 2);
    CHECK(bench.dcmipp.statistics(1).frames == 3);
    CHECK(bench.cells.bytes[0x2000] == 2);
    CHECK(bench.cells.bytes[0x2001] == 16);
    CHECK(bench.cells.bytes[0x2010] == 2);
    CHECK(bench.cells.bytes[0x2011] == 32);
    CHECK(bench.cells.bytes[0x2018] == 7);
    CHECK_FALSE(bench.cells.bytes.contains(0x2019));
    // Another data type of its own: nothing comes.
    bench.write(kPipe1 + kFlow, kEnabled | kRaw10 | 1u << 18);
    Bench::pass_us(3000);
    CHECK(bench.dcmipp.statistics(2).frames == 2);
    CHECK(bench.dcmipp.statistics(1).frames == 6);
}

TEST_CASE("camera: a memory that is too slow makes an overrun, a refused write a transfer error") {
    Bench bench("bench");
    bench.prepare(kPipe1, 0x1000, kSnapshot);
    bench.cells.takes = 11'000'000;  // more than a line
    bench.stream();
    Bench::pass_us(500);
    CHECK((bench.read(kCmsr2) & 1u << 23) != 0);
    CHECK(bench.dcmipp.statistics(1).overruns == 1);
    CHECK(bench.dcmipp.statistics(1).bytes == 24);
    CHECK((bench.read(kCmsr2) & 1u << 17) != 0);
    bench.cells.takes = 100'000;
    bench.cells.refused = 0x1020;
    bench.write(kCmfcr, kAll);
    bench.write(kPipe1 + kControl, kSnapshot | kRequest);
    Bench::pass_us(1000);
    CHECK((bench.read(kCmsr2) & 1u << 5) != 0);
    CHECK(bench.dcmipp.statistics(1).errors == 1);
}

TEST_CASE("camera: pictures follow in turn, stretched over the sensor's area") {
    Bench bench("bench");
    const Picture dark{1, 1, {1, 1, 1}}, halves{2, 1, {10, 10, 10, 20, 20, 20}};
    bench.link.show({dark, halves});
    CHECK_FALSE(bench.link.shows_test_pattern());
    bench.prepare(kPipe1, 0x1000, 0);
    bench.stream();
    Bench::pass_us(500);
    CHECK(bench.cells.bytes[0x1000] == 1);
    CHECK(bench.cells.bytes[0x1000 + 3 * 32 + 23] == 1);
    Bench::pass_us(1000);
    CHECK(bench.cells.bytes[0x1000 + 3 * 32 + 11] == 10);
    CHECK(bench.cells.bytes[0x1000 + 3 * 32 + 12] == 20);
    Bench::pass_us(1000);
    CHECK(bench.cells.bytes[0x1000] == 1);
}

TEST_CASE("camera: without pictures frames are eight colour bars") {
    Bench bench("bench", false);
    CHECK(bench.link.shows_test_pattern());
    bench.prepare(kPipe1, 0x1000, 0);
    bench.stream();
    Bench::pass_us(500);
    const auto pixel = [&bench](unsigned x) {
        const std::uint32_t at = 0x1000 + 3 * x;
        return std::array{bench.cells.bytes[at + 2], bench.cells.bytes[at + 1],
                          bench.cells.bytes[at]};
    };
    using Rgb = std::array<std::uint8_t, 3>;
    CHECK(pixel(0) == Rgb{255, 255, 255});
    CHECK(pixel(1) == Rgb{255, 255, 0});
    CHECK(pixel(2) == Rgb{0, 255, 255});
    CHECK(pixel(3) == Rgb{0, 255, 0});
    CHECK(pixel(4) == Rgb{255, 0, 255});
    CHECK(pixel(5) == Rgb{255, 0, 0});
    CHECK(pixel(6) == Rgb{0, 0, 255});
    CHECK(pixel(7) == Rgb{0, 0, 0});
}

namespace {

/// A driver's access by I2C: a 16-bit register number, then bytes.
void put(ImageSensor& sensor, std::uint32_t number, std::uint8_t value) {
    CHECK(sensor.start(false));
    CHECK(sensor.write(static_cast<std::uint8_t>(number >> 8)));
    CHECK(sensor.write(static_cast<std::uint8_t>(number)));
    CHECK(sensor.write(value));
    sensor.stop();
}

}  // namespace

TEST_CASE("camera: image sensors identify themselves, boot and stream") {
    std::vector<bool> streams;
    SensorOutput output;
    const auto watch = [&](ImageSensor& sensor) {
        streams.clear();
        sensor.on_streaming = [&](bool on, const SensorOutput& of) {
            streams.push_back(on);
            output = of;
        };
    };
    ImageSensor imx(SensorKind::Imx335);
    watch(imx);
    CHECK(imx.address() == 0x1A);
    CHECK(imx.get(0x3912) == 0);
    put(imx, 0x3000, 1);
    CHECK_FALSE(imx.streams());
    put(imx, 0x3000, 0);
    CHECK(imx.streams());
    CHECK(output.width == 2592);
    CHECK(output.height == 1944);
    CHECK(output.data_type == 0x2B);
    // 4,500 lines of 7.41 us are a picture at 30 per second, until a driver says otherwise.
    const auto lines = [&imx] { return imx.get(0x3030) | imx.get(0x3031) << 8; };
    CHECK(lines() == 4500);
    put(imx, 0x3031, 0x34);
    CHECK(lines() == 0x3494);
    imx.restart();
    CHECK(lines() == 4500);
    CHECK(streams == std::vector<bool>{false, true, false});

    ImageSensor gy(SensorKind::Vd66gy);
    watch(gy);
    CHECK((gy.get(0) | gy.get(1) << 8) == 0x5603);
    CHECK(gy.get(0x28) == 1);
    put(gy, 0x200, 1);
    CHECK(gy.get(0x200) == 0);
    CHECK(gy.get(0x28) == 2);
    put(gy, 0x201, 1);
    CHECK(gy.get(0x28) == 3);
    CHECK(output.data_type == 0x2A);
    CHECK(output.width == 1120);
    put(gy, 0x202, 1);
    CHECK(gy.get(0x28) == 2);
    put(gy, 0x203, 1);  // patching, done at once as every command
    CHECK(gy.get(0x203) == 0);
    put(gy, 0x204, 1);  // behind the commands
    CHECK(gy.get(0x204) == 1);
    CHECK(streams == std::vector<bool>{true, false});

    ImageSensor g1(SensorKind::Vd55g1);
    CHECK((g1.get(0) | g1.get(1) << 8 | g1.get(2) << 16 | g1.get(3) << 24) == 0x53354731);
    put(g1, 0x2002, 0x12);
    put(g1, 0x2003, 0x34);
    put(g1, 0x200, 2);
    CHECK(g1.get(0x12) == 0x12);
    CHECK(g1.get(0x13) == 0x34);
    CHECK(g1.get(0x1C) == 2);

    ImageSensor ov(SensorKind::Ov5640, {{0x300B, 0x41}});
    CHECK(ov.get(0x300A) == 0x56);
    CHECK(ov.get(0x300B) == 0x41);
    put(ov, 0x3008, 0x02);
    CHECK(ov.streams());
}

TEST_CASE("camera: a sensor's window is not larger than its pixels, nor less than none") {
    ImageSensor gy(SensorKind::Vd66gy), ov(SensorKind::Ov5640);
    const auto columns = [&gy](unsigned first, unsigned last) {
        put(gy, 0x045E, static_cast<std::uint8_t>(first));
        put(gy, 0x045F, static_cast<std::uint8_t>(first >> 8));
        put(gy, 0x0460, static_cast<std::uint8_t>(last));
        put(gy, 0x0461, static_cast<std::uint8_t>(last >> 8));
        return gy.output().width;
    };
    CHECK(columns(100, 739) == 640);
    CHECK(columns(100, 1) == 1120);
    CHECK(columns(0, 0xFFFF) == 1120);
    for (const std::uint32_t number : {0x3808u, 0x3809u, 0x380Au, 0x380Bu}) put(ov, number, 0xFF);
    CHECK(ov.output().width == 2592);
    CHECK(ov.output().height == 1944);
}

TEST_CASE(
    "camera: a sensor that starts anew within a frame has its new size from the next one on") {
    Bench bench("bench");
    bench.prepare(kPipe1, 0x1000, 0);
    bench.stream();
    Bench::pass_us(15);
    bench.stream(false);
    bench.link.set_streaming(true, {4, 2, kRaw10});
    Bench::pass_us(500);
    CHECK(bench.cells.bytes.size() == 4 * 24);
    bench.cells.bytes.clear();
    Bench::pass_us(1000);
    CHECK(bench.dcmipp.statistics(1).frames == 2);
    CHECK(bench.cells.bytes.size() == 2 * 12);
}

TEST_CASE("camera: the ISP decimates what comes behind it, not a flow of the ancillary pipe") {
    Bench bench("bench");
    constexpr std::uint32_t kDecimation = 0x30;
    bench.write(kPipe1 + kDecimation, 1 | 1u << 1);
    bench.prepare(kPipe1, 0x1000, kSnapshot);
    bench.prepare(kPipe2, 0x2000, kSnapshot);
    bench.write(kPipe1 + kFlow, kEnabled | kRaw10 | 1u << 18);
    bench.stream();
    Bench::pass_us(500);
    CHECK(bench.cells.bytes.size() == 4 * 12 + 4 * 24);
    CHECK(bench.cells.bytes[0x2000 + 23] == 7);  // red of the last column
    // A decimation that grows within a frame leaves less of the other lines.
    bench.cells.bytes.clear();
    bench.write(kPipe1 + kDecimation, 0);
    bench.write(kPipe1 + kControl, kSnapshot | kRequest);
    Bench::pass_us(525);
    bench.write(kPipe1 + kDecimation, 1 | 3u << 1);
    Bench::pass_us(100);
    CHECK(bench.cells.bytes.size() == 2 * 24 + 2 * 3);
}

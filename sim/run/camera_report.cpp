// SPDX-License-Identifier: Apache-2.0
#include "sim/run/camera_report.h"

#include <fmt/format.h>

#include <ostream>
#include <string>

#include "sim/run/camera_setup.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

constexpr const char* kPipeNames[] = {"dump", "main", "ancillary"};

}  // namespace

void write_camera(std::ostream& out, RunSession& session) {
    const BoardSetup::I2cDevice* const sensor = camera_sensor(session.plan().board);
    if (sensor == nullptr) return;
    const models::Peripherals& soc = session.platform().soc();
    const models::CameraLink::Statistics& link = soc.camera.statistics();
    out << fmt::format("\ncamera: {} on {}, {}; {} frames sent, {} received by CSI\n",
                       sensor_name(*sensor->sensor), sensor->bus,
                       soc.camera.shows_test_pattern()
                           ? fmt::format("test pattern ({})", models::CameraLink::kTestPattern)
                           : "pictures of " + traces::terminal_text(session.plan().camera.text),
                       link.frames, link.received);
    for (unsigned pipe = 0; pipe < models::Dcmipp::kPipes; ++pipe) {
        const models::Dcmipp::PipeStatistics& seen = soc.dcmipp.statistics(pipe);
        if (seen.frames + seen.overruns + seen.errors == 0) continue;
        out << fmt::format("DCMIPP {} pipe: {} frames, {} bytes written, {} overruns, {} errors\n",
                           kPipeNames[pipe], seen.frames, seen.bytes, seen.overruns, seen.errors);
    }
}

Json camera_json(RunSession& session) {
    const BoardSetup::I2cDevice* const sensor = camera_sensor(session.plan().board);
    if (sensor == nullptr) return {};
    const models::Peripherals& soc = session.platform().soc();
    const bool pattern = soc.camera.shows_test_pattern();
    Json document = {
        {"sensor", std::string(sensor_name(*sensor->sensor))},
        {"bus", sensor->bus},
        {"pictures", pattern ? models::CameraLink::kTestPattern : session.plan().camera.text},
        {"test_pattern", pattern},
        {"frames_sent", soc.camera.statistics().frames},
        {"frames_received", soc.camera.statistics().received}};
    Json& pipes = document["pipes"] = Json::array();
    for (unsigned pipe = 0; pipe < models::Dcmipp::kPipes; ++pipe) {
        const models::Dcmipp::PipeStatistics& seen = soc.dcmipp.statistics(pipe);
        pipes.push_back({{"name", kPipeNames[pipe]},
                         {"frames", seen.frames},
                         {"bytes_written", seen.bytes},
                         {"overruns", seen.overruns},
                         {"errors", seen.errors}});
    }
    return document;
}

}  // namespace n6vp::sim

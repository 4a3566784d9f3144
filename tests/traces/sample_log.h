// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "traces/trace_log.h"

/// A small log for the tests of the formats. Its events come out of order, as those of masters do
/// that run ahead of each other.
namespace n6vp::test {

/// Names that formats must survive.
inline const std::string kHostile = "</script>\"\\\x1b[31m\n\xff$end,=1";

struct SampleLog {
    traces::TraceLog log;
    traces::TrackId core, phase, npu, epoch, engine, port;

    SampleLog() {
        using Kind = traces::Track::Kind;
        core = log.add_track({"Core", Kind::Group, traces::kNoTrack, "core", 0, {}});
        phase = log.add_track({"phase", Kind::Slices, core, "phase", 32, {}});
        npu = log.add_track({"NPU", Kind::Group, traces::kNoTrack, "npu", 0, {}});
        epoch = log.add_track({"epoch", Kind::Slices, npu, "npu", 32, {}});
        engine = log.add_track({"STRENG0", Kind::Slices, npu, "engine", 1, {}});
        port = log.add_track({"NPU port 0", Kind::Counter, npu, "bus", 0, "MB/s"});
        log.slice(epoch, 5'000'000, 7'000'500, "epoch 7", {{"cycles", 2000.5}}, 7);
        log.slice(phase, 1'000'000, 9'000'000, "inference", {{"cycles", std::uint64_t{6400}}}, 3);
        log.slice(phase, 2'000'000, 4'000'000, kHostile, {{"text", kHostile}}, 4);
        // Outlasts the phase around it.
        log.slice(phase, 8'000'000, 10'000'000, "outputs", {}, 5);
        const std::size_t open = log.begin(engine, 5'500'000, "read");
        log.end(open, 6'500'000, {{"bytes", std::uint64_t{4096}}});
        log.count(port, 6'000'000, 812.5);
        log.count(port, 5'000'000, 100);
        log.count(port, 7'000'000, 0);
        log.mark(engine, 6'000'000, kHostile);
        log.finish(10'000'000);
    }
};

}  // namespace n6vp::test

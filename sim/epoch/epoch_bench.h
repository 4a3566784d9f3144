// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/npu/dataflow/engine_bus.h"
#include "sim/epoch/epoch_file.h"
#include "sim/faults/run_events.h"
#include "sim/platform/epoch_summary.h"

namespace n6vp::sim {

struct EngineResult {
    unsigned engine = 0;
    bool output = false, ended = false;
    double active = 0;  ///< NPU cycles from enabling to its end; 0: it has not ended
    models::npu::EngineCounters counters;
};

struct ConvolutionResult {
    unsigned unit = 0;
    std::uint64_t frames = 0, products = 0;
    double utilisation = 0;  ///< of its own multipliers, in the epoch's NPU cycles
};

struct EpochResult {
    std::string name;
    bool ended = false;  ///< all output engines that it waits for have, or the program of its blob
    bool endless = false;           ///< it has not, in `epoch_bench.longest` cycles
    models::Picoseconds start = 0;  ///< first unit enabled; since reset
    double cycles =
        0;  ///< of the NPU, to the end of the last of them; of a blob, to the next label
    double start_cycles = 0;  ///< before that: the processor starts the epoch
    std::vector<EngineResult> engines;
    std::vector<ConvolutionResult> convolutions;
    EpochSummary summary;               ///< of the work between beginning and end
    std::vector<std::string> problems;  ///< what the NPU and the bus complained about

    [[nodiscard]] double total_cycles() const { return cycles + start_cycles; }
};

/// What a buffer held in the end, as far as it was not what was expected.
struct BufferDifference {
    std::string buffer, origin;
    std::string text;  ///< one line: where, what, what was expected
};

/// Runs epochs on the platform without a program: registers are written by the host, in no time.
class EpochBench {
  public:
    EpochBench(const PlatformParameters& parameters, const PlatformOptions& options);

    /// Stores the contents of buffers. Fails with UserError if memory refuses one.
    void load(const std::vector<BenchBuffer>& buffers);
    /// Runs the epochs one after the other; the first that does not end is the last. A blob gives
    /// an epoch for each of its labels.
    [[nodiscard]] std::vector<EpochResult> run(const EpochFile& file);
    /// Returns how many epochs of the file the last one that did not end has left.
    [[nodiscard]] std::size_t not_run() const { return not_run_; }
    [[nodiscard]] std::vector<BufferDifference> check(const std::vector<BenchBuffer>& buffers);
    [[nodiscard]] std::vector<std::uint8_t> contents(const BenchBuffer& buffer);
    [[nodiscard]] Platform& platform() { return platform_; }

  private:
    void listen();
    void listen_to_program();
    void start();
    void write(std::uint32_t offset, std::uint32_t value);
    [[nodiscard]] bool waits() const;
    void run(const BenchEpoch& epoch);
    /// Lets time pass until the epoch has ended or never will.
    void await_end();
    /// A result begins at `since_`.
    void open(const std::string& name);
    /// The result is complete but for its cycles.
    void close();
    void set_cycles(models::Picoseconds end);
    void set_summary();

    Platform platform_;
    RunEvents events_;
    EpochLog log_;
    std::size_t summarised_ = 0;  ///< epochs of the log that are part of results
    models::Picoseconds cycle_;
    models::Picoseconds now_ = 0;  ///< absolute: of the next write
    std::vector<EpochResult> results_;
    std::size_t not_run_ = 0;
    EpochResult result_;
    std::size_t events_before_ = 0;  ///< when it began
    models::Picoseconds since_ = 0;
    std::string name_;  ///< of the epoch in the file
    std::vector<unsigned> waited_;
    bool stuck_ = false, programmed_ = false, program_ended_ = false;
    models::Picoseconds program_end_ = 0;
};

}  // namespace n6vp::sim

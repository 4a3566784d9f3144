// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/sim/board/protocol_client.h"
#include "tests/sim/board/served_board.h"
#include "tests/support/toolbox.h"

/// A client of its own against `n6vp board`; `n6vp run` is the oracle.

namespace n6vp::test {

namespace {

using Json = nlohmann::json;

void check_close(std::uint64_t found, std::uint64_t expected) {
    CAPTURE(found);
    CAPTURE(expected);
    CHECK(found * 100 <= expected * 102);
    CHECK(found * 102 >= expected * 100);
}

/// The network of the samples with a pattern as its input, and what `n6vp run` says of it.
struct Sample {
    Toolbox box{N6VP_BINARY};
    Json model;
    std::string input, output;

    Sample() {
        REQUIRE(box.run("generate '" N6VP_NETWORK "' -o net").exit_code == 0);
        input.resize(N6VP_NETWORK_INPUT);
        for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<char>(i * 37);
        box.save("in.bin", {input.begin(), input.end()});
        const ToolResult run = box.run("run net/network_rel.bin -i in.bin --json -o out");
        REQUIRE(run.exit_code == 0);
        model = Json::parse(run.out).at("model");
        output = box.text("out/output_0.npy").substr(128);
    }
    [[nodiscard]] std::string file() const { return box.path().string() + "/net/network_rel.bin"; }
};

std::uint64_t cycles_of(const Json& node) {
    return node.at("pre_cycles").get<std::uint64_t>() +
           node.at("core_cycles").get<std::uint64_t>() +
           node.at("post_cycles").get<std::uint64_t>();
}

std::uint64_t cycles_of(const Fields& node) {
    std::uint64_t cycles = 0;
    for (const std::uint64_t each : node.all(6)) cycles += each;
    return cycles;
}

/// Numbers of the log "s:node:NAME:..." of a node, behind its name.
std::vector<std::int64_t> numbers_of(const std::vector<std::string>& logs,
                                     const std::string& name) {
    std::vector<std::int64_t> numbers;
    for (const std::string& log : logs) {
        const std::string head = "s:node:" + name + ":";
        if (log.rfind(head, 0) != 0) continue;
        for (std::size_t at = head.size(); at < log.size(); ++at) {
            numbers.push_back(std::stoll(log.substr(at)));
            at = std::min(log.find(':', at), log.size());
        }
        return numbers;
    }
    return numbers;
}

struct Written {
    std::uint64_t bytes = 0, beats = 0;
};

/// A run of the bytes from `address` on: a beat is 8 bytes at a multiple of 8, and no two runs
/// share one.
void add_run(Written& to, std::uint64_t address, std::uint64_t bytes) {
    to.bytes += bytes;
    to.beats += (address + bytes + 7) / 8 - address / 8;
}

/// What the output engines write with the registers of a list of epochs, of elements of one byte.
/// Consecutive in memory are a whole frame (RAW) or, where several kernels at a time are computed,
/// the bytes of these in each pixel.
Written written_by(const std::string& epochs) {
    constexpr std::uint64_t kDir = 1U << 3, kRaw = 1U << 8;
    Written written;
    std::istringstream lines(epochs);
    for (std::string line; std::getline(lines, line);) {
        if (line.rfind("  STRENG", 0) != 0) continue;
        const auto value = [&line](const std::string& name) -> std::uint64_t {
            const std::size_t at = line.find(" " + name + "=0x");
            return at == std::string::npos
                       ? 0
                       : std::stoull(line.substr(at + name.size() + 2), nullptr, 16);
        };
        const auto low = [&value](const char* name) { return value(name) & 0xFFFF; };
        if ((value("CTRL") & kDir) == 0) continue;
        for (std::uint64_t frame = 0; frame < value("LIMIT"); ++frame) {
            const std::uint64_t start = value("ADDR") + frame * value("FOFFSET");
            if ((value("CTRL") & kRaw) != 0) {
                add_run(written, start, value("FSIZE"));
                continue;
            }
            for (std::uint64_t y = 0; y < value("FSIZE") >> 16; ++y) {
                for (std::uint64_t x = 0; x < low("FSIZE"); ++x) {
                    add_run(written, start + y * low("STRD") + x * (value("DEPTH") >> 16),
                            low("DEPTH"));
                }
            }
        }
    }
    return written;
}

}  // namespace

TEST_CASE("board: outputs and cycles are those of a run, by socket and by pseudo terminal") {
    const Sample sample;
    const Json& nodes = sample.model.at("nodes");
    for (const char* place : {"tcp:0", "pty"}) {
        CAPTURE(place);
        ServedBoard board({sample.file(), "--uart", place});
        {
            ProtocolClient client(board.place());
            client.synchronise();
            const Fields info = client.model(0);
            CHECK(info.number(8) == nodes.size());
            client.request(kNetworkInfo, 1, "");
            CHECK(client.answer().number(2) == 4);
            // The nodes of the run are those of its first inference, with cold caches.
            const Inference first = client.infer(info.text(1), kPerLayer, {sample.input});
            REQUIRE(first.nodes.size() == nodes.size());
            for (std::size_t i = 0; i < nodes.size(); ++i)
                check_close(cycles_of(first.nodes[i]), cycles_of(nodes[i]));
            CHECK(first.outputs == std::vector<std::string>{sample.output});
            std::vector<std::uint64_t> cycles;
            for (unsigned i = 0; i < 20; ++i) {
                const Inference next = client.infer(info.text(1), kIoOnly, {sample.input});
                CHECK(next.outputs == first.outputs);
                cycles.push_back(next.cycles);
            }
            // Caches are warm, and nothing else depends on the time at which a client asks.
            for (std::size_t i = 2; i < cycles.size(); ++i) CHECK(cycles[i] == cycles[1]);
            const Inference with_data = client.infer(info.text(1), kWithData, {sample.input});
            CHECK(with_data.outputs == first.outputs);
            CHECK(with_data.nodes.size() == nodes.size());
            const std::string one(1, sample.input[0]);
            CHECK(client.infer(info.text(1), kPerf, {one}).outputs == std::vector<std::string>{""});
        }
        // The board ends when its client has left.
        CHECK(board.wait().exit_code == 0);
    }
}

TEST_CASE("board: counters of the NPU agree with the traffic of a run") {
    const Sample sample;
    ServedBoard board({sample.file(), "--uart", "tcp:0"});
    ProtocolClient client(board.place());
    client.synchronise();
    const std::string name = client.model(0).text(1);
    std::uint64_t read = 0, written = 0, elements = 0;
    for (const Json& epoch : sample.model.at("epochs")) {
        read += epoch.at("bytes_read").get<std::uint64_t>() +
                epoch.at("controller_bytes").get<std::uint64_t>();
        written += epoch.at("bytes_written").get<std::uint64_t>();
        elements += epoch.at("engines").get<std::uint64_t>();
    }
    REQUIRE(elements != 0);
    const auto count = [&](std::uint32_t counters, const std::string& log) {
        const Inference result = client.infer(name, kPerLayer, {sample.input}, counters << 8 | 1);
        CHECK(result.outputs == std::vector<std::string>{sample.output});
        return numbers_of(result.logs, log);
    };
    // Bytes of whole beats. Most output is written in runs of two bytes, each with a beat of its
    // own: 4 times the bytes. The list of epochs says exactly how many beats there are.
    const Written listed = written_by(sample.box.text("net/epochs.txt"));
    REQUIRE(listed.bytes == written);
    const std::vector<std::int64_t> bursts = count(0x08, "portx:burst:rw");
    REQUIRE(bursts.size() == 4);
    CHECK(static_cast<std::uint64_t>(bursts[0]) >= read);
    CHECK(static_cast<std::uint64_t>(bursts[0]) <= read + read / 2);
    CHECK(static_cast<std::uint64_t>(bursts[1]) == 8 * listed.beats);
    CHECK(bursts[2] == bursts[0] + bursts[1]);
    // The NPU's clock against the core's: 1000 and 800 MHz.
    const std::vector<std::int64_t> cycles = count(0x31, "npu_cycles");
    REQUIRE(cycles.size() == 3);
    const std::uint64_t core = sample.model.at("nodes")[0].at("core_cycles").get<std::uint64_t>();
    check_close(static_cast<std::uint64_t>(cycles[1]) * 4, core * 5);
    // No engine is active for longer than its node.
    const std::vector<std::int64_t> longest = count(0x21, "streng_active:max:i");
    REQUIRE(longest.size() == 2);
    CHECK(longest[1] > 0);
    CHECK(longest[1] <= cycles[1]);
    CHECK(count(0x10, "npu_cache:r").size() == 4);
    CHECK(count(0, "npu_cycles").empty());
}

TEST_CASE("board: several models, by name and by index") {
    const Sample sample;
    const Toolbox box(N6VP_BINARY);
    REQUIRE(box.run("generate '" N6VP_SECOND_NETWORK "' -o second").exit_code == 0);
    const std::string second = box.path().string() + "/second/network_rel.bin";
    for (const bool overlay : {false, true}) {
        CAPTURE(overlay);
        std::vector<std::string> arguments{sample.file(), second, "--uart", "tcp:0"};
        if (overlay) arguments.emplace_back("--overlay");
        ServedBoard board(arguments);
        ProtocolClient client(board.place());
        client.synchronise();
        const Fields one = client.model(0), two = client.model(1);
        CHECK(one.text(1) != two.text(1));
        const std::string input(decode(two.text(11)).number(3), '\3');
        const Inference first = client.infer(two.text(1), kIoOnly, {input});
        CHECK(client.infer(one.text(1), kIoOnly, {sample.input}).outputs ==
              std::vector<std::string>{sample.output});
        CHECK(client.infer(two.text(1), kIoOnly, {input}).outputs == first.outputs);
        client.request(kNetworkRun, kIoOnly, "no such model");
        CHECK(client.answer().number(2) == 4);
    }
}

}  // namespace n6vp::test

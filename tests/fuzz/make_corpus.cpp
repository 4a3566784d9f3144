// SPDX-License-Identifier: Apache-2.0
// Writes the seeds of all fuzz targets: legal inputs of every variant, from which the fuzzer
// starts.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "sim/debugger/packet.h"
#include "tests/fuzz/install_input.h"
#include "tests/fuzz/legacy_input.h"
#include "tests/loader/epoch_controller/ec_assembler.h"
#include "tests/models/npu/epoch_steps.h"
#include "tests/sim/generate/tflite_builder.h"
#include "tests/support/image_builder.h"
#include "tests/support/legacy_builder.h"

namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::uint8_t>;
using n6vp::test::ImageGeneration;

void save(const fs::path& folder, const std::string& name, const Bytes& bytes) {
    fs::create_directories(folder);
    std::ofstream file(folder / name, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    if (!file) throw std::runtime_error("cannot write " + (folder / name).string());
}

struct Seed {
    std::string name;
    n6vp::test::ImageSpec spec;
};

std::vector<Seed> seeds() {
    std::vector<Seed> list;
    const std::string names[] = {"core21", "core22", "core30", "core4x"};
    for (const ImageGeneration generation : n6vp::test::kAllGenerations) {
        const std::string& prefix = names[static_cast<std::size_t>(generation)];
        list.push_back({prefix + "-minimal", n6vp::test::minimal_spec(generation)});
        list.push_back({prefix + "-sample", n6vp::test::sample_spec(generation)});
        list.push_back({prefix + "-mixed", n6vp::test::mixed_spec(generation)});
        if (generation != ImageGeneration::Core21)
            list.push_back({prefix + "-clang", n6vp::test::clang_spec(generation)});
        n6vp::test::ImageSpec split = n6vp::test::sample_spec(generation);
        split.split = true;
        list.push_back({prefix + "-split", split});
        n6vp::test::ImageSpec blobs = n6vp::test::sample_spec(generation);
        blobs.blobs = n6vp::test::sample_ec(
                          generation == ImageGeneration::Core21   ? n6vp::test::kEcMagic0020
                          : generation == ImageGeneration::Core22 ? n6vp::test::kEcMagic0030
                                                                  : n6vp::test::kEcMagic0050)
                          .bytes;
        list.push_back({prefix + "-blobs", blobs});
    }
    return list;
}

/// A request that fits the seed: generation and options as the file's flags say.
Bytes request_for(const n6vp::test::ImageSpec& spec, std::uint8_t mode, std::size_t params_bytes) {
    using namespace n6vp::fuzz;
    Bytes request(kRequestBytes, 0);
    request[kFieldMode] = mode;
    const bool secure = (spec.flags >> 20 & 1) != 0;
    const bool debug = (spec.flags >> 21 & 1) != 0;
    const bool async = (spec.flags >> 22 & 1) != 0;
    request[kFieldGeneration] =
        static_cast<std::uint8_t>(static_cast<unsigned>(spec.generation) | (secure ? 0u : 4u) |
                                  (debug ? 0u : 8u) | (async ? 0u : 16u));
    request[kFieldParamsSize] = static_cast<std::uint8_t>(params_bytes);
    request[kFieldParamsSize + 1] = static_cast<std::uint8_t>(params_bytes >> 8);
    return request;
}

void write_models(const fs::path& corpus) {
    for (const Seed& seed : seeds()) {
        const n6vp::test::Image image = n6vp::test::build_image(seed.spec);
        save(corpus / "container", seed.name, image.file);
        for (std::uint8_t mode = 0; mode < 4; ++mode) {
            Bytes input = request_for(seed.spec, mode, image.params.size());
            input.insert(input.end(), image.file.begin(), image.file.end());
            input.insert(input.end(), image.params.begin(), image.params.end());
            const char* modes[] = {"xip", "copy", "xip-clear", "copy-clear"};
            save(corpus / "install", seed.name + "-" + modes[mode], input);
        }
    }
}

void write_legacy_models(const fs::path& folder) {
    for (const bool has_crc : {false, true}) {
        for (const std::uint32_t core : {0xC24u, 0xC27u, 0xD21u}) {
            n6vp::test::LegacySpec spec = n6vp::test::legacy_sample(has_crc);
            spec.flags = (spec.flags & ~0xFFFu) | core;
            if (core == 0xC27) {
                spec.weights.assign(40, 7);
                spec.weights_bytes = 40;
            }
            const Bytes file = n6vp::test::build_legacy(spec).file;
            const std::string name = core == 0xC24 ? "m4" : core == 0xC27 ? "m7" : "m33";
            for (const std::uint8_t mode : {std::uint8_t{0}, std::uint8_t{1}}) {
                for (const std::uint8_t bits :
                     {std::uint8_t{0}, std::uint8_t{2}, std::uint8_t{16}}) {
                    Bytes input(n6vp::fuzz::kLegacyRequestBytes, 0);
                    input[n6vp::fuzz::kLegacyMode] = mode;
                    input[n6vp::fuzz::kLegacyBits] = bits;
                    input.insert(input.end(), file.begin(), file.end());
                    const char* asked = bits == 0 ? "" : bits == 2 ? "-heap" : "-callbacks";
                    save(folder,
                         name + (has_crc ? "-60" : "-52") + (mode == 0 ? "-xip" : "-copy") + asked,
                         input);
                }
            }
        }
    }
}

void write_containers(const fs::path& folder) {
    using namespace n6vp::test;
    const EcProgram program = sample_program();
    for (const std::uint32_t magic : {kEcMagic0020, kEcMagic0030, kEcMagic0050}) {
        const std::string name = magic == kEcMagic0020   ? "0020"
                                 : magic == kEcMagic0030 ? "0030"
                                                         : "0050";
        save(folder, name, sample_ec(magic).bytes);
        save(folder, name + "-debug", sample_ec(magic, 24).bytes);
        save(folder, name + "-no-tables", build_ec(magic, program.words, {}).bytes);
    }
    save(folder, "blob", blob_bytes(program.words));
}

/// Latency, start and blob, as fuzz_npu_blob takes them.
Bytes npu_input(std::uint8_t latency, std::uint8_t start, const n6vp::test::EcAssembler& program) {
    Bytes input = {latency, start};
    const Bytes blob = n6vp::test::blob_bytes(program.words());
    input.insert(input.end(), blob.begin(), blob.end());
    return input;
}

void write_npu_blobs(const fs::path& folder) {
    using n6vp::test::EcAssembler;
    EcAssembler epoch;
    epoch.label(2).gate(1, true).write(6, 0, 0x00110108).burst_inc(6, 8, {0x342E0000, 0x1EA});
    epoch.burst(6, 0x30, {6, 7}).write(4, 0, 2).poll(4, 0, 1).write(4, 0, 0x40000000);
    epoch.poll(4, 0, 30).write(4, 0x0C, 0x25).field(6, 0, 0, 1).poll(6, 0, 31).write(6, 0, 2);
    epoch.poll(6, 0, 1).write(6, 0, 0x40000000).poll(6, 0, 30).gate(1, false).irq();
    save(folder, "epoch", npu_input(3, 0, epoch));
    save(folder, "epoch-step", npu_input(3, 1, epoch));
    save(folder, "epoch-slow", npu_input(100, 0, epoch));
    save(folder, "poll-running", npu_input(3, 2, EcAssembler().poll(5, 0, 31).label(1).irq()));
    save(folder, "own-clear", npu_input(3, 0, EcAssembler().burst(30, 0, {1, 2, 1}).irq()));
    save(
        folder, "interrupts",
        npu_input(3, 0, EcAssembler().write(1, 0, 1).burst_inc(1, 0x0C, {5, 1, 0, 0, 0, 0}).irq()));
    save(folder, "part",
         npu_input(3, 0, EcAssembler().raw({15u << 26 | 2u << 16 | 15u << 10 | 8u << 5, 0xAB})));
    save(folder, "cut", npu_input(3, 0, EcAssembler().label(1).raw({0x14000062, 1})));
    save(folder, "unknown", npu_input(3, 0, EcAssembler().raw({0x00000005})));
}

/// Records as fuzz_npu takes them.
class NpuInput {
  public:
    NpuInput& write(std::uint32_t offset, std::uint32_t value) {
        return add(0, offset / 0x1000, offset % 0x1000, value);
    }
    NpuInput& read(std::uint32_t offset) { return add(3, offset / 0x1000, offset % 0x1000, 0); }
    NpuInput& run(std::uint32_t cycles) { return add(4, 0, 0, cycles); }
    NpuInput& blob(const n6vp::test::EcAssembler& program) {
        const Bytes bytes = n6vp::test::blob_bytes(program.words());
        for (std::size_t i = 0; i + 4 <= bytes.size(); i += 4) {
            const auto place = static_cast<std::uint8_t>(i / 4);
            bytes_.insert(bytes_.end(), {6, 0, place, 0});
            bytes_.insert(bytes_.end(), bytes.begin() + static_cast<std::ptrdiff_t>(i),
                          bytes.begin() + static_cast<std::ptrdiff_t>(i) + 4);
        }
        return add(5, 0, 0, 0);
    }
    NpuInput& clear(std::uint32_t page) { return add(15, page, 0, 0); }
    [[nodiscard]] const Bytes& bytes() const { return bytes_; }

  private:
    NpuInput& add(std::uint32_t what, std::uint32_t page, std::uint32_t offset,
                  std::uint32_t value) {
        for (const std::uint32_t byte : {what + (offset / 0x400 << 6), page, offset % 0x400 / 4, 0u,
                                         value, value >> 8, value >> 16, value >> 24})
            bytes_.push_back(static_cast<std::uint8_t>(byte));
        return *this;
    }

    Bytes bytes_;
};

void write_npu(const fs::path& folder) {
    using n6vp::test::EcAssembler;
    for (const char* name : {"E1", "E6", "E9", "E10", "E13", "E16"}) {
        const n6vp::test::ExampleEpoch& epoch = n6vp::test::example(name);
        const n6vp::test::EpochSteps steps = n6vp::test::steps_of(epoch);
        NpuInput input;
        input.write(0x10, 0xFFFFFFFF).write(0x1000, 1).write(0x1014, 0);
        for (const auto& [offset, value] : steps.configure) input.write(offset, value);
        for (const auto& [offset, value] : steps.enable) input.write(offset, value);
        for (int i = 0; i < 8; ++i) input.run(500).read(epoch.enabled[0] * 0x1000);
        NpuInput cut = input;
        for (const auto& [offset, value] : steps.finish) input.write(offset, value);
        save(folder, std::string("writes-") + name, input.bytes());
        for (const std::uint32_t page : epoch.enabled) cut.clear(page).run(3);
        save(folder, std::string("cleared-") + name, cut.bytes());
    }
    EcAssembler program;
    program.label(2).gate(0, true).gate(1, true).burst_inc(5, 0, {0x00080104, 0, 0x100, 64});
    program.burst(5, 0x30, {6, 6}).write(5, 0x34, 1).burst_inc(6, 0, {0x0008010C, 0, 0x200, 64});
    program.burst(6, 0x30, {6, 6}).write(6, 0x34, 1).write(4, 0, 1).write(4, 0x0C, 1);
    program.field(6, 0, 0, 1).field(5, 0, 0, 1).poll(6, 0, 31).write(6, 0, 2).poll(6, 0, 1).irq();
    NpuInput blob;
    blob.write(0x1000, 1).write(0x1014, 0).blob(program);
    for (int i = 0; i < 4; ++i) blob.run(500);
    save(folder, "blob", blob.read(0x1008).write(0x1E00C, 1).bytes());
}

void write_networks(const fs::path& folder) {
    for (const n6vp::test::NamedNetwork& item : n6vp::test::small_networks()) {
        save(folder, item.name, item.network.file());
    }
}

/// What a client of the debugger says, packet by packet.
void write_sessions(const fs::path& folder) {
    using n6vp::sim::debugger::frame;
    const auto session = [&folder](const std::string& name,
                                   const std::vector<std::string>& payloads) {
        std::string text;
        for (const std::string& payload : payloads) text += "+" + frame(payload);
        save(folder, name, Bytes(text.begin(), text.end()));
    };
    session("greeting",
            {"qSupported:multiprocess+;swbreak+;hwbreak+;vContSupported+", "vMustReplyEmpty",
             "QStartNoAckMode", "!", "Hg0", "qXfer:features:read:target.xml:0,ffb", "qTStatus", "?",
             "qXfer:memory-map:read::0,ffb", "qfThreadInfo", "qsThreadInfo", "qAttached", "Hc-1",
             "qC", "g", "qSymbol::", "qThreadExtraInfo,1"});
    session("memory", {"m20000000,40", "M20000100,4:01020304", "X20000102,0:", "X20000102,2:}]a",
                       "p0", "P0=78563412", "pf", "qCRC:0,100", "mffffffff,2"});
    session("points", {"Z0,a,2", "c", "vCont;s:1;c", "z0,a,2", "Z2,20000100,4", "c", "s",
                       "z2,20000100,4", "Z1,c,2", "Z3,20000100,1", "Z4,20000100,10", "c", "c"});
    session("running", {"s", "vCont;r8,10:1", "vCont?", "c8", "S05;8", "C05", "k"});
    session("flash", {"vFlashErase:0,1000", "vFlashWrite:0:abc", "vFlashWrite:100:}\x03",
                      "vFlashDone", "R00", "vRun;", "vKill;1", "D"});
    session("monitor", {"qRcmd,68656c70", "qRcmd,7265736574", "qRcmd,6563686f2061", "qRcmd,"});
    const std::string damaged = "$g#00$g#zz$$g#67-\x03" + frame(std::string(100, '*'));
    save(folder, "damaged", Bytes(damaged.begin(), damaged.end()));
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::cerr << "usage: " << argv[0] << " FOLDER\n";
        return 2;
    }
    const fs::path corpus = argv[1];
    write_models(corpus);
    write_legacy_models(corpus / "legacy");
    write_containers(corpus / "ec");
    write_npu_blobs(corpus / "npu_blob");
    write_npu(corpus / "npu");
    write_networks(corpus / "tflite");
    write_sessions(corpus / "gdb");
    return 0;
}

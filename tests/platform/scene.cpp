// SPDX-License-Identifier: Apache-2.0
#include "tests/platform/scene.h"

#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "tests/platform/target/calls.h"

namespace n6vp::test {

namespace {

constexpr std::uint32_t kProgram = 0x34000000;
constexpr std::uint32_t kBytes = 64;
constexpr unsigned kController = 2;

[[nodiscard]] std::vector<std::uint8_t> load(const std::string& program) {
    const std::string path = std::string(N6VP_PLATFORM_PROGRAMS) + "/" + program + ".bin";
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error("cannot read " + path);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

[[nodiscard]] std::uint32_t first_word(const std::vector<std::uint8_t>& bytes) {
    std::uint32_t word = 0;
    if (bytes.size() >= sizeof word) std::memcpy(&word, bytes.data(), sizeof word);
    return word;
}

}  // namespace

Scene::Scene(const std::string& program, const sim::PlatformOptions& options,
             models::MailboxService* mailbox, const sim::PlatformParameters& parameters)
    : platform_(parameters, options, nullptr, mailbox) {
    const char* const names[] = {"npu_0", "npu_1", "controller"};
    const sim::Initiator ports[] = {sim::Initiator::Npu0, sim::Initiator::Npu1,
                                    sim::Initiator::EpochController};
    for (unsigned i = 0; i < std::size(ports); ++i) {
        masters_.push_back(std::make_unique<TrafficGenerator>(names[i]));
        platform_.bind_master(ports[i], masters_.back()->port);
    }
    listen();
    if (!platform_.load(GuestAddr{kProgram}, load(program)))
        throw std::runtime_error("no memory for the program");
}

Scene::~Scene() = default;

void Scene::listen() {
    sim::PlatformHooks& hooks = platform_.hooks;
    hooks.semihosting = [this](models::core::Core& core) { return answer(core); };
    models::ChipEvents& events = platform_.events();
    const unsigned place = sim::kReportPlace;
    events.core_coherence.listen(place,
                                 [this](const auto& event) { result_.core.push_back(event); });
    events.npu_cache_coherence.listen(
        place, [this](const auto& event) { result_.npu_cache.push_back(event); });
    events.access_fault.listen(place,
                               [this](const auto& fault) { result_.faults.push_back(fault); });
    platform_.npu().on_event.listen(place,
                                    [this](const auto& event) { result_.npu.push_back(event); });
    events.buffer_in_use.listen(place, [this](const auto& use) { result_.in_use.push_back(use); });
}

Scene::Result Scene::run(const std::vector<std::uint32_t>& job, models::Picoseconds limit) {
    if (std::exchange(ran_, true)) platform_.reset();
    job_ = job;
    result_ = {};
    value_ = 0;
    bytes_ = kBytes;
    platform_.advance({.time = limit, .instructions = 0});
    result_.cycles = platform_.core().core().cycles();
    result_.instructions = platform_.core().core().instructions();
    result_.time = platform_.time();
    result_.hash = platform_.trace_hash();
    return result_;
}

bool Scene::answer(models::core::Core& core) {
    core.set_reg(0, call(core.reg(0), core.reg(1)));
    return true;
}

std::uint32_t Scene::call(std::uint32_t number, std::uint32_t argument) {
    switch (number) {
        case HOST_EXIT:
            result_.finished = true;
            result_.exit = argument;
            platform_.stop();
            return 0;
        case HOST_FAULT:
            result_.cfsr = argument;
            platform_.stop();
            return 0;
        case HOST_JOB:
            return argument < job_.size() ? job_[argument] : 0;
        case HOST_RESULT:
            result_.results.push_back(argument);
            return 0;
        case HOST_NPU_READ:
            return read(0, argument, false);
        case HOST_NPU_READ_CACHED:
            return read(0, argument, true);
        case HOST_CONTROLLER_READ:
            return read(kController, argument, false);
        case HOST_VALUE:
            value_ = argument;
            return 0;
        case HOST_WRITE_BYTES:
            bytes_ = argument;
            return 0;
        case HOST_NPU_WRITE:
            return write(argument, false);
        case HOST_LOADER_WRITE:
            return write(argument, true);
        case HOST_START:
            if (on_start) on_start(argument);
            return 0;
        default:
            throw std::logic_error("a call that nobody answers");
    }
}

std::uint32_t Scene::read(unsigned port, std::uint32_t address, bool cached) {
    BusMaster& master = *masters_[port];
    master.says.cacheable = master.says.allocate = cached;
    return first_word(master.read(address, kBytes));
}

std::uint32_t Scene::write(std::uint32_t address, bool by_loader) {
    std::vector<std::uint8_t> bytes(bytes_);
    for (std::size_t i = 0; i < bytes.size(); i += sizeof value_)
        std::memcpy(bytes.data() + i, &value_, sizeof value_);
    if (by_loader) {
        models::DataPath& loader = platform_.data_path();
        const bool done = loader.write(address, bytes.data(), bytes_);
        loader.drain();
        return done ? 0 : 1;
    }
    masters_[0]->says.cacheable = masters_[0]->says.allocate = false;
    return masters_[0]->write(address, bytes).ok() ? 0 : 1;
}

}  // namespace n6vp::test

// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "loader/direct_port.h"
#include "loader/firmware/core.h"
#include "loader/firmware/mcu/heap.h"
#include "loader/firmware/mcu/host.h"
#include "loader/firmware/mcu/set_up.h"
#include "loader/legacy/capi/ai_reloc_network.h"
#include "loader/legacy/capi/extensions.h"
#include "loader/legacy/client.h"

/// Installs a model of the older family and runs it, once for each variant of the job.
namespace n6vp::firmware::mcu {

namespace {

using loader::legacy::Call;
namespace legacy = loader::legacy;

constexpr std::uint32_t kPhases = 7;  // loader::Phase

std::uint32_t word_of(const void* pointer) {
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(pointer));
}
void* pointer_of(std::uint32_t address) {
    return reinterpret_cast<void*>(static_cast<std::uintptr_t>(address));
}
std::uint32_t word_of(ai_error error) {
    std::uint32_t word = 0;
    std::memcpy(&word, &error, sizeof word);
    return word;
}

// --- Loading -------------------------------------------------------------------------------------

/// Where the time of a load went.
constinit struct {
    std::uint32_t phase, since, create, told;
    std::uint32_t phases[kPhases];
} times = {};

void end_phase(std::uint32_t now) {
    times.phases[times.phase] += now - times.since;
    times.since = now;
}

void enter(void*, loader::Phase phase) {
    end_phase(cycles());
    times.phase = static_cast<std::uint32_t>(phase);
}

void maintain_for(void*, loader::CacheOp op, GuestAddr start, std::uint32_t bytes) {
    maintain(op, start, bytes);
}

/// The model's `create` is the only call of a load.
std::uint32_t call_create(void*, const Call& call) {
    const std::uint32_t installed = cycles();
    end_phase(installed);
    tell(Event::Installed, {to_word(call.static_base)});
    const std::uint32_t start = cycles();
    times.told = start - installed;
    const std::uint32_t result =
        n6vp_rel_call(call.arguments[0], call.arguments[1], call.arguments[2], to_word(call.target),
                      to_word(call.static_base));
    times.since = cycles();
    times.create = times.since - start;
    return result;
}

void report_refusal(void*, const loader::Diagnosis& why) {
    n6vp_rel_platform()->refused(static_cast<std::uint32_t>(why.rule), why.file_offset,
                                 to_word(why.address), why.expected, why.found);
}

GuestAddr allocate(void*, std::uint32_t bytes) {
    return GuestAddr{word_of(n6vp_rel_platform()->allocate(bytes))};
}

void release(void*, GuestAddr block) {
    n6vp_rel_platform()->release(pointer_of(to_word(block)));
}

/// As `ai_rel_network_load_and_create` does, with the phases measured. Returns null if that failed.
ai_handle load(const Variant& variant) {
    loader::DirectMemory memory;
    memory.maintain = maintain_for;
    memory.enter = enter;
    legacy::Machine machine;
    machine.port = loader::direct_port(memory);
    constexpr std::uint32_t kCpuid = 0xE000ED00, kPart = 0xFFF, kFpuField = 0xF;
    machine.target.cpu_part = read_register(kCpuid) >> 4 & kPart;
    machine.target.fpu_enabled = (read_register(kRegisterCpacr) >> 20 & kFpuField) != 0;
    machine.heap = {nullptr, allocate, release};
    machine.call = call_create;
    machine.refused = report_refusal;
    legacy::LoadRequest request;
    request.file = GuestAddr{variant.file};
    request.ram = GuestAddr{variant.ram};
    request.ram_bytes = variant.ram_bytes;
    request.mode = variant.mode;
    GuestAddr handle{0};
    const std::uint32_t start = cycles();
    times = {0, start, 0, 0, {}};
    const std::uint32_t error = legacy::load_and_create(machine, request, &handle);
    const std::uint32_t* const phases = times.phases;
    tell(Event::Loaded,
         {error, to_word(handle), cycles() - start - times.told, times.create, phases[0], phases[1],
          phases[2], phases[3], phases[4], phases[5], phases[6]});
    return error == 0 ? pointer_of(to_word(handle)) : nullptr;
}

// --- Tensors and buffers -------------------------------------------------------------------------

struct Tensors {
    ai_buffer buffers[kMaxTensors];
    std::uint32_t count;
};
constinit Tensors inputs = {}, outputs = {};
constinit ai_network_report description = {};

bool fail(Failure failure) {
    tell(Event::Failed, {static_cast<std::uint32_t>(failure)});
    return false;
}

/// Fills `description`. Tools of generation 7 count multiply-accumulates in one word without
/// padding before it, so that all that follows is 8 bytes lower and the report shorter: a report
/// that leaves the end of the memory alone is of these, and is brought into the later form.
bool ask_for_report(ai_handle handle) {
    constexpr std::uint32_t kUntouched = 0xA5A5A5A5;
    constexpr std::size_t kWords = sizeof description / 4, kShortWords = 0x7C / 4,
                          kShortMacc = 0x2C / 4, kMacc = 0x30 / 4;
    static_assert(kWords == 34);
    std::uint32_t words[kWords];
    for (std::uint32_t& word : words) word = kUntouched;
    std::memcpy(&description, words, sizeof words);
    if (ai_rel_network_get_report(handle, &description) == 0) return false;
    std::memcpy(words, &description, sizeof words);
    for (std::size_t i = kShortWords; i < kWords; ++i) {
        if (words[i] != kUntouched) return true;
    }
    for (std::size_t i = kShortWords; i-- > kMacc;) words[i + 2] = words[i];
    words[kMacc] = words[kShortMacc];
    words[kMacc + 1] = 0;
    std::memcpy(&description, words, sizeof words);
    return true;
}

std::uint32_t bytes_of(const ai_buffer& buffer) {
    return AI_BUFFER_BYTE_SIZE(AI_BUFFER_SIZE(&buffer), buffer.format);
}

/// Takes the model's buffers; what is not in its activations gets a place.
bool take(Tensors& tensors, const ai_buffer* from, std::uint32_t count) {
    if (count > kMaxTensors) return fail(Failure::TooManyTensors);
    tensors.count = count;
    for (std::uint32_t i = 0; i < count; ++i) {
        ai_buffer& buffer = tensors.buffers[i];
        buffer = from[i];
        if (buffer.data != nullptr) continue;
        const std::uint32_t place = heap::take(bytes_of(buffer));
        if (place == 0) return fail(Failure::NoRoom);
        buffer.data = static_cast<decltype(buffer.data)>(pointer_of(place));
    }
    return true;
}

/// Divides memory among the buffers of an array, each at a multiple of 8. Without a map there is
/// one, as `whole` says.
void divide(std::uint32_t whole, const ai_buffer_array& map, bool has_map, ai_handle* to) {
    std::uint32_t at = whole;
    const std::uint32_t count = has_map && map.size <= kMaxTensors ? map.size : 1;
    for (std::uint32_t i = 0; i < count; ++i) {
        to[i] = static_cast<ai_handle>(pointer_of(at));
        if (count > 1) at = (at + bytes_of(map.buffer[i]) + 7) & ~7u;
    }
}

// --- Running -------------------------------------------------------------------------------------

/// When the node began, when the observer was last left, and cycles from then to the begin.
constinit struct { std::uint32_t start, left, before; } node = {};

ai_u32 on_node(const ai_handle, const ai_u32 flags, const ai_observer_node* which) {
    const std::uint32_t now = cycles();
    if ((flags & AI_OBSERVER_PRE_EVT) != 0) {
        node.before = now - node.left;
        node.start = cycles();
    } else if ((flags & AI_OBSERVER_POST_EVT) != 0) {
        tell(Event::Node, {which->c_idx, which->type, which->id, node.before, now - node.start});
        node.left = cycles();
    }
    return 0;
}

bool infer(ai_handle handle, bool observed) {
    tell(Event::InferenceBegins, {observed ? 1u : 0u});
    const std::uint32_t start = cycles();
    node.left = start;
    const ai_i32 batches = ai_rel_network_run(handle, inputs.buffers, outputs.buffers);
    const std::uint32_t taken = cycles() - start;
    const std::uint32_t error = batches > 0 ? 0 : word_of(ai_rel_network_get_error(handle));
    tell(Event::InferenceEnds,
         {observed ? 1u : 0u, static_cast<std::uint32_t>(batches), taken, error});
    return batches > 0;
}

bool observe(ai_handle handle) {
    constexpr ai_u32 kEvents = AI_OBSERVER_PRE_EVT | AI_OBSERVER_POST_EVT;
    if (!ai_rel_platform_observer_register(handle, on_node, nullptr, kEvents))
        return fail(Failure::NoObserver);
    const bool done = infer(handle, true);
    return ai_rel_platform_observer_unregister(handle, on_node, nullptr) && done;
}

bool initialise(ai_handle handle, const Variant& variant) {
    ai_handle weights[kMaxTensors] = {}, activations[kMaxTensors] = {};
    ai_rel_network_info info;
    if (word_of(ai_rel_network_rt_get_info(pointer_of(variant.file), &info)) != 0) return false;
    const std::uint32_t own = variant.weights != 0 ? variant.weights : word_of(info.weights);
    // How many buffers there are is known to the model alone.
    const bool described =
        ask_for_report(handle) && description.map_signature == AI_MAGIC_SIGNATURE;
    divide(own, description.map_weights, described, weights);
    divide(variant.activations, description.map_activations, described, activations);
    const std::uint32_t start = cycles();
    const bool done = ai_rel_network_init(handle, weights, activations) != 0;
    const std::uint32_t taken = cycles() - start;
    tell(Event::Initialised,
         {done ? 1u : 0u, taken, done ? 0u : word_of(ai_rel_network_get_error(handle))});
    return done;
}

bool describe(ai_handle handle) {
    if (!ask_for_report(handle)) return fail(Failure::NoReport);
    if (!take(inputs, description.inputs, description.n_inputs) ||
        !take(outputs, description.outputs, description.n_outputs))
        return false;
    return tell(Event::Described,
                {word_of(&description), sizeof description, word_of(inputs.buffers), inputs.count,
                 word_of(outputs.buffers), outputs.count}) == 0;
}

bool run_all(ai_handle handle, const Variant& variant) {
    if (!initialise(handle, variant) || !describe(handle)) return false;
    for (std::uint32_t i = 0; i < job().repeat; ++i) {
        if (!infer(handle, false)) return false;
    }
    return observe(handle);
}

void run(std::uint32_t number) {
    const Variant& variant = job().variants[number];
    tell(Event::VariantBegins, {number});
    heap::open(variant.spare, variant.spare_bytes);
    const ai_handle handle = load(variant);
    if (handle == nullptr || !run_all(handle, variant)) return;
    const std::uint32_t start = cycles();
    const ai_handle left = ai_rel_network_destroy(handle);
    const std::uint32_t taken = cycles() - start;
    tell(Event::Destroyed, {word_of(left), taken, heap::most_used()});
}

}  // namespace

}  // namespace n6vp::firmware::mcu

extern "C" int n6vp_firmware_main() {
    using namespace n6vp::firmware::mcu;
    if (job().magic != kJobMagic || job().variant_count > kMaxVariants) return kExitBadJob;
    set_up();
    for (std::uint32_t i = 0; i < job().variant_count; ++i) run(i);
    return kExitDone;
}

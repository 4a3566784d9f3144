// SPDX-License-Identifier: Apache-2.0
#include "loader/runtime/runtime.h"

#include "loader/runtime/npu_driver.h"
#include "loader/runtime/operation.h"

namespace n6vp::runtime {

namespace {

using loader::Generation;

/// Reads of a running engine until polling gives up: seconds on the chip, as the documented 10 s
/// are.
constexpr std::uint32_t kMaxPolls = 400'000'000;

/// Set outside of the interrupt only.
struct State {
    std::uint32_t owner;     ///< instance whose block has the NPU
    std::uint32_t callback;  ///< of the runtime
};
constinit State state{};

bool operators_lock() {
    return machine::profile().generation == Generation::Core4x;
}

void tell_runtime(Moment moment) {
    if (state.callback != 0)
        machine::call(state.callback, static_cast<std::uint32_t>(moment), 0, 0, 0);
}

void tell(Instance instance, Moment moment, std::uint32_t item) {
    const std::uint32_t function = instance.callback();
    if (function != 0)
        machine::call(function, static_cast<std::uint32_t>(moment), instance.address(), item, 0);
}

/// Functions of the network: of a model by its handle, else of the table in the firmware.
bool network_init(Instance instance) {
    const std::uint32_t handle = instance.handle();
    if (handle != 0) return machine::network_init(handle);
    const auto function = load<std::uint32_t>(instance.network() + interface_offset::kNetworkInit);
    return (machine::call(function, 0, 0, 0, 0) & 0xFF) != 0;
}

bool inference_init(Instance instance) {
    const std::uint32_t handle = instance.handle();
    if (handle != 0) return machine::inference_init(handle);
    const auto function =
        load<std::uint32_t>(instance.network() + interface_offset::kInferenceInit);
    return (machine::call(function, 0, 0, 0, 0) & 0xFF) != 0;
}

std::uint32_t items_of(Instance instance) {
    const std::uint32_t handle = instance.handle();
    if (handle != 0) return machine::epoch_items(handle);
    const auto function = load<std::uint32_t>(instance.network() + interface_offset::kEpochItems);
    return machine::call(function, 0, 0, 0, 0);
}

void forget_list(Instance instance) {
    instance.set(Instance::kNext, 0);
    instance.set(Instance::kSavedCurrent, 0);
    instance.set(Instance::kSavedFirst, 0);
    instance.set_triggered(0);
    instance.set_started(false);
}

void begin_list(Instance instance) {
    const std::uint32_t items = items_of(instance);
    require(items != 0, Failure::NoEpochItems, instance.address());
    instance.set(Instance::kCurrent, items);
    instance.set(Instance::kFirst, items);
    forget_list(instance);
    instance.set_inference_started(false);
    tell(instance, Moment::NetworkInit, 0);
}

bool takes_npu(Item item) {
    return item.has(kPureHw) || (!operators_lock() && item.has(kHybrid));
}

bool gives_npu_back(Instance instance, Item item) {
    if (item.has(kPureHw)) return true;
    if (operators_lock() || !item.has(kHybrid | kInternal)) return false;
    return instance.word(Instance::kSavedCurrent) == 0 && instance.word(Instance::kNext) == 0;
}

void check_blob(Item item) {
    require(machine::profile().async, Failure::BlobWhilePolling, item.address(), item.blob());
    require(!item.has(kBlobEncrypted), Failure::EncryptedBlob, item.address(), item.blob());
    require(item.wait_mask() == 0, Failure::BlobUnit, item.address(), item.wait_mask());
}

void call_model(Instance instance, std::uint32_t function, Item item) {
    if (function == 0) return;
    machine::call(function, item.address(), instance.address(), 0, instance.static_base());
}

void start_block(Instance instance, Item item) {
    require(instance.word(Instance::kNext) == 0, Failure::ListPending, instance.address(),
            item.address());
    tell(instance, Moment::PreStart, item.address());
    require(instance.triggered() == 0, Failure::EventPending, instance.address(),
            instance.triggered());
    if (item.has(kBlob)) check_blob(item);
    if (takes_npu(item)) lock(instance.address());
    if (item.has(kBlob)) {
        npu::set_wait_mask(npu::kAllEngines);
    } else if (item.has(kPureHw | kInternal)) {
        npu::set_wait_mask(item.wait_mask());
    }
    if (item.has(kInternal)) {
        operation::start_step();
    } else {
        call_model(instance, item.start_function(), item);
    }
    if (item.has(kBlob)) npu::start_blob(item.blob());
    tell(instance, Moment::PostStart, item.address());
}

void end_block(Instance instance, Item item) {
    tell(instance, Moment::PreEnd, item.address());
    if (item.has(kBlob)) npu::end_blob();
    if (item.has(kInternal)) {
        operation::end_step();
    } else {
        call_model(instance, item.end_function(), item);
    }
    if (item.has(kPureHw) || (!operators_lock() && item.has(kInternal))) npu::set_wait_mask(0);
    if (gives_npu_back(instance, item)) unlock(instance.address());
    tell(instance, Moment::PostEnd, item.address());
}

void advance(Instance instance) {
    require(instance.triggered() == 0, Failure::EventPending, instance.address(),
            instance.triggered());
    const std::uint32_t next = instance.word(Instance::kNext);
    const std::uint32_t current = instance.word(Instance::kCurrent);
    if (next != 0) {
        instance.set(Instance::kSavedCurrent, current);
        instance.set(Instance::kSavedFirst, instance.word(Instance::kFirst));
        instance.set(Instance::kCurrent, next);
        instance.set(Instance::kFirst, next);
        instance.set(Instance::kNext, 0);
    } else {
        instance.set(Instance::kCurrent, current + Item::bytes());
    }
    instance.set_started(false);
}

/// The terminator of an inserted list leads behind the block that inserted it.
Progress finish_list(Instance instance) {
    if (instance.word(Instance::kSavedCurrent) == 0) return Progress::Done;
    if (!operators_lock()) unlock(instance.address());
    leave_list(instance.address());
    instance.set(Instance::kCurrent, instance.word(Instance::kCurrent) + Item::bytes());
    return Progress::NoWfe;
}

void take_events(Instance instance, std::uint32_t events) {
    machine::disable_line();
    instance.set_triggered(instance.triggered() & ~events);
    machine::enable_line();
}

/// Returns false while events are missing.
bool end_if_over(Instance instance) {
    const Item item = instance.current();
    const std::uint32_t awaited = item.awaited();
    if ((instance.triggered() & awaited) != awaited) return false;
    take_events(instance, awaited);
    end_block(instance, item);
    advance(instance);
    return true;
}

Progress run_async(Instance instance) {
    bool ended = false;
    for (;;) {
        const Item item = instance.current();
        if (instance.started() && item.awaited() != 0) {
            if (!end_if_over(instance)) return Progress::Wfe;
            ended = true;
            continue;
        }
        if (item.has(kLastBlock)) return finish_list(instance);
        if (ended) return Progress::NoWfe;
        if (!instance.started()) {
            instance.set_started(true);
            start_block(instance, item);
        }
        // Evaluated again: a start may have found nothing for the engines to do.
        if (item.awaited() != 0) return Progress::Wfe;
        end_block(instance, item);
        advance(instance);
        return Progress::NoWfe;
    }
}

void poll(Item item) {
    for (std::uint32_t engine = 0; engine < npu::kEngines; ++engine) {
        if ((item.wait_mask() >> engine & 1) == 0) continue;
        std::uint32_t left = kMaxPolls;
        while (npu::engine_running(engine)) {
            require(--left != 0, Failure::PollingTimeOut, item.address(), engine);
        }
    }
}

Progress run_polling(Instance instance) {
    const Item item = instance.current();
    if (item.has(kLastBlock)) return finish_list(instance);
    start_block(instance, item);
    poll(item);
    end_block(instance, item);
    advance(instance);
    return Progress::NoWfe;
}

}  // namespace

void runtime_init() {
    npu::initialise();
    machine::disable_lines();
    if constexpr (machine::kHasSystem) machine::open_system();
    machine::enable_line();
    tell_runtime(Moment::RuntimeInit);
}

void runtime_de_init() {
    tell_runtime(Moment::RuntimeDeInit);
    machine::disable_lines();
    if constexpr (machine::kHasSystem) machine::close_system();
    npu::shut_down();
}

void set_runtime_callback(std::uint32_t function) {
    state.callback = function;
}

void set_network_callback(std::uint32_t instance, std::uint32_t function) {
    require(instance != 0, Failure::NullInstance);
    Instance(instance).set_callback(function);
}

void init_network(std::uint32_t address) {
    const Instance instance(address);
    if (address == 0 || instance.network() == 0) return;
    require(network_init(instance), Failure::NetworkInitFailed, address);
    begin_list(instance);
}

void de_init_network(std::uint32_t address) {
    if (address == 0) return;
    const Instance instance(address);
    tell(instance, Moment::NetworkDeInit, 0);
    if (state.owner == address) {
        operation::abandon();
        unlock(address);
    }
    instance.set(Instance::kCurrent, 0);
    instance.set(Instance::kFirst, 0);
    forget_list(instance);
}

void reset_network(std::uint32_t address) {
    de_init_network(address);
    const Instance instance(address);
    if (address == 0 || instance.network() == 0) return;
    begin_list(instance);
}

Progress run_epoch_block(std::uint32_t address) {
    require(address != 0, Failure::NullInstance);
    const Instance instance(address);
    require(instance.word(Instance::kCurrent) != 0, Failure::NotInitialised, address);
    if (!instance.inference_started()) {
        require(inference_init(instance), Failure::InferenceInitFailed, address);
        instance.set_inference_started(true);
    }
    return machine::profile().async ? run_async(instance) : run_polling(instance);
}

std::uint32_t owner() {
    return state.owner;
}

void lock(std::uint32_t instance) {
    if constexpr (machine::kHasSystem) {
        require(state.owner != instance, Failure::NpuOwned, state.owner, instance);
        machine::lock_npu();
    }
    require(state.owner == 0, Failure::NpuOwned, state.owner, instance);
    state.owner = instance;
}

void unlock(std::uint32_t instance) {
    require(state.owner == instance, Failure::NpuNotOwned, state.owner, instance);
    state.owner = 0;
    if constexpr (machine::kHasSystem) machine::unlock_npu();
}

void insert_list(std::uint32_t instance, std::uint32_t items) {
    Instance(instance).set(Instance::kNext, items);
}

void repeat_block(std::uint32_t address) {
    const Instance instance(address);
    instance.set(Instance::kCurrent, instance.word(Instance::kCurrent) - Item::bytes());
}

void leave_list(std::uint32_t address) {
    const Instance instance(address);
    instance.set(Instance::kCurrent, instance.word(Instance::kSavedCurrent));
    instance.set(Instance::kFirst, instance.word(Instance::kSavedFirst));
    instance.set(Instance::kSavedCurrent, 0);
    instance.set(Instance::kSavedFirst, 0);
}

}  // namespace n6vp::runtime

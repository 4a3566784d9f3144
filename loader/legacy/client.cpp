// SPDX-License-Identifier: Apache-2.0
#include "loader/legacy/client.h"

namespace n6vp::loader::legacy {

namespace {

namespace field = context_offset;

constexpr std::uint32_t kBadPointer =
    error_word(error_type::kInvalidHandle, error_code::kInvalidPointer);
constexpr std::uint32_t kBadHandle = error_word(error_type::kInvalidHandle, error_code::kNetwork);

bool strict(const Machine& machine) {
    return machine.policy == Policy::Strict;
}

/// Reports the rule with the address concerned; returns false.
bool refused(const Machine& machine, Rule rule, GuestAddr address,
             std::uint32_t expected = kNotApplicable, std::uint32_t found = kNotApplicable) {
    Diagnosis why;
    static_cast<void>(legacy::refuse(why, rule, kNotApplicable, expected, found));
    why.severity = Severity::Error;
    why.address = address;
    if (machine.refused != nullptr) machine.refused(machine.context, why);
    return false;
}

/// An installed model behind a handle.
struct Instance {
    GuestAddr context{}, rom{}, ram{}, heap_block{};
    std::uint32_t network = 0, state = 0;
};

/// Reads what the handle leads to and judges it. Strict also demands that it fits its own header: a
/// handle into memory that got another use does not.
bool open(const Machine& machine, GuestAddr handle, Instance& instance) {
    instance.context = handle;
    if (to_word(handle) == 0) return refused(machine, Rule::HandleNull, handle);
    if (strict(machine) && !is_aligned(handle, 4))
        return refused(machine, Rule::LegacyHandleAlignment, handle, 4, to_word(handle) & 3);
    std::uint32_t words[field::kName / 4] = {};
    if (!machine.port.read(machine.port.context, handle, words, sizeof words))
        return refused(machine, Rule::HandleUnreadable, handle);
    instance.state = words[field::kState / 4];
    instance.network = words[field::kNetwork / 4];
    instance.ram = GuestAddr{words[field::kRamAddress / 4]};
    instance.rom = GuestAddr{words[field::kRomAddress / 4]};
    instance.heap_block = GuestAddr{words[field::kHeapBlock / 4]};
    if (to_word(instance.rom) == 0) return refused(machine, Rule::HandleRoNull, handle);
    std::uint32_t magic = 0;
    if (!read_word(machine.port, instance.rom, magic) || magic != format::kMagic)
        return refused(machine, Rule::HandleMagic, instance.rom, format::kMagic, magic);
    if (strict(machine) && (instance.state & kStateDestroyed) != 0)
        return refused(machine, Rule::LegacyHandleStale, handle, kStateInitialized, instance.state);
    if ((instance.state & kStateInitialized) == 0)
        return refused(machine, Rule::HandleState, handle, kStateInitialized, instance.state);
    if (!strict(machine)) return true;
    std::uint32_t context = 0;
    const bool fits =
        read_word(machine.port, wrapping_add(instance.rom, kContextOffset), context) &&
        in_ram(context) && wrapping_add(instance.ram, format::link_offset(context)) == handle;
    return fits || refused(machine, Rule::LegacyHandleForeign, handle,
                           to_word(instance.ram) + format::link_offset(context), to_word(handle));
}

/// Calls an entry through the vector. Fails, leaving `result` alone, if its word cannot be read;
/// Strict also if it is no Thumb function of the model.
bool call(const Machine& machine, const Instance& instance, Entry entry, std::uint32_t a,
          std::uint32_t b, std::uint32_t c, std::uint32_t& result) {
    const GuestAddr at =
        wrapping_add(instance.rom, kVectorOffset + 4 * static_cast<std::uint32_t>(entry));
    std::uint32_t word = 0;
    std::uint32_t data = 0;
    const bool readable =
        read_word(machine.port, at, word) &&
        read_word(machine.port, wrapping_add(instance.rom, format::kOffDataData), data);
    const std::uint32_t offset = format::link_offset(word);
    const bool function = in_flash(word) && (word & 1) != 0 && offset >= kHeaderBytes &&
                          offset < format::link_offset(data);
    if (!readable || (strict(machine) && !function))
        return refused(machine, Rule::LegacyEntry, at, kNotApplicable, word);
    if (machine.call == nullptr) return false;
    result = machine.call(machine.context,
                          {wrapping_add(instance.rom, offset), instance.ram, {a, b, c}});
    return true;
}

/// Returns r0 as an `ai_bool`: one byte. The vendor's loader looks at the whole register.
bool is_true(const Machine& machine, std::uint32_t result) {
    return (strict(machine) ? result & 0xFF : result) != 0;
}

/// Calls an entry that takes the network and one or two arguments more and returns an `ai_bool`.
bool call_for_bool(const Machine& machine, GuestAddr handle, Entry entry, std::uint32_t b,
                   std::uint32_t c = 0) {
    Instance instance;
    std::uint32_t result = 0;
    return open(machine, handle, instance) &&
           call(machine, instance, entry, instance.network, b, c, result) &&
           is_true(machine, result);
}

/// Returns the `ai_error` of an install that failed.
std::uint32_t error_of(const Machine& machine, Status status) {
    std::uint32_t type = error_type::kCreateFailed;
    if (strict(machine) && status == Status::Memory) type = error_type::kAllocationFailed;
    if (strict(machine) && status == Status::Argument) type = error_type::kInvalidParam;
    return error_word(type, error_code::kNetwork);
}

bool write_field(const Machine& machine, GuestAddr context, std::uint32_t offset,
                 std::uint32_t value) {
    return write_word(machine.port, wrapping_add(context, offset), value);
}

bool write_crc(const Machine& machine, GuestAddr context, GuestAddr acquire, GuestAddr release) {
    return write_field(machine, context, field::kAcquireCrc, to_word(acquire)) &&
           write_field(machine, context, field::kReleaseCrc, to_word(release));
}

/// Releases the heap block of an instance and gives it this state.
void forget(const Machine& machine, GuestAddr context, GuestAddr block, std::uint32_t state = 0) {
    static_cast<void>(write_field(machine, context, field::kState, state));
    if (to_word(block) != 0 && machine.heap.release != nullptr)
        machine.heap.release(machine.heap.context, block);
}

/// Judges where rt_ctx and the name are, by the header alone: the file's length is not known here.
bool good_context(const Machine& machine, const Container& container) {
    const Header& header = container.header();
    const std::uint32_t context = format::link_offset(header.context);
    const std::uint32_t data_end = format::link_offset(header.data_end);
    const std::uint32_t ro = header.ro_bytes();
    if (ro > kFlashLimit)
        return refused(machine, Rule::LegacyRoLimit, container.file(), kFlashLimit, ro);
    if (data_end > kRamLimit)
        return refused(machine, Rule::LegacyRamLimit, container.file(), kRamLimit, data_end);
    if (!in_ram(header.context))
        return refused(machine, Rule::LegacyContextSpace, container.file(), kRamBase | context,
                       header.context);
    if (context + kShortContextBytes > data_end)
        return refused(machine, Rule::ContextOutsideData, container.file(), data_end,
                       context + kShortContextBytes);
    Context words;
    if (!container.context(words))
        return refused(machine, Rule::SectionUnreadable, container.file());
    return (in_flash(words.name) && format::link_offset(words.name) < ro) ||
           refused(machine, Rule::ContextNameOutside, container.file(), format::kFlashBase | ro,
                   words.name);
}

/// Judges the first of an array of addresses that a model of `bytes` bytes of them needs.
bool good_array(const Machine& machine, GuestAddr array, std::uint32_t bytes, Rule missing,
                Rule misaligned) {
    std::uint32_t first = 0;
    if (bytes == 0) return true;
    if (to_word(array) == 0 || !read_word(machine.port, array, first) || first == 0)
        return refused(machine, missing, array, bytes, 0);
    return (first & 3) == 0 || refused(machine, misaligned, GuestAddr{first}, 4, first & 3);
}

}  // namespace

std::uint32_t get_info(const Machine& machine, GuestAddr file, Info& info) {
    std::uint32_t magic = 0;
    const bool good = to_word(file) != 0 && is_aligned(file, 4) &&
                      read_word(machine.port, file, magic) && magic == format::kMagic;
    if (!good) return kBadPointer;
    Container container(machine.port, file, kUnknownBytes);
    Diagnosis why;
    const Status status = container.open(why);
    if (status != Status::Ok && machine.refused != nullptr) machine.refused(machine.context, why);
    if (strict(machine) && (status != Status::Ok || !good_context(machine, container)))
        return kBadPointer;
    return info_of(container, info) ? error_word(error_type::kNone, error_code::kNone)
                                    : kBadPointer;
}

std::uint32_t load_and_create(const Machine& machine, const LoadRequest& load, GuestAddr* handle) {
    if (handle == nullptr || to_word(load.file) == 0) return kBadPointer;
    Request request;
    request.file = load.file;
    request.ram = load.ram;
    request.ram_bytes = load.ram_bytes;
    request.mode = load.mode;
    request.policy = machine.policy;
    request.target = machine.target;
    request.heap = machine.heap;
    request.acquire_crc = load.acquire_crc;
    request.release_crc = load.release_crc;
    Result result;
    Diagnosis why;
    const Status status = install(machine.port, request, result, why);
    if (status != Status::Ok) {
        if (machine.refused != nullptr) machine.refused(machine.context, why);
        return error_of(machine, status);
    }
    *handle = result.context;
    // Strict has found that there is room if there is anything to enter.
    const bool enters = load.registers_crc && (!strict(machine) || to_word(load.acquire_crc) != 0 ||
                                               to_word(load.release_crc) != 0);
    Instance instance{result.context, result.ro_base, result.ram_base, result.heap_block, 0, 0};
    Instance found;
    if (!strict(machine) && !open(machine, *handle, found)) return kBadPointer;
    std::uint32_t error = error_word(error_type::kCreateFailed, error_code::kNetwork);
    const GuestAddr network = wrapping_add(result.context, field::kNetwork);
    const bool called =
        (!enters || write_crc(machine, result.context, load.acquire_crc, load.release_crc)) &&
        call(machine, instance, Entry::Create, to_word(network), 0, 0, error);
    if (called && (error & 0xFF) == error_type::kNone) return error;
    if (called) {
        const bool crc = error >> 8 == error_code::kLock;
        static_cast<void>(refused(machine, crc ? Rule::LegacyCrcUnitOff : Rule::LegacyNotCreated,
                                  result.context, 0, error));
    }
    if (strict(machine)) {
        forget(machine, result.context, result.heap_block);
        *handle = GuestAddr{0};
    }
    return error;
}

bool register_crc_callbacks(const Machine& machine, GuestAddr handle, GuestAddr acquire,
                            GuestAddr release) {
    Instance instance;
    if (!open(machine, handle, instance)) return false;
    if (strict(machine)) {
        Container container(machine.port, instance.rom, kUnknownBytes);
        Diagnosis why;
        if (container.open(why) != Status::Ok ||
            container.header().context_room() != kLongContextBytes) {
            return refused(machine, Rule::LegacyCrcNoRoom, handle, kLongContextBytes,
                           container.header().context_room());
        }
    }
    return write_crc(machine, handle, acquire, release);
}

bool init(const Machine& machine, GuestAddr handle, GuestAddr weights, GuestAddr activations) {
    Instance instance;
    if (!open(machine, handle, instance)) return false;
    if (strict(machine)) {
        std::uint32_t sizes[2] = {};
        const GuestAddr at = wrapping_add(handle, field::kActivationsSize);
        if (!machine.port.read(machine.port.context, at, sizes, sizeof sizes)) return false;
        if (!good_array(machine, activations, sizes[0], Rule::LegacyActivationsMissing,
                        Rule::LegacyActivationsAlignment) ||
            !good_array(machine, weights, sizes[1], Rule::LegacyWeightsMissing,
                        Rule::LegacyWeightsGivenAlignment)) {
            return false;
        }
    }
    std::uint32_t result = 0;
    if (!call(machine, instance, Entry::InitV2, instance.network, to_word(weights),
              to_word(activations), result)) {
        return false;
    }
    const bool good = is_true(machine, result);
    if (strict(machine)) {
        const std::uint32_t before = instance.state & ~kStateReady;
        if (!write_field(machine, handle, field::kState, good ? before | kStateReady : before))
            return false;
    }
    return good || refused(machine, Rule::LegacyNotInitialised, handle, 1, result & 0xFF);
}

std::int32_t run(const Machine& machine, GuestAddr handle, GuestAddr inputs, GuestAddr outputs) {
    Instance instance;
    std::uint32_t result = 0;
    if (!open(machine, handle, instance) || !call(machine, instance, Entry::Run, instance.network,
                                                  to_word(inputs), to_word(outputs), result)) {
        return 0;
    }
    if (static_cast<std::int32_t>(result) <= 0) {
        const bool ready = !strict(machine) || (instance.state & kStateReady) != 0;
        static_cast<void>(refused(machine, ready ? Rule::LegacyNotRun : Rule::LegacyMissingInit,
                                  handle, 1, result));
    }
    return static_cast<std::int32_t>(result);
}

bool get_report(const Machine& machine, GuestAddr handle, GuestAddr report) {
    return call_for_bool(machine, handle, Entry::Report, to_word(report));
}

void refuse_run(const Machine& machine, GuestAddr handle, Rule rule, GuestAddr other) {
    static_cast<void>(refused(machine, rule, handle, kNotApplicable, to_word(other)));
    std::uint32_t state = 0;
    const GuestAddr at = wrapping_add(handle, field::kState);
    if (read_word(machine.port, at, state))
        static_cast<void>(write_word(machine.port, at, state | kStateRunRefused));
}

std::uint32_t get_error(const Machine& machine, GuestAddr handle) {
    Instance instance;
    std::uint32_t result = kBadHandle;
    if (!open(machine, handle, instance)) return result;
    if (strict(machine) && (instance.state & kStateRunRefused) != 0) {
        static_cast<void>(
            write_field(machine, handle, field::kState, instance.state & ~kStateRunRefused));
        return error_word(error_type::kInvalidState, error_code::kInUse);
    }
    static_cast<void>(call(machine, instance, Entry::Error, instance.network, 0, 0, result));
    return result;
}

namespace {

/// Its test of the handle is inverted: destroys what is no instance.
GuestAddr destroy_as_vendor(const Machine& machine, GuestAddr handle) {
    Instance instance;
    if (open(machine, handle, instance)) return GuestAddr{0};
    // An instance whose state alone is wrong is called; anything else would be a jump to anywhere.
    std::uint32_t magic = 0;
    std::uint32_t result = 0;
    const bool has_code = to_word(instance.rom) != 0 &&
                          read_word(machine.port, instance.rom, magic) && magic == format::kMagic;
    if (!has_code || !call(machine, instance, Entry::Destroy, instance.network, 0, 0, result) ||
        !write_field(machine, handle, field::kNetwork, result)) {
        static_cast<void>(refused(machine, Rule::VendorReadsOutside, handle));
        return GuestAddr{0};
    }
    forget(machine, handle, instance.heap_block, kStateInitialized);
    return GuestAddr{result};
}

}  // namespace

GuestAddr destroy(const Machine& machine, GuestAddr handle) {
    if (!strict(machine)) return destroy_as_vendor(machine, handle);
    Instance instance;
    if (!open(machine, handle, instance)) return handle;
    std::uint32_t result = to_word(handle);
    if (!call(machine, instance, Entry::Destroy, instance.network, 0, 0, result) || result != 0) {
        static_cast<void>(refused(machine, Rule::LegacyNotDestroyed, handle, 0, result));
        return GuestAddr{result};
    }
    forget(machine, handle, instance.heap_block, kStateDestroyed);
    return GuestAddr{0};
}

bool observer_register(const Machine& machine, GuestAddr handle, GuestAddr callback,
                       std::uint32_t cookie, std::uint32_t flags) {
    Instance instance;
    if (!open(machine, handle, instance)) return false;
    const bool stored = write_field(machine, handle, field::kObserver, to_word(callback)) &&
                        write_field(machine, handle, field::kObserver + 4, cookie) &&
                        write_field(machine, handle, field::kObserver + 8, flags);
    return stored && call_for_bool(machine, handle, Entry::ObserverRegister,
                                   to_word(handle) + field::kObserver);
}

bool observer_unregister(const Machine& machine, GuestAddr handle) {
    return call_for_bool(machine, handle, Entry::ObserverUnregister,
                         to_word(handle) + field::kObserver);
}

bool observer_node_info(const Machine& machine, GuestAddr handle, GuestAddr node) {
    return call_for_bool(machine, handle, Entry::ObserverNodeInfo, to_word(node));
}

}  // namespace n6vp::loader::legacy

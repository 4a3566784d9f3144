// SPDX-License-Identifier: Apache-2.0
#include "loader/legacy/checks.h"

namespace n6vp::loader::legacy::checks {

namespace {

void check_target(Run& run) {
    const Request& request = *run.request;
    const format::Flags flags = run.header().flags;
    run.go(format::kOffFlags);
    run.require_equal(Rule::LegacyCpuPart, format::kOffFlags, request.target.cpu_part,
                      flags.cpu_part());
    if (flags.fpu() && !request.target.fpu_enabled) run.fault(Rule::FirmwareFpuOff, 1, 0);
    if (!run.context_ok) return;
    const bool asks = to_word(request.acquire_crc) != 0 || to_word(request.release_crc) != 0;
    run.go(kContextOffset);
    // Of any other length it is a guess whether the words are there.
    const std::uint32_t room = run.header().context_room();
    if (asks && room != kLongContextBytes) {
        run.fault(Rule::LegacyCrcNoRoom, kLongContextBytes, room);
    } else if (run.context.has_crc && !request.target.knows_crc) {
        run.fault(Rule::LegacyCrcAlwaysOn);
    }
}

void check_mode(Run& run) {
    const std::uint32_t mode = run.request->mode;
    run.go(kNotApplicable);
    if (!run.request->handle_given) run.fault(Rule::LegacyHandleNull);
    if (mode == 0) return run.fault(Rule::LegacyModeNone, kModeXip, mode);
    if (mode == (kModeXip | kModeCopy)) return run.fault(Rule::LegacyModeBoth, kModeXip, mode);
    if (mode != kModeXip && mode != kModeCopy)
        run.fault(Rule::LegacyModeUnknownBits, mode & (kModeXip | kModeCopy), mode);
}

/// Returns true if the range leaves the address space.
bool leaves(AddressRange range) {
    const std::uint32_t room = 0u - to_word(range.start);
    return room != 0 && range.bytes > room;
}

/// Returns true if any byte lies in peripheral or system space (Armv7-M and Armv8-M memory map:
/// 0x40000000 to 0x5FFFFFFF and from 0xE0000000). The range must not wrap.
bool is_peripheral(AddressRange range) {
    const std::uint32_t first = to_word(range.start) >> 29;
    const std::uint32_t last = (to_word(range.start) + range.bytes - 1) >> 29;
    return range.bytes != 0 && ((first <= 2 && last >= 2) || last == 7);
}

void require_apart(Run& run, Rule rule, AddressRange a, AddressRange b) {
    if (leaves(a) || leaves(b) || !a.overlaps(b)) return;
    const std::uint32_t start =
        to_word(a.start) > to_word(b.start) ? to_word(a.start) : to_word(b.start);
    const std::uint64_t end = a.end() < b.end() ? a.end() : b.end();
    run.go_address(start);
    run.fault(rule, 0, static_cast<std::uint32_t>(end - start));
}

/// Judges the RAM of the request; returns what of it an install uses.
AddressRange check_ram(Run& run) {
    const Request& request = *run.request;
    const std::uint32_t start = to_word(request.ram);
    const bool copies = request.mode == kModeCopy;
    const std::uint32_t needed = run.bounds_ok ? run.header().ram_bytes(copies) : 0;
    run.go_address(start);
    if (run.bounds_ok && needed == 0) run.fault(Rule::LegacyNothingNeeded);
    if (start == 0 || request.ram_bytes == 0) {
        const bool half = start != 0 || request.ram_bytes != 0;
        run.go(kNotApplicable);
        if (half) {
            run.fault(Rule::LegacyRamHalfGiven, needed, request.ram_bytes);
        } else if (request.heap.allocate == nullptr) {
            run.fault(Rule::LegacyHeapMissing, needed + kHeapSlack, 0);
        } else {
            run.fault(Rule::LegacyRamFromHeap, kNotApplicable, needed + kHeapSlack);
        }
        return {};
    }
    if (start % 4 != 0) run.fault(Rule::LegacyRamAlignment, 4, start % 4);
    if (run.bounds_ok && request.ram_bytes < needed)
        run.fault(Rule::LegacyRamTooSmall, needed, request.ram_bytes);
    const std::uint32_t used =
        run.bounds_ok && needed < request.ram_bytes ? needed : request.ram_bytes;
    const AddressRange ram{request.ram, used};
    if (leaves({request.ram, request.ram_bytes})) {
        run.fault(Rule::LegacyRamWraps, 0u - start, request.ram_bytes);
    } else if (is_peripheral(ram)) {
        run.fault(Rule::LegacyRamPeripheral, kNotApplicable, used);
    }
    // Default memory map: from 0xA0000000 on is device memory, never executed.
    if (copies && start >= 0xA0000000u && start < 0xE0000000u)
        run.fault(Rule::LegacyRamNeverExecutes, kNotApplicable, used);
    return ram;
}

/// Judges the weights of the request; returns what of them the model reads.
AddressRange check_weights(Run& run) {
    const Request& request = *run.request;
    const std::uint32_t start = to_word(request.weights);
    const std::uint32_t needed = run.context.weights_bytes;
    run.go_address(start);
    if (start == 0) {
        run.go(kOffWeightsStart);
        if (!run.header().has_weights() && needed != 0)
            run.fault(Rule::LegacyWeightsApart, needed, 0);
        return {};
    }
    if (run.header().has_weights()) run.fault(Rule::LegacyWeightsBoth);
    if (start % 4 != 0) run.fault(Rule::LegacyWeightsGivenAlignment, 4, start % 4);
    if (request.weights_bytes < needed)
        run.fault(Rule::LegacyWeightsGivenTooShort, needed, request.weights_bytes);
    const AddressRange weights{request.weights, needed};
    if (leaves(weights)) run.fault(Rule::LegacyWeightsGivenWrap, 0u - start, needed);
    return weights;
}

AddressRange check_activations(Run& run) {
    const Request& request = *run.request;
    const std::uint32_t start = to_word(request.activations);
    const std::uint32_t needed = run.context.activations_bytes;
    if (start == 0) return {};
    run.go_address(start);
    if (start % 4 != 0) run.fault(Rule::LegacyActivationsAlignment, 4, start % 4);
    if (request.activations_bytes < needed)
        run.fault(Rule::LegacyActivationsTooSmall, needed, request.activations_bytes);
    const AddressRange activations{request.activations, needed};
    if (leaves(activations)) run.fault(Rule::LegacyActivationsWrap, 0u - start, needed);
    return activations;
}

/// Returns the length of the file; if it is not known, the end of what the header names.
std::uint32_t bytes_of_file(const Run& run) {
    if (run.file.bytes() != kUnknownBytes) return run.file.bytes();
    std::uint32_t end = run.ro + run.copied;
    if (run.rel_end > end) end = run.rel_end;
    const Header& header = run.header();
    const std::uint32_t weights_end = format::link_offset(header.weights_end);
    return header.has_weights() && weights_end > end ? weights_end : end;
}

}  // namespace

void check_request(Run& run) {
    check_target(run);
    check_mode(run);
    const AddressRange ram = check_ram(run);
    if (!run.context_ok) return;
    const AddressRange weights = check_weights(run);
    const AddressRange activations = check_activations(run);
    const AddressRange file{run.request->file, bytes_of_file(run)};
    require_apart(run, Rule::LegacyRamOverlapsFile, ram, file);
    require_apart(run, Rule::LegacyRamOverlapsWeights, ram, weights);
    require_apart(run, Rule::LegacyRamOverlapsActivations, ram, activations);
    require_apart(run, Rule::LegacyActivationsOverlapFile, activations, file);
    require_apart(run, Rule::LegacyActivationsOverlapWeights, activations, weights);
    run.go(kNotApplicable);
}

}  // namespace n6vp::loader::legacy::checks

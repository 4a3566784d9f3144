// SPDX-License-Identifier: Apache-2.0
#include "models/soc/camera/dcmipp.h"

#include <algorithm>

#include "models/soc/camera/dcmipp_bits.h"

namespace n6vp::models {

using namespace camera;

Dcmipp::Dcmipp(const sc_core::sc_module_name& name, const char* block)
    : sc_module(name), RegisterBlock(block), port("to") {
    Dcmipp::reset();
}

void Dcmipp::reset() {
    for (std::uint32_t offset = 0; offset < kDcmippEnd; offset += 4)
        at(offset) = dcmipp_register(offset).reset;
    in_frame_ = processing_ = false;
    for (Pipe& pipe : pipes_) {
        pipe.capturing = pipe.dropped = pipe.second_buffer = false;
        pipe.frame = pipe.lines = 0;
        pipe.busy_until = 0;
    }
    statistics_ = {};
    update();
}

namespace {

/// Flags and enables of a pipe in the registers of the unit.
[[nodiscard]] constexpr unsigned flags_of(unsigned pipe) {
    return 8 + 8 * pipe;
}
/// Pipe of an offset in its block, and the offset from there.
struct Place {
    bool in_pipe = false;
    unsigned pipe = 0;
    std::uint32_t inner = 0;
};
[[nodiscard]] Place place_of(std::uint32_t offset) {
    if (offset < dcmipp_pipe(0)) return {};
    return {true, offset / dcmipp_pipe(0) - 1, offset % dcmipp_pipe(0)};
}

}  // namespace

void Dcmipp::raise(unsigned pipe, std::uint32_t flag) {
    at(kDcmippCmsr2) |= flag << flags_of(pipe);
}

/// What reads otherwise than it is held: the views of a pipe on the registers of the unit.
std::uint32_t Dcmipp::shown(std::uint32_t offset) const {
    const Place place = place_of(offset);
    if (!place.in_pipe) return get(offset);
    const unsigned shift = flags_of(place.pipe);
    const std::uint32_t own = place.pipe == 0 ? kDumpFlags : kPixelFlags;
    if (place.inner == kPipeIer) return get(kDcmippCmier) >> shift & own;
    if (place.inner == kPipeSr) {
        // CPTACT, LSTFRM and LSTLINE stand 16 bits above the flags.
        const std::uint32_t states = get(kDcmippCmsr1) >> shift & (kCaptureActive | kLastBits);
        return (get(kDcmippCmsr2) >> shift & own) | states << 16;
    }
    return get(offset);
}

RegisterBlock::Answer Dcmipp::read(std::uint32_t offset, Picoseconds /*at*/) {
    if (offset >= kDcmippEnd) return {.modelled = false};
    const DcmippRegister& row = dcmipp_register(offset);
    if (row.name[0] == '\0') return {.modelled = false};
    return {.value = shown(offset), .name = row.name};
}

/// Returns false for a value that asks for what is not modelled.
bool Dcmipp::modelled(std::uint32_t offset, std::uint32_t next) const {
    if (offset == kDcmippPrcr) return (next & kParallelEnable) == 0;
    const Place place = place_of(offset);
    if (!place.in_pipe) return true;
    switch (place.inner) {
        case kPipePacker:
            return place.pipe != 0 || (next & kDumpSelections) == 0;
        case kPipeRegions:
            return place.pipe == 0 || (next & kRegionEnables) == 0;
        case kPipeBlackLevel:
        case kPipeExposure:
        case kPipeColours:
        case kPipeContrast:
        case kPipeGamma:
            return place.pipe == 0 || (next & 1) == 0;
        default:
            return true;
    }
}

RegisterBlock::Answer Dcmipp::write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                                    Picoseconds /*at*/) {
    if (offset >= kDcmippEnd) return {.modelled = false};
    const DcmippRegister& row = dcmipp_register(offset);
    if (row.name[0] == '\0') return {.modelled = false};
    const std::uint32_t written = value & mask & row.writable;
    const std::uint32_t next = (shown(offset) & ~(mask & row.writable)) | written;
    const Place place = place_of(offset);
    if (offset == kDcmippCmfcr) {
        at(kDcmippCmsr2) &= ~written;
    } else if (offset == kDcmippCmcr) {
        at(offset) = next;
        if ((written & kClearFrames) != 0) at(kDcmippFrames) = 0;
    } else if (place.in_pipe) {
        const unsigned shift = flags_of(place.pipe);
        if (place.inner == kPipeFcr) {
            at(kDcmippCmsr2) &= ~(written << shift);
        } else if (place.inner == kPipeIer) {
            at(kDcmippCmier) = (get(kDcmippCmier) & ~(row.writable << shift)) | next << shift;
        } else if (row.writable != 0) {
            write_pipe(place.pipe, place.inner, next);
        }
    } else if (row.writable != 0) {
        at(offset) = next;
    }
    update();
    return {.modelled = modelled(offset, next), .name = row.name};
}

void Dcmipp::write_pipe(unsigned pipe, std::uint32_t inner, std::uint32_t next) {
    const std::uint32_t offset = dcmipp_pipe(pipe) + inner;
    if (inner == kPipeControl && (next & kCaptureRequest & ~get(offset)) != 0) {
        pipes_[pipe].frame = 0;
        pipes_[pipe].second_buffer = false;
    }
    at(offset) = next;
}

void Dcmipp::update() {
    for (unsigned pipe = 0; pipe < kPipes; ++pipe) {
        const std::uint32_t active = kCaptureActive << flags_of(pipe);
        if (pipes_[pipe].capturing) {
            at(kDcmippCmsr1) |= active;
        } else {
            at(kDcmippCmsr1) &= ~active;
        }
    }
    level_.set((get(kDcmippCmsr2) & get(kDcmippCmier)) != 0, on_interrupt);
}

}  // namespace n6vp::models

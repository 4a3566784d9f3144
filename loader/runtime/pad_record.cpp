// SPDX-License-Identifier: Apache-2.0
#include "loader/runtime/operators.h"
#include "loader/runtime/pad_walk.h"
#include "loader/runtime/runtime.h"

/// Pads of models up to 3.0: the model decides and goes on from a function of its own that the
/// runtime calls when the engines are through.
namespace n6vp::runtime {

namespace {

/// Offsets in __ll_pad_sw_params_t.
struct Layout {
    std::uint32_t in_target, out_target, in_limit, out_end, run_axis, run_bytes, element_bytes;
    std::uint32_t saved_out_target, rank, end_out_target, reading, writing, callback, reader;
    std::uint32_t arrays, bytes;
};
/// 2.1 and 2.2 have no end of the output and no loops.
constexpr Layout kOldLayout = {0, 4, 8, 0, 16, 20, 24, 32, 36, 40, 0, 0, 44, 48, 56, 88};
constexpr Layout kNewLayout = {0, 12, 8, 16, 24, 28, 32, 40, 44, 48, 52, 100, 148, 152, 160, 192};
/// Of the arrays, in the order of their pointers; `kIndexes` begins at zero.
enum Array : std::uint32_t {
    kMinShape,
    kInStart,
    kInEnd,
    kOutStart,
    kOutEnd,
    kOutShape,
    kOutOffsets,
    kIndexes,
    kArrays
};

/// The model's record does not outlive its call.
struct alignas(8) Copy {
    std::uint8_t record[kNewLayout.bytes];
    std::uint32_t arrays[kArrays][pad_walk::kMaxAxes];
    bool held;
};
constinit Copy copy{};

const Layout& layout() {
    const bool is_new = machine::profile().generation >= loader::Generation::Core30;
    return is_new ? kNewLayout : kOldLayout;
}

std::uint32_t field(std::uint32_t offset) {
    return load<std::uint32_t>(address_of(copy.record) + offset);
}

std::uint32_t array(Array which) {
    return field(layout().arrays + 4 * which);
}

/// Takes the record, and with it the arrays behind its pointers.
void take(std::uint32_t record, bool with_arrays) {
    const std::uint32_t held = address_of(copy.record);
    copy.held = true;
    if (record == held) return;
    std::memcpy(copy.record, bytes_at(record), layout().bytes);
    if (!with_arrays) return;
    const std::uint32_t rank = field(layout().rank);
    require(rank <= pad_walk::kMaxAxes, Failure::PadRank, rank);
    for (std::uint32_t i = 0; i < kArrays; ++i) {
        const std::uint32_t from = field(layout().arrays + 4 * i);
        if (i == kIndexes || from == 0) {
            std::memset(copy.arrays[i], 0, sizeof copy.arrays[i]);
        } else {
            std::memcpy(copy.arrays[i], bytes_at(from), std::size_t{4} * rank);
        }
        store(held + layout().arrays + 4 * i, address_of(copy.arrays[i]));
    }
}

Route route() {
    return {field(layout().reader), field(layout().reader + 4), 0};
}

/// Back to the model, which may insert the next list from there. The model's own r9 is set, not
/// hoped for.
void go_on() {
    const std::uint32_t function = field(layout().callback);
    if (function == 0) return;
    const Instance instance(operation::instance());
    machine::call(function, address_of(copy.record), 0, 0, instance.static_base());
}

/// Where the core works between engines, it must not meet old lines of the output.
void empty_cache(std::uint32_t start, std::uint32_t end) {
    machine::maintain(loader::CacheOp::McuCleanInvalidate, start, end - start);
}

bool next_loops(Transfer& transfer) {
    if (!copy.held) return false;
    copy.held = false;
    const std::uint32_t record = address_of(copy.record);
    return pad_walk::loop_transfer(field(layout().in_target), field(layout().in_limit),
                                   field(layout().out_target), record + layout().reading,
                                   record + layout().writing, transfer);
}

}  // namespace

int pad_set(std::uint32_t out, std::int32_t value, std::uint32_t record, bool with_arrays) {
    take(record, with_arrays);
    operation::begin(route());
    // The model's stub passes the value in place of the length, so the record tells it. One without
    // arrays is that of a loop pad (assumed).
    const std::uint32_t bytes =
        with_arrays ? field(layout().end_out_target) - field(layout().saved_out_target)
                    : field(layout().out_end) - field(layout().out_target);
    const std::uint32_t element =
        load<std::uint8_t>(address_of(copy.record) + layout().element_bytes);
    if (element == 0 || element > 4) return N6VP_REFUSE(NBits);
    empty_cache(out, out + bytes);
    pad_walk::begin_setting({out, bytes, element, value});
    return operation::run(operation::Number::PadSet, {pad_walk::next_setting, go_on});
}

int pad_fill(std::uint32_t record) {
    if (record != 0) take(record, true);
    require(copy.held, Failure::PadNothingStored);
    operation::begin(route());
    if (record != 0) empty_cache(field(layout().saved_out_target), field(layout().end_out_target));
    pad_walk::begin_walk({field(layout().in_target), field(layout().out_target),
                          field(layout().in_limit), field(layout().run_axis),
                          field(layout().run_bytes), array(kMinShape), array(kInStart),
                          array(kInEnd), array(kOutStart), array(kOutEnd)});
    return operation::run(operation::Number::PadFill, {pad_walk::next_run_transfer, go_on});
}

int pad_fill_loops(std::uint32_t record) {
    if (record != 0) take(record, false);
    require(copy.held, Failure::PadNothingStored);
    operation::begin(route());
    return operation::run(operation::Number::PadFill, {next_loops, go_on});
}

}  // namespace n6vp::runtime

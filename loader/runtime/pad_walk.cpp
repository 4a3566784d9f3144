// SPDX-License-Identifier: Apache-2.0
#include "loader/runtime/pad_walk.h"

#include "loader/runtime/machine.h"

namespace n6vp::runtime::pad_walk {

namespace {

struct Walk {
    Inside inside;
    std::uint32_t in, out;
    std::uint32_t indices[kMaxAxes];
    bool begun;
};
constinit Walk walk{};

struct Set {
    Setting setting;
    bool done;
};
constinit Set set{};

std::uint32_t word(std::uint32_t array, std::uint32_t axis) {
    return load<std::uint32_t>(array + 4 * axis);
}

/// Down to the axis of the runs: what is left out and added in front.
void enter(std::uint32_t axis) {
    for (; axis <= walk.inside.run_axis; ++axis) {
        walk.in -= word(walk.inside.in_start, axis);
        walk.out += word(walk.inside.out_start, axis);
        walk.indices[axis] = 0;
    }
}

void leave(std::uint32_t axis) {
    walk.in -= word(walk.inside.in_end, axis);
    walk.out += word(walk.inside.out_end, axis);
}

/// Behind a run: leaves what is through, and enters what comes next. Returns false at the end.
bool move_on() {
    walk.in += walk.inside.run_bytes;
    walk.out += walk.inside.run_bytes;
    leave(walk.inside.run_axis);
    for (std::uint32_t axis = walk.inside.run_axis; axis-- != 0;) {
        if (++walk.indices[axis] < word(walk.inside.min_shape, axis)) {
            enter(axis + 1);
            return true;
        }
        leave(axis);
    }
    return false;
}

/// A side of a loop pad: 48 bytes.
struct Side {
    std::uint32_t start, inner_bytes, loops, bytes;
    struct Loop {
        std::uint32_t step, count;
    } loop[4];

    explicit Side(std::uint32_t record)
        : start(load<std::uint32_t>(record)),
          inner_bytes(load<std::uint32_t>(record + 4)),
          loops(load<std::uint32_t>(record + 8)),
          bytes(load<std::uint32_t>(record + 12)) {
        for (std::uint32_t i = 0; i < 4; ++i) {
            const std::uint32_t at = record + 16 + 8 * i;
            const bool used = i < loops;
            loop[i].step = used ? load<std::uint32_t>(at) : 0;
            loop[i].count = used ? load<std::uint32_t>(at + 4) : 1;
        }
    }
};

Pattern side_pattern(const Side& side, std::uint32_t target, std::uint32_t element_bytes) {
    const std::uint32_t start = target + side.start;
    if (side.loops == 0) return linear_pattern(start, side.bytes, element_bytes);
    Pattern pattern;
    pattern.address = start;
    pattern.element_bytes = element_bytes;
    pattern.linear = false;
    pattern.depth = side.inner_bytes / element_bytes;
    pattern.width = side.loop[0].count;
    pattern.pixel_pitch = side.loop[0].step;
    pattern.height = side.loop[1].count;
    pattern.line_pitch = side.loop[1].step;
    pattern.frames = side.loop[2].count * side.loop[3].count;
    pattern.frame_pitch = side.loop[2].step;
    if (side.loops == 4) {
        pattern.frames_in_loop = side.loop[2].count;
        pattern.loop_pitch = side.loop[3].step;
    }
    return pattern;
}

/// The largest of 3, 2 and 1 bytes that divides the inner run on both sides, 1 if those differ.
std::uint32_t loop_element(const Side& reading, const Side& writing) {
    const auto element_of = [](const Side& side) {
        const std::uint32_t bytes = side.loops == 0 ? side.bytes : side.inner_bytes;
        if (bytes % 3 == 0) return std::uint32_t{3};
        return bytes % 2 == 0 ? std::uint32_t{2} : std::uint32_t{1};
    };
    const std::uint32_t element = element_of(reading);
    return element == element_of(writing) ? element : 1;
}

}  // namespace

void begin_walk(const Inside& inside) {
    walk.inside = inside;
    walk.in = inside.in;
    walk.out = inside.out;
    walk.begun = false;
}

bool next_run(std::uint32_t& to, std::uint32_t& from) {
    if (walk.begun && !move_on()) return false;
    if (!walk.begun) enter(0);
    walk.begun = true;
    to = walk.out;
    from = walk.in;
    return true;
}

bool next_run_transfer(Transfer& transfer) {
    std::uint32_t to = 0, from = 0;
    while (next_run(to, from)) {
        if (operation::copy_head(to, from, walk.inside.run_bytes, walk.inside.in_limit, transfer))
            return true;
    }
    return false;
}

void fill_by_core() {
    std::uint32_t to = 0, from = 0;
    while (next_run(to, from)) std::memcpy(bytes_at(to), bytes_at(from), walk.inside.run_bytes);
}

void begin_setting(const Setting& setting) {
    set.setting = setting;
    set.done = false;
}

bool next_setting(Transfer& transfer) {
    constexpr std::uint32_t kMinEngineBytes = 48;
    if (set.done) return false;
    set.done = true;
    const Setting& setting = set.setting;
    // The sample that the engine repeats is a whole number of values.
    const bool by_threes = setting.element_bytes % 2 == 1;
    const std::uint32_t sample = by_threes ? 3 : 4;
    const bool by_engine = setting.bytes >= kMinEngineBytes;
    Setting head = setting;
    if (by_engine) head.bytes = setting.bytes % sample + sample;
    set_by_core(head);
    machine::maintain(loader::CacheOp::McuCleanInvalidate, head.out, head.bytes);
    if (!by_engine) return false;
    const std::uint32_t first = setting.out + setting.bytes % sample;
    const std::uint32_t element = by_threes ? 3 : 2;
    transfer.in = linear_pattern(first, sample, element);
    transfer.in.frames = setting.bytes / sample;  // all of them the same
    transfer.out = linear_pattern(first, setting.bytes / sample * sample, element);
    return true;
}

void set_by_core(const Setting& setting) {
    for (std::uint32_t i = 0; i < setting.bytes; ++i) {
        const std::uint32_t byte = i % setting.element_bytes;
        store(setting.out + i,
              static_cast<std::uint8_t>(static_cast<std::uint32_t>(setting.value) >> (8 * byte)));
    }
}

bool loop_transfer(std::uint32_t in, std::uint32_t in_limit, std::uint32_t out,
                   std::uint32_t reading, std::uint32_t writing, Transfer& transfer) {
    const Side from(reading);
    const Side to(writing);
    if (from.loops == 0 && to.loops == 0)
        return operation::copy_head(out + to.start, in + from.start, from.bytes, in_limit,
                                    transfer);
    const std::uint32_t element = loop_element(from, to);
    transfer.in = side_pattern(from, in, element);
    transfer.in.limit = in_limit;
    transfer.out = side_pattern(to, out, element);
    return true;
}

}  // namespace n6vp::runtime::pad_walk

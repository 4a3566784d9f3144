// SPDX-License-Identifier: Apache-2.0
#include "loader/runtime/operation.h"

#include "loader/runtime/npu_driver.h"
#include "loader/runtime/runtime.h"

namespace n6vp::runtime::operation {

namespace {

/// Below this an engine is not worth its set-up.
constexpr std::uint32_t kMinEngineBytes = 40;
constexpr std::uint32_t kCopyElement = 3;

/// An inserted list: one block and its end, in whichever layout the firmware was built with.
struct alignas(8) List {
    std::uint8_t bytes[2 * Item::kLongBytes];
};

struct Current {
    bool active;
    bool engines_on;
    Route route;
    Steps steps;
    Transfer transfer;  ///< the next one to start
};

constinit List list{};
constinit Current current{};

bool operators_lock() {
    return machine::profile().generation == loader::Generation::Core4x;
}

void build_list(Number number) {
    const std::uint32_t first = address_of(list.bytes);
    const std::uint32_t last = first + Item::bytes();
    std::memset(list.bytes, 0, sizeof list.bytes);
    store(first + Item::kFlags, static_cast<std::uint16_t>(kInternal));
    store(first + Item::kWaitMask, 1u << current.route.writer);
    store(last + Item::kFlags, static_cast<std::uint16_t>(kLastBlock));
    if (!machine::profile().dbg_info) return;
    store(first + Item::kEpoch, static_cast<std::int16_t>(number));
    store(first + Item::kLastEpoch, static_cast<std::int16_t>(number));
}

/// Does transfers that engines cannot do here and now. Returns false at the end.
bool find_engine_work() {
    while (current.steps.next(current.transfer)) {
        if (current.transfer.in.fits_engine() && current.transfer.out.fits_engine()) return true;
        by_core(current.transfer);
    }
    return false;
}

/// Bytes from the first to the last that a pattern touches.
std::uint32_t span_of(const Pattern& pattern) {
    std::uint32_t last_frame = 0;
    for (std::uint32_t n = 0; n < pattern.frames; ++n) {
        const std::uint32_t at = pattern.frame_address(n) - pattern.address;
        if (at > last_frame) last_frame = at;
    }
    if (pattern.linear) return last_frame + pattern.elements * pattern.element_bytes;
    return last_frame + (pattern.height - 1) * pattern.line_pitch +
           (pattern.width - 1) * pattern.pixel_pitch + pattern.depth * pattern.element_bytes;
}

/// Visits the elements of a pattern in an engine's order.
class Walk {
  public:
    explicit Walk(const Pattern& pattern) : pattern_(pattern) { begin_frame(); }

    [[nodiscard]] std::uint32_t address() const { return at_; }
    void step() {
        if (pattern_.linear) {
            at_ += pattern_.element_bytes;
            if (++x_ == pattern_.elements) next_frame();
            return;
        }
        at_ += pattern_.element_bytes;
        if (++s_ < pattern_.depth) return;
        s_ = 0;
        if (++x_ == pattern_.width) {
            x_ = 0;
            if (++y_ == pattern_.height) {
                next_frame();
                return;
            }
        }
        at_ = start_ + y_ * pattern_.line_pitch + x_ * pattern_.pixel_pitch;
    }

  private:
    void begin_frame() {
        start_ = at_ = pattern_.frame_address(frame_);
        x_ = y_ = s_ = 0;
    }
    void next_frame() {
        ++frame_;
        begin_frame();
    }

    const Pattern& pattern_;
    std::uint32_t frame_ = 0, start_ = 0, at_ = 0, x_ = 0, y_ = 0, s_ = 0;
};

void release() {
    current.active = false;
    if (operators_lock()) unlock(current.route.instance);
}

}  // namespace

void begin(const Route& route) {
    require(!current.active, Failure::OperatorBusy);
    require(route.reader < npu::kEngines && route.writer < npu::kEngines &&
                route.reader != route.writer,
            Failure::EngineNumber, route.reader, route.writer);
    current.route = route;
    if (route.instance == 0) current.route.instance = owner();
    require(current.route.instance != 0, Failure::OperatorOutside);
}

int run(Number number, const Steps& steps) {
    current.steps = steps;
    if (!find_engine_work()) {
        if (steps.finish != nullptr) steps.finish();
        return 0;
    }
    current.active = true;
    if (operators_lock()) lock(current.route.instance);
    build_list(number);
    insert_list(current.route.instance, address_of(list.bytes));
    return 0;
}

bool copy_head(std::uint32_t to, std::uint32_t from, std::uint32_t bytes, std::uint32_t limit,
               Transfer& transfer) {
    const std::uint32_t head = bytes < kMinEngineBytes ? bytes : bytes % kCopyElement;
    if (head != 0) {
        std::memmove(bytes_at(to), bytes_at(from), head);
        machine::maintain(loader::CacheOp::McuCleanInvalidate, to, head);
    }
    if (head == bytes) return false;
    transfer.in = linear_pattern(from + head, bytes - head, kCopyElement);
    transfer.in.limit = limit;
    transfer.out = linear_pattern(to + head, bytes - head, kCopyElement);
    return true;
}

void start_step() {
    npu::start_transfer(current.transfer, current.route.reader, current.route.writer);
    current.engines_on = true;
}

void end_step() {
    npu::end_transfer(current.route.reader, current.route.writer);
    current.engines_on = false;
    const std::uint32_t instance = current.route.instance;
    if (find_engine_work()) {
        repeat_block(instance);
        return;
    }
    release();
    if (current.steps.finish == nullptr) return;
    // What follows may insert a list of its own.
    leave_list(instance);
    current.steps.finish();
}

void abandon() {
    if (!current.active) return;
    if (current.engines_on) npu::end_transfer(current.route.reader, current.route.writer);
    current.engines_on = false;
    current.active = false;
}

void by_core(const Transfer& transfer) {
    machine::maintain(loader::CacheOp::McuCleanInvalidate, transfer.in.address,
                      span_of(transfer.in));
    Walk from(transfer.in);
    Walk to(transfer.out);
    const std::uint32_t count = transfer.in.frame_elements() * transfer.in.frames;
    for (std::uint32_t i = 0; i < count; ++i) {
        std::memcpy(bytes_at(to.address()), bytes_at(from.address()), transfer.in.element_bytes);
        from.step();
        to.step();
    }
    machine::maintain(loader::CacheOp::McuCleanInvalidate, transfer.out.address,
                      span_of(transfer.out));
}

std::uint32_t instance() {
    return current.route.instance;
}

}  // namespace n6vp::runtime::operation

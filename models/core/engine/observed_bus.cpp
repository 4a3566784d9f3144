// SPDX-License-Identifier: Apache-2.0
#include "models/core/engine/observed_bus.h"

#include <algorithm>

namespace n6vp::models::core {

void ObservedBus::observe() {
    observing_ = repeatable_ = true;
    reads_.clear();
}

bool ObservedBus::known(std::uint32_t address, std::span<const std::uint8_t> data,
                        std::uint64_t at) const {
    const ObservedRead& next = answers_[given_];
    return next.address == address && next.bytes == data.size() && next.at == at;
}

BusAnswer ObservedBus::read(std::uint32_t address, std::span<std::uint8_t> data,
                            const BusAttributes& attributes, std::uint64_t at) {
    if (!answers_.empty() && known(address, data, at)) {
        const ObservedRead& made = answers_[given_++];
        std::copy_n(made.data.begin(), data.size(), data.begin());
        const BusAnswer answer = made.answer;
        if (given_ == answers_.size()) {
            answers_.clear();
            given_ = 0;
        }
        return answer;
    }
    if (observing_) return read_noting(address, data, attributes, at);
    return bus_.read(address, data, attributes, at);
}

BusAnswer ObservedBus::read_noting(std::uint32_t address, std::span<std::uint8_t> data,
                                   const BusAttributes& attributes, std::uint64_t at) {
    ObservedRead read;
    read.address = address;
    read.bytes = static_cast<std::uint32_t>(data.size());
    read.attributes = attributes;
    read.now = cpu_.cycle_base - static_cast<std::uint64_t>(cpu_.budget);
    read.at = at;
    read.pc = cpu_.pc;
    read.answer = bus_.read(address, data, attributes, at);
    if (data.size() > ObservedRead::kMaxBytes || reads_.size() == kMaxReads || !read.answer.ok ||
        read.answer.others_ran) {
        repeatable_ = false;
        return read.answer;
    }
    std::copy(data.begin(), data.end(), read.data.begin());
    reads_.push_back(read);
    return read.answer;
}

BusAnswer ObservedBus::write(std::uint32_t address, std::span<const std::uint8_t> data,
                             const BusAttributes& attributes, std::uint64_t at) {
    repeatable_ = false;
    return bus_.write(address, data, attributes, at);
}

}  // namespace n6vp::models::core

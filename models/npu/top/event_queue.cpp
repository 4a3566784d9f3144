// SPDX-License-Identifier: Apache-2.0
#include "models/npu/top/event_queue.h"

#include <tuple>

namespace n6vp::models::npu {

bool EventQueue::Later::operator()(const Item& left, const Item& right) const {
    return std::tie(left.at, left.kind, left.who, left.run) >
           std::tie(right.at, right.kind, right.who, right.run);
}

EventQueue::Item EventQueue::take() {
    Item first = items_.top();
    items_.pop();
    return first;
}

}  // namespace n6vp::models::npu

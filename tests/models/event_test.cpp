// SPDX-License-Identifier: Apache-2.0
#include "models/event.h"

#include <doctest/doctest.h>

#include <string>

using n6vp::models::Event;

TEST_CASE("event: listeners are called by place, those of one place as they were added") {
    Event<int, const std::string&> event;
    std::string heard;
    const auto listener = [&heard](char name) {
        return [&heard, name](int number, const std::string& text) {
            heard += name + std::to_string(number) + text + ' ';
        };
    };
    CHECK(event.empty());
    event.listen(3, listener('e'));
    event.listen(1, listener('b'));
    event.listen(0, listener('a'));
    event.listen(1, listener('c'));
    event.listen(3, listener('f'));
    event.listen(2, listener('d'));
    event(7, "x");
    CHECK(heard == "a7x b7x c7x d7x e7x f7x ");
    CHECK_FALSE(event.empty());
}

TEST_CASE("event: nobody has to listen") {
    const Event<int> event;
    event(1);
    CHECK(event.empty());
}

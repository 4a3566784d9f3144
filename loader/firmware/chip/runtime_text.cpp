// SPDX-License-Identifier: Apache-2.0
#include "loader/firmware/base/state.h"
#include "loader/firmware/text.h"
#include "loader/runtime/capi/ll_aton_runtime.h"

/// What the runtime has to say.

void n6vp_rt_say(const char* line) {
    n6vp::firmware::chip::say(line);
}

/// The run ends as by a fault of the program.
void n6vp_rt_stopped(const char* name, const char* text, uint32_t first, uint32_t second) {
    using namespace n6vp::firmware;
    Text line;
    line.put("runtime stopped: ").put(name).put(": ").put(text);
    line.put(" ").hex(first).put(" ").hex(second).put("\n");
    chip::say(line.text());
    chip::give_up();
}

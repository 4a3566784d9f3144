// SPDX-License-Identifier: Apache-2.0
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>
#include <string_view>

namespace {

/// CTest's SKIP_RETURN_CODE for these tests.
constexpr int kSkipped = 77;

bool is_listing(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        if (argument.find("list") != std::string_view::npos) return true;
    }
    return false;
}

}  // namespace

/// Without QEMU or the bare-metal compiler there is nothing to compare: the test is skipped.
int main(int argc, char** argv) {
    if (std::string_view(N6VP_QEMU).empty() && !is_listing(argc, argv)) {
        std::puts("skipped: qemu-system-arm or arm-none-eabi-g++ is not installed");
        return kSkipped;
    }
    doctest::Context context(argc, argv);
    return context.run();
}

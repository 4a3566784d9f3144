// SPDX-License-Identifier: Apache-2.0
#include "sim/host/demangle.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

namespace n6vp::sim {

namespace {

// A name may refer to its own parts, each twice as long as the one before. Files are hostile: a
// name of 2 KiB with many references would fill the memory.
constexpr std::size_t kMaxName = 2048, kMaxShown = 512;
constexpr std::ptrdiff_t kMaxReferences = 24;

}  // namespace

std::string demangled(const std::string& name) {
    if (!name.starts_with("_Z") || name.size() > kMaxName) return name;
    // Every reference ends with an underscore: S_, S0_, T_.
    if (std::count(name.begin(), name.end(), '_') > kMaxReferences) return name;
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> text(
        abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
    if (status != 0 || !text) return name;
    std::string shown = text.get();
    if (shown.size() > kMaxShown) shown = shown.substr(0, kMaxShown) + "...";
    return shown;
}

}  // namespace n6vp::sim

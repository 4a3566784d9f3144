// SPDX-License-Identifier: Apache-2.0
#include "loader/runtime/failure.h"

namespace n6vp::runtime {

namespace {

#define N6VP_ROW(name, text) #name,
constexpr const char* kFailureNames[] = {N6VP_RUNTIME_FAILURES(N6VP_ROW)};
#undef N6VP_ROW
#define N6VP_ROW(name, text) text,
constexpr const char* kFailureTexts[] = {N6VP_RUNTIME_FAILURES(N6VP_ROW)};
constexpr const char* kErrorTexts[] = {N6VP_LIBRARY_ERRORS(N6VP_ROW)};
#undef N6VP_ROW

static_assert(static_cast<std::size_t>(LibraryError::Mode) == 16);  // the last documented code

}  // namespace

const char* name_of(Failure failure) {
    return kFailureNames[static_cast<std::uint32_t>(failure)];
}

const char* text_of(Failure failure) {
    return kFailureTexts[static_cast<std::uint32_t>(failure)];
}

const char* text_of(LibraryError error) {
    const auto code = static_cast<std::uint32_t>(error);
    return kErrorTexts[code < sizeof kErrorTexts / sizeof kErrorTexts[0] ? code : 0];
}

}  // namespace n6vp::runtime

// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Part of a quick path that is measured (tests/bench).
#define N6VP_ALWAYS_INLINE [[gnu::always_inline]] inline
/// Beside a quick path, which then needs no room for what this one keeps.
#define N6VP_NOINLINE [[gnu::noinline]]

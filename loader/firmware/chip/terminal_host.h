// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A host that is a terminal at USART1 (PE5 and PE6): text, and no files, arguments or phases.
namespace n6vp::firmware::chip::host {

/// From now on the serial port belongs to something else: text is dropped.
void close_terminal();

}  // namespace n6vp::firmware::chip::host

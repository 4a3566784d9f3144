// SPDX-License-Identifier: Apache-2.0
#include "models/chip/chip_parameters.h"

namespace n6vp::models {

SramParameters ahb_ram_parameters() {
    SramParameters parameters;
    parameters.beat_bytes = {"beat_bytes", 4, counts(64, "B"), Confidence::Documented,
                             "device header: 32-bit port"};
    return parameters;
}

UartParameters serial_parameters() {
    UartParameters parameters;
    parameters.fifo_depth.value = 16;
    parameters.fifo_depth.source = "public driver: 16 each way; 1 while FIFOEN = 0";
    return parameters;
}

}  // namespace n6vp::models

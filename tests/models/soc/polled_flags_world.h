// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>

#include "models/soc/base/register_block.h"
#include "models/soc/serial/uart.h"

namespace n6vp::test {

/// One peripheral of each kind that answers, by the names of the list of polled flags.
class World {
    struct Surroundings;
    const std::unique_ptr<Surroundings> around_;  ///< what the peripherals work with

  public:
    World();
    World(const World&) = delete;
    World& operator=(const World&) = delete;
    ~World();

    std::map<std::string, std::unique_ptr<models::RegisterBlock>> blocks;
    models::Uart* uart = nullptr;
};

}  // namespace n6vp::test

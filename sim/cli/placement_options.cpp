// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/placement_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "sim/generate/lower/memory_plan.h"
#include "sim/host/errors.h"
#include "sim/model_file/model_pools.h"
#include "sim/model_file/mpool.h"
#include "sim/platform/platform_parameters.h"
#include "traces/escape.h"

namespace n6vp::sim::cli {

namespace {

/// Takes a pool of activations; loaders know one external RAM.
void take_activations(const Mpool& pool, generate::LoweringOptions& lowering) {
    auto& pools = lowering.activations;
    const std::uint32_t address = pool.relative() ? 0 : to_word(pool.range.start);
    const bool second =
        pool.relative() &&
        std::any_of(pools.begin(), pools.end(), [](const auto& one) { return one.external; });
    if (second) {
        throw UserError(fmt::format("pool '{}' is a second relative writable pool",
                                    traces::terminal_text(pool.name)),
                        "a model has one external RAM: join them, or give one a fixed address");
    }
    if (address % generate::kBufferAlignment != 0) {
        throw UserError(fmt::format("pool '{}' does not start at a multiple of {}",
                                    traces::terminal_text(pool.name), generate::kBufferAlignment),
                        "pools must not share a cache line: change the offset");
    }
    pools.push_back({pool.name, address, pool.range.bytes, pool.relative()});
}

[[nodiscard]] std::string pool_text(const Mpool& pool) {
    return fmt::format("pool '{}' at 0x{:08x} to 0x{:08x}", traces::terminal_text(pool.name),
                       to_word(pool.range.start), pool.range.end() - 1);
}

/// Fails with UserError if two pools share memory: tensors would go over each other. Where relative
/// ones are is decided at installation.
void require_apart(const std::vector<Mpool>& pools) {
    for (auto one = pools.begin(); one != pools.end(); ++one) {
        for (auto other = pools.begin(); other != one; ++other) {
            if (one->relative() || other->relative()) continue;
            if (!share_memory(one->range, other->range)) continue;
            throw UserError(pool_text(*one) + " overlaps " + pool_text(*other),
                            "move or shorten one of them; `n6vp map --mpool FILE` shows all");
        }
    }
}

void take_pools(const std::string& path, generate::LoweringOptions& lowering) {
    const MpoolFile file = read_mpool(path);
    require_apart(file.pools);
    lowering.activations.clear();
    bool named = false;
    std::set<std::string> names;
    for (const Mpool& pool : file.pools) {
        if (!pool.used()) continue;
        if (!names.insert(pool.name).second) {
            throw UserError(
                fmt::format("two pools have the name '{}'", traces::terminal_text(pool.name)),
                "blobs refer to pools by name: rename one");
        }
        if (pool.properties.writable()) {
            take_activations(pool, lowering);
        } else if (pool.relative() && !named) {
            lowering.weights_pool = pool.name;
            named = true;
        }
    }
    if (lowering.activations.empty()) {
        throw UserError(fmt::format("'{}' has no writable pool", traces::terminal_text(path)),
                        "add one for the activations, such as npuRAM5");
    }
}

/// Takes the pool that weights are copied to out of those for activations.
void take_copy_pool(const std::string& name, generate::LoweringOptions& lowering) {
    auto& pools = lowering.activations;
    const auto found = std::find_if(pools.begin(), pools.end(), [&](const auto& pool) {
        return pool.name == name && !pool.external;
    });
    if (found == pools.end()) {
        throw UserError(fmt::format("--weights {}: no such pool", traces::terminal_text(name)),
                        "name a writable pool at a fixed address, or leave the option out");
    }
    lowering.weights_copy = *found;
    pools.erase(found);
}

}  // namespace

void add_placement_options(CLI::App& verb, PlacementOptions& options) {
    verb.add_option("--weights", options.weights,
                    "copy the weights to this pool; default: used in place from flash")
        ->type_name("POOL");
    verb.add_option("--mpool", options.mpool, "memory pools; default: npuRAM3 to npuRAM6")
        ->type_name("FILE");
    verb.add_flag("--no-inputs-allocation", options.no_inputs,
                  "the user, not the model, allocates the inputs");
    verb.add_flag("--no-outputs-allocation", options.no_outputs,
                  "the user, not the model, allocates the outputs");
    verb.add_option("--sums", options.sums, "width of convolution sums in bits; default: 24")
        ->check(CLI::IsMember({"16", "24"}).description(""))
        ->type_name("16|24");
    add_parameter_options(verb, options.parameters);
}

generate::LoweringOptions lowering_options(const PlacementOptions& options) {
    generate::LoweringOptions lowering;
    lowering.activations = generate::default_activation_pools();
    if (options.sums == "16") lowering.sums = generate::SumWidth::Bits16;
    lowering.user_inputs = options.no_inputs;
    lowering.user_outputs = options.no_outputs;
    PlatformParameters parameters;
    options.parameters.apply_to(parameters);
    lowering.costs = generate::costs_of(parameters);
    if (!options.mpool.empty()) take_pools(options.mpool, lowering);
    if (options.weights.empty()) return lowering;
    if (options.mpool.empty()) lowering.activations.push_back(generate::default_weights_pool());
    take_copy_pool(options.weights, lowering);
    return lowering;
}

}  // namespace n6vp::sim::cli

// SPDX-License-Identifier: Apache-2.0
#include "memmap/clocks.h"
#include "memmap/interrupts.h"
#include "memmap/peripherals.h"
#include "sim/map/map_report.h"

namespace n6vp::sim {

namespace {

Json region_json(const memmap::Region& region) {
    Json row;
    row["name"] = region.name;
    row["kind"] = kind_name(region.kind);
    row["non_secure"] = hex_word(to_word(region.non_secure));
    row["secure"] = hex_word(to_word(region.secure));
    row["bytes"] = region.bytes;
    row["largest_bytes"] = region.largest_bytes;
    row["fitted_bytes"] = region.fitted_bytes;
    row["width_bits"] = region.width_bits;
    row["double_rate"] = region.double_rate;
    row["clock"] = memmap::clock(region.clock).name;
    row["core_path"] = path_name(region.mcu);
    row["npu"] = region.npu;
    row["npu_cacheable"] = region.npu_cacheable;
    row["d_cache"] = memory_type_name(memmap::default_memory_type(region.non_secure));
    row["risaf"] = region.risaf;
    row["confidence"] = confidence_name(region.confidence);
    row["source"] = region.source;
    row["note"] = region.note;
    return row;
}

Json pieces_json(const RegionCover& covered) {
    Json pieces = Json::array();
    for (const RegionCover::Piece& piece : covered.pieces) {
        pieces.push_back({{"region", piece.region},
                          {"start", hex_word(to_word(piece.range.start))},
                          {"bytes", piece.range.bytes}});
    }
    return pieces;
}

Json properties_json(const MpoolProperties& properties) {
    return {{"rights", properties.rights},
            {"throughput", properties.throughput},
            {"latency", properties.latency},
            {"cacheable", properties.npu_cacheable()},
            {"byte_width", properties.byte_width},
            {"freq_ratio", properties.freq_ratio},
            {"read_power", properties.read_power},
            {"write_power", properties.write_power},
            {"constants_preferred", properties.constants_preferred}};
}

Json pool_json(const Mpool& pool) {
    Json row;
    row["name"] = pool.name;
    row["fname"] = pool.file_name;
    row["fformat"] = pool.format;
    row["offset"] = hex_word(to_word(pool.range.start));
    row["bytes"] = pool.range.bytes;
    row["relative"] = pool.relative();
    row["used"] = pool.used();
    row["properties"] = properties_json(pool.properties);
    const RegionCover covered = cover(pool.range);
    row["pieces"] = pieces_json(covered);
    row["bytes_outside_map"] = covered.uncovered;
    return row;
}

}  // namespace

Json map_json() {
    Json map;
    map["regions"] = Json::array();
    for (const memmap::Region& region : memmap::kRegions)
        map["regions"].push_back(region_json(region));
    map["clocks"] = Json::array();
    for (const memmap::Clock& clock : memmap::kClocks) {
        if (clock.domain == memmap::ClockDomain::None) continue;
        map["clocks"].push_back({{"name", clock.name},
                                 {"overdrive_hz", clock.overdrive_hz},
                                 {"no_overdrive_hz", clock.no_overdrive_hz},
                                 {"confidence", confidence_name(clock.confidence)},
                                 {"source", clock.source}});
    }
    map["peripherals"] = Json::array();
    for (const memmap::Peripheral& row : memmap::kPeripherals) {
        Json entry{{"name", row.name}, {"secure", hex_word(to_word(row.secure))}};
        entry["non_secure"] = row.secure_only ? Json() : Json(hex_word(to_word(row.non_secure())));
        map["peripherals"].push_back(std::move(entry));
    }
    map["interrupts"] = Json::array();
    for (const memmap::Interrupt& row : memmap::kInterrupts) {
        map["interrupts"].push_back(
            {{"name", row.name}, {"line", row.first}, {"count", row.count}});
    }
    return map;
}

Json resolve_json(AddressRange what) {
    Json row;
    row["address"] = hex_word(to_word(what.start));
    row["bytes"] = what.bytes;
    const memmap::Location location = memmap::find_region(what.start);
    row["region"] = location ? Json(location.region->name) : Json();
    if (location) {
        row["alias"] = alias_name(location.alias);
        row["offset"] = location.offset;
        row["fitted"] = location.offset < location.region->fitted_bytes;
    }
    row["d_cache"] = memory_type_name(memmap::default_memory_type(what.start));
    const memmap::PeripheralHit hit = memmap::find_peripheral(what.start);
    if (hit) {
        row["peripheral"] = {{"name", hit.peripheral->name},
                             {"offset", hit.offset},
                             {"within", hit.offset < hit.peripheral->bytes},
                             {"alias", hit.secure ? "secure" : "non-secure"}};
    }
    const memmap::Neighbour near = memmap::nearest_region(what.start);
    row["nearest"] = {
        {"region", near.region->name}, {"distance", near.distance}, {"above", near.above}};
    if (what.bytes > 1) {
        const RegionCover covered = cover(what);
        row["pieces"] = pieces_json(covered);
        row["bytes_outside_map"] = covered.uncovered;
    }
    return row;
}

Json mpool_json(const MpoolFile& file) {
    Json document;
    document["parameters"] = Json::array();
    for (const MpoolParameter& parameter : file.parameters) {
        document["parameters"].push_back({{"name", parameter.name}, {"value", parameter.value}});
    }
    document["caches"] = Json::array();
    for (const MpoolCache& cache : file.caches) {
        document["caches"].push_back({{"nlines", cache.lines},
                                      {"linesize", cache.line_bytes},
                                      {"associativity", cache.ways},
                                      {"bypass", cache.bypass},
                                      {"properties", properties_json(cache.properties)}});
    }
    document["pools"] = Json::array();
    for (const Mpool& pool : file.pools) document["pools"].push_back(pool_json(pool));
    document["remarks"] = Json::array();
    for (const MpoolRemark& remark : judge_mpool(file)) {
        document["remarks"].push_back({{"kind", remark_name(remark.kind)},
                                       {"severity", remark.warning ? "warning" : "hint"},
                                       {"pool", file.pools[remark.pool].name},
                                       {"path", file.pools[remark.pool].json_path},
                                       {"text", remark.text}});
    }
    document["unknown"] = file.unknown;
    return document;
}

}  // namespace n6vp::sim

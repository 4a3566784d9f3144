// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "sim/cli/verb.h"
#include "sim/host/errors.h"
#include "sim/map/chip_map.h"
#include "sim/map/map_report.h"
#include "sim/model_file/chip_name.h"
#include "sim/model_file/model_source.h"
#include "sim/model_file/mpool.h"
#include "traces/escape.h"

namespace n6vp::sim::cli {

namespace {

struct MapOptions {
    std::vector<std::string> addresses;
    std::string mpool, chip = "stm32n6";
    bool all = false;
    bool json = false;
};

AddressRange parse_place(const std::string& text) {
    if (text.find(':') != std::string::npos) return parse_range(text, "ADDR");
    return {GuestAddr{parse_number(text, "ADDR")}, 1};
}

void print_json(const MapOptions& options, const std::vector<AddressRange>& places,
                const MpoolFile& file, Session& session) {
    Json document = json_document("map");
    document.update(map_json());
    document["resolved"] = Json::array();
    for (const AddressRange& place : places) document["resolved"].push_back(resolve_json(place));
    if (!options.mpool.empty()) document["mpool"] = mpool_json(file);
    write_json(session.out, document);
}

/// The list in place of a map.
void list_chips(const MapOptions& options, Session& session) {
    if (!options.addresses.empty() || options.all) {
        throw UserError("--chip list with an address or --all",
                        "name the chip that has the address: --chip stm32l475");
    }
    if (!options.json) {
        session.out << chip_list();
        return;
    }
    Json document = json_document("map");
    document["chips"] = chip_list_json();
    write_json(session.out, document);
}

void show_chip(const memmap::Chip& chip, const MapOptions& options,
               const std::vector<AddressRange>& places, Session& session) {
    if (options.json) {
        Json document = json_document("map");
        document.update(chip_map_json(chip));
        document["resolved"] = Json::array();
        for (const AddressRange& place : places)
            document["resolved"].push_back(chip_resolve_json(chip, place));
        write_json(session.out, document);
        return;
    }
    for (const AddressRange& place : places) session.out << chip_resolve_text(chip, place);
    if (places.empty()) session.out << chip_memory_table(chip);
    if (options.all) session.out << chip_other_tables(chip);
}

void run(const MapOptions& options, Session& session) {
    const bool list = options.chip == "list";
    const memmap::Chip* const chip = list ? nullptr : chip_named(options.chip);
    if ((list || chip != nullptr) && !options.mpool.empty()) {
        throw UserError("--mpool and --chip", "pool files are of the STM32N6: leave out --chip");
    }
    if (list) return list_chips(options, session);
    std::vector<AddressRange> places;
    for (const std::string& text : options.addresses) places.push_back(parse_place(text));
    if (chip != nullptr) return show_chip(*chip, options, places, session);
    const MpoolFile file = options.mpool.empty() ? MpoolFile{} : read_mpool(options.mpool);
    if (options.json) {
        print_json(options, places, file, session);
        return;
    }
    for (const AddressRange& place : places) session.out << resolve_text(place);
    if (!options.mpool.empty()) {
        session.out << mpool_text(file, traces::terminal_text(options.mpool));
    }
    if (places.empty() && options.mpool.empty()) session.out << region_table();
    if (options.all) session.out << other_tables();
}

}  // namespace

void add_map(CLI::App& app, Session& session) {
    auto options = std::make_shared<MapOptions>();
    CLI::App* verb =
        app.add_subcommand("map", "show the chip's address map, or where an address lies");
    verb->add_option("ADDR", options->addresses, "addresses or ADDR:SIZE ranges to resolve");
    verb->add_option("--mpool", options->mpool,
                     "overlay the map with the pools of a compiler .mpool file")
        ->type_name("FILE");
    verb->add_option("--chip", options->chip, "chip to show; list: the known chips")
        ->type_name(
            "NAME:{list,stm32n6,stm32f746,stm32h743,stm32h7a3,stm32l475,stm32l476,stm32l4r5,"
            "stm32u575,stm32u585}")
        ->capture_default_str();
    verb->add_flag("--all", options->all, "also show clocks, peripherals and interrupts");
    verb->add_flag("--json", options->json, "write JSON (n6vp.map/1)");
    verb->footer(
        "Examples:\n"
        "  n6vp map                                  every memory: both aliases, port, clock, "
        "access\n"
        "  n6vp map 0x34210000 0x580e0100            which memory or peripheral is that?\n"
        "  n6vp map 0x341f0000:128K                  which banks does a buffer span?\n"
        "  n6vp map --chip l475 --all                memories, peripherals and interrupts of an "
        "older chip\n"
        "  n6vp map --mpool stm32n6_reloc.mpool      do the compiler's pools fit the chip?");
    verb->callback([options, &session] { run(*options, session); });
}

}  // namespace n6vp::sim::cli

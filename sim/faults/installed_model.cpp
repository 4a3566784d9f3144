// SPDX-License-Identifier: Apache-2.0
#include "sim/faults/installed_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "sim/host/errors.h"
#include "sim/model_file/ec_scan.h"
#include "traces/escape.h"

namespace n6vp::sim::fault_report {

namespace {

namespace format = loader::format;
namespace context_offset = loader::context_offset;
using report::LinkRow;

/// Words that are looked at: a hostile header may claim any number of them.
constexpr std::size_t kMaxRows = 1u << 16, kMaxContexts = 1000;
/// A function of which only the start is known is not longer, assumed.
constexpr std::uint32_t kMaxFunction = 0x4000;

[[nodiscard]] std::string range_text(std::uint32_t start, std::uint32_t bytes) {
    return fmt::format("0x{:08x} to 0x{:08x}", start, start + (bytes == 0 ? 0 : bytes - 1));
}

/// Calls `visit` for the rows of the file until it returns false.
template <typename Visit>
void for_each_row(const report::ModelImage& image, Visit visit) {
    std::size_t left = kMaxRows;
    for (const bool is_got : {true, false}) {
        for (std::uint32_t index = 0; left != 0; ++index, --left) {
            const std::optional<LinkRow> row = report::link_row(image, is_got, index);
            if (!row) break;
            visit(*row);
        }
    }
}

[[nodiscard]] ModelFiles files_of(const ModelPlace& place, std::vector<std::uint8_t> file) {
    ModelFiles files;
    files.file_path = place.name;
    files.file = std::move(file);
    return files;
}

}  // namespace

std::unique_ptr<InstalledModel> InstalledModel::find(Platform& platform, const ModelPlace& place,
                                                     report::SymbolTable symbols) {
    std::vector<std::uint8_t> file(place.bytes);
    if (!platform.fetch(GuestAddr{place.address}, file)) return nullptr;
    try {
        std::unique_ptr<InstalledModel> model(
            new InstalledModel(platform, place, std::move(file), std::move(symbols)));
        if (!model->image_.opened() || !model->locate(place.address)) return nullptr;
        model->infer_parameter_bases(place.address);
        model->collect_functions();
        return model;
    } catch (const UserError&) {
        return nullptr;  // no container at all
    }
}

InstalledModel::InstalledModel(Platform& platform, const ModelPlace& place,
                               std::vector<std::uint8_t> file, report::SymbolTable symbols)
    : platform_(platform),
      name_(place.name),
      image_(files_of(place, std::move(file))),
      facts_(report::gather(image_)),
      words_(image_, facts_, std::move(symbols)) {}

bool InstalledModel::locate(std::uint32_t file_address) {
    constexpr std::uint32_t kPage = models::BackingStore::kPageBytes;
    std::array<std::uint8_t, kPage> page{};
    std::array<std::uint8_t, 4> wanted{};
    std::size_t left = kMaxContexts;
    std::memcpy(wanted.data(), &file_address, wanted.size());
    for (unsigned target = 0; target < platform_.memories().size(); ++target) {
        const Platform::Memory& memory = platform_.memories()[target];
        if (memory.region->kind == memmap::RegionKind::Nor) continue;
        const models::BackingStore& contents = memory.model->contents();
        for (std::uint32_t at = 0; at < contents.bytes(); at += kPage) {
            if (!contents.known(at)) continue;
            const std::uint32_t count = std::min(kPage, contents.bytes() - at);
            contents.read(at, page.data(), count);
            for (std::uint32_t i = 0; i + 4 <= count; i += 4) {
                if (std::memcmp(&page[i], wanted.data(), wanted.size()) != 0) continue;
                if (left-- == 0) return false;
                for (const std::uint32_t address : platform_.bus().addresses_of(target, at + i)) {
                    const std::uint32_t context = address - context_offset::kFileAddr;
                    if (context_at(context, file_address)) return true;
                }
            }
        }
    }
    return false;
}

bool InstalledModel::context_at(std::uint32_t address, std::uint32_t file_address) {
    const auto field = [&](std::uint32_t offset) { return word(address + offset).value_or(0); };
    const std::uint32_t ram = field(context_offset::kRamAddr);
    const std::uint32_t rom = field(context_offset::kRomAddr);
    if (ram + format::link_offset(image_.header().context()) != address) return false;
    // What is left of an earlier install elsewhere is no instance: its state is cleared first.
    if ((field(context_offset::kState) & format::kStateInitialized) == 0) return false;
    const bool xip = rom == file_address;
    if (!xip && !word(rom)) return false;
    bases_.ram_base = GuestAddr{ram};
    bases_.ro_base = GuestAddr{rom};
    return true;
}

void InstalledModel::infer_parameter_bases(std::uint32_t file_address) {
    std::array<std::map<std::uint32_t, unsigned>, 2> votes;
    for_each_row(image_, [&](const LinkRow& row) {
        const bool param0 = row.value && format::in_space(*row.value, format::Space::Param0);
        const bool param1 = row.value && format::in_space(*row.value, format::Space::Param1);
        std::uint32_t at = 0;
        if ((!param0 && !param1) || !bases_.resolve(row.target, at)) return;
        if (const auto now = word(at)) ++votes[param1][*now - format::link_offset(*row.value)];
    });
    const auto most = [](const auto& counted, std::uint32_t otherwise) {
        const auto best = std::max_element(
            counted.begin(), counted.end(),
            [](const auto& one, const auto& other) { return one.second < other.second; });
        return GuestAddr{best == counted.end() ? otherwise : best->first};
    };
    bases_.param0 = most(votes[0], file_address + image_.header().params_offset);
    bases_.param1 = most(votes[1], 0);
}

void InstalledModel::collect_functions() {
    const auto add = [this](std::uint32_t link_address, const std::string& name) {
        const std::uint32_t offset = format::link_offset(link_address) & ~1u;
        if (offset < image_.header().ro_bytes()) functions_.try_emplace(offset, name);
    };
    for (const auto& [address, name] : words_.symbols()) {
        if (format::in_space(address, format::Space::Flash)) add(address, name);
    }
    if (!functions_.empty()) return;
    const std::vector<std::string_view> names =
        report::built_entry_names(image_.header().header_bytes);
    for (std::size_t i = 0; i < names.size(); ++i) {
        const std::uint32_t entry = image_.header().vector[i];
        if (format::in_space(entry, format::Space::Flash)) {
            add(entry, fmt::format("entry {}", names[i]));
        }
    }
    for_each_row(image_, [&](const LinkRow& row) {
        const bool code = row.value && (*row.value & 1) != 0 &&
                          format::in_space(*row.value, format::Space::Flash);
        if (!code) return;
        add(*row.value,
            fmt::format("function of {} {}", row.is_got ? "GOT word" : "relocation", row.index));
    });
}

std::optional<std::uint32_t> InstalledModel::word(std::uint32_t address) const {
    std::array<std::uint8_t, 4> bytes{};
    if (!platform_.core_view().fetch(address, bytes)) return std::nullopt;
    return format::load_word(bytes.data());
}

AddressRange InstalledModel::read_only() const {
    return {bases_.ro_base, image_.header().ro_bytes()};
}
AddressRange InstalledModel::ram() const {
    return {bases_.ram_base, image_.header().rw_bytes()};
}
std::uint32_t InstalledModel::exec_bytes() const {
    const bool copied = to_word(bases_.ro_base) + format::align8(image_.header().ro_bytes()) ==
                        to_word(bases_.ram_base);
    return image_.header().exec_bytes(copied);
}

std::map<std::uint32_t, std::string>::const_iterator InstalledModel::function_of(
    std::uint32_t offset) const {
    auto above = functions_.upper_bound(offset);
    if (above == functions_.begin()) return functions_.end();
    --above;
    return offset - above->first < kMaxFunction ? above : functions_.end();
}

std::string InstalledModel::function(std::uint32_t address) const {
    const std::uint32_t offset = (address & ~1u) - to_word(bases_.ro_base);
    if (offset >= image_.header().ro_bytes()) return "";
    std::string inside = fmt::format("model+0x{:x}", offset);
    const auto found = function_of(offset);
    if (found == functions_.end()) return inside;
    return fmt::format("{}+0x{:x} ({})", traces::terminal_text(found->second),
                       offset - found->first, inside);
}

std::optional<std::uint32_t> InstalledModel::function_start(std::uint32_t address) const {
    const std::uint32_t offset = (address & ~1u) - to_word(bases_.ro_base);
    if (offset >= image_.header().ro_bytes()) return std::nullopt;
    const auto found = function_of(offset);
    if (found == functions_.end()) return std::nullopt;
    return to_word(bases_.ro_base) + found->first;
}

std::string InstalledModel::part(std::uint32_t address) const {
    const std::uint32_t in_ram = address - to_word(bases_.ram_base);
    const std::uint32_t in_ro = address - to_word(bases_.ro_base);
    if (in_ram < image_.header().rw_bytes()) {
        return words_.meaning(format::kRamBase + in_ram) + " of the model";
    }
    if (in_ro < image_.header().ro_bytes()) {
        return words_.meaning(format::kFlashBase + in_ro) + " of the model";
    }
    return "";
}

std::string InstalledModel::pool(std::uint32_t address) const {
    for (const report::PoolRow& row : facts_.pools) {
        if (row.pool.terminates()) break;
        std::uint32_t start = row.pool.dst;
        if (row.pool.flags.type() == format::PoolType::Reloc) {
            const bool params = row.pool.flags.data() == format::PoolData::Param;
            start = to_word(params ? bases_.param0 : bases_.param1);
        }
        if (address - start >= row.pool.bytes) continue;
        return fmt::format("pool {} ({}), {}", row.index,
                           traces::terminal_text(row.name.value_or("?")),
                           range_text(start, row.pool.bytes));
    }
    return "";
}

std::optional<BlobOrigin> InstalledModel::blob_origin(std::uint32_t address,
                                                      std::uint32_t reach) const {
    const std::vector<std::uint8_t>& file = image_.files().file;
    const auto bytes = static_cast<std::uint32_t>(file.size());
    const EcScan scan = scan_ec(image_.header(), {file.data(), bytes}, {},
                                matching_profile(image_.container()).generation);
    std::vector<BlobPlace> places;
    for (const EcHit& hit : scan.hits) {
        BlobPlace place{hit.offset, {}};
        loader::Diagnosis ignored;
        if (!hit.container || hit.in_params_file || hit.offset >= bytes) continue;
        const loader::ec::Bytes rest{file.data() + hit.offset, bytes - hit.offset};
        const loader::Status status = loader::ec::open(rest, place.container, ignored);
        if (status == loader::Status::Ok) places.push_back(place);
    }
    return find_blob_origin(platform_, places, address, reach);
}

std::optional<Origin> InstalledModel::origin(std::uint32_t address, std::uint32_t reach) const {
    std::optional<Origin> best;
    for_each_row(image_, [&](LinkRow row) {
        std::uint32_t at = 0;
        if (!bases_.resolve(row.target, at)) return;
        const std::optional<std::uint32_t> now = word(at);
        // Pointers to code have bit 0 set.
        const std::uint32_t distance = now ? address - (*now & ~1u) : ~0u;
        if (!now || *now == 0 || distance > reach || (best && distance >= best->distance)) return;
        row.installed_target = at;
        std::uint32_t resolved = 0;
        if (row.value && bases_.resolve(*row.value, resolved)) row.installed_value = resolved;
        best = Origin{row, *now, distance, row.value ? words_.meaning(*row.value) : ""};
    });
    return best;
}

}  // namespace n6vp::sim::fault_report

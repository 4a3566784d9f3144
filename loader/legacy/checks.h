// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "loader/legacy/install.h"

/// Shared by the parts of `check`; not for users of the loader.
namespace n6vp::loader::legacy::checks {

/// One run of all checks: what is judged, what was found out on the way, and where findings go.
class Run {
  public:
    Run(const Container& container, FindingSink receiver, const Request* asked)
        : file(container), request(asked), sink_(receiver) {}

    const Container& file;
    const Request* request;  ///< null when only the file is judged

    /// Header words as offsets: those of RO, relocations and weights into the file, the others from
    /// the RAM base.
    std::uint32_t ro = 0, data_end = 0, got_start = 0, got_end = 0, copied = 0, rw = 0;
    std::uint32_t rel_start = 0, rel_end = 0, context_at = 0;
    bool bounds_ok = false;       ///< the bounds of RO, data, GOT and bss make sense
    bool relocations_ok = false;  ///< those and the bounds of the relocation table
    bool context_ok = false;
    Context context{};

    [[nodiscard]] const Header& header() const { return file.header(); }
    [[nodiscard]] bool stopped() const { return stopped_; }
    [[nodiscard]] std::uint32_t errors() const { return errors_; }
    [[nodiscard]] Status first_error() const { return first_error_; }

    /// Sets the place of the next findings; each part may be unknown.
    void go(std::uint32_t file_offset, std::uint32_t index = kNotApplicable,
            std::uint32_t address = kNotApplicable);
    void go_address(std::uint32_t address) { go(kNotApplicable, kNotApplicable, address); }
    void fault(Rule rule, std::uint32_t expected = kNotApplicable,
               std::uint32_t found = kNotApplicable);
    void fault(const Diagnosis& diagnosis);
    /// Report the rule at a file offset if the value is below or above a bound, or not a multiple.
    void require_least(Rule rule, std::uint32_t at, std::uint32_t least, std::uint32_t value);
    void require_most(Rule rule, std::uint32_t at, std::uint32_t most, std::uint32_t value);
    void require_multiple(Rule rule, std::uint32_t at, std::uint32_t of, std::uint32_t value);
    void require_equal(Rule rule, std::uint32_t at, std::uint32_t expected, std::uint32_t value);
    [[nodiscard]] std::uint32_t place() const { return place_; }
    [[nodiscard]] std::uint32_t index() const { return index_; }

  private:
    FindingSink sink_;
    Status first_error_ = Status::Ok;
    std::uint32_t errors_ = 0;
    bool stopped_ = false;  ///< the receiver wants no more
    std::uint32_t place_ = kNotApplicable, index_ = kNotApplicable, address_ = kNotApplicable;
};

void check_header(Run& run);
void check_context(Run& run);
void check_request(Run& run);
void check_image(Run& run);

}  // namespace n6vp::loader::legacy::checks

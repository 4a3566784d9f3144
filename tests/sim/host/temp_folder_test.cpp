// SPDX-License-Identifier: Apache-2.0
#include "sim/host/temp_folder.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <optional>
#include <string>

#include "sim/host/errors.h"
#include "tests/support/process.h"

using namespace n6vp::sim;
using n6vp::test::ScratchFolder;

namespace {

/// TMPDIR, put back afterwards.
class TemporaryPlace {
  public:
    explicit TemporaryPlace(const std::string& path) {
        if (const char* const old = std::getenv("TMPDIR")) old_ = old;
        setenv("TMPDIR", path.c_str(), 1);
    }
    ~TemporaryPlace() {
        if (old_) {
            setenv("TMPDIR", old_->c_str(), 1);
        } else {
            unsetenv("TMPDIR");
        }
    }
    TemporaryPlace(const TemporaryPlace&) = delete;
    TemporaryPlace& operator=(const TemporaryPlace&) = delete;

  private:
    std::optional<std::string> old_;
};

}  // namespace

TEST_CASE("a temporary folder lies in TMPDIR, is private and goes with its content") {
    const ScratchFolder place;
    const TemporaryPlace environment(place.path().string());
    {
        const TempFolder folder("test"), another("test");
        CHECK(folder.path().parent_path() == place.path());
        CHECK(folder.path() != another.path());
        struct stat status {};
        REQUIRE(::stat(folder.path().c_str(), &status) == 0);
        CHECK((status.st_mode & 0777) == 0700);
        folder.write("a", "text");
        CHECK(folder.read("a") == "text");
        CHECK(folder.read("none") == "");
        std::filesystem::create_directories(folder.path() / "b/c");
    }
    CHECK(std::filesystem::is_empty(place.path()));
}

TEST_CASE("TMPDIR that does not exist is named, with a remedy") {
    const TemporaryPlace environment("/nonexistent/place");
    try {
        const TempFolder folder("test");
        FAIL("it was made");
    } catch (const UserError& error) {
        CHECK(std::string(error.what()) ==
              "no temporary folder can be made in '/nonexistent/place': No such file or directory");
        CHECK(error.remedy() == "set TMPDIR to a folder where you may write");
        CHECK(error.exit_code() == 2);
    }
}

// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/emit/result_folder.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <map>
#include <string>

#include "sim/host/errors.h"
#include "tests/support/process.h"

using n6vp::sim::UserError;
using n6vp::sim::generate::ResultFolder;
using n6vp::test::read_text;
using n6vp::test::ScratchFolder;
namespace fs = std::filesystem;

namespace {

std::map<std::string, std::string> files_of(const fs::path& folder) {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        files[name] = entry.is_directory() ? "a folder" : read_text(entry.path().string());
    }
    return files;
}

}  // namespace

TEST_CASE("result folder: it is made with those above it, and nothing else stays there") {
    const ScratchFolder room;
    for (const char* const name : {"one", "some/folders/above", "some/slash/"}) {
        CAPTURE(name);
        const std::string folder = room.file(name);
        {
            ResultFolder result(folder);
            result.write("a", "first");
            result.write("b", "second");
            CHECK_FALSE(fs::exists(folder));
            result.commit({});
        }
        CHECK(files_of(folder) ==
              std::map<std::string, std::string>{{"a", "first"}, {"b", "second"}});
    }
    CHECK(files_of(room.file("some/folders")).size() == 1);
    CHECK(files_of(room.file("")).size() == 2);
}

TEST_CASE("result folder: what is not committed goes, what was there stays") {
    const ScratchFolder room;
    const std::string folder = room.file("out");
    fs::create_directory(folder);
    static_cast<void>(room.write("out/a", std::string("older")));
    static_cast<void>(room.write("out/other", std::string("mine")));
    {
        ResultFolder result(folder);
        result.write("a", "newer");
        CHECK(read_text(room.file("out/a")) == "older");
    }
    CHECK(files_of(folder) ==
          std::map<std::string, std::string>{{"a", "older"}, {"other", "mine"}});
    {
        ResultFolder result(room.file("none"));
        result.write("a", "x");
    }
    CHECK_FALSE(fs::exists(room.file("none")));
    CHECK(files_of(room.file("")).size() == 1);
}

TEST_CASE("result folder: files of older results go where they are named, the others stay") {
    const ScratchFolder room;
    const std::string folder = room.file("out");
    fs::create_directory(folder);
    for (const char* const name : {"a", "params", "report", "mine"})
        static_cast<void>(room.write(std::string("out/") + name, std::string("older")));
    {
        ResultFolder result(folder);
        result.write("a", "newer");
        result.write("report", "newer");
        result.commit({"params", "report", "absent"});
    }
    CHECK(files_of(folder) == std::map<std::string, std::string>{
                                  {"a", "newer"}, {"mine", "older"}, {"report", "newer"}});
}

TEST_CASE("result folder: a place that a folder has leaves all as it was") {
    const ScratchFolder room;
    const std::string folder = room.file("out");
    fs::create_directories(folder + "/b");
    static_cast<void>(room.write("out/a", std::string("older")));
    {
        ResultFolder result(folder);
        result.write("a", "newer");
        result.write("b", "newer");
        CHECK_THROWS_AS(result.commit({}), UserError);
    }
    CHECK(files_of(folder) ==
          std::map<std::string, std::string>{{"a", "older"}, {"b", "a folder"}});
    static_cast<void>(room.write("file", std::string("x")));
    CHECK_THROWS_AS(ResultFolder(room.file("file/out")), UserError);
}

TEST_CASE("result folder: a file in its place was taken for a failure of the disk") {
    const ScratchFolder room;
    const std::string file = room.write("file", std::string("x"));
    for (const std::string& place : {file, file + "/out/below"}) {
        try {
            n6vp::sim::generate::require_folder(place);
            FAIL("accepted");
        } catch (const UserError& error) {
            CHECK(error.what() == "-o: " + place + " is not a folder");
            CHECK(error.exit_code() == 2);
        }
    }
    n6vp::sim::generate::require_folder(room.file("new/below"));
    n6vp::sim::generate::require_folder(room.path());
}

// SPDX-License-Identifier: Apache-2.0
// What a simulated program may take of the host's disk, and where its names lead.
#include "sim/host/granted_folder.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "sim/host/errors.h"
#include "tests/support/process.h"

using namespace n6vp::sim;
using n6vp::test::ScratchFolder;

namespace {

struct Told {
    std::vector<std::string> texts;
    std::shared_ptr<FileBudget> budget;

    Told(std::uint64_t bytes, std::uint64_t files)
        : budget(std::make_shared<FileBudget>(bytes, files)) {
        budget->on_refusal = [this](const std::string& text) { texts.push_back(text); };
    }
};

std::string content(const std::string& path) {
    std::ifstream stream(path);
    return {std::istreambuf_iterator<char>(stream), {}};
}

const std::string kExceeds =
    "n6vp: the program exceeds the limits of the --files folder, 10 bytes and 2 new files: refused "
    "from here on\n      check the program for an endless write loop\n";

}  // namespace

TEST_CASE("a budget is taken to its last byte and file, and its end is told once") {
    Told told(10, 2);
    CHECK(told.budget->take_bytes(4));
    CHECK(told.budget->take_bytes(0));
    CHECK_FALSE(told.budget->take_bytes(7));
    CHECK(told.budget->take_bytes(6));
    CHECK(told.texts == std::vector<std::string>{kExceeds});
    CHECK_FALSE(told.budget->take_bytes(1));
    CHECK(told.budget->take_file());
    CHECK(told.budget->take_file());
    CHECK_FALSE(told.budget->take_file());
    CHECK(told.texts.size() == 1);
    Told files(10, 2);
    CHECK(files.budget->take_file());
    CHECK(files.budget->take_file());
    CHECK(files.texts.empty());
    CHECK_FALSE(files.budget->take_file());
    CHECK(files.texts == std::vector<std::string>{kExceeds});
    CHECK_FALSE(FileBudget(0, 0).take_bytes(1));  // nobody to be told
    CHECK(FileBudget(0, 0).take_bytes(0));
}

TEST_CASE("only a shortage of the host is told, and only the first") {
    for (const int error : {EACCES, ENOENT, EEXIST, EISDIR, EINTR, 0}) {
        Told told(10, 2);
        told.budget->report_shortage(error);
        CHECK(told.texts.empty());
    }
    const std::string opens = "n6vp: the host opens no further file for the program: ",
                      writes = "n6vp: the host writes no more for the program: ",
                      limit = "\n      raise the limit of open files (ulimit -n)\n",
                      space = "\n      check the free space of the disk\n",
                      larger = "\n      allow larger files: ulimit -f unlimited\n";
    struct Row {
        int error;
        std::string cause, remedy;
    };
    for (const Row& row :
         {Row{EMFILE, opens, limit}, Row{ENFILE, opens, limit}, Row{ENOSPC, writes, space},
          Row{EDQUOT, writes, space}, Row{EFBIG, writes, larger}}) {
        Told told(10, 2);
        told.budget->report_shortage(row.error);
        told.budget->report_shortage(row.error);
        CHECK(told.texts ==
              std::vector<std::string>{row.cause + std::strerror(row.error) + row.remedy});
        CHECK(told.budget->take_bytes(10));
    }
    Told refused(1, 1);
    CHECK_FALSE(refused.budget->take_bytes(2));
    refused.budget->report_shortage(ENOSPC);
    CHECK(refused.texts.size() == 1);
    FileBudget silent(1, 1);
    silent.report_shortage(ENOSPC);
}

TEST_CASE("a folder that is none is refused, none at all grants nothing") {
    const ScratchFolder scratch;
    const auto refusal = [](const std::string& path) -> std::string {
        try {
            const GrantedFolder folder(path, std::make_shared<FileBudget>());
        } catch (const UserError& error) {
            return std::string(error.what()) + " | " + error.remedy();
        }
        return "granted";
    };
    const std::string remedy = " | create it, or leave --files out: the program then gets no files";
    const std::string none = scratch.file("none");
    CHECK(refusal(none) == "--files " + none +
                               " is not a folder that can be opened: No such file or directory" +
                               remedy);
    const std::string file = scratch.write("file", std::vector<std::uint8_t>{1});
    CHECK(refusal(file) ==
          "--files " + file + " is not a folder that can be opened: Not a directory" + remedy);
    CHECK(refusal(scratch.path().string()) == "granted");
    const GrantedFolder nothing("", std::make_shared<FileBudget>());
    CHECK_FALSE(static_cast<bool>(nothing));
    errno = 0;
    CHECK(nothing.open("x", O_RDONLY) == -1);
    CHECK(errno == EACCES);
}

TEST_CASE("names lead to files below the folder and nowhere else") {
    const ScratchFolder scratch;
    std::filesystem::create_directories(scratch.path() / "in" / "deep");
    static_cast<void>(scratch.write("outside", std::vector<std::uint8_t>{'o'}));
    static_cast<void>(scratch.write("in/a", std::vector<std::uint8_t>{'a'}));
    static_cast<void>(scratch.write("in/deep/b", std::vector<std::uint8_t>{'b'}));
    std::filesystem::create_symlink(scratch.path() / "outside", scratch.path() / "in" / "link");
    std::filesystem::create_directory_symlink(scratch.path(), scratch.path() / "in" / "up");
    REQUIRE(::mkfifo(scratch.file("in/pipe").c_str(), 0600) == 0);
    const GrantedFolder folder(scratch.path() / "in", std::make_shared<FileBudget>());
    CHECK(static_cast<bool>(folder));
    const auto first_byte = [&](const std::string& name) -> std::string {
        const int descriptor = folder.open(name, O_RDONLY);
        if (descriptor < 0) return std::strerror(errno);
        char byte = 0;
        const bool read = ::read(descriptor, &byte, 1) == 1;
        ::close(descriptor);
        return read ? std::string(1, byte) : "empty";
    };
    const std::string denied = std::strerror(EACCES);
    CHECK(first_byte("a") == "a");
    CHECK(first_byte("deep/b") == "b");
    CHECK(first_byte("./a") == "a");
    CHECK(first_byte("deep/./b") == "b");
    CHECK(first_byte("deep//b") == "b");
    CHECK(first_byte("") == denied);
    CHECK(first_byte("/etc/passwd") == denied);
    CHECK(first_byte("../outside") == denied);
    CHECK(first_byte("deep/../a") == denied);
    CHECK(first_byte("..") == denied);
    CHECK(first_byte(std::string("a\0b", 3)) == denied);
    CHECK(first_byte("a\x1b[2J") == denied);
    CHECK(first_byte("link") == std::strerror(ELOOP));
    CHECK(first_byte("up/outside") != "o");
    CHECK(first_byte("deep") == denied);
    CHECK(first_byte("pipe") == denied);
    CHECK(first_byte("none") == std::strerror(ENOENT));
    CHECK(first_byte("none/a") == std::strerror(ENOENT));
    CHECK(first_byte("a/b") == std::strerror(ENOTDIR));
    std::string last;
    const int parent = folder.parent_of("deep/new", last);
    CHECK(parent >= 0);
    CHECK(last == "new");
    ::close(parent);
}

TEST_CASE("new files and bytes count, those that are there already do not") {
    const ScratchFolder scratch;
    static_cast<void>(scratch.write("old", std::vector<std::uint8_t>{'o', 'l', 'd'}));
    Told told(10, 2);
    const GrantedFolder folder(scratch.path(), told.budget);
    const auto write = [&](const std::string& name, const std::string& text, int flags,
                           off_t at = -1) -> std::string {
        const int descriptor = folder.open(name, flags);
        if (descriptor < 0) return std::strerror(errno);
        if (at >= 0) CHECK(::lseek(descriptor, at, SEEK_SET) == at);
        const std::vector<std::uint8_t> bytes(text.begin(), text.end());
        errno = 0;
        const std::size_t done = folder.write(descriptor, bytes);
        const int error = errno;
        ::close(descriptor);
        return done == bytes.size() ? "done" : std::strerror(error);
    };
    const std::string over = std::strerror(EDQUOT);
    CHECK(write("old", "new", O_WRONLY) == "done");  // 3
    CHECK(write("one", "", O_WRONLY | O_CREAT) == "done");
    CHECK(write("one", "12", O_WRONLY | O_CREAT | O_APPEND) == "done");  // 5
    CHECK(write("two", "1", O_WRONLY | O_CREAT, 3) == "done");           // 9: a gap of three bytes
    CHECK(write("none", "1", O_WRONLY) == std::strerror(ENOENT));
    CHECK(told.texts.empty());
    CHECK(write("three", "1", O_WRONLY | O_CREAT) == over);
    CHECK(told.texts == std::vector<std::string>{kExceeds});
    CHECK(write("one", "34", O_WRONLY | O_APPEND) == over);
    CHECK(write("one", "3", O_WRONLY | O_APPEND) == "done");  // 10
    CHECK(write("one", "4", O_WRONLY | O_APPEND) == over);
    CHECK(write("one", "", O_WRONLY | O_APPEND) == "done");
    CHECK(content(scratch.file("old")) == "new");
    CHECK(content(scratch.file("one")) == "123");
    CHECK(content(scratch.file("two")) == std::string("\0\0\0"
                                                      "1",
                                                      4));
    CHECK_FALSE(std::filesystem::exists(scratch.path() / "three"));
    CHECK(told.texts.size() == 1);
    // A file that is only read takes nothing.
    const int reader = folder.open("old", O_RDONLY);
    REQUIRE(reader >= 0);
    CHECK(folder.write(reader, std::vector<std::uint8_t>{1}) == 0);
    CHECK(errno == EBADF);
    ::close(reader);
}

// SPDX-License-Identifier: Apache-2.0
// Places of the console on the host: file, standard output, pseudo terminal, TCP.
#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>

#include "sim/console/console_backends.h"
#include "sim/console/console_pending.h"
#include "sim/host/console_text.h"
#include "sim/host/errors.h"
#include "tests/support/process.h"

using namespace n6vp::sim;
using n6vp::test::read_text;
using n6vp::test::ScratchFolder;

namespace {

std::span<const std::uint8_t> bytes_of(const std::string& text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

/// Returns the error line of an opening that must fail, with the remedy behind it.
std::string refusal(const std::string& text) {
    try {
        static_cast<void>(open_console(text));
    } catch (const UserError& error) {
        CHECK(error.exit_code() == 2);
        CHECK_FALSE(error.remedy().empty());
        std::string cause = error.what();
        CHECK(cause.find('\n') == std::string::npos);
        return cause;
    }
    return "opened";
}

/// A client of a descriptor: reads until `bytes` came or two seconds passed.
std::string read_some(int descriptor, std::size_t bytes) {
    std::string text;
    std::array<char, 65536> piece{};
    pollfd ready{descriptor, POLLIN, 0};
    while (text.size() < bytes && ::poll(&ready, 1, 2000) > 0) {
        const ssize_t count = ::read(descriptor, piece.data(), piece.size());
        if (count <= 0) break;
        text.append(piece.data(), static_cast<std::size_t>(count));
    }
    return text;
}

/// Asks the back end until `bytes` came or two seconds passed.
std::string take_some(ConsoleBackend& console, std::size_t bytes) {
    std::string text;
    std::array<std::uint8_t, 16> room{};
    for (int i = 0; i < 2000 && text.size() < bytes; ++i) {
        const std::size_t count = console.take(room);
        text.append(room.begin(), room.begin() + static_cast<std::ptrdiff_t>(count));
        if (count == 0) ::usleep(1000);
    }
    return text;
}

int connect_to(const ConsoleBackend& console) {
    const std::string place = console.place();
    const int port = std::stoi(place.substr(place.rfind(':') + 1));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int client = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    REQUIRE(::connect(client, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
    return client;
}

void send_text(int client, const std::string& text) {
    REQUIRE(::write(client, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
}

}  // namespace

TEST_CASE("console: a file holds every byte as it was, complete lines at once") {
    const ScratchFolder folder;
    const std::string path = folder.file("console.log");
    {
        const auto console = open_console("file:" + path);
        CHECK(console->place() == "file " + path);
        CHECK_FALSE(console->has_input());
        console->put(bytes_of("line 1\npart"));
        CHECK(read_text(path) == "line 1\npart");
        console->put(bytes_of(std::string(" \x1b[2J\0", 6)));
        console->finish();
        CHECK(console->dropped() == 0);
    }
    CHECK(read_text(path) == std::string("line 1\npart \x1b[2J\0", 17));
}

TEST_CASE("console: bad places are one line of cause and one of remedy") {
    const ScratchFolder folder;
    CHECK(refusal("file:" + folder.file("no/such/folder/x")).find("No such file") !=
          std::string::npos);
    CHECK(refusal("file:" + folder.file("")).find("Is a directory") != std::string::npos);
    CHECK(refusal("file:").find("names no file") != std::string::npos);
    CHECK(refusal("tcp:").find("is not a port") != std::string::npos);
    CHECK(refusal("tcp:65536").find("is not a port") != std::string::npos);
    CHECK(refusal("tcp:12x").find("is not a port") != std::string::npos);
    CHECK(refusal("tcp:-1").find("is not a port") != std::string::npos);
    CHECK(refusal("serial").find("is not a console") != std::string::npos);
    const std::string hostile = refusal("x\x1b[31m\ny");
    CHECK(hostile.find("\\x1b[31m\\x0ay") != std::string::npos);
}

TEST_CASE("console: a pipe without a reader is an error, not a hang") {
    const ScratchFolder folder;
    const std::string path = folder.file("pipe");
    REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
    CHECK(refusal("file:" + path).find("cannot write the console") != std::string::npos);
}

TEST_CASE("console: a full disk is reported with a remedy") {
    if (::access("/dev/full", W_OK) != 0) return;
    const auto console = open_console("file:/dev/full");
    CHECK_THROWS_AS(console->put(bytes_of("text\n")), UserError);
}

TEST_CASE("console: text for a terminal cannot control it") {
    CHECK(console_text("plain\ttext\r\n") == "plain\ttext\r\n");
    CHECK(console_text("C:\\path\n") == "C:\\path\n");
    CHECK(console_text("\x1b[31mred\x07") == "\\x1b[31mred\\x07");
    CHECK(console_text("Gr\xc3\xbc\xc3\x9f") == "Gr\xc3\xbc\xc3\x9f");
    CHECK(console_text("\xff") == "\\xff");
    CHECK(console_text("").empty());
}

TEST_CASE("console: characters that come byte by byte stay whole, controls are escaped") {
    std::ostringstream out;
    ConsoleText text(&out);
    for (const char byte : std::string("\xc3\xbc\x1b[2J\xe2\x82")) text.put({&byte, 1});
    CHECK(out.str() == "\xc3\xbc\\x1b[2J");
    text.finish();
    CHECK(out.str() == "\xc3\xbc\\x1b[2J\\xe2\\x82");
}

TEST_CASE("console: a carriage return alone does not write over its line") {
    CHECK(console_text("refused\rinstalled\n") == "refused\\x0dinstalled\n");
    CHECK(console_text("a\r\r\nb\r") == "a\\x0d\r\nb\\x0d");
    std::ostringstream out;
    ConsoleText text(&out);
    for (const char byte : std::string("one\r\ntwo\rthree\r")) text.put({&byte, 1});
    CHECK(out.str() == "one\r\ntwo\\x0dthree");
    text.finish();
    CHECK(out.str() == "one\r\ntwo\\x0dthree\\x0d");
}

TEST_CASE("console: what nobody takes is kept up to a limit, then the oldest goes") {
    PendingBytes pending(10);
    pending.add(bytes_of("0123456789"));
    CHECK(pending.dropped() == 0);
    pending.add(bytes_of("abc"));
    CHECK(pending.dropped() == 3);
    CHECK(std::string(pending.view().begin(), pending.view().end()) == "3456789abc");
    pending.remove(4);
    CHECK(std::string(pending.view().begin(), pending.view().end()) == "789abc");
    pending.add(bytes_of("the whole is longer than that"));
    CHECK(pending.size() == 10);
    CHECK(std::string(pending.view().begin(), pending.view().end()) == " than that");
}

TEST_CASE("console: TCP round trip, both ways, with partial writes") {
    const auto console = open_console("tcp:0");
    CHECK(console->has_input());
    CHECK(console->place().starts_with("tcp 127.0.0.1:"));
    const int client = connect_to(*console);
    send_text(client, "typed by hand, longer than one piece\n");
    CHECK(take_some(*console, 37) == "typed by hand, longer than one piece\n");
    // More than socket buffers hold: nothing blocks, nothing is lost while it fits the limit.
    std::string much(900'000, '.');
    for (std::size_t i = 0; i < much.size(); i += 100)
        much[i] = static_cast<char>('a' + i / 100 % 26);
    console->put(bytes_of(much));
    std::string got;
    for (int i = 0; i < 1000 && got.size() < much.size(); ++i) {
        console->flush();
        got += read_some(client, 1);
    }
    CHECK(got == much);
    CHECK(console->dropped() == 0);
    ::close(client);
}

TEST_CASE("console: the boot banner is replayed to a TCP client that connects later") {
    const auto console = open_console("tcp:0");
    CHECK(console->for_clients());
    console->put(bytes_of("boot banner\n"));
    console->flush();
    CHECK(console->dropped() == 12);
    int client = connect_to(*console);
    console->put(bytes_of("answer\n"));
    console->flush();
    CHECK(read_some(client, 7) == "answer\n");
    ::close(client);
    std::array<std::uint8_t, 4> room{};
    for (int i = 0; i < 100; ++i) {  // notices that the client left
        console->put(bytes_of("."));
        console->flush();
        static_cast<void>(console->take(room));
        ::usleep(1000);
    }
    client = connect_to(*console);
    console->put(bytes_of("next"));
    console->flush();
    CHECK(read_some(client, 4) == "next");
    ::close(client);
}

TEST_CASE("console: the boot banner is replayed to a client that opens the pty later") {
    const auto console = open_console("pty");
    CHECK(console->for_clients());
    const std::string name = console->place().substr(4);
    console->put(bytes_of("boot banner\n"));
    console->flush();
    CHECK(console->dropped() == 12);
    int client = ::open(name.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC);
    REQUIRE(client >= 0);
    console->put(bytes_of("answer\n"));
    console->flush();
    CHECK(read_some(client, 7) == "answer\n");
    // What this client leaves behind is not for the next one.
    console->put(bytes_of("unread"));
    console->flush();
    ::close(client);
    console->put(bytes_of("nobody"));
    console->flush();
    client = ::open(name.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC);
    REQUIRE(client >= 0);
    console->put(bytes_of("next\r\n"));
    console->flush();
    CHECK(read_some(client, 6) == "next\r\n");  // raw, as for the first
    ::close(client);
}

TEST_CASE("console: what a client types before it leaves is read") {
    const auto console = open_console("pty");
    const std::string name = console->place().substr(4);
    const int client = ::open(name.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC);
    REQUIRE(client >= 0);
    send_text(client, "run\n");
    ::close(client);
    CHECK(take_some(*console, 4) == "run\n");
}

TEST_CASE("console: a pty client that types and leaves at once counts, until its bytes are read") {
    const auto console = open_console("pty");
    CHECK_FALSE(console->has_client());
    const std::string name = console->place().substr(4);
    const int client = ::open(name.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC);
    REQUIRE(client >= 0);
    send_text(client, "run\n");
    ::close(client);
    CHECK(take_some(*console, 4) == "run\n");
    CHECK(console->has_client());
    std::array<std::uint8_t, 4> room{};
    CHECK(console->take(room) == 0);
    CHECK_FALSE(console->has_client());
}

TEST_CASE("console: a TCP client may leave and come back") {
    const auto console = open_console("tcp:0");
    int client = connect_to(*console);
    send_text(client, "a");
    CHECK(take_some(*console, 1) == "a");
    ::close(client);
    std::array<std::uint8_t, 4> room{};
    for (int i = 0; i < 100; ++i) {  // notices that the client left
        CHECK(console->take(room) == 0);
        ::usleep(1000);
    }
    client = connect_to(*console);
    send_text(client, "b");
    CHECK(take_some(*console, 1) == "b");
    console->put(bytes_of("still here"));
    console->flush();
    CHECK(read_some(client, 10) == "still here");
    ::close(client);
}

TEST_CASE("console: a TCP client that sends no more still gets the output") {
    const auto console = open_console("tcp:0");
    const int client = connect_to(*console);
    send_text(client, "run\n");
    ::shutdown(client, SHUT_WR);
    CHECK(take_some(*console, 4) == "run\n");
    for (int i = 0; i < 50; ++i) {
        std::array<std::uint8_t, 4> room{};
        static_cast<void>(console->take(room));
        ::usleep(1000);
    }
    console->put(bytes_of("answer\n"));
    console->finish();
    CHECK(read_some(client, 100) == "answer\n");  // and then the end
    ::close(client);
}

TEST_CASE(
    "console: a TCP client is one although its descriptor is that of a closed standard input") {
    auto console = open_console("tcp:0");
    const int client = connect_to(*console);
    send_text(client, "in");
    const int kept = ::dup(STDIN_FILENO);
    ::close(STDIN_FILENO);
    console->put(bytes_of("out"));
    CHECK(console->has_client());
    console->flush();
    CHECK(read_some(client, 3) == "out");
    CHECK(console->dropped() == 0);
    CHECK(take_some(*console, 2) == "in");
    console.reset();
    CHECK(read_some(client, 1).empty());
    if (kept >= 0) {
        ::dup2(kept, STDIN_FILENO);
        ::close(kept);
    }
    ::close(client);
}

TEST_CASE("console: writing to a TCP client that vanished is no signal and no error") {
    const auto console = open_console("tcp:0");
    const int client = connect_to(*console);
    console->flush();
    const linger abort{1, 0};
    REQUIRE(::setsockopt(client, SOL_SOCKET, SO_LINGER, &abort, sizeof abort) == 0);
    ::close(client);
    for (int i = 0; i < 20; ++i) {
        console->put(bytes_of("into the void\n"));
        console->flush();
        ::usleep(1000);
    }
    const int next = connect_to(*console);
    console->put(bytes_of("end"));
    std::string got;
    for (int i = 0; i < 100 && !got.ends_with("end"); ++i) {
        console->flush();
        got += read_some(next, 1);
    }
    CHECK(got.ends_with("end"));
    ::close(next);
}

TEST_CASE("console: a port in use names the port and a way out") {
    const auto first = open_console("tcp:0");
    const std::string place = first->place();
    const std::string port = place.substr(place.rfind(':') + 1);
    CHECK(refusal("tcp:" + port) == "port " + port + " is in use");
}

TEST_CASE("console: a port is free again as soon as the console is gone") {
    auto first = open_console("tcp:0");
    const std::string place = first->place();
    const std::string port = place.substr(place.rfind(':') + 1);
    const int client = connect_to(*first);
    first->put(bytes_of("x"));
    first->finish();
    first.reset();
    CHECK(read_some(client, 10) == "x");
    CHECK(open_console("tcp:" + port)->place() == place);
    ::close(client);
}

TEST_CASE("console: pseudo terminal round trip, raw, with clients that come and go") {
    const auto console = open_console("pty");
    REQUIRE(console->place().starts_with("pty /dev/"));
    const std::string name = console->place().substr(4);
    int client = ::open(name.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC);
    REQUIRE(client >= 0);
    console->put(bytes_of("early\n"));
    console->flush();
    CHECK(read_some(client, 6) == "early\n");  // no carriage return was added
    send_text(client, "ok\x03\x04\r");         // Ctrl-C, Ctrl-D and return are bytes like others
    CHECK(take_some(*console, 5) == "ok\x03\x04\r");
    CHECK(take_some(*console, 1).empty());  // no echo
    ::close(client);
    client = ::open(name.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC);
    REQUIRE(client >= 0);
    console->put(bytes_of("again"));
    console->flush();
    CHECK(read_some(client, 5) == "again");
    ::close(client);
}

TEST_CASE("console: standard output is escaped on a terminal, characters in pieces stay whole") {
    const int master = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    REQUIRE(master >= 0);
    REQUIRE(::grantpt(master) == 0);
    REQUIRE(::unlockpt(master) == 0);
    std::array<char, 128> name{};
    REQUIRE(::ptsname_r(master, name.data(), name.size()) == 0);
    const int terminal = ::open(name.data(), O_RDWR | O_NOCTTY | O_CLOEXEC);
    REQUIRE(terminal >= 0);
    termios settings{};
    REQUIRE(::tcgetattr(terminal, &settings) == 0);
    ::cfmakeraw(&settings);
    REQUIRE(::tcsetattr(terminal, TCSANOW, &settings) == 0);
    std::fflush(stdout);
    const int before = ::dup(STDOUT_FILENO);
    ::dup2(terminal, STDOUT_FILENO);
    {
        const auto console = open_console("stdout");
        console->put(bytes_of("\x1b[2J Gr\xc3"));
        console->flush();
        console->put(bytes_of("\xbc\xc3\x9f\n\xe2\x82"));
        console->finish();
    }
    ::dup2(before, STDOUT_FILENO);
    ::close(before);
    const std::string expected = "\\x1b[2J Gr\xc3\xbc\xc3\x9f\n\\xe2\\x82";
    CHECK(read_some(master, expected.size()) == expected);
    ::close(terminal);
    ::close(master);
}

TEST_CASE("console: a pseudo terminal that nobody reads does not block the run") {
    const auto console = open_console("pty");
    const std::string name = console->place().substr(4);
    const int client = ::open(name.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC);
    REQUIRE(client >= 0);
    const std::string much(3 * ConsoleBackend::kMaxKept, 'x');
    console->put(bytes_of(much));
    console->flush();
    CHECK(console->dropped() == 2 * ConsoleBackend::kMaxKept);
    ::close(client);
}

TEST_CASE("console: the pseudo terminal is gone with the console") {
    auto console = open_console("pty");
    const std::string name = console->place().substr(4);
    const int client = ::open(name.c_str(), O_RDWR | O_NOCTTY);
    REQUIRE(client >= 0);
    CHECK(::write(client, "x", 1) == 1);
    console.reset();
    // Another process may have a new pseudo terminal of that name; this one is gone.
    CHECK(::write(client, "x", 1) == -1);
    ::close(client);
}

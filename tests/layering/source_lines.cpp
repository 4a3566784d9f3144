// SPDX-License-Identifier: Apache-2.0
#include "tests/layering/source_lines.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

namespace n6vp::tests {

namespace fs = std::filesystem;

bool is_source(const fs::path& path) {
    static const std::set<std::string> endings = {".h", ".hpp", ".c", ".cpp"};
    return endings.count(path.extension().string()) != 0;
}

Include parse_include(const std::string& text) {
    const std::size_t hash = text.find_first_not_of(" \t");
    if (hash == std::string::npos || text[hash] != '#') return {};
    const std::size_t word = text.find_first_not_of(" \t", hash + 1);
    if (word == std::string::npos || text.compare(word, 7, "include") != 0) return {};
    const std::size_t open = text.find_first_of("<\"", word + 7);
    if (open == std::string::npos) return {};
    const std::size_t close = text.find(text[open] == '<' ? '>' : '"', open + 1);
    if (close == std::string::npos) return {};
    return {"", 0, text.substr(open + 1, close - open - 1), text[open] == '<'};
}

std::vector<Include> includes_below(const fs::path& root, std::string_view folder) {
    std::vector<Include> found;
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
        if (!entry.is_regular_file() || !is_source(entry.path())) continue;
        std::ifstream file(entry.path());
        int line = 0;
        for (std::string text; std::getline(file, text);) {
            ++line;
            Include include = parse_include(text);
            if (include.target.empty()) continue;
            include.file = fs::relative(entry.path(), root).generic_string();
            include.line = line;
            found.push_back(include);
        }
    }
    return found;
}

std::vector<CMakeList> cmake_lists(const fs::path& root) {
    std::vector<CMakeList> lists;
    for (const std::string_view folder : kChain) {
        for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
            if (entry.path().filename() != "CMakeLists.txt") continue;
            std::ifstream file(entry.path());
            lists.push_back({fs::relative(entry.path().parent_path(), root).generic_string(),
                             {std::istreambuf_iterator<char>(file), {}}});
        }
    }
    return lists;
}

namespace {

/// Returns the text with blanks in place of comments, so that lines keep their numbers.
std::string without_comments(std::string text) {
    for (std::size_t at = text.find('#'); at != std::string::npos; at = text.find('#', at)) {
        for (; at < text.size() && text[at] != '\n'; ++at) text[at] = ' ';
    }
    return text;
}

int line_at(const std::string& text, std::size_t offset) {
    return 1 + static_cast<int>(std::count(
                   text.begin(), text.begin() + static_cast<std::ptrdiff_t>(offset), '\n'));
}

}  // namespace

std::map<std::string, std::string> target_folders(const std::vector<CMakeList>& lists) {
    static const std::regex kAdded(
        R"(add_(?:library|executable)\s*\(\s*([A-Za-z0-9_]+)(?![A-Za-z0-9_:]))");
    std::map<std::string, std::string> folders;
    for (const CMakeList& list : lists) {
        const std::string text = without_comments(list.text);
        for (std::sregex_iterator at(text.begin(), text.end(), kAdded), end; at != end; ++at) {
            folders[(*at)[1]] = list.folder;
        }
    }
    return folders;
}

std::vector<Edge> link_edges(const std::vector<CMakeList>& lists,
                             const std::map<std::string, std::string>& folders) {
    static const std::regex kLinks(R"(target_link_libraries\s*\(\s*([A-Za-z0-9_]+)([^)]*)\))");
    static const std::regex kName(R"((n6vp::)?([A-Za-z0-9_]+))");
    std::vector<Edge> edges;
    for (const CMakeList& list : lists) {
        const std::string text = without_comments(list.text);
        for (std::sregex_iterator at(text.begin(), text.end(), kLinks), end; at != end; ++at) {
            const auto user = folders.find((*at)[1]);
            if (user == folders.end()) continue;
            const std::string names = (*at)[2];
            const int line = line_at(text, static_cast<std::size_t>(at->position()));
            for (std::sregex_iterator name(names.begin(), names.end(), kName); name != end;
                 ++name) {
                // Aliases are n6vp::NAME for the target n6vp_NAME.
                const std::string space = (*name)[1].matched ? "n6vp_" : "";
                const auto used = folders.find(space + (*name)[2].str());
                if (used == folders.end() || used->second == user->second) continue;
                edges.push_back(
                    {user->second + "/CMakeLists.txt", line, used->second + "/CMakeLists.txt"});
            }
        }
    }
    return edges;
}

}  // namespace n6vp::tests

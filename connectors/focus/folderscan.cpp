// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/focus/folderscan.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "connectors/format/focus/focusvalues.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

namespace gpuledger::focus {

namespace {

namespace fs = std::filesystem;
using base::ErrorCode;
using base::fail;
using base::Result;

constexpr std::size_t kShownOfName = 512;
constexpr std::array<std::string_view, 4> kEndings{".csv", ".csv.gz", ".csv.zst", ".parquet"};

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// The name without its bill file extension.
std::string_view withoutEnding(std::string_view name)
{
    const std::string lower = lowerCase(name);
    for (const std::string_view ending : kEndings) {
        if (lower.ends_with(ending))
            return name.substr(0, name.size() - ending.size());
    }
    return name;
}

// The begin and end of the numbers after the word in "part-00001" or "part_0_0001".
std::optional<std::pair<std::size_t, std::size_t>> partNumbers(const std::string &lower)
{
    static constexpr std::string_view kWord = "part";
    for (std::size_t at = lower.find(kWord); at != std::string::npos; at = lower.find(kWord, at + 1)) {
        const std::size_t begin = at + kWord.size();
        std::size_t end = begin;
        for (std::size_t i = begin; i < lower.size();) {
            i += lower[i] == '-' || lower[i] == '_' ? 1 : 0;
            const std::size_t digits = i;
            while (i < lower.size() && isDigit(lower[i]))
                ++i;
            // Digits followed by letters are the id of a run, not a part number.
            if (i == digits || (i < lower.size() && isLetter(lower[i])))
                break;
            end = i;
        }
        if (end > begin && (at == 0 || !isLetter(lower[at - 1])))
            return std::pair(begin, end);
    }
    return std::nullopt;
}

bool passedOver(const std::string &name)
{
    return name.empty() || std::string_view("._~#").find(name.front()) != std::string_view::npos;
}

tl::unexpected<base::Error> cantScan(const fs::path &folder, const std::error_code &ec)
{
    const bool denied = ec == std::errc::permission_denied || ec == std::errc::operation_not_permitted;
    return fail(denied ? ErrorCode::Forbidden : ErrorCode::NotFound,
                base::printable(folder.string(), kShownOfName) + ": " + ec.message(),
                base::Remedy::CheckPathAndPermissions);
}

Result<std::vector<FoundFile>> allFiles(const fs::path &root, const std::stop_token &stop)
{
    std::vector<FoundFile> found;
    std::error_code ec;
    fs::recursive_directory_iterator at(root, ec), end;
    for (std::size_t entries = 1; !ec && at != end; at.increment(ec), ++entries) {
        if (stop.stop_requested())
            return fail(ErrorCode::Cancelled, "stopped");
        if (entries > kMostEntries || at.depth() > kMostDepth)
            return fail(ErrorCode::TooMuch,
                        base::printable(root.string(), kShownOfName) + " contains too many files or folders");
        const std::string name = at->path().filename().string();
        std::error_code ignored; // a file that has disappeared is not a bill
        const fs::file_status status = at->symlink_status(ignored);
        if (fs::is_directory(status) && passedOver(name))
            at.disable_recursion_pending();
        if (!fs::is_regular_file(status) || passedOver(name) || !isBillName(name))
            continue;
        if (const auto stamp = stampOf(at->path()))
            found.push_back({at->path(), *stamp});
    }
    if (ec)
        return cantScan(root, ec);
    return found;
}

std::int64_t newest(const FoundDelivery &delivery)
{
    std::int64_t time = delivery.files.front().stamp.modifiedNanos;
    for (const FoundFile &file : delivery.files)
        time = std::max(time, file.stamp.modifiedNanos);
    return time;
}

} // namespace

bool isBillName(std::string_view fileName)
{
    return withoutEnding(fileName).size() < fileName.size();
}

std::string exportName(std::string_view fileName)
{
    const std::string_view stem = withoutEnding(fileName);
    const std::string lower = lowerCase(stem);
    const std::string ending(fileName.substr(stem.size()));
    if (const auto part = partNumbers(lower))
        return std::string(stem.substr(0, part->first)) + '*' + std::string(stem.substr(part->second)) + ending;
    std::size_t digits = 0;
    while (digits < stem.size() && isDigit(stem[stem.size() - 1 - digits]))
        ++digits;
    const bool numbered = (digits == 5 || digits == 12) && digits < stem.size();
    const char before = numbered ? stem[stem.size() - 1 - digits] : ' ';
    if (before == '-' || before == '_')
        return std::string(stem.substr(0, stem.size() - digits)) + '*' + ending;
    return std::string(fileName);
}

Result<std::vector<FoundDelivery>> scanFolder(const fs::path &folder, const std::stop_token &stop)
{
    std::error_code ec;
    const fs::path root = fs::canonical(folder, ec);
    if (ec)
        return cantScan(folder, ec);
    auto files = allFiles(root, stop);
    GPULEDGER_TRY(files);
    std::sort(files->begin(), files->end(), [](const FoundFile &a, const FoundFile &b) { return a.path < b.path; });
    std::map<std::pair<std::string, std::string>, FoundDelivery> groups; // by folder and export name
    for (FoundFile &file : *files) {
        const std::pair key(file.path.parent_path().string(), exportName(file.path.filename().string()));
        groups[key].files.push_back(std::move(file));
    }
    std::vector<FoundDelivery> all;
    for (auto &[key, delivery] : groups)
        all.push_back(std::move(delivery));
    std::stable_sort(all.begin(), all.end(),
                     [](const FoundDelivery &a, const FoundDelivery &b) { return newest(a) < newest(b); });
    return all;
}

} // namespace gpuledger::focus

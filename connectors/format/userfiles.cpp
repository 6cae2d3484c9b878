// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/format/userfiles.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"

#include <algorithm>
#include <fstream>

namespace gpuledger::format {

using base::ErrorCode;
using base::Result;
namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t kMostUserBytes = 64u << 20; // of one file
constexpr std::size_t kMostUserFiles = 1'000;

std::string shownPath(const fs::path &path)
{
    return base::printable(path.string(), 256);
}

} // namespace

Result<std::vector<fs::path>> userFilesAt(const fs::path &path, std::string_view extension)
{
    std::error_code ec;
    const fs::file_status status = fs::status(path, ec);
    if (!fs::exists(status))
        return base::fail(ErrorCode::NotFound, "there is no file or folder at " + shownPath(path),
                          base::Remedy::CheckPathAndPermissions);
    if (!fs::is_directory(status))
        return std::vector<fs::path>{path};
    std::vector<fs::path> files;
    for (fs::directory_iterator at(path, ec), end; !ec && at != end; at.increment(ec)) {
        if (at->path().extension() == extension)
            files.push_back(at->path());
        if (files.size() > kMostUserFiles)
            return base::fail(ErrorCode::TooMuch, shownPath(path) + " has more than 1,000 files");
    }
    if (ec)
        return base::fail(ErrorCode::Forbidden, shownPath(path) + " can't be listed",
                          base::Remedy::CheckPathAndPermissions);
    std::sort(files.begin(), files.end());
    return files;
}

Result<std::string> userFileText(const fs::path &path)
{
    std::error_code ec;
    if (!fs::is_regular_file(path, ec))
        return base::fail(ErrorCode::Forbidden, shownPath(path) + " is not a regular file",
                          base::Remedy::CheckPathAndPermissions);
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return base::fail(ErrorCode::Forbidden, shownPath(path) + " can't be read", base::Remedy::CheckPermissions);
    const std::uintmax_t size = fs::file_size(path, ec);
    if (ec || size > kMostUserBytes)
        return base::fail(ErrorCode::TooMuch, shownPath(path) + " is larger than 64 MiB");
    std::string text(static_cast<std::size_t>(size), '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    return text;
}

} // namespace gpuledger::format

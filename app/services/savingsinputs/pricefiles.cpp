// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/savingsinputs/pricefiles.h"

#include "app/base/remedy.h"
#include "app/base/text.h"
#include "app/services/savingsinputs/paidprices.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace gpuledger::services {

using base::ErrorCode;
using base::Result;
using savings::QuoteList;
namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t kLargestPriceFile = 64U << 20; // bytes
constexpr std::size_t kMostPriceFiles = 1000;

std::string quotedPath(const fs::path &path)
{
    return '"' + base::printable(path.string(), 200) + '"';
}

Result<std::string> priceFileText(const fs::path &path)
{
    std::error_code ec;
    if (!fs::is_regular_file(path, ec))
        return base::fail(ErrorCode::NotFound, "there is no price list " + quotedPath(path),
                          base::Remedy::CheckPathAndPermissions);
    if (fs::file_size(path, ec) > kLargestPriceFile || ec)
        return base::fail(ErrorCode::TooMuch, "the price list " + quotedPath(path) + " is larger than 64 MiB",
                          "give a part of " + quotedPath(path));
    std::ifstream in(path, std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    if (!in)
        return base::fail(ErrorCode::NotFound, "the price list " + quotedPath(path) + " can't be read",
                          base::Remedy::CheckPathAndPermissions);
    return text;
}

// The catalogues in a folder and in its folders, by name.
Result<std::vector<fs::path>> cataloguesIn(const fs::path &folder)
{
    std::vector<fs::path> found;
    std::error_code ec;
    for (fs::directory_iterator it(folder, ec), end; !ec && it != end; it.increment(ec)) {
        std::error_code ignored;
        const fs::path inside = it->path() / "vms.csv";
        if (it->is_directory(ignored) && fs::is_regular_file(inside, ignored))
            found.push_back(inside);
        else if (it->is_regular_file(ignored) && !savings::skypilotProvider(it->path().string()).empty())
            found.push_back(it->path());
        if (found.size() > kMostPriceFiles)
            return base::fail(ErrorCode::TooMuch,
                              "the folder " + quotedPath(folder) + " has more than 1000 price lists",
                              "give some of the files of " + quotedPath(folder));
    }
    if (ec || found.empty())
        return base::fail(ErrorCode::NotFound,
                          "the folder " + quotedPath(folder)
                              + (ec ? " can't be read" : " has no file CLOUD/vms.csv or CLOUD_vms.csv"),
                          base::Remedy::CheckPathAndPermissions);
    std::sort(found.begin(), found.end());
    return found;
}

tl::unexpected<base::Error> notAList(const std::string &kind, const fs::path &path, const base::Error &error)
{
    return base::fail(ErrorCode::InvalidArgument, quotedPath(path) + " is not a list of " + kind + ": " + error.text,
                      "see the columns of " + kind + " in the handbook: Comparing prices");
}

Result<QuoteList> readCatalogue(const fs::path &path, const std::optional<base::Day> &seen, const PriceLists &lists)
{
    const auto text = priceFileText(path);
    GPULEDGER_TRY(text);
    std::error_code ec;
    const std::string provider = savings::skypilotProvider(fs::absolute(path, ec).lexically_normal().string());
    if (provider.empty())
        return base::fail(ErrorCode::InvalidArgument, "nothing says whose prices " + quotedPath(path) + " has",
                          "name the file CLOUD_vms.csv, or CLOUD/vms.csv, instead of " + quotedPath(path.filename()));
    auto list =
        savings::readSkypilotPrices(*text, {provider, path.filename().string(), seen}, lists.catalog, lists.known);
    return list ? std::move(list) : Result<QuoteList>(notAList("SkyPilot prices", path, list.error()));
}

} // namespace

Result<QuoteList> readPriceFiles(const PriceFiles &files, const PriceLists &lists)
{
    QuoteList all;
    for (const std::string &name : files.prices) {
        std::vector<fs::path> paths{name};
        std::error_code ec;
        if (fs::is_directory(name, ec)) {
            auto found = cataloguesIn(name);
            GPULEDGER_TRY(found);
            paths = std::move(*found);
        }
        for (const fs::path &path : paths) {
            auto list = readCatalogue(path, files.seen, lists);
            GPULEDGER_TRY(list);
            all.add(std::move(*list));
        }
    }
    for (const std::string &name : files.own) {
        const auto text = priceFileText(name);
        GPULEDGER_TRY(text);
        auto list = savings::readOwnOffers(*text, fs::path(name).filename().string(), lists.catalog);
        if (!list)
            return notAList("own offers", name, list.error());
        all.add(std::move(*list));
    }
    return all;
}

} // namespace gpuledger::services

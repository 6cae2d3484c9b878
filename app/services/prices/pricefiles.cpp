// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/prices/pricefiles.h"

#include "app/base/crypto/sha256.h"
#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "app/services/prices/paidprices.h"
#include "resources/resources.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

namespace gpuledger::services {

using base::ErrorCode;
using base::Result;
using savings::QuoteList;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostPriceFiles = 1000;
// Increase when a reader makes other offers of the same text.
constexpr int kPriceReadersVersion = 2;

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
    const std::uintmax_t size = fs::file_size(path, ec);
    if (size > kLargestPriceFile || ec)
        return base::fail(ErrorCode::TooMuch, "the price list " + quotedPath(path) + " is larger than 64 MiB",
                          "give a part of " + quotedPath(path));
    std::ifstream in(path, std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    if (!in)
        return base::fail(ErrorCode::NotFound, "the price list " + quotedPath(path) + " can't be read",
                          base::Remedy::CheckPathAndPermissions);
    if (text.size() != size) // half a list would end the prices of the other half
        return base::fail(ErrorCode::InvalidArgument,
                          "the price list " + quotedPath(path)
                              + " changed while it was read, or was not read to its end",
                          "try again when " + quotedPath(path) + " is complete");
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

tl::unexpected<base::Error> nobodysPrices(const fs::path &path)
{
    return base::fail(ErrorCode::InvalidArgument, "nothing says whose prices " + quotedPath(path) + " has",
                      "name the file CLOUD_vms.csv, or CLOUD/vms.csv, instead of " + quotedPath(path.filename()));
}

Result<QuoteList> readCatalogue(const fs::path &path, const PriceFiles &files, const PriceLists &lists)
{
    const auto text = priceFileText(path);
    GPULEDGER_TRY(text);
    std::error_code ec;
    const std::string provider = !files.provider.empty()
        ? files.provider
        : savings::skypilotProvider(fs::absolute(path, ec).lexically_normal().string());
    if (provider.empty())
        return nobodysPrices(path);
    auto list = savings::readSkypilotPrices(*text, {provider, path.filename().string(), files.seen}, lists.catalog,
                                            lists.known);
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
            if (!files.provider.empty())
                return base::fail(ErrorCode::InvalidArgument,
                                  quotedPath(name) + " is a folder, in which each list says whose prices it has",
                                  "leave out the cloud of " + quotedPath(name));
            auto found = cataloguesIn(name);
            GPULEDGER_TRY(found);
            paths = std::move(*found);
        }
        for (const fs::path &path : paths) {
            auto list = readCatalogue(path, files, lists);
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

Result<QuoteList> readFetchedPrices(const FetchedPrices &fetched, const PriceLists &lists)
{
    if (fetched.isOwn) {
        auto list = savings::readOwnOffers(fetched.text, fetched.name, lists.catalog);
        return list ? std::move(list) : Result<QuoteList>(notAList("own offers", fetched.name, list.error()));
    }
    const std::string provider = fetched.provider.empty() ? savings::skypilotProvider(fetched.name) : fetched.provider;
    if (provider.empty())
        return nobodysPrices(fetched.name);
    auto list =
        savings::readSkypilotPrices(fetched.text, {provider, fetched.name, fetched.seen}, lists.catalog, lists.known);
    return list ? std::move(list) : Result<QuoteList>(notAList("SkyPilot prices", fetched.name, list.error()));
}

std::string priceReading()
{
    base::Sha256 lists;
    for (const char *file : {"prices/gpus.csv", "prices/instances.csv"}) {
        lists.add(resources::find(file).value_or(""));
        lists.add(std::string_view("\0", 1)); // where a file ends
    }
    return std::to_string(kPriceReadersVersion) + '-' + lists.hex().substr(0, 16);
}

} // namespace gpuledger::services

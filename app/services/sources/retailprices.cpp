// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/sources/retailprices.h"

#include "app/base/text/text.h"
#include "app/savings/prices/azureretail.h"
#include "app/services/prices/paidprices.h"
#include "app/services/prices/pricefiles.h"

#include <condition_variable>
#include <mutex>
#include <set>
#include <string>

namespace gpuledger::services {

using base::ErrorCode;
using base::Result;

namespace {

constexpr std::size_t kMostPages = 200; // of a region
constexpr int kTries = 3;
constexpr std::size_t kShownUrl = 200;

// "https://prices.azure.com": where an address leads, without the port that it has anyway.
std::string serverOf(const std::string &url)
{
    const std::size_t scheme = url.find("://");
    if (scheme == std::string::npos)
        return {};
    std::string server = url.substr(0, url.find_first_of("/?#", scheme + 3));
    for (const auto &[name, port] : {std::pair("https://", ":443"), std::pair("http://", ":80")}) {
        if (server.starts_with(name) && server.ends_with(port))
            server.resize(server.size() - std::string_view(port).size());
    }
    return server;
}

// False: to stop was requested.
bool waitFor(base::Seconds pause, const std::stop_token &stop)
{
    std::mutex mutex;
    std::condition_variable_any woken;
    std::unique_lock lock(mutex);
    woken.wait_for(lock, stop, pause, [&] { return stop.stop_requested(); });
    return !stop.stop_requested();
}

tl::unexpected<base::Error> notRetail(const model::PriceList &list, const std::string &why)
{
    const std::string shown = '"' + base::printable(list.url, kShownUrl) + '"';
    return base::fail(ErrorCode::InvalidArgument, shown + " did not send Azure's retail prices: " + why,
                      "check that " + shown + " is https://prices.azure.com/api/retail/prices");
}

Result<ports::FetchedText> fetchPage(const std::string &url, const FetchText &fetch, base::Seconds pause,
                                     const std::stop_token &stop)
{
    for (int tried = 1;; ++tried) {
        auto page = fetch({url, {}, kLargestPriceFile}, stop);
        if (page || !page.error().retryable || tried == kTries)
            return page;
        if (!waitFor(pause, stop))
            return base::fail(ErrorCode::Cancelled, "cancelled");
    }
}

} // namespace

Result<RetailPrices> fetchRetailPrices(const model::PriceList &list, const PriceLists &known, base::Day today,
                                       const FetchText &fetch, base::Seconds pause, const std::stop_token &stop)
{
    RetailPrices out;
    savings::AzureRetailReader reader(list.url, list.currency, today, known.catalog, known.sizes);
    for (const std::string &region : list.regions) {
        std::set<std::string> asked;
        std::string url = list.url + savings::azureRetailQuery(region, list.currency);
        while (!url.empty()) {
            if (serverOf(url) != serverOf(list.url) || !base::isUtf8(url) || base::printable(url) != url)
                return notRetail(list, "its next page is on another server");
            if (!asked.insert(url).second)
                return notRetail(list, "its pages go in a circle");
            if (asked.size() > kMostPages)
                return base::fail(ErrorCode::TooMuch,
                                  "Azure's retail prices of " + region + " have more than 200 pages");
            const auto page = fetchPage(url, fetch, pause, stop);
            GPULEDGER_TRY(page);
            out.bytes += page->bytes;
            auto next = reader.add(page->text);
            if (!next)
                return notRetail(list, next.error().text);
            url = std::move(*next);
        }
    }
    out.quotes = reader.take();
    return out;
}

} // namespace gpuledger::services

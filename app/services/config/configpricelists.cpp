// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/config/confignode.h"

#include <algorithm>

namespace gpuledger::services {

namespace {

constexpr std::string_view kListUrl = "https://prices.example.org/aws/vms.csv";

// Without anything that could be a secret: the address is shown and stored as the list's name.
std::string readListUrl(const ConfigValue &value)
{
    const auto text = value.text(kListUrl);
    if (!text)
        return {};
    const std::size_t from = text->starts_with("https://") ? 8 : 7;
    if ((from == 7 && !text->starts_with("http://")) || text->size() == from) {
        value.problem("must start with https:// or http://, for example " + std::string(kListUrl));
        return {};
    }
    const std::string_view host = std::string_view(*text).substr(from, text->find_first_of("/?#", from) - from);
    if (host.find('@') != std::string_view::npos) {
        value.problem("contains a user name or password; a price list is fetched without a login");
        return {};
    }
    if (text->find_first_of("?#") != std::string::npos) {
        value.problem("must not contain ? or #; a price list is fetched without a token");
        return {};
    }
    return *text;
}

// As Azure writes them: they become a part of an address.
std::vector<std::string> readRegions(const ConfigValue &value)
{
    constexpr std::size_t kMostRegions = 50, kLongestRegion = 40;
    std::vector<std::string> regions;
    for (const ConfigValue &one : value.list("[ eastus, westeurope ]")) {
        const auto region = one.text("eastus");
        if (!region)
            continue;
        const bool isName = region->size() <= kLongestRegion
            && region->find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789") == std::string::npos;
        if (!isName)
            one.problem("is not the name of a region as Azure writes it: lower-case letters and digits, like eastus");
        else if (std::find(regions.begin(), regions.end(), *region) == regions.end())
            regions.push_back(*region);
    }
    if (regions.empty() || regions.size() > kMostRegions)
        value.problem("must name 1 to 50 regions, for example [ eastus, westeurope ]");
    return regions;
}

// The keys of a list that is asked for, instead of read. Its prices have a cloud and their days.
void readAzureRetail(ConfigMap &map, const ConfigValue &value, model::PriceList &list)
{
    list.isAzureRetail = true;
    if (!map.has("url"))
        value.problem("must have url, for example https://prices.azure.com/api/retail/prices");
    if (const auto regions = map.require("regions", "[ eastus, westeurope ]"))
        list.regions = readRegions(*regions);
    if (const auto currency = map.take("currency"))
        list.currency = currency->currency().value_or(list.currency);
    map.finish({"file", "seen", "cloud"});
}

model::PriceList readPriceList(const ConfigValue &value, bool isOwn)
{
    model::PriceList list;
    ConfigMap map(value, isOwn ? "{ file: offers.csv }" : "{ file: aws_vms.csv, seen: 2026-11-21 }");
    if (!map.valid())
        return list;
    if (map.has("file") == map.has("url"))
        value.problem("must have either file or url, and not both");
    if (const auto path = map.take("file"))
        list.path = path->path().value_or("");
    if (const auto url = map.take("url"))
        list.url = readListUrl(*url);
    if (!isOwn) {
        const auto format = map.take("format");
        if (format && format->choice({"skypilot", "azure-retail"}) == "azure-retail") {
            readAzureRetail(map, value, list);
            return list;
        }
        if (const auto seen = map.take("seen")) {
            if (const auto day = seen->time())
                list.seen = base::dayOf(*day);
        }
        if (const auto cloud = map.take("cloud"))
            list.cloud = cloud->text("azure").value_or("");
    }
    map.finish(isOwn ? std::vector<std::string>() : std::vector<std::string>{"regions", "currency"});
    return list;
}

bool hasName(const std::vector<model::PriceList> &lists, const std::string &name)
{
    return std::any_of(lists.begin(), lists.end(), [&](const model::PriceList &one) { return one.name() == name; });
}

} // namespace

void readPriceLists(ConfigMap &map, model::PriceSettings &prices)
{
    const auto add = [&](const ConfigValue &value, bool isOwn) {
        model::PriceList list = readPriceList(value, isOwn);
        if (!list.name().empty() && (hasName(prices.lists, list.name()) || hasName(prices.own, list.name())))
            value.problem("is the same list as another entry");
        else
            (isOwn ? prices.own : prices.lists).push_back(std::move(list));
    };
    if (const auto lists = map.take("lists")) {
        for (const ConfigValue &one : lists->list("[ { file: aws_vms.csv, seen: 2026-11-21 } ]"))
            add(one, false);
    }
    if (const auto own = map.take("own")) {
        for (const ConfigValue &one : own->list("[ { file: offers.csv } ]"))
            add(one, true);
    }
}

} // namespace gpuledger::services

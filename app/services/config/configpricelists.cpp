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
        if (const auto seen = map.take("seen")) {
            if (const auto day = seen->time())
                list.seen = base::dayOf(*day);
        }
        if (const auto cloud = map.take("cloud"))
            list.cloud = cloud->text("azure").value_or("");
    }
    map.finish();
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

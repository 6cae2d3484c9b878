// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/idle/idlename.h"

#include "app/base/text/text.h"
#include "app/model/fleet/kindname.h"

namespace gpuledger::cli {

namespace {

template <typename Item> bool isCalled(const Item &item, const std::string &typed)
{
    const std::string shown = model::shownName(item.kind, item.name), space = item.nameSpace + '/';
    return typed == item.name || typed == shown || typed == space + item.name || typed == space + shown;
}

} // namespace

std::vector<std::string> idsCalled(const insight::IdleList &list, const std::string &typed)
{
    std::vector<std::string> found;
    const auto look = [&](const auto &items) {
        for (const auto &item : items) {
            if (item.id == typed)
                found = {typed};
            else if ((found.empty() || found.front() != typed) && isCalled(item, typed))
                found.push_back(item.id);
        }
    };
    look(list.items);
    look(list.partly);
    look(list.unknown);
    return found;
}

std::string shortIdOf(const insight::IdleList &list, const insight::IdleItem &item)
{
    const std::string name = model::shownName(item.kind, item.name);
    const std::string call = item.nameSpace.empty() ? name : item.nameSpace + '/' + name;
    const bool isSafe = base::printable(call, 200) == call; // `act` refuses what is shown differently
    const std::vector<std::string> found = idsCalled(list, call);
    return isSafe && found.size() == 1 && found.front() == item.id ? call : item.id;
}

} // namespace gpuledger::cli

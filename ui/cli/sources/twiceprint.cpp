// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/sources/twiceprint.h"

#include "app/base/text/text.h"
#include "ui/cli/program/output.h"
#include "ui/format/phrases/figures.h"

namespace gpuledger::cli {

using insight::CountedTwice;

namespace {

constexpr std::size_t kMostTwice = 12;
constexpr std::size_t kLongestShown = 100; // bytes of a name

std::string sentenceOf(const CountedTwice &one)
{
    std::string text = "account " + base::printable(one.account, kLongestShown);
    if (!one.accountName.empty())
        text += " (" + base::printable(one.accountName, kLongestShown) + ')';
    text += " is counted twice in " + insight::toString(one.month) + ", on " + std::to_string(one.days)
        + (one.days == 1 ? " day" : " days") + ": billed ";
    for (std::size_t i = 0; i < one.parts.size(); ++i)
        text += (i == 0                          ? ""
                     : i + 1 == one.parts.size() ? " and "
                                                 : ", ")
            + ui::moneyText(one.parts[i].billed) + " by " + base::printable(one.parts[i].source, kLongestShown);
    return text;
}

} // namespace

Json toJson(const std::vector<CountedTwice> &all)
{
    Json json = Json::array();
    for (const CountedTwice &one : all) {
        Json row{{"month", insight::toString(one.month)},
                 {"account", one.account},
                 {"account_name", textOrNull(one.accountName)},
                 {"days", one.days},
                 {"sources", Json::array()}};
        for (const CountedTwice::Part &part : one.parts)
            row["sources"].push_back({{"source", part.source},
                                      {"billed", toJson(std::optional(part.billed))},
                                      {"effective", toJson(std::optional(part.effective))}});
        json.push_back(std::move(row));
    }
    return json;
}

std::vector<std::string> twiceTexts(const std::vector<CountedTwice> &all)
{
    std::vector<std::string> texts;
    for (const CountedTwice &one : all) {
        if (texts.size() == kMostTwice) {
            texts.push_back("and " + std::to_string(all.size() - kMostTwice)
                            + " more accounts and months that are counted twice; --json lists all of them");
            break;
        }
        texts.push_back(sentenceOf(one));
    }
    return texts;
}

} // namespace gpuledger::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/notify/mail/mailtext.h"

#include "app/base/money/minorunit.h"
#include "app/base/text/text.h"
#include "connectors/notify/mail/mimetext.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>
#include <vector>

namespace gpuledger::notify {

namespace {

constexpr std::size_t kMostNotices = 50, kMostItems = 20; // that are listed
constexpr std::size_t kSubjectBytes = 200, kNameBytes = 120, kSentenceBytes = 500, kLinkBytes = 4000;
constexpr std::string_view kLinkScheme = "gpuledger://";

using Fact = std::pair<std::string_view, std::string>;

std::string named(std::string_view text, std::size_t most = kNameBytes)
{
    return base::printableLine(text, most);
}

std::string orUnknown(std::string text)
{
    return text.empty() ? "unknown" : text;
}

// "312.40 USD"
std::string amountText(const base::Money &amount)
{
    const std::array<base::Money, 1> one{amount};
    const auto units = base::inMinorUnits(one);
    return units ? base::minorText(units->front(), amount.currency()) + ' ' + std::string(amount.currency().code())
                 : amount.toDecimal() + ' ' + std::string(amount.currency().code());
}

// "2025-03-26 10:00 UTC"
std::string momentText(base::UtcTime at)
{
    constexpr std::size_t kDate = 10, kMinutes = 5;
    const std::string text = base::toRfc3339(at);
    return text.size() < kDate + 1 + kMinutes ? text
                                              : text.substr(0, kDate) + ' ' + text.substr(kDate + 1, kMinutes) + " UTC";
}

std::string gpusText(double gpus)
{
    std::array<char, 32> digits{};
    const auto [end, error] =
        std::to_chars(digits.data(), digits.data() + digits.size(), gpus, std::chars_format::fixed, 2);
    std::string text(digits.data(), error == std::errc{} ? end : digits.data());
    if (text.ends_with(".00"))
        text.resize(text.size() - 3);
    return orUnknown(text);
}

std::string scopeText(const model::Notice &notice)
{
    return notice.per == "all" ? std::string() : named(notice.scope);
}

std::string headingOf(const model::Notice &notice)
{
    const std::string scope = scopeText(notice);
    return named(notice.rule) + (scope.empty() ? "" : ": " + scope);
}

std::vector<Fact> factsOf(const model::Notice &notice)
{
    std::vector<Fact> facts;
    facts.emplace_back("Severity", named(notice.severity));
    if (!notice.value.empty() || !notice.threshold.empty())
        facts.emplace_back("Value", orUnknown(named(notice.value)) + " (threshold: " + named(notice.threshold) + ')');
    facts.emplace_back("Since", momentText(notice.startedAt));
    if (notice.endedAt)
        facts.emplace_back("Until", momentText(*notice.endedAt));
    if (notice.costSoFar)
        facts.emplace_back("Cost so far", amountText(*notice.costSoFar));
    if (notice.perMonth)
        facts.emplace_back("A month, if left as it is", amountText(*notice.perMonth));
    if (!notice.consequence.empty())
        facts.emplace_back("Unless somebody objects", named(notice.consequence, kSentenceBytes));
    return facts;
}

using Cells = std::array<std::string, 5>;
constexpr std::array<std::string_view, 5> kColumns{"What", "Who", "GPUs", "Since", "A month"};

Cells cellsOf(const model::NoticeItem &item)
{
    return {named(item.name.empty() ? item.id : item.name), orUnknown(named(item.owner)), gpusText(item.gpus),
            item.since ? momentText(*item.since) : "unknown", item.perMonth ? amountText(*item.perMonth) : "unknown"};
}

std::size_t hiddenItems(const model::Notice &notice)
{
    return notice.moreItems + (notice.items.size() - std::min(kMostItems, notice.items.size()));
}

std::string moreText(std::size_t count)
{
    return "and " + std::to_string(count) + " more";
}

std::string_view verbOf(model::NoticeState state)
{
    switch (state) {
    case model::NoticeState::Firing:
        return "firing";
    case model::NoticeState::Resolved:
        return "resolved";
    case model::NoticeState::Test:
        break;
    }
    return "test message";
}

std::string plainNotice(const model::Notice &notice)
{
    std::string text = headingOf(notice) + '\n';
    if (!notice.summary.empty())
        text += named(notice.summary, kSentenceBytes) + '\n';
    text += '\n';
    for (const auto &[label, value] : factsOf(notice))
        text.append(label).append(": ").append(value) += '\n';
    for (std::size_t i = 0; i < std::min(kMostItems, notice.items.size()); ++i) {
        const Cells cells = cellsOf(notice.items[i]);
        text += "- " + cells[0] + ", " + cells[1] + ", GPUs: " + cells[2] + ", since: " + cells[3]
            + ", a month: " + cells[4] + '\n';
    }
    if (const std::size_t hidden = hiddenItems(notice); hidden > 0)
        text += "- " + moreText(hidden) + '\n';
    if (!notice.link.empty())
        text += "\nOpen: " + named(notice.link, kLinkBytes) + '\n';
    if (!notice.command.empty())
        text += "Command: " + named(notice.command, kLinkBytes) + '\n';
    return text;
}

std::string htmlCells(std::string_view tag, const auto &cells)
{
    std::string row = "<tr>";
    for (const auto &cell : cells) {
        row.append("<").append(tag).append(" style=\"padding:2px 12px 2px 0;text-align:left;vertical-align:top\">");
        row.append(mailHtml(cell)).append("</").append(tag).append(">");
    }
    return row + "</tr>\n";
}

std::string htmlItems(const model::Notice &notice)
{
    if (notice.items.empty())
        return {};
    std::string table = "<table style=\"border-collapse:collapse;margin:8px 0\">\n" + htmlCells("th", kColumns);
    for (std::size_t i = 0; i < std::min(kMostItems, notice.items.size()); ++i)
        table += htmlCells("td", cellsOf(notice.items[i]));
    return table + "</table>\n";
}

std::string htmlNotice(const model::Notice &notice)
{
    std::string html = "<h2 style=\"font-size:16px;margin:16px 0 4px 0\">" + mailHtml(headingOf(notice)) + "</h2>\n";
    if (!notice.summary.empty())
        html += "<p style=\"margin:4px 0\">" + mailHtml(named(notice.summary, kSentenceBytes)) + "</p>\n";
    html += "<table style=\"border-collapse:collapse\">\n";
    for (const auto &[label, value] : factsOf(notice))
        html += htmlCells("td", std::array<std::string, 2>{std::string(label), value});
    html += "</table>\n" + htmlItems(notice);
    if (const std::size_t hidden = hiddenItems(notice); hidden > 0)
        html += "<p style=\"margin:4px 0\">" + moreText(hidden) + "</p>\n";
    const std::string link = mailHtml(named(notice.link, kLinkBytes));
    if (notice.link.starts_with(kLinkScheme)) // nothing else becomes a link
        html += "<p style=\"margin:8px 0\"><a href=\"" + link + "\">Open in GPU Ledger</a><br><code>" + link
            + "</code></p>\n";
    if (!notice.command.empty())
        html +=
            "<p style=\"margin:8px 0\">Command: <code>" + mailHtml(named(notice.command, kLinkBytes)) + "</code></p>\n";
    return html;
}

std::size_t hiddenNotices(const model::NoticeGroup &group)
{
    return group.unlisted + group.notices.size() - std::min(kMostNotices, group.notices.size());
}

} // namespace

std::string mailSubject(const model::NoticeGroup &group)
{
    const model::Notice &first = group.notices.front();
    const bool isFiring = first.state == model::NoticeState::Firing;
    std::string text = "[GPU Ledger] ";
    text += isFiring ? named(first.severity) : std::string(verbOf(first.state));
    text += ": " + headingOf(first);
    if (group.notices.size() > 1)
        text += ' ' + moreText(group.unlisted + group.notices.size() - 1);
    else if (isFiring && !first.value.empty())
        text += " at " + named(first.value);
    return named(text, kSubjectBytes);
}

std::string mailPlainBody(const model::NoticeGroup &group)
{
    std::string text = "GPU Ledger: " + std::string(verbOf(group.notices.front().state)) + "\n\n";
    for (std::size_t i = 0; i < std::min(kMostNotices, group.notices.size()); ++i)
        text += (i == 0 ? "" : "\n\n") + plainNotice(group.notices[i]);
    if (const std::size_t hidden = hiddenNotices(group); hidden > 0)
        text += "\n\n" + moreText(hidden) + '\n';
    return text;
}

std::string mailHtmlBody(const model::NoticeGroup &group)
{
    std::string html = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"></head>\n"
                       "<body style=\"font-family:sans-serif;font-size:14px\">\n<p>GPU Ledger: ";
    html.append(verbOf(group.notices.front().state)).append("</p>\n");
    for (std::size_t i = 0; i < std::min(kMostNotices, group.notices.size()); ++i)
        html += htmlNotice(group.notices[i]);
    if (const std::size_t hidden = hiddenNotices(group); hidden > 0)
        html += "<p>" + moreText(hidden) + "</p>\n";
    return html + "</body></html>\n";
}

} // namespace gpuledger::notify

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/config/linktemplate.h"

#include <QString>
#include <QUrl>

#include <QString>
#include <QUrl>

#include <algorithm>
#include <functional>

namespace gpuledger::services {

namespace {

constexpr std::int64_t kMillis = 1000;

// ASCII letters and digits, independent of the locale.
bool isUnreserved(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.'
        || c == '_' || c == '~';
}

std::string percentEncoded(std::string_view text)
{
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (isUnreserved(c))
            out += c;
        else
            out += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    }
    return out;
}

// The end of the host. Placeholders are not allowed before it, so that a label's value can't redirect to another
// server.
std::size_t endOfHost(std::string_view link)
{
    const std::size_t begin = link.find("://");
    return begin == std::string_view::npos ? 0 : std::min(link.find_first_of("/?#", begin + 3), link.size());
}

// Calls `text` for the text between placeholders and `placeholder` for the names in them; false if a brace is not
// closed.
bool walk(std::string_view link, const std::function<void(std::string_view)> &text,
          const std::function<void(std::string_view, std::size_t)> &placeholder)
{
    for (std::size_t at = 0; at < link.size();) {
        const std::size_t open = link.find('{', at);
        text(link.substr(at, open - at));
        if (open == std::string_view::npos)
            return true;
        const std::size_t close = link.find_first_of("{}", open + 1);
        if (close == std::string_view::npos || link[close] == '{')
            return false;
        placeholder(link.substr(open + 1, close - open - 1), open);
        at = close + 1;
    }
    return true;
}

std::string valueOf(std::string_view word, const LinkValues &values)
{
    const auto millis = [](base::UtcTime t) { return std::to_string(base::toUnix(t) * kMillis); };
    return word == "cluster"  ? values.cluster
        : word == "node"      ? values.node
        : word == "device"    ? values.device
        : word == "team"      ? values.team
        : word == "namespace" ? values.nameSpace
        : word == "workload"  ? values.workload
        : word == "from"      ? millis(values.range.start)
        : word == "to"        ? millis(values.range.end)
                              : std::string();
}

} // namespace

const std::vector<std::string> &linkPlaceholders()
{
    static const std::vector<std::string> kWords{"cluster",   "node",     "device", "team",
                                                 "namespace", "workload", "from",   "to"};
    return kWords;
}

std::vector<LinkProblem> problemsOfLink(std::string_view link)
{
    std::vector<LinkProblem> problems;
    if (!link.starts_with("https://") && !link.starts_with("http://"))
        problems.push_back({"must start with https:// or http://", {}});
    const std::size_t host = endOfHost(link);
    if (const std::size_t begin = link.find("://"); begin != std::string_view::npos && host == begin + 3)
        problems.push_back(
            {"has no server; write, for example, https://grafana.example.org/d/gpu?var-node={node}", {}});
    if (std::any_of(link.begin(), link.end(), [](char c) { return c >= 0 && c <= ' '; }))
        problems.push_back({"must not contain spaces or control characters; write a space as %20", {}});
    const auto &known = linkPlaceholders();
    const auto check = [&](std::string_view word, std::size_t at) {
        if (std::find(known.begin(), known.end(), word) == known.end())
            problems.push_back({"is not a placeholder", std::string(word)});
        else if (at < host)
            problems.push_back({"has a placeholder in the name of the server; the server can't vary", {}});
    };
    if (!walk(
            link, [](std::string_view) {}, check))
        problems.push_back({"has a { without a }; write a literal brace as %7B", {}});
    if (problems.empty() && !QUrl(QString::fromStdString(linkFor(link, {})), QUrl::StrictMode).isValid())
        problems.push_back({"is not an address that can be opened", {}});
    return problems;
}

std::string linkFor(std::string_view link, const LinkValues &values)
{
    std::string out;
    walk(
        link, [&](std::string_view text) { out += text; },
        [&](std::string_view word, std::size_t) { out += percentEncoded(valueOf(word, values)); });
    return out;
}

} // namespace gpuledger::services

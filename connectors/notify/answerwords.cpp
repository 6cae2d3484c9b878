// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/notify/answerwords.h"

#include "app/base/text/text.h"
#include "connectors/format/json.h"

#include <algorithm>

namespace gpuledger::notify {

namespace {

constexpr std::size_t kMostReadBytes = 64u << 10, kMostShownBytes = 200;
constexpr std::size_t kShortestPart = 9; // a shorter part of a path is a word

std::string wordsOfJson(const nlohmann::json &answer)
{
    if (answer.is_string())
        return answer.get<std::string>();
    std::string words;
    for (const char *key : {"message", "error", "detail", "Message"})
        words = words.empty() ? format::textOf(answer, key) : words;
    const auto errors = answer.is_object() ? answer.find("errors") : answer.end();
    if (errors == answer.end() || !errors->is_array())
        return words;
    for (const nlohmann::json &one : *errors)
        if (one.is_string())
            words += (words.empty() ? "" : "; ") + one.get<std::string>();
    return words;
}

} // namespace

std::string answerWords(const http::Response &response)
{
    const std::string_view body = std::string_view(response.body).substr(0, kMostReadBytes);
    const std::size_t first = body.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos || body[first] == '<')
        return {};
    if (body[first] == '{' || body[first] == '"') {
        if (const auto answer = format::parseJson(body))
            return wordsOfJson(*answer);
    }
    return std::string(body);
}

std::string shownWords(std::string_view words, const base::Redactor &secrets)
{
    const std::string line = base::printableLine(secrets.redacted(words.substr(0, kMostReadBytes)), kMostReadBytes);
    return base::printable(secrets.redacted(line), kMostShownBytes);
}

void addAddress(base::Redactor &secrets, std::string_view address)
{
    secrets.add(address);
    const std::size_t host = std::min(address.find("://"), address.size());
    const std::size_t path = address.find('/', std::min(host + 3, address.size()));
    if (path == std::string_view::npos)
        return;
    std::string_view rest = address.substr(path);
    secrets.add(rest);
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find_first_of("/?&=#"), rest.size());
        if (const std::string_view part = rest.substr(0, end); part.size() >= kShortestPart)
            secrets.add(part);
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
}

} // namespace gpuledger::notify

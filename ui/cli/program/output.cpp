// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/program/output.h"

#include "app/base/text/log.h"
#include "app/base/text/text.h"
#include "ui/format/phrases/sentence.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace gpuledger::cli {

using base::ErrorCode;

namespace {

constexpr int kLookForStopMs = 100;

int jsonIndent()
{
    return isatty(STDOUT_FILENO) == 1 ? 2 : kOneLine;
}

} // namespace

Output::Output(const GlobalOptions &options)
    : m_options(options)
    , m_errorTerminal(isatty(STDERR_FILENO) == 1)
{
    const char *noColor = std::getenv("NO_COLOR");
    const char *terminal = std::getenv("TERM");
    const bool dumb = terminal && std::strcmp(terminal, "dumb") == 0;
    m_bold = isatty(STDOUT_FILENO) == 1 && !(noColor && *noColor) && !dumb;
}

base::Result<void> Output::print(const std::string &text)
{
    errno = 0;
    if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size())
        return {};
    return base::fail(ErrorCode::StorageFull, std::string("the output can't be written: ") + std::strerror(errno),
                      "nothing was lost; send the output to another place");
}

base::Result<void> Output::print(const Json &value)
{
    const bool damaged = !m_damage.is_null() && value.is_object();
    return print((damaged ? jsonText(withDamage(value), jsonIndent()) : jsonText(value, jsonIndent())) += '\n');
}

base::Result<void> Output::print(const Json &head, const JsonRows &rows)
{
    Json tail = Json::object();
    if (!m_damage.is_null())
        tail["damage"] = m_damage;
    GPULEDGER_TRY(writeRows(head, rows, tail, jsonIndent(), [this](const std::string &text) { return print(text); }));
    return print(std::string("\n"));
}

Json Output::withDamage(Json answer) const
{
    if (!m_damage.is_null() && answer.is_object())
        answer["damage"] = m_damage;
    return answer;
}

base::Result<void> Output::flush()
{
    errno = 0;
    if (std::fflush(stdout) == 0 && !std::ferror(stdout))
        return {};
    return base::fail(ErrorCode::StorageFull, std::string("the output can't be written: ") + std::strerror(errno),
                      "nothing was lost; send the output to another place");
}

void Output::note(const std::string &line) const
{
    if (!m_options.quiet)
        std::fprintf(stderr, "%s\n", base::printable(line, 4000).c_str());
}

void Output::notice(const std::string &text) const
{
    std::fputs(text.c_str(), stderr);
}

bool Output::canAsk() const
{
    return m_errorTerminal && isatty(STDIN_FILENO) == 1;
}

base::Result<bool> Output::ask(const std::string &question, std::stop_token stop) const
{
    const auto answer = askLine(question, std::move(stop));
    GPULEDGER_TRY(answer);
    return *answer == "y" || *answer == "Y" || *answer == "yes" || *answer == "Yes" || *answer == "YES";
}

base::Result<std::string> Output::askLine(const std::string &question, std::stop_token stop) const
{
    std::fprintf(stderr, "%s", question.c_str());
    std::fflush(stderr);
    pollfd input{STDIN_FILENO, POLLIN, 0};
    for (;;) {
        if (stop.stop_requested())
            return base::fail(ErrorCode::Cancelled, "cancelled");
        if (poll(&input, 1, kLookForStopMs) > 0)
            break; // a complete line, because the terminal is line-buffered, or the end of input
    }
    std::array<char, 1024> line{};
    const ssize_t n = read(STDIN_FILENO, line.data(), line.size());
    const std::string_view answer(line.data(), static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
    // An incomplete line is not an answer.
    return answer.ends_with('\n') ? std::string(answer.substr(0, answer.size() - 1)) : std::string();
}

void Output::failure(const base::Error &error) const
{
    std::fprintf(stderr, "gpuledger-cli: %s\n", ui::sentenceFor(error).c_str());
    if (!m_options.json)
        return;
    const Json object{{"error", toJson(error)}};
    std::fprintf(stderr, "%s\n", jsonText(object, kOneLine).c_str());
}

void Output::progressLine(const std::string &line)
{
    if (!m_errorTerminal || m_options.quiet || (line.empty() && !m_progressShown))
        return;
    std::fprintf(stderr, "\r\x1b[K%s", base::printable(line, 120).c_str());
    std::fflush(stderr);
    m_progressShown = !line.empty();
}

double nineDecimals(double value)
{
    // Above 2^53 / 1e9 a double has fewer than nine decimals.
    return std::abs(value) < 9e6 ? std::round(value * 1e9) / 1e9 : value;
}

Json toJson(std::optional<double> value)
{
    return value && std::isfinite(*value) ? Json(nineDecimals(*value)) : Json(nullptr);
}

Json toJson(const std::optional<base::Money> &amount)
{
    if (!amount)
        return nullptr;
    return Json{{"amount", amount->toDecimal()}, {"currency", std::string(amount->currency().code())}};
}

Json toJson(base::UtcTime t)
{
    return base::toRfc3339(t);
}

Json toJson(const base::Error &error)
{
    Json object;
    object["code"] = std::string(base::toString(error.code));
    object["message"] = base::log::redacted(error.text);
    object["source"] = textOrNull(error.source);
    object["hint"] = textOrNull(ui::remedyFor(error));
    return object;
}

Json textOrNull(const std::string &text)
{
    return text.empty() ? Json(nullptr) : Json(text);
}

int exitStatus(const base::Error &error)
{
    switch (error.code) {
    case ErrorCode::Cancelled:
        return kCancelled;
    case ErrorCode::InvalidArgument:
    case ErrorCode::NotFound:
        return kUsage;
    case ErrorCode::Unauthorized:
    case ErrorCode::Forbidden:
    case ErrorCode::RateLimited:
    case ErrorCode::Timeout:
    case ErrorCode::Network:
    case ErrorCode::Tls:
    case ErrorCode::Server:
    case ErrorCode::TooMuch:
    case ErrorCode::Parse:
        return kSourceFailed;
    case ErrorCode::Refused:
        return kRefused;
    case ErrorCode::InvalidConfig:
    case ErrorCode::Overflow:
    case ErrorCode::Unsupported:
    case ErrorCode::StorageFull:
    case ErrorCode::StorageReadOnly:
    case ErrorCode::StorageBusy:
    case ErrorCode::StorageCorrupt:
    case ErrorCode::StorageNewer:
    case ErrorCode::Storage:
    case ErrorCode::Internal:
        break;
    }
    return kConfig;
}

} // namespace gpuledger::cli

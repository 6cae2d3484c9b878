// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/device/extraseries.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "app/insight/device/devicedetails.h"

#include <algorithm>

namespace gpuledger::insight {

using base::ErrorCode;
using base::Result;

namespace {

constexpr base::Seconds kFinest{15}; // exporters are scraped every 15 s to 60 s

bool isWordLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::string escaped(std::string_view text, char quote)
{
    std::string out;
    for (const char c : text) {
        if (c == '\\' || c == quote)
            out += '\\';
        if (c == '\n')
            out += "\\n";
        else
            out += c;
    }
    return out;
}

std::string seconds(base::Seconds length)
{
    return std::to_string(std::max<std::int64_t>(1, length.count())) + 's';
}

class Expansion {
public:
    Expansion(const ExtraQuery &query, base::Seconds step)
        : m_query(query)
        , m_step(step)
    {
    }

    Result<std::string> run()
    {
        const std::string_view text = m_query.expression;
        for (std::size_t at = 0; at < text.size();) {
            const char c = text[at];
            if (c == '$') {
                const auto [word, end] = wordAt(at);
                if (!word.empty()) {
                    GPULEDGER_TRY(put(word));
                    at = end;
                    continue;
                }
            }
            if (m_quote != 0 && m_quote != '`' && c == '\\' && at + 1 < text.size()) {
                m_out.append(text.substr(at, 2));
                at += 2;
                continue;
            }
            if (m_quote != 0)
                m_quote = c == m_quote ? '\0' : m_quote;
            else if (c == '"' || c == '\'' || c == '`')
                m_quote = c;
            m_out += c;
            ++at;
        }
        return std::move(m_out);
    }

private:
    // The word after a $, with or without braces, and the position after it; empty if there is none.
    std::pair<std::string_view, std::size_t> wordAt(std::size_t at) const
    {
        const std::string_view text = m_query.expression;
        const bool braces = at + 1 < text.size() && text[at + 1] == '{';
        const std::size_t begin = at + (braces ? 2 : 1);
        std::size_t end = begin;
        while (end < text.size() && isWordLetter(text[end]))
            ++end;
        if (braces && (end == text.size() || text[end] != '}'))
            return {};
        if (begin < end && text[begin] >= '0' && text[begin] <= '9') // $1 of label_replace()
            return {};
        return {text.substr(begin, end - begin), end + (braces ? 1 : 0)};
    }

    Result<void> put(std::string_view word)
    {
        if (word == "__interval" || word == "__rate_interval" || word == "__range") {
            const base::Seconds rate = std::max<base::Seconds>(m_step + kFinest, 4 * kFinest);
            m_out += seconds(word == "__interval" ? m_step : word == "__range" ? m_query.range.length() : rate);
            return {};
        }
        if (word == "index")
            return m_query.index < 0 ? unknownValue(word) : append(std::to_string(m_query.index), true);
        const std::string *value = word == "cluster" ? &m_query.cluster
            : word == "node"                         ? &m_query.node
            : word == "device"                       ? &m_query.device
                                                     : nullptr;
        if (!value)
            return base::fail(ErrorCode::InvalidArgument,
                              '$' + base::printable(std::string(word), 40) + " is not a variable",
                              base::Remedy::SeeVariables);
        return value->empty() ? unknownValue(word) : append(*value, false);
    }

    static Result<void> unknownValue(std::string_view word)
    {
        return base::fail(ErrorCode::InvalidArgument, '$' + std::string(word) + " has no value for this device",
                          base::Remedy::WriteValue);
    }

    Result<void> append(const std::string &value, bool number)
    {
        if (m_quote == '`' && value.find('`') != std::string::npos)
            return base::fail(ErrorCode::InvalidArgument, "a value that contains a ` can't be quoted with `",
                              base::Remedy::UseQuotes);
        if (m_quote == '`' || (m_quote == 0 && number))
            m_out += value;
        else if (m_quote != 0)
            m_out += escaped(value, m_quote);
        else
            m_out += '"' + escaped(value, '"') + '"';
        return {};
    }

    const ExtraQuery &m_query;
    const base::Seconds m_step;
    std::string m_out;
    char m_quote = 0; // the quote that is open
};

} // namespace

Result<std::string> expandExpression(const ExtraQuery &query, base::Seconds step)
{
    if (query.expression.find_first_not_of(" \t\r\n") == std::string::npos)
        return base::fail(ErrorCode::InvalidArgument, "the expression is empty", base::Remedy::WritePromQl);
    return Expansion(query, step).run();
}

Result<ports::SeriesQuestion> seriesQuestion(const ExtraQuery &query)
{
    if (query.range.empty())
        return base::fail(ErrorCode::InvalidArgument, "the range is empty", base::Remedy::ChooseLongerRange);
    ports::SeriesQuestion question;
    question.step = lineStep(query.range, query.points, kFinest);
    auto expression = expandExpression(query, question.step);
    GPULEDGER_TRY(expression);
    question.expression = std::move(*expression);
    question.first = base::ceilTo(query.range.start, question.step);
    question.last = base::floorTo(query.range.end, question.step);
    if (question.last < question.first)
        question.first = question.last;
    return question;
}

} // namespace gpuledger::insight

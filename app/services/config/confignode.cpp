// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/config/confignode.h"

#include "app/base/text/text.h"
#include "app/base/time/timezone.h"
#include "app/services/environment/folders.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gpuledger::services {

void ConfigReading::problem(const YAML::Node &at, std::string key, std::string text)
{
    const YAML::Mark mark = at.Mark();
    problems.push_back({mark.line + 1, mark.column + 1, std::move(key), std::move(text)});
}

std::string inQuotes(std::string_view text)
{
    return '"' + base::printable(text, 40) + '"';
}

std::string joined(const std::vector<std::string> &words)
{
    std::string out;
    for (const std::string &word : words)
        out += (out.empty() ? "" : ", ") + word;
    return out;
}

std::string nearest(std::string_view text, const std::vector<std::string> &candidates)
{
    text = text.substr(0, 64);
    std::string best;
    std::size_t bestDistance = std::max<std::size_t>(2, text.size() / 3) + 1;
    std::vector<std::size_t> row;
    for (const std::string &candidate : candidates) {
        row.resize(candidate.size() + 1);
        std::iota(row.begin(), row.end(), std::size_t{0});
        for (std::size_t i = 0; i < text.size(); ++i) {
            std::size_t diagonal = row[0]++;
            for (std::size_t k = 0; k < candidate.size(); ++k) {
                const std::size_t change = diagonal + (text[i] == candidate[k] ? 0 : 1);
                diagonal = row[k + 1];
                row[k + 1] = std::min({row[k + 1] + 1, row[k] + 1, change});
            }
        }
        if (row.back() < bestDistance) {
            bestDistance = row.back();
            best = candidate;
        }
    }
    return best;
}

std::optional<std::string> ConfigValue::text(std::string_view example) const
{
    if (node.IsScalar() && !node.Scalar().empty())
        return node.Scalar();
    problem("must be a string, for example " + std::string(example));
    return std::nullopt;
}

std::optional<bool> ConfigValue::boolean() const
{
    if (node.IsScalar() && node.Scalar() == "true")
        return true;
    if (node.IsScalar() && node.Scalar() == "false")
        return false;
    problem("must be true or false");
    return std::nullopt;
}

std::optional<double> ConfigValue::number(double low, double high) const
{
    const auto number = node.IsScalar() ? base::parseDouble(node.Scalar()) : std::nullopt;
    if (number && std::isfinite(*number) && *number >= low && *number <= high)
        return number;
    std::string range = "must be a number from ";
    for (const double bound : {low, high}) {
        char digits[32];
        const auto end = std::to_chars(digits, digits + sizeof digits, bound).ptr;
        range += std::string(digits, end) + (bound == low ? " to " : "");
    }
    problem(range);
    return std::nullopt;
}

std::optional<int> ConfigValue::integer(int low, int high) const
{
    const auto number = whole(low, high);
    return number ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

std::optional<std::int64_t> ConfigValue::whole(std::int64_t low, std::int64_t high) const
{
    const auto number = node.IsScalar() ? base::parseInt(node.Scalar()) : std::nullopt;
    if (number && *number >= low && *number <= high)
        return *number;
    problem("must be a whole number from " + std::to_string(low) + " to " + std::to_string(high));
    return std::nullopt;
}

std::optional<base::Seconds> ConfigValue::duration() const
{
    if (node.IsScalar()) {
        if (const auto seconds = base::parseDuration(node.Scalar()))
            return *seconds;
    }
    problem("must be a duration, for example 5m, 1h30m or 90d");
    return std::nullopt;
}

std::optional<base::UtcTime> ConfigValue::time() const
{
    if (node.IsScalar()) {
        if (const auto t = base::parseTime(node.Scalar()))
            return *t;
    }
    problem("must be a date or a time, for example 2026-01-01 or 2026-01-01T08:00:00Z");
    return std::nullopt;
}

std::optional<std::string> ConfigValue::timeZone() const
{
    const auto name = text("Europe/Berlin");
    if (name && !base::TimeZone::find(*name)) {
        problem(inQuotes(*name) + " is not a time zone of this system; write, for example, Europe/Berlin");
        return std::nullopt;
    }
    return name;
}

std::optional<std::string> ConfigValue::decimal(std::string_view example, bool mayBeNegative) const
{
    if (node.IsScalar()) {
        const auto amount = base::Money::parse(node.Scalar(), base::Currency::usd());
        if (amount && (mayBeNegative || amount->nanos() >= 0))
            return node.Scalar();
    }
    problem("must be a decimal number" + std::string(mayBeNegative ? "" : " of 0 or more") + ", for example "
            + std::string(example));
    return std::nullopt;
}

std::optional<std::string> ConfigValue::choice(const std::vector<std::string> &allowed) const
{
    if (!node.IsScalar()) {
        problem("must be one of " + joined(allowed));
        return std::nullopt;
    }
    if (std::find(allowed.begin(), allowed.end(), node.Scalar()) != allowed.end())
        return node.Scalar();
    const std::string near = nearest(node.Scalar(), allowed);
    problem(inQuotes(node.Scalar()) + " is unknown"
            + (near.empty() ? "; it is one of " + joined(allowed) : "; did you mean " + near + "?"));
    return std::nullopt;
}

std::optional<base::Currency> ConfigValue::currency() const
{
    if (node.IsScalar()) {
        if (const auto code = base::Currency::parse(node.Scalar()))
            return *code;
    }
    problem("must be a currency code of three capital letters, for example USD or EUR");
    return std::nullopt;
}

std::optional<std::string> ConfigValue::path() const
{
    if (!node.IsScalar() || node.Scalar().empty() || node.Scalar() == "file:") {
        problem("must be the path of a file, for example file:ca.pem");
        return std::nullopt;
    }
    std::string text = node.Scalar();
    if (text.starts_with("file:"))
        text.erase(0, 5);
    if (text == "~" || text.starts_with("~/"))
        return (homeFolder() / text.substr(std::min<std::size_t>(2, text.size()))).lexically_normal().string();
    return (reading->folder / text).lexically_normal().string();
}

std::optional<model::SecretRef> ConfigValue::secret() const
{
    using Kind = model::SecretRef::Kind;
    static constexpr std::string_view kRight = "must be a reference to the secret, never the secret itself: "
                                               "keychain:NAME, env:NAME, file:PATH or command:PROGRAM ARGUMENT…";
    model::SecretRef ref;
    if (node.IsSequence() && node.size() > 0 && node[0].IsScalar() && node[0].Scalar().starts_with("command:")) {
        ref.kind = Kind::Command;
        for (const YAML::Node &argument : node)
            ref.command.push_back(argument.IsScalar() ? argument.Scalar() : std::string());
        ref.command.front().erase(0, std::string_view("command:").size());
    } else if (node.IsScalar()) {
        const std::string &text = node.Scalar();
        const std::size_t colon = text.find(':');
        const std::string kind = colon == std::string::npos ? "" : text.substr(0, colon);
        ref.value = colon == std::string::npos ? "" : text.substr(colon + 1);
        ref.kind = kind == "keychain" ? Kind::Keychain
            : kind == "env"           ? Kind::Environment
            : kind == "file"          ? Kind::File
            : kind == "command"       ? Kind::Command
                                      : Kind::None;
        for (std::size_t at = 0; ref.kind == Kind::Command && at < ref.value.size();) {
            const std::size_t end = std::min(ref.value.find(' ', at), ref.value.size());
            if (end > at)
                ref.command.push_back(ref.value.substr(at, end - at));
            at = end + 1;
        }
    }
    if (ref.kind == Kind::None || (ref.kind == Kind::Command ? ref.command.empty() : ref.value.empty())) {
        problem(std::string(kRight));
        return std::nullopt;
    }
    if (ref.kind == Kind::File)
        ref.value = path().value_or(std::string());
    return ref;
}

std::optional<model::Labels> ConfigValue::labels(std::string_view example) const
{
    ConfigMap map(*this, example);
    if (!map.valid())
        return std::nullopt;
    model::Labels labels;
    for (const auto &entry : node) {
        if (!entry.second.IsScalar()) {
            ConfigValue{entry.second, key + '.' + entry.first.Scalar(), reading}.problem(
                "must be a string, for example " + std::string(example));
            return std::nullopt;
        }
        labels.emplace(entry.first.Scalar(), entry.second.Scalar());
    }
    return labels;
}

std::vector<ConfigValue> ConfigValue::list(std::string_view example) const
{
    std::vector<ConfigValue> values;
    if (!node.IsSequence()) {
        problem("must be a list, for example " + std::string(example));
        return values;
    }
    for (const YAML::Node &element : node)
        values.push_back({element, key + '[' + std::to_string(values.size()) + ']', reading});
    return values;
}

ConfigMap::ConfigMap(const ConfigValue &value, std::string_view example)
    : m_value(value)
{
    if (!value.node.IsMap()) {
        value.problem("must be a map, for example " + std::string(example));
        return;
    }
    m_valid = true;
    for (const auto &entry : value.node) {
        if (!entry.first.IsScalar()) {
            value.reading->problem(entry.first, value.key, "a key must be a string");
            continue;
        }
        const std::string &key = entry.first.Scalar();
        if (has(key)) {
            value.reading->problem(entry.first, pathOf(key), "is a duplicate; keep one");
            continue;
        }
        m_entries.push_back({key, entry.first, entry.second});
    }
}

std::string ConfigMap::pathOf(std::string_view key) const
{
    const std::string shown = base::printable(key, 64);
    return m_value.key.empty() ? shown : m_value.key + '.' + shown;
}

bool ConfigMap::has(std::string_view key) const
{
    return std::any_of(m_entries.begin(), m_entries.end(), [&](const Entry &e) { return e.key == key; });
}

std::optional<ConfigValue> ConfigMap::take(std::string_view key)
{
    m_asked.emplace_back(key);
    for (Entry &entry : m_entries) {
        if (entry.key != key)
            continue;
        entry.taken = true;
        // "key:" without a value counts as a missing key.
        if (entry.value.IsNull())
            return std::nullopt;
        return ConfigValue{entry.value, pathOf(key), m_value.reading};
    }
    return std::nullopt;
}

std::optional<ConfigValue> ConfigMap::require(std::string_view key, std::string_view example)
{
    auto found = take(key);
    if (!found && m_valid)
        m_value.reading->problem(m_value.node, pathOf(key), "is missing; write, for example, " + std::string(example));
    return found;
}

void ConfigMap::finish(const std::vector<std::string> &also)
{
    std::vector<std::string> known = m_asked;
    known.insert(known.end(), also.begin(), also.end());
    for (const Entry &entry : m_entries) {
        if (entry.taken)
            continue;
        if (std::find(also.begin(), also.end(), entry.key) != also.end()) {
            m_value.reading->problem(entry.keyNode, pathOf(entry.key),
                                     "does not belong here; it is a key of another kind");
            continue;
        }
        const std::string near = nearest(entry.key, known);
        m_value.reading->problem(entry.keyNode, pathOf(entry.key),
                                 near.empty() ? "is unknown; known keys: " + joined(m_asked)
                                              : "is unknown; did you mean " + near + "?");
    }
}

} // namespace gpuledger::services

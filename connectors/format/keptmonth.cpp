// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/format/keptmonth.h"

#include "app/base/crypto/sha256.h"
#include "connectors/format/askedbill.h"
#include "connectors/format/json.h"

namespace gpuledger::format {

using Json = nlohmann::json;

namespace {

constexpr int kMonthVersion = 1;

std::int64_t wholeIn(const Json &object, const char *key)
{
    const Json &value = memberOf(object, key);
    return value.is_number_integer() ? value.get<std::int64_t>() : 0;
}

} // namespace

bool KeptMonth::isFinal(base::UtcTime now) const
{
    return !isEstimated && asked >= nextMonthStart(range.end) + settles && asked <= now + base::kDay;
}

bool KeptMonth::isDue(base::UtcTime now, base::Seconds refresh) const
{
    const bool isFresh = asked != base::UtcTime{} && now < asked + refresh && asked <= now + refresh;
    return !isFresh && !isFinal(now);
}

void KeptMonth::put(const std::string &rows, base::UtcTime now)
{
    restated += rows == content ? 0 : 1;
    content = rows;
    asked = now;
}

std::string KeptMonth::fileHash(const std::string &kind) const
{
    return base::sha256Hex(kind + " bill 1 " + identity + ' ' + std::to_string(base::toUnix(range.start)) + ' '
                           + std::to_string(restated) + ' ' + content);
}

std::string KeptMonth::toText() const
{
    const Json stored{{"version", kMonthVersion}, {"month", base::toUnix(range.start)},
                      {"identity", identity},     {"asked", base::toUnix(asked)},
                      {"content", content},       {"restated", restated},
                      {"imported", wasImported}};
    return stored.dump();
}

std::optional<KeptMonth> KeptMonth::fromText(const std::string &text, const base::TimeRange &month)
{
    const auto stored = parseJson(text);
    if (!stored || wholeIn(*stored, "version") != kMonthVersion
        || wholeIn(*stored, "month") != base::toUnix(month.start))
        return std::nullopt;
    KeptMonth out;
    out.range = month;
    out.identity = textOf(*stored, "identity");
    out.asked = base::fromUnix(wholeIn(*stored, "asked"));
    out.content = textOf(*stored, "content");
    out.restated = wholeIn(*stored, "restated");
    const Json &imported = memberOf(*stored, "imported");
    out.wasImported = imported.is_boolean() && imported.get<bool>();
    return out;
}

} // namespace gpuledger::format

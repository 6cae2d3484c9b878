// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/time/gputime.h"
#include "app/model/settingsequal.h"
#include "app/services/config/configedit.h"
#include "app/services/config/configtext.h"

#include <array>
#include <charconv>

namespace gpuledger::services {

using base::Result;
using model::IdleSettings;

namespace {

constexpr const char *kWhat = "idle rule";

std::string writtenNumber(double value)
{
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    return {text.data(), end};
}

std::string writtenProtect(const std::vector<model::ProtectRule> &rules)
{
    std::string out;
    for (const model::ProtectRule &rule : rules) {
        std::string fields;
        if (!rule.labels.empty())
            fields = "label: " + writtenFlowMap({rule.labels.begin(), rule.labels.end()});
        if (!rule.nameSpace.empty())
            fields += (fields.empty() ? "namespace: " : ", namespace: ") + writtenScalar(rule.nameSpace);
        out += (out.empty() ? "{ " : ", { ") + fields + " }";
    }
    return out.empty() ? "[]" : "[ " + out + " ]";
}

struct Entry {
    std::vector<std::string> keys;
    std::string value;
};

std::vector<Entry> changesOf(const IdleSettings &before, const IdleSettings &after)
{
    std::vector<Entry> entries;
    if (after.threshold != before.threshold)
        entries.push_back({{"threshold"}, writtenNumber(after.threshold)});
    if (after.observed != before.observed)
        entries.push_back({{"observed"}, writtenNumber(after.observed)});
    for (const auto &[kind, length] : after.grace) {
        const auto old = before.grace.find(kind);
        const bool isSet = before.graceMeasured.contains(kind) && !after.graceMeasured.contains(kind);
        if (isSet || old == before.grace.end() || old->second != length)
            entries.push_back({{"grace", std::string(model::toString(kind))}, writtenLength(length)});
    }
    if (after.protect != before.protect)
        entries.push_back({{"protect"}, writtenProtect(after.protect)});
    return entries;
}

} // namespace

std::string writtenLength(base::Seconds length)
{
    constexpr std::array<std::pair<std::int64_t, char>, 4> kUnits{{{86400, 'd'}, {3600, 'h'}, {60, 'm'}, {1, 's'}}};
    for (const auto &[seconds, name] : kUnits) {
        if (length.count() % seconds == 0)
            return std::to_string(length.count() / seconds) + name;
    }
    return {};
}

Result<std::string> withIdleRule(std::string_view text, const IdleSettings &before, const IdleSettings &wanted,
                                 const std::filesystem::path &file, const ports::SourceKinds &kinds)
{
    IdleSettings after = wanted;
    for (const model::WorkloadKind kind : wanted.graceMeasured) {
        const auto stated = before.grace.find(kind);
        if (!before.graceMeasured.contains(kind) || stated == before.grace.end())
            after.graceMeasured.erase(kind); // it is configured: it gets the wanted length
        else
            after.grace[kind] = stated->second; // what is measured is not written
    }
    const auto now = settingsOf(text, file, kinds);
    GPULEDGER_TRY(now);
    if (!(now->idle == before))
        return otherMeanwhile(file, std::string("the ") + kWhat);
    std::string result(text);
    for (Entry &entry : changesOf(before, after)) {
        entry.keys.insert(entry.keys.begin(), "idle");
        auto changed = withKeys(result, entry.keys, entry.value);
        if (!changed)
            return notUnderstood(file, kWhat);
        result = std::move(*changed);
    }
    if (result != text && !sameBut("idle", text, result))
        return notUnderstood(file, kWhat);
    const auto then = settingsOf(result, file, kinds); // reports values that are not valid for a rule
    GPULEDGER_TRY(then);
    if (!(then->idle == after))
        return notUnderstood(file, kWhat);
    return result;
}

} // namespace gpuledger::services

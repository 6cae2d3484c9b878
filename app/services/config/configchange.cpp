// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "app/model/settingsequal.h"
#include "app/services/config/config.h"
#include "app/services/config/configedit.h"
#include "app/services/config/configtext.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace gpuledger::services {

namespace {

using base::ErrorCode;
using base::Result;
using model::OwnerRule;

// The position of the source in the file's list, if it is still unchanged.
Result<std::size_t> placeOf(const model::SourceSettings &source, const std::vector<model::SourceSettings> &sources,
                            const std::filesystem::path &file)
{
    const auto at =
        std::find_if(sources.begin(), sources.end(), [&](const auto &one) { return one.name == source.name; });
    const std::string name = "\"" + base::printable(source.name, 64) + '"';
    if (at == sources.end())
        return base::fail(base::Error::make(ErrorCode::NotFound,
                                            "there is no source " + name + " in the configuration; nothing was written")
                              .withSource(file.string()));
    if (!(*at == source))
        return otherMeanwhile(file, "the source " + name);
    return static_cast<std::size_t>(at - sources.begin());
}

std::optional<std::string> applied(std::string_view text, std::size_t place, const SourceChange &change)
{
    std::optional<std::string> result(text);
    for (const SourceChange::Value &one : change.values) {
        std::vector<ConfigStep> way{{"sources", 0}, {"", place}};
        for (const std::string &key : one.way)
            way.push_back({key, 0});
        std::optional<std::string> written;
        if (!one.parts.empty())
            written = writtenFlowMap(one.parts);
        else if (!one.items.empty())
            written = writtenFlowList(one.items);
        else if (one.value)
            written = writtenScalar(*one.value);
        result = withValue(*result, way, written);
        if (!result)
            return std::nullopt;
    }
    return result;
}

std::string writtenTime(base::UtcTime t)
{
    const std::string text = base::toRfc3339(t);
    return base::dayOf(t).start() == t ? text.substr(0, 10) : text;
}

std::string writtenOwner(const OwnerRule &rule)
{
    std::string out;
    const auto add = [&](const std::string &key, const std::string &value) {
        out += (out.empty() ? "{ " : ", ") + key + ": " + value;
    };
    const auto named = [&](const std::string &key) {
        add(key, rule.pattern.empty() ? writtenScalar(rule.key) : writtenFlowMap({{rule.key, rule.pattern}}));
    };
    const bool isDefault = rule.kind == OwnerRule::Kind::Default;
    switch (rule.kind) {
    case OwnerRule::Kind::Label:
        named("label");
        break;
    case OwnerRule::Kind::NamespaceLabel:
        named("namespace_label");
        break;
    case OwnerRule::Kind::Namespace:
        add("namespace", writtenScalar(rule.pattern));
        break;
    case OwnerRule::Kind::NodePool:
        add("node_pool", writtenScalar(rule.pattern));
        break;
    case OwnerRule::Kind::CloudTag:
        named("cloud_tag");
        break;
    case OwnerRule::Kind::Account:
        add("account", writtenScalar(rule.pattern));
        break;
    case OwnerRule::Kind::Default:
        add("default", writtenScalar(rule.team));
        break;
    }
    if (rule.match != OwnerRule::Match::Exact)
        add(rule.match == OwnerRule::Match::Regex ? "regex" : "prefix", "true");
    if (!isDefault && !rule.team.empty())
        add("team", writtenScalar(rule.team));
    if (rule.from)
        add("from", writtenTime(*rule.from));
    if (rule.until)
        add("until", writtenTime(*rule.until));
    if (!rule.send.empty())
        add("send", writtenFlowList(rule.send));
    return out + " }";
}

} // namespace

Result<model::Settings> settingsOf(std::string_view text, const std::filesystem::path &file,
                                   const ports::SourceKinds &kinds)
{
    ParsedConfig parsed = parseConfig(text, folderOf(file), kinds);
    std::string all;
    for (const ConfigProblem &problem : parsed.problems)
        all += (all.empty() ? "" : "\n") + describe(problem, file.string());
    if (all.empty())
        return std::move(parsed.settings);
    return base::fail(
        base::Error::make(ErrorCode::InvalidConfig, all, base::Remedy::CorrectFile).withSource(file.string()));
}

tl::unexpected<base::Error> notUnderstood(const std::filesystem::path &file, const std::string &what)
{
    return base::fail(
        base::Error::make(ErrorCode::Unsupported,
                          base::printable(file.string()) + ": its " + what
                              + " can't be changed without changing the rest of the file; nothing was changed",
                          base::Remedy::EditFile)
            .withSource(file.string()));
}

tl::unexpected<base::Error> otherMeanwhile(const std::filesystem::path &file, const std::string &what)
{
    return base::fail(base::Error::make(ErrorCode::StorageBusy,
                                        what + " changed in " + base::printable(file.string())
                                            + " in the meantime; nothing was written",
                                        base::Remedy::ReviewAndTryAgain)
                          .withSource(file.string()));
}

Result<std::string> withChangedSource(std::string_view text, const SourceChange &change,
                                      const std::filesystem::path &file, const ports::SourceKinds &kinds)
{
    const auto before = settingsOf(text, file, kinds);
    GPULEDGER_TRY(before);
    const auto place = placeOf(change.before, before->sources, file);
    GPULEDGER_TRY(place);
    const auto result = applied(text, *place, change);
    if (!result)
        return notUnderstood(file, "sources");
    // Verify that this source became what it should be and that nothing else changed its meaning.
    const auto after = settingsOf(*result, file, kinds);
    GPULEDGER_TRY(after);
    std::vector<model::SourceSettings> wanted = before->sources;
    wanted[*place] = change.after;
    if (after->sources != wanted || !sameBut("sources", text, *result))
        return notUnderstood(file, "sources");
    return *result;
}

Result<std::string> withoutSource(std::string_view text, const model::SourceSettings &source,
                                  const std::filesystem::path &file, const ports::SourceKinds &kinds)
{
    const auto before = settingsOf(text, file, kinds);
    GPULEDGER_TRY(before);
    const auto place = placeOf(source, before->sources, file);
    GPULEDGER_TRY(place);
    std::vector<ListItem> items;
    std::vector<model::SourceSettings> wanted;
    for (std::size_t i = 0; i < before->sources.size(); ++i) {
        if (i == *place)
            continue;
        items.push_back({i, {}});
        wanted.push_back(before->sources[i]);
    }
    const auto result = withList(text, "sources", items);
    if (!result || !sameBut("sources", text, *result))
        return notUnderstood(file, "sources");
    const auto after = settingsOf(*result, file, kinds);
    GPULEDGER_TRY(after);
    if (after->sources != wanted)
        return notUnderstood(file, "sources");
    return *result;
}

model::OwnerRule writable(const OwnerRule &rule)
{
    OwnerRule out = rule;
    const bool nameOnly = rule.kind == OwnerRule::Kind::Namespace || rule.kind == OwnerRule::Kind::NodePool
        || rule.kind == OwnerRule::Kind::Account;
    if (nameOnly && rule.pattern.empty()) {
        out.pattern = ".+";
        out.match = OwnerRule::Match::Regex;
    }
    if (rule.kind == OwnerRule::Kind::Default && rule.team.empty())
        out.team = "unowned";
    return out;
}

Result<std::string> withOwners(std::string_view text, const OwnersChange &change, const std::filesystem::path &file,
                               const ports::SourceKinds &kinds)
{
    const auto before = settingsOf(text, file, kinds);
    GPULEDGER_TRY(before);
    if (before->owners != change.before)
        return otherMeanwhile(file, "the owner rules");
    std::vector<ListItem> items;
    std::vector<OwnerRule> wanted;
    for (const OwnersChange::Rule &one : change.after) {
        const OwnerRule rule = writable(one.rule);
        const bool kept = one.from && *one.from < before->owners.size();
        const bool same = kept && before->owners[*one.from] == rule;
        items.push_back({kept ? one.from : std::nullopt, same ? std::string() : writtenOwner(rule)});
        wanted.push_back(rule);
    }
    const auto result = withList(text, "owners", items);
    if (!result || !sameBut("owners", text, *result))
        return notUnderstood(file, "owner rules");
    const auto after = settingsOf(*result, file, kinds);
    GPULEDGER_TRY(after);
    if (after->owners != wanted)
        return notUnderstood(file, "owner rules");
    return *result;
}

namespace {

bool sameSharing(const model::Settings &a, const model::Settings &b)
{
    return a.idleSharing == b.idleSharing && a.sharedCosts == b.sharedCosts && a.sharedWeights == b.sharedWeights;
}

std::string writtenSharing(const model::Settings &settings)
{
    std::string shared = settings.sharedCosts;
    if (shared == "fixed") {
        NewSource::Parts weights;
        for (const auto &[team, weight] : settings.sharedWeights) {
            std::array<char, 32> text{};
            const auto end = std::to_chars(text.data(), text.data() + text.size(), weight).ptr;
            weights.emplace_back(team, std::string(text.data(), end));
        }
        shared = "{ fixed: " + writtenFlowMap(weights) + " }";
    }
    return "{ idle: " + settings.idleSharing + ", shared: " + shared + " }";
}

} // namespace

Result<std::string> withSharing(std::string_view text, const model::Settings &before, const model::Settings &after,
                                const std::filesystem::path &file, const ports::SourceKinds &kinds)
{
    const auto now = settingsOf(text, file, kinds);
    GPULEDGER_TRY(now);
    if (!sameSharing(*now, before))
        return otherMeanwhile(file, "the rules for shared cost");
    const auto result = withValue(text, {{"shared_costs", 0}}, writtenSharing(after));
    if (!result || !sameBut("shared_costs", text, *result))
        return notUnderstood(file, "rules for shared cost");
    const auto then = settingsOf(*result, file, kinds);
    GPULEDGER_TRY(then);
    if (!sameSharing(*then, after))
        return notUnderstood(file, "rules for shared cost");
    return *result;
}

} // namespace gpuledger::services

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/config/config.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "app/base/time/timezone.h"
#include "app/services/config/configfile.h"
#include "app/services/config/confignode.h"

#include <yaml-cpp/eventhandler.h>

#include <algorithm>
#include <functional>
#include <set>
#include <sstream>

namespace gpuledger::services {

namespace {

// Finds the position of the first value of a document.
class FirstValue final : public YAML::EventHandler {
public:
    void OnDocumentStart(const YAML::Mark &) override { }
    void OnDocumentEnd() override { }
    void OnNull(const YAML::Mark &mark, YAML::anchor_t) override { note(mark); }
    void OnAlias(const YAML::Mark &mark, YAML::anchor_t) override { note(mark); }
    void OnScalar(const YAML::Mark &mark, const std::string &, YAML::anchor_t, const std::string &) override
    {
        note(mark);
    }
    void OnSequenceStart(const YAML::Mark &mark, const std::string &, YAML::anchor_t,
                         YAML::EmitterStyle::value) override
    {
        note(mark);
    }
    void OnSequenceEnd() override { }
    void OnMapStart(const YAML::Mark &mark, const std::string &, YAML::anchor_t, YAML::EmitterStyle::value) override
    {
        note(mark);
    }
    void OnMapEnd() override { }
    std::optional<YAML::Mark> place() const { return m_place; }

private:
    void note(const YAML::Mark &mark) { m_place = m_place.value_or(mark); }
    std::optional<YAML::Mark> m_place;
};

// The position of a second document. YAML::LoadAll() can't be used: at a comma behind the end of a document, yaml-cpp
// produces empty documents forever without consuming the comma.
std::optional<YAML::Mark> secondDocument(const std::string &text)
{
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    FirstValue first, second;
    if (parser.HandleNextDocument(first))
        parser.HandleNextDocument(second);
    return second.place();
}

// Counts nodes through aliases, which yaml-cpp shares; false if a limit is exceeded.
bool withinLimits(const YAML::Node &node, int depth, int &count)
{
    if (depth > kMaxConfigDepth || ++count > kMaxConfigNodes)
        return false;
    for (const auto &entry : node) {
        const bool within = node.IsMap()
            ? withinLimits(entry.first, depth + 1, count) && withinLimits(entry.second, depth + 1, count)
            : withinLimits(entry, depth + 1, count);
        if (!within)
            return false;
    }
    return true;
}

void readSources(ConfigMap &map, model::Settings &settings)
{
    const auto sources = map.require("sources", "sources: [ { name: prod, kind: prometheus, url: https://… } ]");
    if (!sources)
        return;
    std::set<std::string> names;
    for (const ConfigValue &one : sources->list("- name: prod")) {
        model::SourceSettings source = readSource(one, *sources->reading->kinds);
        if (!source.name.empty() && !names.insert(source.name).second)
            one.problem("has the same name as another source; names must be unique");
        settings.sources.push_back(std::move(source));
    }
}

void readVersion(ConfigMap &map)
{
    if (const auto version = map.take("version"); version && version->node.Scalar() != "1")
        version->problem("must be 1, the version of this format; a newer one needs a newer program");
}

void readBudgets(ConfigMap &map, model::Settings &settings)
{
    if (const auto month = map.take("fiscal_year_starts"))
        settings.fiscalYearStarts = month->integer(1, 12).value_or(1);
    if (const auto list = map.take("budgets")) {
        for (const ConfigValue &one : list->list("- { team: vision, period: month, amount: \"120000\" }"))
            settings.budgets.push_back(readBudget(one));
    }
}

void readTop(ConfigMap &map, model::Settings &settings)
{
    readVersion(map);
    if (const auto currency = map.take("currency"))
        settings.currency = currency->currency().value_or(settings.currency);
    if (const auto zone = map.take("time_zone"))
        settings.timeZone = zone->timeZone().value_or("");
    readSources(map, settings);
    const auto each = [&](std::string_view key, std::string_view example, const auto &read) {
        if (const auto list = map.take(key)) {
            for (const ConfigValue &one : list->list(example))
                read(one);
        }
    };
    readTargets(map, settings);
    each("owners", "- { label: team }",
         [&](const ConfigValue &one) { settings.owners.push_back(readOwner(one, settings.targets)); });
    each("workloads", "- { label: { app: jupyter }, kind: notebook }",
         [&](const ConfigValue &one) { settings.workloads.push_back(readWorkload(one)); });
    if (const auto environments = map.take("environments")) {
        ConfigMap fields(*environments, "{ label: env }");
        if (const auto label = fields.require("label", "label: env"))
            settings.environmentLabel = label->text("env").value_or("");
        fields.finish();
    }
    settings.idle.measureGrace(); // but for those that follow
    if (const auto idle = map.take("idle"))
        readIdle(*idle, settings.idle);
    if (const auto prices = map.take("prices"))
        readPrices(*prices, settings.prices);
    if (const auto shared = map.take("shared_costs"))
        readSharedCosts(*shared, settings);
    readBudgets(map, settings);
    readRoutes(map, settings, settings.targets);
    readAlerts(map, settings, settings.targets, routesIn(settings));
    if (const auto actions = map.take("actions"))
        readActions(*actions, settings.actions);
    if (const auto chargeback = map.take("chargeback"))
        readChargeback(*chargeback, settings.chargeback);
    if (const auto savings = map.take("savings"))
        readSavings(*savings, settings.savings);
    if (const auto links = map.take("links"))
        readLinks(*links, settings.links);
    each("exporters", "- { name: my-exporter }",
         [&](const ConfigValue &one) { settings.exporters.push_back(readExporter(one)); });
    map.finish();
}

ParsedConfig failed(int line, int column, std::string text)
{
    ParsedConfig parsed;
    parsed.problems.push_back({line, column, {}, std::move(text)});
    return parsed;
}

// `read` takes the top of the file.
ParsedConfig parsedWith(std::string_view text, ConfigReading reading, std::string_view example,
                        const std::function<void(ConfigMap &, model::Settings &)> &read)
{
    if (text.size() > kMaxConfigBytes)
        return failed(0, 0, "is larger than 1 MiB, which is too large for a configuration");
    if (!base::isUtf8(text) || text.find('\0') != std::string_view::npos)
        return failed(0, 0, "is not UTF-8 text; save it as UTF-8");
    ParsedConfig parsed;
    try {
        const std::string whole(text);
        if (const auto mark = secondDocument(whole))
            return failed(mark->line + 1, mark->column + 1,
                          "a second YAML document starts here (---), or there is an extra comma before it; a "
                          "configuration is a single document");
        const YAML::Node root = YAML::Load(whole);
        if (!root.IsDefined() || root.IsNull())
            return failed(1, 1, "is empty; `gpuledger-cli sources add --sample` writes one to start from");
        int count = 0;
        if (!withinLimits(root, 0, count))
            return failed(
                0, 0,
                "has more than 100,000 values or 64 levels when its aliases are expanded; write it without aliases");
        ConfigMap map({root, {}, &reading}, example);
        if (map.valid())
            read(map, parsed.settings);
    } catch (const YAML::Exception &e) {
        // The messages of yaml-cpp are fixed texts except for names of anchors and tags.
        return failed(e.mark.line + 1, e.mark.column + 1,
                      "is not valid YAML: " + base::printable(e.msg, 120) + "; check indentation, quotes and brackets");
    }
    parsed.problems = std::move(reading.problems);
    std::stable_sort(parsed.problems.begin(), parsed.problems.end(),
                     [](const ConfigProblem &a, const ConfigProblem &b) {
                         return std::pair(a.line, a.column) < std::pair(b.line, b.column);
                     });
    return parsed;
}

} // namespace

ParsedConfig parseConfig(std::string_view text, const std::filesystem::path &folder, const ports::SourceKinds &kinds)
{
    return parsedWith(text, {folder, &kinds, {}}, "sources: …", readTop);
}

ParsedConfig parseAlertLists(std::string_view text, const std::filesystem::path &folder, const model::Settings &into)
{
    return parsedWith(text, {folder, nullptr, {}}, "alerts: …", [&](ConfigMap &map, model::Settings &settings) {
        readVersion(map);
        settings.currency = into.currency;
        readBudgets(map, settings);
        readTargets(map, settings);
        std::vector<model::AlertTarget> targets = settings.targets;
        targets.insert(targets.end(), into.targets.begin(), into.targets.end());
        readRoutes(map, settings, targets);
        std::vector<model::AlertRoute> routes = routesIn(into);
        routes.insert(routes.end(), settings.routes.begin(), settings.routes.end());
        readAlerts(map, settings, targets, routes);
        map.finish();
    });
}

std::string describe(const ConfigProblem &problem, const std::string &fileName)
{
    std::string out = base::printable(fileName);
    if (problem.line > 0)
        out += ':' + std::to_string(problem.line) + ':' + std::to_string(problem.column);
    out += ": ";
    if (!problem.key.empty())
        out += problem.key + ": ";
    return out + problem.text;
}

base::Result<model::Settings> readConfigFile(const std::filesystem::path &file, const ports::SourceKinds &kinds)
{
    const std::string name = file.string();
    const auto failure = [&](base::ErrorCode code, const std::string &text, base::Hint hint) {
        return base::fail(base::Error::make(code, text, std::move(hint)).withSource(name));
    };
    const auto text = configBytes(file);
    GPULEDGER_TRY(text);
    if (!*text)
        return failure(base::ErrorCode::NotFound, base::printable(name) + ": no such file",
                       base::Remedy::WriteSampleOrRunDemo);
    std::error_code ec;
    ParsedConfig parsed = parseConfig(**text, std::filesystem::absolute(file, ec).parent_path(), kinds);
    if (parsed.problems.empty())
        return std::move(parsed.settings);
    std::string all;
    for (const ConfigProblem &problem : parsed.problems)
        all += (all.empty() ? "" : "\n") + describe(problem, name);
    return failure(base::ErrorCode::InvalidConfig, all, base::Remedy::CorrectFile);
}

} // namespace gpuledger::services

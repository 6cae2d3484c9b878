// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/config/alertlists.h"

#include "app/base/remedy.h"
#include "app/services/config/config.h"
#include "app/services/config/configtext.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <utility>

namespace gpuledger::services {

using base::Result;

namespace {

// In the order in which they are written: routes and rules name targets.
constexpr std::array<std::string_view, 5> kAlertLists{"targets", "routes", "alerts", "budgets", "events"};

bool isPlainInFlow(const YAML::Node &node)
{
    const std::string &text = node.Scalar();
    return node.Tag() == "?" && !text.empty() && text.find_first_of(",[]{}#\n\"'") == std::string::npos
        && text.find(": ") == std::string::npos && text.back() != ':';
}

// On one line, whatever style it has in the file.
std::string writtenNode(const YAML::Node &node)
{
    std::string out;
    if (node.IsMap()) {
        for (const auto &entry : node)
            out += (out.empty() ? "{ " : ", ") + writtenNode(entry.first) + ": " + writtenNode(entry.second);
        return out.empty() ? "{}" : out + " }";
    }
    if (node.IsSequence()) {
        for (const YAML::Node &one : node)
            out += (out.empty() ? "[" : ", ") + writtenNode(one);
        return out.empty() ? "[]" : out + ']';
    }
    if (node.IsNull())
        return "~";
    return isPlainInFlow(node) ? node.Scalar() : writtenScalar(node.Scalar());
}

struct ListEntry {
    std::string name, text;
};
using ListEntries = std::vector<ListEntry>;

std::string budgetName(const model::Budget &budget)
{
    return budget.by + ' ' + budget.key + ", " + budget.period;
}

// Its conditions: "team vision, severity critical".
std::string routeName(const model::AlertRoute &route)
{
    std::string out;
    const auto add = [&](std::string_view key, const std::string &value) {
        if (!value.empty())
            out += (out.empty() ? "" : ", ") + std::string(key) + ' ' + value;
    };
    add("team", route.team);
    add("severity", route.severity);
    add("cluster", route.cluster);
    return out;
}

std::vector<std::string> listNamesOf(const model::Settings &settings, std::string_view list)
{
    std::vector<std::string> out;
    const auto add = [&](const auto &all) {
        for (const auto &one : all)
            out.push_back(one.name);
    };
    if (list == "targets")
        add(settings.targets);
    else if (list == "routes")
        std::transform(settings.routes.begin(), settings.routes.end(), std::back_inserter(out), routeName);
    else if (list == "alerts")
        add(settings.alerts);
    else if (list == "events")
        add(settings.events);
    else
        std::transform(settings.budgets.begin(), settings.budgets.end(), std::back_inserter(out), budgetName);
    return out;
}

// Of a text that was read into `settings`. std::nullopt: it does not have this list.
std::optional<ListEntries> listEntriesOf(std::string_view text, const model::Settings &settings, std::string_view list)
{
    const YAML::Node root = YAML::Load(std::string(text));
    const YAML::Node node = root.IsMap() ? root[std::string(list)] : YAML::Node();
    if (!node.IsDefined() || !node.IsSequence())
        return std::nullopt;
    const std::vector<std::string> names = listNamesOf(settings, list);
    ListEntries out;
    for (const YAML::Node &one : node)
        out.push_back({out.size() < names.size() ? names[out.size()] : std::string(), writtenNode(one)});
    return out;
}

// What becomes of a list.
struct NewList {
    std::vector<ListItem> items;
    ListEntries wanted;
};

std::optional<std::size_t> takeNamed(const ListEntries &entries, const std::string &name, std::vector<char> &taken)
{
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (taken[i] == 0 && entries[i].name == name) {
            taken[i] = 1;
            return i;
        }
    }
    return std::nullopt;
}

class ListMerge {
public:
    ListMerge(std::string_view list, ListEntries before, ListEntries other)
        : m_list(list)
        , m_before(std::move(before))
        , m_other(std::move(other))
    {
    }

    NewList merged(ImportedAlerts &answer)
    {
        std::vector<char> taken(m_other.size(), 0);
        for (std::size_t i = 0; i < m_before.size(); ++i) {
            if (const auto other = takeNamed(m_other, m_before[i].name, taken))
                take(m_other[*other], i, answer);
            else
                keep(i);
        }
        for (std::size_t i = 0; i < m_other.size(); ++i) {
            if (taken[i] == 0)
                take(m_other[i], std::nullopt, answer);
        }
        return std::move(m_new);
    }
    NewList replaced(ImportedAlerts &answer)
    {
        std::vector<char> taken(m_before.size(), 0);
        for (const ListEntry &one : m_other)
            take(one, takeNamed(m_before, one.name, taken), answer);
        for (std::size_t i = 0; i < m_before.size(); ++i) {
            if (taken[i] == 0)
                answer.entries.push_back({ImportedEntry::What::Removed, m_list, m_before[i].name});
        }
        return std::move(m_new);
    }

private:
    void keep(std::size_t i)
    {
        m_new.items.push_back({i, {}});
        m_new.wanted.push_back(m_before[i]);
    }
    void take(const ListEntry &other, std::optional<std::size_t> old, ImportedAlerts &answer)
    {
        if (old && m_before[*old].text == other.text) {
            ++answer.unchanged;
            keep(*old);
            return;
        }
        m_new.items.push_back({old, other.text});
        m_new.wanted.push_back(other);
        answer.entries.push_back({old ? ImportedEntry::What::Changed : ImportedEntry::What::Added, m_list, other.name});
    }

    std::string m_list;
    ListEntries m_before, m_other;
    NewList m_new;
};

bool isAsWanted(std::string_view text, const model::Settings &settings, std::string_view list,
                const ListEntries &wanted)
{
    const ListEntries now = listEntriesOf(text, settings, list).value_or(ListEntries());
    return std::equal(now.begin(), now.end(), wanted.begin(), wanted.end(),
                      [](const ListEntry &a, const ListEntry &b) { return a.text == b.text; });
}

Result<model::Settings> listsOf(std::string_view imported, const std::filesystem::path &file,
                                const model::Settings &into)
{
    ParsedConfig parsed = parseAlertLists(imported, folderOf(file), into);
    std::string all;
    for (const ConfigProblem &problem : parsed.problems)
        all += (all.empty() ? "" : "\n") + describe(problem, file.string());
    if (all.empty())
        return std::move(parsed.settings);
    return base::fail(
        base::Error::make(base::ErrorCode::InvalidConfig, all, base::Remedy::CorrectFile).withSource(file.string()));
}

} // namespace

Result<std::string> exportedAlerts(std::string_view text, const std::filesystem::path &file,
                                   const ports::SourceKinds &kinds)
{
    const auto settings = settingsOf(text, file, kinds);
    GPULEDGER_TRY(settings);
    std::string out = "version: 1\n";
    for (const std::string_view list : kAlertLists) {
        const auto entries = listEntriesOf(text, *settings, list);
        if (!entries || entries->empty())
            continue;
        out += std::string(list) + ":\n";
        for (const ListEntry &one : *entries)
            out += "  - " + one.text + '\n';
    }
    return out;
}

Result<ImportedAlerts> withImportedAlerts(std::string_view text, const std::filesystem::path &file,
                                          std::string_view imported, const std::filesystem::path &importedFile,
                                          ImportMode mode, const ports::SourceKinds &kinds)
{
    const auto before = settingsOf(text, file, kinds);
    GPULEDGER_TRY(before);
    const auto lists = listsOf(imported, importedFile, *before);
    GPULEDGER_TRY(lists);
    ImportedAlerts out;
    out.text = text;
    std::vector<std::pair<std::string_view, ListEntries>> wanted;
    for (const std::string_view list : kAlertLists) {
        auto other = listEntriesOf(imported, *lists, list);
        if (!other)
            continue;
        ListMerge merge(list, listEntriesOf(text, *before, list).value_or(ListEntries()), std::move(*other));
        const std::size_t changes = out.entries.size();
        NewList now = mode == ImportMode::Merge ? merge.merged(out) : merge.replaced(out);
        if (out.entries.size() == changes)
            continue; // at most their order differs
        const auto result = withList(out.text, list, now.items);
        if (!result || !sameBut(list, out.text, *result))
            return notUnderstood(file, std::string(list));
        out.text = *result;
        wanted.emplace_back(list, std::move(now.wanted));
    }
    const auto after = settingsOf(out.text, file, kinds);
    GPULEDGER_TRY(after);
    for (const auto &[list, entries] : wanted) {
        if (!isAsWanted(out.text, *after, list, entries))
            return notUnderstood(file, std::string(list));
    }
    return out;
}

} // namespace gpuledger::services

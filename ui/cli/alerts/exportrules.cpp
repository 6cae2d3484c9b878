// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/alerts/exportrules.h"

#include "app/base/files/filereplace.h"
#include "app/base/text/text.h"
#include "app/services/alerts/alertservice.h"
#include "app/services/alerts/exportedrules.h"
#include "app/services/workspace/workspace.h"
#include "ui/cli/program/output.h"
#include "ui/cli/program/session.h"

#include <filesystem>
#include <set>

namespace gpuledger::cli {

using base::ErrorCode;
using base::Result;
using services::SourceRules;

namespace {

constexpr mode_t kRuleFileMode = 0644; // Prometheus runs as another user

Result<std::vector<std::string>> writeRules(const std::vector<SourceRules> &all, const std::filesystem::path &folder)
{
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (failed)
        return base::fail(ErrorCode::StorageReadOnly,
                          "cannot make the folder " + base::printable(folder.string()) + ": " + failed.message(),
                          "name another one than " + base::printable(folder.string()) + " with --out");
    std::vector<std::string> files;
    for (const SourceRules &one : all) {
        for (const auto &[name, text] :
             {std::pair(one.rulesFile, &one.rules.rules), std::pair(one.testsFile, &one.rules.tests)}) {
            GPULEDGER_TRY(base::replaceFile(folder / name, *text, kRuleFileMode));
            files.push_back((folder / name).string());
        }
    }
    return files;
}

// What several sources have in common is said once.
Json exportJson(const std::vector<SourceRules> &all, const std::vector<std::string> &files)
{
    Json json{{"files", files}, {"exported", Json::array()}, {"not_exported", Json::array()}};
    std::set<std::string> exported;
    std::set<std::pair<std::string, std::string>> left;
    for (const SourceRules &one : all) {
        for (const std::string &name : one.rules.exported) {
            if (exported.insert(name).second)
                json["exported"].push_back(name);
        }
        for (const alerts::NotExported &rule : one.rules.notExported) {
            if (left.emplace(rule.rule, rule.reason).second)
                json["not_exported"].push_back({{"rule", rule.rule}, {"reason", rule.reason}});
        }
    }
    return json;
}

std::string exportText(const std::vector<SourceRules> &all, const std::vector<std::string> &files)
{
    std::string text;
    for (const SourceRules &one : all) {
        text += one.source + ": " + std::to_string(one.rules.exported.size()) + " exported\n";
        for (const alerts::NotExported &rule : one.rules.notExported)
            text += "  not exported: " + rule.rule + ": " + rule.reason + '\n';
    }
    for (const std::string &file : files)
        text += file + '\n';
    return text;
}

} // namespace

Result<int> exportRules(Session &session, services::Workspace &workspace, const std::string &folder)
{
    const auto all = workspace.alerts().exportedRules();
    GPULEDGER_TRY(all);
    Output &out = session.out();
    if (folder.empty() && !out.json()) {
        if (all->size() > 1)
            return base::fail(ErrorCode::InvalidArgument,
                              "there are " + std::to_string(all->size()) + " sources, each with rules of its own",
                              "name a folder with --out for the files of these " + std::to_string(all->size())
                                  + " sources");
        GPULEDGER_TRY(out.print(all->front().rules.rules));
        return kDone;
    }
    std::vector<std::string> files;
    if (!folder.empty()) {
        auto written = writeRules(*all, folder);
        GPULEDGER_TRY(written);
        files = std::move(*written);
    }
    if (out.json())
        GPULEDGER_TRY(out.print(exportJson(*all, files)));
    else
        GPULEDGER_TRY(out.print(exportText(*all, files)));
    return kDone;
}

} // namespace gpuledger::cli

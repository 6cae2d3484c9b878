// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/plan/planner.h"
#include "app/actions/run/runner.h"
#include "app/actions/run/settle.h"
#include "app/actions/run/undo.h"
#include "app/store/ledgerstore.h"
#include "tests/support/fakes/fakeenvironment.h"

#include <QTemporaryDir>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gpuledger::tests {

using Records = std::vector<model::ActionRecord>;

// A folder in memory if there is one: these tests perform thousands of durable writes.
inline QString fastFolder()
{
    return std::filesystem::is_directory("/dev/shm") ? QStringLiteral("/dev/shm/gpuledgeractXXXXXX") : QString();
}

// A platform, a store on disk and one operator.
class ActionBench {
public:
    ActionBench()
        : dir(fastFolder().isEmpty() ? QTemporaryDir() : QTemporaryDir(fastFolder()))
    {
        reopen();
    }
    // Simulates the next start of the program.
    void reopen()
    {
        log.reset();
        cache.reset();
        cache = store::LedgerStore::open(dir.path().toStdString()).value();
        log.emplace(cache->actions());
        clock.emplace();
    }
    actions::ActionContext engine()
    {
        actions::ActionContext parts{environment, *log, *clock, {}};
        parts.limits.verifyWithin = std::chrono::seconds(5);
        parts.limits.wave = wave;
        return parts;
    }
    // New idle objects.
    std::vector<std::string> addIdle(int count, const std::string &prefix = "train")
    {
        std::vector<std::string> ids;
        for (int i = 0; i < count; ++i) {
            FakeObject &object = platform.add(prefix + '-' + std::to_string(i));
            environment.addIdle(object);
            ids.push_back(idOf(object));
        }
        return ids;
    }
    static std::string idOf(const FakeObject &object) { return actions::idOf(object.holders.front()); }
    base::Result<actions::Plan> plan(const std::vector<std::string> &ids, const std::vector<std::string> &despite = {})
    {
        return actions::makePlan({ids, true, despite}, environment, *log, *clock, {});
    }
    // Types every name that has to be typed.
    base::Result<Records> run(const actions::Plan &plan, std::optional<int> count = {}, std::stop_token stop = {},
                              const actions::RunProgress &progress = {})
    {
        return run(plan, count, plan.blast.irreversible, stop, progress);
    }
    base::Result<Records> run(const actions::Plan &plan, std::optional<int> count,
                              const std::vector<std::string> &names, std::stop_token stop = {},
                              const actions::RunProgress &progress = {})
    {
        actions::ActionContext parts = engine();
        return actions::runPlan(plan, {actions::hashOf(plan.stops), "a test", count, {}, names}, parts, stop, progress);
    }
    base::Result<Records> stopAll(const std::vector<std::string> &ids, std::optional<int> count = {})
    {
        const auto made = plan(ids);
        GPULEDGER_TRY(made);
        return run(*made, count);
    }
    base::Result<Records> undo(std::int64_t id)
    {
        actions::ActionContext parts = engine();
        return actions::runUndo({id}, "a test", parts, {});
    }
    base::Result<Records> settle()
    {
        actions::ActionContext parts = engine();
        return actions::settleActions(parts, {});
    }

    QTemporaryDir dir;
    FakePlatform platform;
    FakeEnvironment environment{platform, "alex"};
    std::unique_ptr<store::LedgerStore> cache;
    std::optional<store::ActionStore> log;
    std::optional<actions::ClockWatch> clock;
    std::size_t wave = 5;
};

} // namespace gpuledger::tests

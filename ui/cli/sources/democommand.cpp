// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/sources/democommand.h"

#include "app/services/environment/demosettings.h"
#include "app/services/workspace/demopast.h"
#include "ui/cli/sources/syncrun.h"

#include <CLI/CLI.hpp>

namespace gpuledger::cli {

namespace {

// Without a past, the fleet is still whole; nothing else may be lost.
base::Result<void> orNote(Session &session, const base::Result<void> &told)
{
    session.out().progressLine({});
    if (told || told.error().code == base::ErrorCode::Cancelled)
        return told;
    session.out().note("the past of the demo company is incomplete: " + told.error().text);
    return {};
}

} // namespace

void DemoCommand::addTo(CLI::App &parent)
{
    m_verb = addVerb(parent, "demo", "Fills the data folder of --demo with the built-in demo fleet",
                     "gpuledger-cli demo && gpuledger-cli --demo summary");
    m_verb->add_option("--days", m_days, "How far back it reaches, in days (92)")->check(CLI::Range(1, 400));
    m_verb->add_option("--gpus", m_gpus, "Approximate number of GPUs")->check(CLI::Range(1, 20'000));
    m_verb->add_option("--seed", m_seed, "Seed of the generated fleet; another seed gives another fleet")
        ->check(CLI::Range(std::int64_t{0}, std::int64_t{1'000'000'000'000}));
}

base::Result<int> DemoCommand::run(Session &session)
{
    services::DemoOptions options;
    if (m_days > 0)
        options["days"] = std::to_string(m_days);
    if (m_gpus > 0)
        options["gpus"] = std::to_string(m_gpus);
    if (m_seed >= 0)
        options["seed"] = std::to_string(m_seed);
    const auto choice = services::chooseDemo(session.dataFolder(), options);
    GPULEDGER_TRY(choice);
    const services::DemoOptions chosen = services::begunAt(session.clock().now(), *choice, session.dataFolder());
    // Write the choice first, so that the folder identifies its fleet even if this process is killed later.
    GPULEDGER_TRY(services::keepDemoOptions(session.dataFolder(), chosen));
    const model::Settings settings = services::demoSettings(chosen, session.dataFolder());
    const auto workspace = session.workspace(settings, false);
    GPULEDGER_TRY(workspace);
    if (!services::hasDemoPast(chosen))
        return runSync(session, **workspace, std::nullopt);
    services::WorkspaceOptions where;
    where.dataFolder = session.dataFolder();
    services::DemoPast past(settings, where, session.ports().catalog, session.ports().secrets, session.clock());
    const auto tell = [&](const services::SyncProgress &p) { session.out().progressLine(progressText(p)); };
    GPULEDGER_TRY(orNote(session, past.stopWorkloads(session.stop(), tell)));
    const auto status = runSync(session, **workspace, std::nullopt);
    if (status && *status == kDone)
        GPULEDGER_TRY(orNote(session, past.closeMonths(session.stop())));
    return status;
}

} // namespace gpuledger::cli

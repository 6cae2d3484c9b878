// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/verifycommand.h"

#include "app/store/monthstore.h"
#include "app/store/setaside.h"
#include "ui/format/damagephrase.h"

#include <CLI/CLI.hpp>

namespace gpuledger::cli {

namespace {

constexpr char kCacheName[] = "ledger.db";

// How long the audit log is, and the hash that stands for all of it: to be kept elsewhere. Nothing where it does not
// hold.
base::Result<Json> auditHead(services::Workspace &workspace, bool holds)
{
    if (!holds)
        return nullptr;
    const auto entries = workspace.auditLog();
    GPULEDGER_TRY(entries);
    return Json{{"entries", entries->size()}, {"head", entries->empty() ? Json(nullptr) : Json(entries->back().hash)}};
}

} // namespace

void VerifyCommand::addTo(CLI::App &parent)
{
    m_verb =
        addVerb(parent, "verify", "Check the cache and recompute its sums; exit status 1 when something does not hold",
                "gpuledger-cli verify --json");
    m_verb->add_flag("--repair", m_repair,
                     "Set a damaged cache aside, and go on with what of it can be put right or taken over");
    m_verb->add_flag("--confirm-loss", m_confirmLoss,
                     "You know of the damaged caches that were set aside: enter it into the log, and say it no more");
}

base::Result<int> VerifyCommand::run(Session &session)
{
    if (m_repair && session.options().report.empty())
        GPULEDGER_TRY(store::repairCache(session.dataFolder() / kCacheName));
    const auto workspace = session.workspace();
    GPULEDGER_TRY(workspace);
    if (m_confirmLoss) {
        GPULEDGER_TRY((*workspace)->confirmDamage());
        session.out().setDamage({});
    }
    auto problems = (*workspace)->verify();
    GPULEDGER_TRY(problems);
    for (const store::SetAside &damage : (*workspace)->damage())
        problems->push_back({damage.name, ui::textOf(damage).english()});
    Output &out = session.out();
    if (out.json()) {
        Json json{{"holds", problems->empty()}, {"problems", Json::array()}, {"notes", (*workspace)->notes()}};
        for (const store::IntegrityProblem &problem : *problems)
            json["problems"].push_back({{"where", problem.where}, {"what", problem.what}});
        const auto head = auditHead(**workspace, problems->empty());
        GPULEDGER_TRY(head);
        json["audit"] = *head;
        GPULEDGER_TRY(out.print(json));
    } else {
        ui::TextTable table({{"where"}, {"what"}});
        for (const store::IntegrityProblem &problem : *problems)
            table.add({problem.where, problem.what});
        if (out.csv())
            GPULEDGER_TRY(out.print(table.toCsv()));
        else
            GPULEDGER_TRY(out.print(table.empty() ? "all holds\n" : table.toText(out.bold())));
    }
    return problems->empty() ? kDone : kLook;
}

} // namespace gpuledger::cli

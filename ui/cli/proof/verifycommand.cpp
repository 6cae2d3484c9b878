// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/proof/verifycommand.h"

#include "app/services/savings/savingsservice.h"
#include "app/services/savingsinputs/keptcheck.h"
#include "app/store/damage/setaside.h"
#include "app/store/months/monthstore.h"
#include "app/store/values/integrityproblem.h"
#include "ui/format/phrases/damagephrase.h"
#include "ui/format/phrases/figures.h"

#include <CLI/CLI.hpp>

namespace gpuledger::cli {

namespace {

constexpr char kCacheName[] = "ledger.db";
constexpr std::size_t kDaysCompared = 8; // stored days of savings, unless all are asked for

// The length of the audit log and the hash that covers all of it, to be stored elsewhere.
Json headOf(const std::vector<store::AuditEntry> &log)
{
    return {{"entries", log.size()}, {"head", log.empty() ? Json(nullptr) : Json(log.back().hash)}};
}

// Remarks on facts that are fine but good to know.
std::vector<std::string> remarksOn(const std::vector<store::AuditEntry> &log)
{
    std::vector<std::string> remarks;
    for (const store::ClockSetBack &step : store::clockSetBacks(log))
        remarks.push_back("the clock of this computer was set back by " + ui::durationText(step.by) + " before entry "
                          + std::to_string(step.sequence)
                          + " of the log was written: what it says of the time can't be compared with the entries"
                            " before it");
    return remarks;
}

} // namespace

void VerifyCommand::addTo(CLI::App &parent)
{
    m_verb = addVerb(parent, "verify", "Checks the cache and recomputes its sums; exit status 1 if it finds damage",
                     "gpuledger-cli verify --json");
    m_verb->add_flag(
        "--repair", m_repair,
        "Set a damaged cache aside and continue with what can be repaired or carried over; remove stored days of"
        " savings that differ from their facts");
    m_verb->add_flag("--deep", m_deep,
                     "Also compare all stored days of savings with their facts, not only "
                         + std::to_string(kDaysCompared) + " of them");
    m_verb->add_flag(
        "--confirm-loss", m_confirmLoss,
        "Acknowledge the damaged caches that were set aside: record it in the log and stop reporting them");
}

// The stored days are only copies, so that removing one loses nothing.
base::Result<void> VerifyCommand::checkDays(services::SavingsService &savings,
                                            std::vector<store::IntegrityProblem> &problems,
                                            std::vector<std::string> &remarks) const
{
    const auto check = savings.checkStoredDays(m_deep ? std::nullopt : std::optional(kDaysCompared));
    GPULEDGER_TRY(check);
    if (m_repair && !check->wrong.empty())
        GPULEDGER_TRY(savings.dropStoredDays(check->wrong));
    for (const base::Day day : check->wrong) {
        const std::string date = base::toRfc3339(day.start()).substr(0, 10);
        if (m_repair)
            remarks.push_back("the stored day of savings " + date
                              + " differed from its facts and was removed; the next question makes it again");
        else
            problems.push_back({"day_fact", date + " differs from its facts"});
    }
    return {};
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
    std::vector<std::string> remarks;
    if (problems->empty() && !(*workspace)->isReport()) // a report has none
        GPULEDGER_TRY(checkDays((*workspace)->savings(), *problems, remarks));
    for (const store::SetAside &damage : (*workspace)->damage())
        problems->push_back({damage.name, ui::textOf(damage).english()});
    std::optional<std::vector<store::AuditEntry>> log; // std::nullopt if the cache has problems
    if (problems->empty()) {
        auto entries = (*workspace)->auditLog();
        GPULEDGER_TRY(entries);
        log = std::move(*entries);
    }
    if (log) {
        const std::vector<std::string> more = remarksOn(*log);
        remarks.insert(remarks.end(), more.begin(), more.end());
    }
    Output &out = session.out();
    if (out.json()) {
        Json json{{"holds", problems->empty()}, {"problems", Json::array()}, {"notes", (*workspace)->notes()}};
        for (const store::IntegrityProblem &problem : *problems)
            json["problems"].push_back({{"where", problem.where}, {"what", problem.what}});
        json["remarks"] = remarks;
        json["audit"] = log ? headOf(*log) : Json(nullptr);
        GPULEDGER_TRY(out.print(json));
    } else {
        ui::TextTable table({{"where"}, {"what"}});
        for (const store::IntegrityProblem &problem : *problems)
            table.add({problem.where, problem.what});
        if (out.csv())
            GPULEDGER_TRY(out.print(table.toCsv()));
        else
            GPULEDGER_TRY(out.print(table.empty() ? "all holds\n" : table.toText(out.bold())));
        for (const std::string &remark : remarks)
            out.note("remark: " + remark);
    }
    return problems->empty() ? kDone : kLook;
}

} // namespace gpuledger::cli

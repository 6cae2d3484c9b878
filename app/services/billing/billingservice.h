// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/money/costview.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace gpuledger::insight {
struct Month;
}
namespace gpuledger::store {
struct AuditEntry;
}
namespace gpuledger::reports {
using model::CostView;
enum class DecisionState;
struct Decision;
struct DecisionDraft;
struct JournalAccounts;
struct MonthStatus;
struct SharingRules;
struct SignOff;
struct Statement;
struct StatementBudget;
struct StatementDetail;
} // namespace gpuledger::reports

namespace gpuledger::services {

class Engine;
struct AcceptedSaving;

// The months: their statements, how they are reviewed and closed, what was decided about them, and the report of one as
// a file. `engine` must outlive it. Every function blocks and must be called from a worker thread; any thread. All fail
// with Storage… codes.
class BillingService {
public:
    explicit BillingService(Engine &engine)
        : m_engine(engine)
    {
    }

    // Each team's statement of a month; empty: all teams. A closed month is shown as it was closed. Also fails with
    // NotFound and Overflow, and with StorageCorrupt if the stored data of a closed month are not what was closed.
    [[nodiscard]] base::Result<reports::Statement> statement(const insight::Month &month, reports::CostView view,
                                                             const std::string &team);
    // The month's statement of all teams as it would be under other rules for shared and idle cost. Fails like
    // statement().
    [[nodiscard]] base::Result<reports::Statement> previewSharing(const insight::Month &month, reports::CostView view,
                                                                  const reports::SharingRules &rules);
    // The monthly budgets of a statement's teams, in the order of the configuration; none of a closed month. What
    // carries over takes as long as the statements of the earlier months of the year. Fails like statement().
    [[nodiscard]] base::Result<std::vector<reports::StatementBudget>> budgets(const reports::Statement &statement);
    // The statement of all teams with its budgets and everything else that its page and its PDF show, as of one state;
    // a closed month entirely as it was closed. Fails like statement().
    [[nodiscard]] base::Result<reports::StatementDetail> statementDetail(const insight::Month &month,
                                                                         reports::CostView view);
    // The accounts for the month's journal. Fails like monthStatus(), and with StorageCorrupt if the log entry of the
    // close is not what was written.
    [[nodiscard]] base::Result<reports::JournalAccounts> journalAccounts(const insight::Month &month);
    // Months that have something to show, ascending; without their objections.
    [[nodiscard]] base::Result<std::vector<reports::MonthStatus>> months();
    // One of them, with the objections to closing it. Also fails with Overflow.
    [[nodiscard]] base::Result<reports::MonthStatus> monthStatus(const insight::Month &month);
    // Records in the audit log that the user reviewed a month. `seen`: MonthStatus::figures of what was reviewed;
    // empty: any figures. Fails like statement().
    [[nodiscard]] base::Result<reports::SignOff> reviewMonth(const insight::Month &month, const std::string &seen = {});
    // The same for one team's statement. Fails with NotFound if the team has nothing in the month.
    [[nodiscard]] base::Result<reports::SignOff> reviewTeam(const insight::Month &month, const std::string &team,
                                                            const std::string &seen = {});
    // Closes a month permanently: either its current figures are stored with a hash and an audit-log entry, or nothing
    // is. If there are objections, a written reason is required (at most kLongestReason bytes, else InvalidArgument).
    // May take as long as the month's statement. Fails like statement().
    static constexpr std::size_t kLongestReason = 2000; // bytes
    [[nodiscard]] base::Result<reports::SignOff> closeMonth(const insight::Month &month, const std::string &reason,
                                                            const std::string &seen = {});
    // The decisions of review meetings, in the order in which they were made.
    [[nodiscard]] base::Result<std::vector<reports::Decision>> decisions();
    // The accepted savings, with which meetings open beside those decisions, in the order in which they were chosen.
    [[nodiscard]] base::Result<std::vector<AcceptedSaving>> acceptedSavings();
    // Records a decision in the audit log. Fails with InvalidArgument (what is wrong with it) and Refused (the team has
    // DecisionDraft::kMostOfATeam open ones for that month).
    [[nodiscard]] base::Result<reports::Decision> decide(reports::DecisionDraft draft);
    // Fails with NotFound, and with Refused if it is already settled.
    [[nodiscard]] base::Result<reports::Decision> settle(std::int64_t decision, reports::DecisionState state);
    // The audit log: what was signed off, decided or stopped, by whom and when; ascending.
    [[nodiscard]] base::Result<std::vector<store::AuditEntry>> auditLog();
    // Writes a month with its facts as one signed file, replacing an existing file; all or nothing. `program` is the
    // version that writes it. Returns the signer's fingerprint. Fails like statement(), and with NotFound (nothing is
    // stored for the month), Refused (this is itself a report), StorageFull and StorageReadOnly.
    [[nodiscard]] base::Result<std::string> writeReport(const insight::Month &month, const std::filesystem::path &file,
                                                        const std::string &program);

private:
    Engine &m_engine;
};

} // namespace gpuledger::services

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/clock.h"
#include "app/base/result.h"
#include "app/base/timezone.h"
#include "app/ingest/allocationsync.h"
#include "app/ingest/billsync.h"
#include "app/ingest/recall.h"
#include "app/insight/device/devicedetails.h"
#include "app/insight/device/extraseries.h"
#include "app/insight/heatmap/heatmap.h"
#include "app/insight/idle/evidence.h"
#include "app/insight/idle/idle.h"
#include "app/insight/overview/overview.h"
#include "app/insight/overview/summary.h"
#include "app/insight/query/labels.h"
#include "app/insight/query/reach.h"
#include "app/insight/query/values.h"
#include "app/insight/spend/ledgerquery.h"
#include "app/insight/spend/reconcile.h"
#include "app/ledger/rulesurvey.h"
#include "app/model/settings.h"
#include "app/ports/secretstore.h"
#include "app/ports/sourcecatalog.h"
#include "app/reports/decisions.h"
#include "app/reports/splitlens.h"
#include "app/reports/statement.h"
#include "app/services/actions/fleetquestions.h"
#include "app/store/damage/setaside.h"
#include "app/store/ledgerstore.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::insight {
struct Figure;
struct Proof;
struct IdleReplay;
struct ReplayQuery;
} // namespace gpuledger::insight
namespace gpuledger::reports {
struct JournalAccounts;
struct KeptMonth;
struct StatementDetail;
} // namespace gpuledger::reports

namespace gpuledger::services {

// How to open a workspace.
struct WorkspaceOptions {
    std::filesystem::path dataFolder;
    std::string timeZone; // overrides the configured one; empty: the configured one, else the system's
    bool readOnly = false;
    std::string actor{}; // who signs off months; empty: the user known to the operating system
    // Set for an opened report file (OpenedReport): its month, shown as it was when the report was written. Requires
    // readOnly. Null: not a report.
    std::shared_ptr<const reports::KeptMonth> report{};
};

// The progress of a sync, for display.
struct SyncProgress {
    std::string source;
    base::TimeRange range;
    base::UtcTime doneTo{};
    std::uint64_t bytes = 0;
    std::uint64_t buckets = 0;
    double bucketsPerSecond = 0;
    std::optional<double> secondsLeft;
    // For bills, which have no range: bytes read out of how many, and lines.
    std::uint64_t bytesTotal = 0, lines = 0;
    // For allocations: days.
    std::uint64_t days = 0, daysTotal = 0;
};

// The result of syncing one source.
struct SyncReport {
    std::string name, kind;
    base::TimeRange range;
    std::uint64_t accepted = 0, rejected = 0, gaps = 0, bytes = 0;
    std::vector<ports::FactBatch::Rejected> reasons;
    std::vector<std::string> warnings;
    double seconds = 0;
    bool partial = false; // the server said that its answer is incomplete: nothing is marked as fetched by it
    ingest::Gone gone; // what it reported before and no longer reports; what was stored stays
    bool goneAccepted = false;
    std::optional<base::Error> error;

    // True if no part of the range has to be fetched again, except for the overlap, and no decision is pending.
    bool whole() const { return !error && !partial && (gone.empty() || goneAccepted) && held.empty(); }
    // For a source of bills: each new delivery, and how many had been imported before. In that case accepted and
    // rejected count lines, and the range covers the billing periods.
    bool tellsBills = false;
    std::vector<ingest::BillOutcome> bills;
    std::uint64_t knownBills = 0;
    std::vector<ports::WaitingBill> waitingBills; // not read yet: still being written
    // For a source of allocations: each requested day, newest first, and how the ledger differs from it. In that case
    // accepted and rejected count records, and gaps counts failed days.
    bool tellsAllocations = false;
    std::vector<ingest::AllocatedOutcome> allocations;
    std::vector<std::pair<base::Day, model::AllocationFinding>> differences;
    // Days for which the source has less than what is stored, whenever that was noticed; ascending.
    std::vector<store::HeldDay> held;
};

// A configured source and the state of its data.
struct SourceStatus {
    model::SourceSettings settings;
    store::SyncState state;
    std::optional<base::Seconds> lag; // now - end of the covered range
    // Number seen through it so far: all if it is the only source, else those of its own cluster; std::nullopt if that
    // is unknown.
    std::optional<std::int64_t> devices, nodes;
    bool tellsBills = false; // if so, there is no covered range and no lag
    bool tellsAllocations = false; // likewise
    std::vector<store::HeldDay> held; // days for which it has less than what is stored; ascending
    bool stops = false; // workloads can be stopped through it, if its permissions allow
    bool onlyStops = false; // there is nothing to sync
};

class ActionService;

// The engine built from a configuration: one object per application, created in the composition roots. Every function
// blocks and must be called from a worker thread; all of them may be called from several threads at once. The
// catalogue, secret store and clock must outlive it.
class Workspace final : public FleetQuestions {
public:
    [[nodiscard]] static base::Result<std::unique_ptr<Workspace>>
    open(model::Settings settings, const WorkspaceOptions &options, const ports::SourceCatalog &catalog,
         ports::SecretStore &secrets, const base::Clock &clock);
    ~Workspace() override;
    Workspace(const Workspace &) = delete;
    Workspace &operator=(const Workspace &) = delete;

    // From the configuration in use. References returned earlier stay valid and unchanged after apply().
    const model::Settings &settings() const override;
    const base::TimeZone &timeZone() const;
    // Switches to another configuration: later queries use it, running ones finish with the old one. Waits for a
    // running sync. Fails like open(), and then changes nothing.
    [[nodiscard]] base::Result<void> apply(model::Settings settings);
    const base::Clock &clock() const override;
    // Messages from opening (migration, backup, damaged file set aside).
    const std::vector<std::string> &notes() const;
    // Damaged caches that were set aside, oldest first: every answer mentions them until the user confirms them.
    std::vector<store::SetAside> damage() const;
    // Records each of them in the audit log, then stops mentioning them. Fails with Storage… codes.
    [[nodiscard]] base::Result<void> confirmDamage();

    // Syncs every source, or the named one; a failing source does not hold up the others. An unknown name fails with
    // NotFound. Cancellation ends all.
    using ProgressFn = std::function<void(const SyncProgress &)>; // called on the calling thread or a worker, at most
                                                                  // ten times a second
    // Time for which a source no longer reports what it reported before is not marked as fetched; `Accept` marks it:
    // the operator confirms that the data were deleted there.
    enum class WhatIsGone { Keep, Accept };
    [[nodiscard]] base::Result<std::vector<SyncReport>> sync(const std::optional<std::string> &source,
                                                             std::stop_token stop, const ProgressFn &progress,
                                                             WhatIsGone gone = WhatIsGone::Keep);
    [[nodiscard]] base::Result<void> syncNow(const std::string &source, std::stop_token stop) override;
    [[nodiscard]] base::Result<insight::Summary> summary(const insight::Query &query,
                                                         const insight::Dimension &by) override;
    [[nodiscard]] base::Result<insight::Overview> overview(const insight::OverviewQuery &query);
    // The cost ledger: rows of the chosen dimensions, and the totals of the bills. Also fails with Overflow.
    [[nodiscard]] base::Result<insight::LedgerAnswer> ledger(const insight::LedgerQuery &query);
    // Reconciles a month's bill with the ledger. Also fails with Overflow.
    [[nodiscard]] base::Result<insight::Reconciliation> reconcile(const insight::Month &month);
    // Each team's statement of a month; empty: all teams. A closed month is shown as it was closed. Also fails with
    // NotFound and Overflow, and with StorageCorrupt if the stored data of a closed month are not what was closed.
    [[nodiscard]] base::Result<reports::Statement> statement(const insight::Month &month, reports::CostView view,
                                                             const std::string &team);
    // What each team is charged for GPU machines under every split policy. Computed from facts and bills, which takes
    // longer. Also fails with Overflow.
    [[nodiscard]] base::Result<reports::SplitLens> splitLens(const insight::Month &month, reports::CostView view);
    // The month's statement of all teams as it would be under other rules for shared and idle cost. Fails like
    // statement().
    [[nodiscard]] base::Result<reports::Statement> previewSharing(const insight::Month &month, reports::CostView view,
                                                                  const reports::SharingRules &rules);
    // The statement of all teams with everything else that its page and its PDF show, as of one state; a closed month
    // entirely as it was closed. Fails like statement().
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
    // Records a decision in the audit log. Fails with InvalidArgument (what is wrong with it) and Refused (the team has
    // DecisionDraft::kMostOfATeam open ones for that month).
    [[nodiscard]] base::Result<reports::Decision> decide(reports::DecisionDraft draft);
    // Fails with NotFound, and with Refused if it is already settled.
    [[nodiscard]] base::Result<reports::Decision> settle(std::int64_t decision, reports::DecisionState state);
    // Writes a month with its facts as one signed file, replacing an existing file; all or nothing. `program` is the
    // version that writes it. Returns the signer's fingerprint. Fails like statement(), and with NotFound (nothing is
    // stored for the month), Refused (this is itself a report), StorageFull and StorageReadOnly.
    [[nodiscard]] base::Result<std::string> writeReport(const insight::Month &month, const std::filesystem::path &file,
                                                        const std::string &program);
    // The only month there is, if this is a report.
    std::optional<insight::Month> reportMonth() const;
    bool isReport() const override { return reportMonth().has_value(); }
    // Stops idle workloads and brings them back. Lives as long as this object.
    ActionService &actions();
    // What was signed off, decided or stopped, by whom and when; ascending.
    [[nodiscard]] base::Result<std::vector<store::AuditEntry>> auditLog();
    // The data behind a figure of any page or JSON answer, recomputed from the facts (app/insight/proof/proof.h). Also
    // fails with InvalidArgument (no such bin or zone), NotFound (no such row), StorageCorrupt (the stored data of a
    // closed month are not what was written), Overflow and Cancelled.
    [[nodiscard]] base::Result<insight::Proof> explain(const insight::Figure &figure, const std::stop_token &stop = {});
    [[nodiscard]] base::Result<insight::Heatmap> heatmap(const insight::HeatmapQuery &query,
                                                         const std::stop_token &stop = {});
    [[nodiscard]] base::Result<insight::IdleList> idle(base::UtcTime at, const insight::Filter &filter) override;
    // Backtests an idle rule: what it would have stopped in the past (app/insight/idle/idlereplay.h), limited to the
    // fetched data. Fails with InvalidConfig (the rule), Cancelled or Storage… codes.
    [[nodiscard]] base::Result<insight::IdleReplay> replayIdle(const insight::ReplayQuery &query,
                                                               const std::stop_token &stop = {});
    // The data behind one item of that list.
    [[nodiscard]] base::Result<insight::Evidence> evidence(const insight::EvidenceQuery &query);
    // One device over a time range. Also fails with NotFound.
    [[nodiscard]] base::Result<insight::DeviceDetails> deviceDetails(const insight::DeviceQuery &query);
    // The source that evaluates expressions about the devices of a cluster: the only one, else the one that the devices
    // belong to. Empty: there is none, or it is ambiguous.
    std::string expressionSource(const std::string &cluster) const override;
    // Evaluates a user's expression for a device at that source now; nothing is stored. Fails with InvalidArgument (the
    // expression), Unsupported (no such source), TooMuch, Cancelled, or like a sync.
    [[nodiscard]] base::Result<insight::ExtraSeries> extraSeries(const insight::ExtraQuery &query,
                                                                 std::stop_token stop);
    // The values that a filter can be set to: those of a dimension over the whole covered range.
    [[nodiscard]] base::Result<std::vector<insight::DimensionValue>> values(const insight::Dimension &dimension);
    // The labels that a filter can use, besides the other dimensions.
    [[nodiscard]] base::Result<std::vector<insight::LabelUse>> labels();
    [[nodiscard]] base::Result<std::vector<store::IntegrityProblem>> verify();
    [[nodiscard]] base::Result<std::vector<SourceStatus>> sources();
    [[nodiscard]] base::Result<ports::ProbeReport> testSource(const std::string &name, std::stop_token stop);
    // The same for a source that is not in the configuration yet.
    [[nodiscard]] base::Result<ports::ProbeReport> testSource(const model::SourceSettings &source,
                                                              std::stop_token stop);
    // The source kinds that this program supports.
    ports::SourceKinds sourceKinds() const;
    // What the owner rules in use do with the time of a range (its whole quarter hours). The first query for a range
    // reads its usage; later ones for the same range, even with other rules, are answered from memory.
    [[nodiscard]] base::Result<ledger::RulePreview> testRules(base::TimeRange range, std::stop_token stop);
    // The same for rules that are not in the configuration yet, compared with those in use. Also fails with
    // InvalidConfig (an invalid expression).
    [[nodiscard]] base::Result<ledger::RulePreview>
    testRules(base::TimeRange range, std::vector<model::OwnerRule> owners, std::stop_token stop);
    // The owner rules in use: the configured ones, else the built-in ones.
    std::vector<model::OwnerRule> ownerRules() const override;
    // How far the data reach, compared with a range (cut at now; for a report, at the end of its month).
    [[nodiscard]] base::Result<insight::Reach> reach(base::TimeRange asked) override;
    // Everything fetched so far; empty before the first sync.
    [[nodiscard]] base::Result<base::TimeRange> coveredRange() override;
    // Changes whenever the data change (including by another process).
    [[nodiscard]] base::Result<std::int64_t> generation();
    struct FleetSize {
        std::int64_t devices = 0;
        std::int64_t nodes = 0;
    };
    [[nodiscard]] base::Result<FleetSize> fleetSize();

private:
    struct Private;
    explicit Workspace(std::unique_ptr<Private> d);
    std::unique_ptr<Private> d;
};

} // namespace gpuledger::services

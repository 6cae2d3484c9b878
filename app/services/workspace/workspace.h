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

struct WorkspaceOptions {
    std::filesystem::path dataFolder;
    std::string timeZone; // overrides the configuration's; empty: that, else the system's
    bool readOnly = false;
    std::string actor{}; // who signs off months; empty: the user that the operating system knows
    // Of a report file that was opened (OpenedReport): the month that it is of, told as it was when it was made. Goes
    // with readOnly. Null: no report.
    std::shared_ptr<const reports::KeptMonth> report{};
};

struct SyncProgress {
    std::string source;
    base::TimeRange range;
    base::UtcTime doneTo{};
    std::uint64_t bytes = 0;
    std::uint64_t buckets = 0;
    double bucketsPerSecond = 0;
    std::optional<double> secondsLeft;
    // Of bills, which have no range: bytes of how many, and lines.
    std::uint64_t bytesTotal = 0, lines = 0;
    // Of allocations: days.
    std::uint64_t days = 0, daysTotal = 0;
};

struct SyncReport {
    std::string name, kind;
    base::TimeRange range;
    std::uint64_t accepted = 0, rejected = 0, gaps = 0, bytes = 0;
    std::vector<ports::FactBatch::Rejected> reasons;
    std::vector<std::string> warnings;
    double seconds = 0;
    bool partial = false; // the server said that an answer is a part of what it has: nothing is marked as fetched by it
    ingest::Gone gone; // what it told before and tells no more; what was stored stays
    bool goneAccepted = false;
    std::optional<base::Error> error;

    // Nothing of the time is asked for again, but the overlap; and nothing waits for somebody to decide.
    bool whole() const { return !error && !partial && (gone.empty() || goneAccepted) && held.empty(); }
    // Of a source that tells bills: each delivery that was new, and how many were imported before. Then accepted and
    // rejected count lines, and the range goes over the billing periods.
    bool tellsBills = false;
    std::vector<ingest::BillOutcome> bills;
    std::uint64_t knownBills = 0;
    std::vector<ports::WaitingBill> waitingBills; // not read yet: somebody is still writing them
    // Of a source that tells allocations: each day that was asked for, newest first, and how its ledger differs from
    // them. Then accepted and rejected count records, and gaps days that failed.
    bool tellsAllocations = false;
    std::vector<ingest::AllocatedOutcome> allocations;
    std::vector<std::pair<base::Day, model::AllocationFinding>> differences;
    // Days of which the source has less than what is kept, whenever that was noticed; ascending.
    std::vector<store::HeldDay> held;
};

struct SourceStatus {
    model::SourceSettings settings;
    store::SyncState state;
    std::optional<base::Seconds> lag; // now - covered end
    // Seen through it so far: all when it is the only source, else those of its own cluster; nothing where that can't
    // be told.
    std::optional<std::int64_t> devices, nodes;
    bool tellsBills = false; // then there is no covered range, and no lag
    bool tellsAllocations = false; // the same
    std::vector<store::HeldDay> held; // days of which it has less than what is kept; ascending
    bool stops = false; // things can be stopped through it, where its rights say so
    bool onlyStops = false; // there is nothing to sync
};

class ActionService;

// The engine built from a configuration: one object an application, created in the composition roots. Every function
// blocks and belongs on a worker thread; all of them may be called from several threads at once. The catalogue, secret
// store and clock must outlive it.
class Workspace final : public FleetQuestions {
public:
    [[nodiscard]] static base::Result<std::unique_ptr<Workspace>>
    open(model::Settings settings, const WorkspaceOptions &options, const ports::SourceCatalog &catalog,
         ports::SecretStore &secrets, const base::Clock &clock);
    ~Workspace() override;
    Workspace(const Workspace &) = delete;
    Workspace &operator=(const Workspace &) = delete;

    // Of the configuration in use. What was handed out stays as it was after apply().
    const model::Settings &settings() const override;
    const base::TimeZone &timeZone() const;
    // Takes another configuration: what is asked from now on is answered by it, what runs ends by the old one. Waits
    // for a sync that runs. Fails as open() does, and then changes nothing.
    [[nodiscard]] base::Result<void> apply(model::Settings settings);
    const base::Clock &clock() const override;
    // Things said while opening (migration, backup, damaged file set aside).
    const std::vector<std::string> &notes() const;
    // Damaged caches that were set aside, oldest first: every answer says so until somebody confirms it.
    std::vector<store::SetAside> damage() const;
    // Enters each into the audit log, then speaks of them no more. Fails with Storage… codes.
    [[nodiscard]] base::Result<void> confirmDamage();

    // Syncs every source, or the named one; one failing source does not keep the others back. An unknown name fails
    // with NotFound. Cancelled ends all.
    using ProgressFn = std::function<void(const SyncProgress &)>; // called on the calling thread or a worker, at most
                                                                  // ten times a second
    // What a source told before and tells no more keeps its time from being marked as fetched; `Accept` marks it: the
    // operator says that it was deleted there.
    enum class WhatIsGone { Keep, Accept };
    [[nodiscard]] base::Result<std::vector<SyncReport>> sync(const std::optional<std::string> &source,
                                                             std::stop_token stop, const ProgressFn &progress,
                                                             WhatIsGone gone = WhatIsGone::Keep);
    [[nodiscard]] base::Result<void> syncNow(const std::string &source, std::stop_token stop) override;
    [[nodiscard]] base::Result<insight::Summary> summary(const insight::Query &query,
                                                         const insight::Dimension &by) override;
    [[nodiscard]] base::Result<insight::Overview> overview(const insight::OverviewQuery &query);
    // The ledger of money: rows of the chosen dimensions, and what the bills say. Fails with Overflow too.
    [[nodiscard]] base::Result<insight::LedgerAnswer> ledger(const insight::LedgerQuery &query);
    // A month's bill against the ledger. Fails with Overflow too.
    [[nodiscard]] base::Result<insight::Reconciliation> reconcile(const insight::Month &month);
    // What each team is shown of a month; empty: all teams. A closed month is shown as it was closed. Fails with
    // NotFound and Overflow too, and with StorageCorrupt where a closed month is not what was closed.
    [[nodiscard]] base::Result<reports::Statement> statement(const insight::Month &month, reports::CostView view,
                                                             const std::string &team);
    // What each team is charged for machines with GPUs under every split policy. Worked out from facts and bills, which
    // takes longer. Fails with Overflow too.
    [[nodiscard]] base::Result<reports::SplitLens> splitLens(const insight::Month &month, reports::CostView view);
    // The month's statement of all teams as it would be by other rules for shared and idle cost. Fails as statement().
    [[nodiscard]] base::Result<reports::Statement> previewSharing(const insight::Month &month, reports::CostView view,
                                                                  const reports::SharingRules &rules);
    // The statement of all teams with what its page and its PDF show beside it, as of one state; all of a closed month
    // as it was closed. Fails as statement() does.
    [[nodiscard]] base::Result<reports::StatementDetail> statementDetail(const insight::Month &month,
                                                                         reports::CostView view);
    // By which the month's journal is made. Fails as monthStatus() does, and with StorageCorrupt where the log is not
    // what was written of the close.
    [[nodiscard]] base::Result<reports::JournalAccounts> journalAccounts(const insight::Month &month);
    // Months that have something to show, ascending; without their objections.
    [[nodiscard]] base::Result<std::vector<reports::MonthStatus>> months();
    // One of them, with what speaks against closing it. Fails with Overflow too.
    [[nodiscard]] base::Result<reports::MonthStatus> monthStatus(const insight::Month &month);
    // Notes in the audit log that somebody looked at a month. `seen`: MonthStatus::figures of what was looked at;
    // empty: whatever they are. Fails as statement() does.
    [[nodiscard]] base::Result<reports::SignOff> reviewMonth(const insight::Month &month, const std::string &seen = {});
    // The same of one team's statement. Fails with NotFound where the team has nothing in the month.
    [[nodiscard]] base::Result<reports::SignOff> reviewTeam(const insight::Month &month, const std::string &team,
                                                            const std::string &seen = {});
    // Closes a month for ever: its figures are kept as they are now, with a hash and an entry of the audit log, or
    // nothing is. Objections need a written reason (at most kLongestReason bytes, else InvalidArgument). May take as
    // long as the month's statement takes. Fails as statement() does.
    static constexpr std::size_t kLongestReason = 2000; // bytes
    [[nodiscard]] base::Result<reports::SignOff> closeMonth(const insight::Month &month, const std::string &reason,
                                                            const std::string &seen = {});
    // What meetings decided, in that order.
    [[nodiscard]] base::Result<std::vector<reports::Decision>> decisions();
    // Notes a decision in the audit log. Fails with InvalidArgument (what is wrong with it) and Refused (the team has
    // DecisionDraft::kMostOfATeam open ones of that month).
    [[nodiscard]] base::Result<reports::Decision> decide(reports::DecisionDraft draft);
    // Fails with NotFound, and with Refused where it is settled already.
    [[nodiscard]] base::Result<reports::Decision> settle(std::int64_t decision, reports::DecisionState state);
    // Writes a month with its facts as one signed file, in place of what is there; whole or not at all. `program` is
    // the version that made it. The signer's fingerprint. Fails as statement() does, with NotFound (nothing is stored
    // for the month), Refused (this is a report itself), StorageFull and StorageReadOnly.
    [[nodiscard]] base::Result<std::string> writeReport(const insight::Month &month, const std::filesystem::path &file,
                                                        const std::string &program);
    // The only month that there is, where this is a report.
    std::optional<insight::Month> reportMonth() const;
    bool isReport() const override { return reportMonth().has_value(); }
    // Stopping idle workloads and bringing them back. Lives as long as this.
    ActionService &actions();
    // What was signed off, decided or stopped, by whom and when; ascending.
    [[nodiscard]] base::Result<std::vector<store::AuditEntry>> auditLog();
    // What stands behind a figure of any page or JSON answer, recomputed from the facts (app/insight/proof/proof.h).
    // Fails with InvalidArgument (no such bin or zone), NotFound (no such row), StorageCorrupt (a closed month is not
    // what was kept), Overflow and Cancelled too.
    [[nodiscard]] base::Result<insight::Proof> explain(const insight::Figure &figure, const std::stop_token &stop = {});
    [[nodiscard]] base::Result<insight::Heatmap> heatmap(const insight::HeatmapQuery &query,
                                                         const std::stop_token &stop = {});
    [[nodiscard]] base::Result<insight::IdleList> idle(base::UtcTime at, const insight::Filter &filter) override;
    // What a rule for idle things would have stopped over some of the past (app/insight/idle/rewind.h), cut to what was
    // fetched. Fails with InvalidConfig (the rule), Cancelled or Storage… codes.
    [[nodiscard]] base::Result<insight::IdleReplay> replayIdle(const insight::ReplayQuery &query,
                                                               const std::stop_token &stop = {});
    // What is behind one item of that list.
    [[nodiscard]] base::Result<insight::Evidence> evidence(const insight::EvidenceQuery &query);
    // One device over some time. Fails with NotFound too.
    [[nodiscard]] base::Result<insight::DeviceDetails> deviceDetails(const insight::DeviceQuery &query);
    // The source that is asked for expressions about the devices of a cluster: the only one, else the one whose devices
    // they are. Empty: there is none, or it can't be told which.
    std::string expressionSource(const std::string &cluster) const override;
    // What an expression of the user gives for a device, asked of that source now; nothing is stored. Fails with
    // InvalidArgument (the expression), Unsupported (no such source), TooMuch, Cancelled, or as a sync does.
    [[nodiscard]] base::Result<insight::ExtraSeries> extraSeries(const insight::ExtraQuery &query,
                                                                 std::stop_token stop);
    // What a filter can be set to: the values of a dimension over the whole covered range.
    [[nodiscard]] base::Result<std::vector<insight::DimensionValue>> values(const insight::Dimension &dimension);
    // The labels that a filter can ask for, besides the other dimensions.
    [[nodiscard]] base::Result<std::vector<insight::LabelUse>> labels();
    [[nodiscard]] base::Result<std::vector<store::IntegrityProblem>> verify();
    [[nodiscard]] base::Result<std::vector<SourceStatus>> sources();
    [[nodiscard]] base::Result<ports::ProbeReport> testSource(const std::string &name, std::stop_token stop);
    // The same for one that is in no configuration yet.
    [[nodiscard]] base::Result<ports::ProbeReport> testSource(const model::SourceSettings &source,
                                                              std::stop_token stop);
    // What this program can read.
    ports::SourceKinds sourceKinds() const;
    // What the owner rules in use do with the time of a range (whole quarter hours of it). The first question about a
    // range reads its usage; those that follow, also about other rules, are answered from what it found.
    [[nodiscard]] base::Result<ledger::RulePreview> testRules(base::TimeRange range, std::stop_token stop);
    // The same for rules that are in no configuration yet, beside those in use. Fails with InvalidConfig too (a bad
    // expression).
    [[nodiscard]] base::Result<ledger::RulePreview>
    testRules(base::TimeRange range, std::vector<model::OwnerRule> owners, std::stop_token stop);
    // The owner rules in use: those of the configuration, else the built-in ones.
    std::vector<model::OwnerRule> ownerRules() const override;
    // How far the data reach, compared with a range (cut at now; of a report, at the end of its month).
    [[nodiscard]] base::Result<insight::Reach> reach(base::TimeRange asked) override;
    // Everything fetched so far; empty before the first sync.
    [[nodiscard]] base::Result<base::TimeRange> coveredRange() override;
    // Changes when the data did (also by another process).
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

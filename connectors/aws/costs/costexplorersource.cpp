// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/costs/costexplorersource.h"

#include "app/base/crypto/sha256.h"
#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "app/ports/sourcekind.h"
#include "connectors/aws/accounts/keptaccounts.h"
#include "connectors/aws/budgets/awsbudgets.h"
#include "connectors/aws/commitments/commitmentquestions.h"
#include "connectors/aws/costs/costlines.h"
#include "connectors/format/askedbill.h"

#include <algorithm>

namespace gpuledger::aws {

using base::ErrorCode;
using base::Result;

namespace {

constexpr const char *kKeptName = "cost explorer ";

tl::unexpected<base::Error> wrongCosts(const model::SourceSettings &settings, const std::string &what,
                                       base::Hint hint = {})
{
    return base::fail(
        base::Error::make(ErrorCode::InvalidConfig, "source \"" + settings.name + "\" " + what, std::move(hint))
            .withSource(settings.name));
}

// Identifies the bill, in place of a hash of a file's bytes. A bill that changes and changes back is a new one.
std::string identityOf(const KeptMonth &month)
{
    KeptMonth content;
    content.range = month.range;
    content.identity = month.identity;
    content.account = month.account;
    content.restated = month.restated;
    content.days = month.days;
    content.names = month.shownNames();
    return base::sha256Hex("cost explorer 1 " + content.toText());
}

} // namespace

Result<CostOptions> CostOptions::of(const model::SourceSettings &settings)
{
    const auto option = [&](const char *key) {
        const auto at = settings.options.find(key);
        return at == settings.options.end() ? std::string() : at->second;
    };
    CostOptions out;
    out.query.tag = option("tag");
    if (!base::isUtf8(out.query.tag) || out.query.tag != base::printable(out.query.tag))
        return wrongCosts(settings, "has a tag that is not plain text");
    const std::string amounts = option("amounts");
    if (!amounts.empty() && amounts != "gross" && amounts != "net")
        return wrongCosts(settings, "has amounts that are neither gross nor net");
    out.query.isNet = amounts == "net";
    out.account = option("account");
    if (!out.account.empty() && out.account.find_first_not_of("0123456789") != std::string::npos)
        return wrongCosts(settings, "has an account that is not a number of twelve digits");
    if (const std::string text = option("refresh"); !text.empty()) {
        const auto refresh = base::parseDuration(text);
        GPULEDGER_TRY(refresh);
        out.refresh = *refresh;
    }
    if (const std::string text = option("requests"); !text.empty()) {
        const auto most = base::parseInt(text);
        if (!most || *most < static_cast<std::int64_t>(kCostQuestions))
            return wrongCosts(settings, "allows fewer requests than a month takes");
        out.mostRequests = static_cast<std::uint64_t>(*most);
    }
    const std::string commitments = option("commitments");
    if (!commitments.empty() && commitments != ports::kAllMachines && commitments != ports::kNoMachines)
        return wrongCosts(settings, "has commitments that are neither all nor none");
    out.readsCommitments = commitments != ports::kNoMachines;
    return out;
}

CostExplorerSource::CostExplorerSource(const model::SourceSettings &settings, CostOptions options,
                                       const base::Clock &clock, const base::Clock &realClock,
                                       std::shared_ptr<http::HttpClient> client, Tuning tuning)
    : m_name(settings.name)
    , m_options(std::move(options))
    , m_firstSync(settings.firstSync)
    , m_clock(clock)
    , m_api(Wire(std::move(client), realClock, billingPlaceOf(settings, tuning)), settings.auth.profile,
            std::move(tuning.surroundings), tuning.retries, tuning.pause)
    , m_account(m_options.account)
{
}

std::vector<base::TimeRange> CostExplorerSource::months() const
{
    return format::monthsToAsk(m_clock.now(), m_firstSync, kMostMonths);
}

std::string CostExplorerSource::fileOf(const base::TimeRange &month) const
{
    constexpr std::size_t kYearAndMonth = 7;
    return "cost-explorer-" + dateText(month.start).substr(0, kYearAndMonth);
}

Result<std::vector<ports::BillDelivery>> CostExplorerSource::deliveries(std::stop_token stop)
{
    if (stop.stop_requested())
        return base::fail(ErrorCode::Cancelled, "stopped");
    m_organization.reset();
    std::vector<ports::BillDelivery> out;
    for (const base::TimeRange &month : months())
        out.push_back({{fileOf(month)}});
    return out;
}

Result<KeptMonth> CostExplorerSource::kept(const base::TimeRange &month, ports::BillSink &sink) const
{
    const auto text = sink.kept(kKeptName + dateText(month.start));
    GPULEDGER_TRY(text);
    const std::string identity = m_options.query.identity() + ' ' + m_options.account;
    if (!text->empty()) {
        auto known = KeptMonth::fromText(*text, month);
        if (known && known->identity == identity)
            return std::move(*known);
    }
    KeptMonth fresh;
    fresh.range = month;
    fresh.identity = identity;
    return fresh;
}

Result<void> CostExplorerSource::refresh(KeptMonth &month, ports::BillSink &sink, const std::stop_token &stop)
{
    const base::UtcTime now = m_clock.now();
    const base::TimeRange days = month.due(now, m_options.refresh);
    if (days.empty())
        return {};
    if (month.isPausing(now))
        return base::fail(ErrorCode::Server,
                          "the last requests were paid for and failed (" + month.failure
                              + "); the next ones are sent an hour after them",
                          base::Remedy::SyncInAnHour);
    // Written first: where nothing can be kept, nothing is paid for, and an attempt that is killed counts as one.
    const std::string name = kKeptName + dateText(month.range.start);
    month.failed = now;
    month.failure = "interrupted";
    GPULEDGER_TRY(sink.keep(name, month.toText()));
    const std::uint64_t before = m_requests;
    const auto done = ask(month, days, sink, stop);
    if (!done && m_requests > before && done.error().code != ErrorCode::Cancelled) {
        month.failure = base::printable(done.error().text);
    } else if (!done) {
        month.failed = {};
        month.failure.clear();
    }
    GPULEDGER_TRY(sink.keep(name, month.toText()));
    return done;
}

Result<void> CostExplorerSource::ask(KeptMonth &month, const base::TimeRange &days, ports::BillSink &sink,
                                     const std::stop_token &stop)
{
    const std::uint64_t left = m_options.mostRequests - std::min(m_options.mostRequests, m_requests);
    CostExplorer explorer(m_api, m_options.query, left, [&]() -> Result<void> {
        ++m_requests;
        return sink.spent(paidFor(1), m_clock.now());
    });
    if (m_account.empty()) {
        auto account = callerAccount(m_api, stop);
        GPULEDGER_TRY(account);
        m_account = std::move(*account);
    }
    if (month.account != m_account) { // other credentials: another bill
        month.days.clear();
        month.names.clear();
        month.given.clear();
        month.account = m_account;
    }
    // Other credentials may have come between the days that are kept and those that are due.
    const base::UtcTime first = month.days.empty() ? month.range.start : days.start;
    auto answer = explorer.days({first, days.end}, stop);
    GPULEDGER_TRY(answer);
    month.put(*answer, explorer.names(), m_clock.now());
    return {};
}

// After everything that was paid for is kept. Also months that are final get names that are new.
Result<void> CostExplorerSource::nameAccounts(KeptMonth &month, ports::BillSink &sink, const std::stop_token &stop)
{
    if (!m_organization) {
        auto names = knownAccountNames(m_api, sink, m_clock.now(), m_options.refresh, stop);
        GPULEDGER_TRY(names);
        m_organization = std::move(*names);
    }
    return month.give(*m_organization) ? sink.keep(kKeptName + dateText(month.range.start), month.toText())
                                       : Result<void>();
}

Result<ports::ImportReport> CostExplorerSource::import(const ports::BillDelivery &delivery, ports::BillSink &sink,
                                                       std::stop_token stop)
{
    const auto all = months();
    const auto at = std::find_if(all.begin(), all.end(), [&](const base::TimeRange &month) {
        return delivery.files.size() == 1 && delivery.files.front() == fileOf(month);
    });
    if (at == all.end())
        return base::fail(ErrorCode::NotFound, "Cost Explorer has no such month");
    auto month = kept(*at, sink);
    GPULEDGER_TRY(month);
    GPULEDGER_TRY(refresh(*month, sink, stop));
    GPULEDGER_TRY(nameAccounts(*month, sink, stop));
    ports::ImportReport report;
    report.source = m_name;
    report.files.push_back({fileOf(*at), identityOf(*month), 0});
    auto lines = linesOf(*month, m_options.query.tag);
    GPULEDGER_TRY(lines);
    const auto known = sink.knows({report.files.front().sha256});
    GPULEDGER_TRY(known);
    if (*known || (lines->empty() && !month->wasImported)) {
        report.outcome = ports::ImportReport::Outcome::Duplicate;
        return report;
    }
    const model::BillKey key{m_name, month->account, month->range.start};
    GPULEDGER_TRY(format::tallyBill(*lines, key, "AWS", report));
    report.findings = findingsOf(*month);
    if (!month->wasImported) {
        // Before the lines, because afterwards a full disk would leave them without it.
        month->wasImported = true;
        GPULEDGER_TRY(sink.keep(kKeptName + dateText(month->range.start), month->toText()));
    }
    GPULEDGER_TRY(format::storeBill(std::move(*lines), key, sink, stop, report));
    return report;
}

// One paid request shows whether the bill may be read; nothing else does. The budgets are free.
Result<ports::ProbeReport> CostExplorerSource::probe(std::stop_token stop)
{
    using Level = ports::Finding::Level;
    using ports::FindingText;
    ports::ProbeReport report;
    report.product = "Cost Explorer";
    CostExplorer explorer(m_api, m_options.query, 1, [&]() -> Result<void> {
        ++m_requests;
        return {};
    });
    if (m_account.empty()) {
        auto account = callerAccount(m_api, stop);
        GPULEDGER_TRY(account);
        m_account = std::move(*account);
    }
    report.findings.push_back({Level::Good, FindingText::PlatformAnswers, {report.product}, {}, {}});
    const base::UtcTime today = base::floorTo(m_clock.now(), base::kDay);
    const auto total = explorer.totals({today - base::kDay, today}, stop);
    const bool isDenied = !total && total.error().code == ErrorCode::Forbidden;
    if (!total && !isDenied)
        return base::fail(total.error());
    if (isDenied)
        report.findings.push_back(
            {Level::Problem, FindingText::CostsRefused, {std::string("ce:GetCostAndUsage")}, {}, {}});
    else
        report.findings.push_back({Level::Good, FindingText::RightGiven, {std::string("ce:GetCostAndUsage")}, {}, {}});
    const auto budgets = probeBudgets(m_api, m_account, m_clock.now(), stop);
    GPULEDGER_TRY(budgets);
    report.findings.push_back(*budgets);
    // Few accounts may list those of their organization, and the bill has names without it: only the right is told.
    const auto mayAsk = mayReadAccountNames(m_api, stop);
    GPULEDGER_TRY(mayAsk);
    if (*mayAsk)
        report.findings.push_back({Level::Good, FindingText::RightGiven, {std::string(kAccountNamesRight)}, {}, {}});
    const auto text = [](std::uint64_t requests) {
        constexpr std::size_t kCents = 7; // "0.050000000" without its last seven digits
        const std::string amount = paidFor(requests).amount.toDecimal();
        return "USD " + amount.substr(0, amount.size() - kCents);
    };
    constexpr std::int64_t kMonth = 30 * 86400;
    const auto refreshes = static_cast<std::uint64_t>(std::max<std::int64_t>(1, kMonth / m_options.refresh.count()));
    const std::uint64_t more = m_options.readsCommitments ? kCommitmentQuestions.size() : 0;
    report.findings.push_back({Level::Good,
                               FindingText::PaidRequests,
                               {text(m_requests), text(months().size() * kCostQuestions + more),
                                text(kCostQuestions + more), text(refreshes * (kCostQuestions + more))},
                               {},
                               {}});
    report.usable = total.has_value();
    return report;
}

Result<std::unique_ptr<ports::CostSource>> makeCostExplorerSource(const model::SourceSettings &settings,
                                                                  const base::Clock &clock,
                                                                  const base::Clock &realClock,
                                                                  std::shared_ptr<http::HttpClient> client)
{
    if (settings.auth.kind != model::AuthSettings::Kind::SigV4)
        return wrongCosts(settings, "connects to AWS, which accepts only signed requests", base::Remedy::AddSigV4Auth);
    if (!isRegion(settings.auth.region))
        return wrongCosts(settings, "has no AWS region", base::Remedy::AddSigV4Auth);
    if (!settings.url.empty())
        GPULEDGER_TRY(http::parseUrl(settings.url));
    auto options = CostOptions::of(settings);
    GPULEDGER_TRY(options);
    return std::make_unique<CostExplorerSource>(settings, std::move(*options), clock, realClock, std::move(client));
}

} // namespace gpuledger::aws

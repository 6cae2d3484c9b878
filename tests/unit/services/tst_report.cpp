// SPDX-License-Identifier: GPL-3.0-or-later
// A month is exported as a file and opened elsewhere: the same figures, nothing from other months, and no change goes
// unnoticed.
#include "app/base/time/timezone.h"
#include "app/insight/idle/idle.h"
#include "app/insight/overview/summary.h"
#include "app/insight/query/query.h"
#include "app/reports/documents/documents.h"
#include "app/services/billing/billingservice.h"
#include "app/services/fleet/fleetservice.h"
#include "app/services/sources/sourceservice.h"
#include "app/services/sources/syncreport.h"
#include "app/services/spend/spendservice.h"
#include "app/services/workspace/openedreport.h"
#include "app/services/workspace/workspace.h"
#include "app/store/sqlite/database.h"
#include "app/store/values/integrityproblem.h"
#include "connectors/connectorregistry.h"
#include "connectors/secrets/secretstore.h"
#include "tests/support/detailtext.h"
#include "tests/support/suite.h"

#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <fstream>

namespace tst_report {

using namespace gpuledger;
using insight::LedgerDimension;
using insight::Month;
using reports::CostView;
using services::OpenedReport;
using services::Workspace;

namespace {

constexpr Month kMonth{2026, 10};
constexpr char kCanary[] = "CANARY-7f3a";

model::Settings fleet()
{
    model::Settings settings;
    settings.timeZone = "Europe/Berlin";
    for (const char *kind : {"demo", "demo-bill"}) {
        model::SourceSettings source;
        source.name = source.kind = kind;
        source.options = {{"gpus", "24"}, {"days", "38"}};
        source.firstSync = 38 * base::kDay;
        source.headers["X-Token"] = kCanary;
        source.url = std::string("https://") + kCanary + ".example.org";
        settings.sources.push_back(std::move(source));
    }
    model::OwnerRule rule;
    rule.kind = model::OwnerRule::Kind::Label;
    rule.key = "team";
    settings.owners.push_back(rule);
    rule = {};
    rule.kind = model::OwnerRule::Kind::Namespace;
    rule.match = model::OwnerRule::Match::Regex;
    rule.pattern = "^ml-(?P<team>[a-z]+)-.*";
    rule.until = base::parseTime("2026-10-20T12:00:00Z").value();
    settings.owners.push_back(rule);
    settings.idle.threshold = 0.07;
    settings.idle.protect.push_back({{{"a \"label\"", "\\ : {}#"}}, "kube-system"});
    settings.links.grafana = std::string("https://grafana.example.org/") + kCanary;
    settings.chargeback.clearingAccount = kCanary;
    return settings;
}

std::string readAll(const std::filesystem::path &file)
{
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::string textOf(const insight::LedgerAnswer &answer)
{
    std::string out;
    for (const insight::LedgerRow &row : answer.rows) {
        for (const std::string &key : row.keys)
            out += key + '|';
        out += row.billed.toDecimal() + '|' + row.effective.toDecimal() + '|' + row.priced.toDecimal() + '|'
            + std::to_string(row.gpuTime.ticks) + '\n';
    }
    return out;
}

// Everything that can be queried about a month, as text.
std::string figuresOf(Workspace &workspace)
{
    std::string out;
    insight::LedgerQuery query;
    query.range = kMonth.range();
    query.by = {LedgerDimension::Team, LedgerDimension::State, LedgerDimension::Category};
    out += textOf(workspace.spend().ledger(query).value());
    query.by = {LedgerDimension::Team, LedgerDimension::NameSpace, LedgerDimension::Workload};
    out += textOf(workspace.spend().ledger(query).value());
    const auto summary = workspace.fleet().summary({kMonth.range(), {}}, insight::Dimension::Device).value();
    for (const auto &row : summary.rows)
        out += row.key + ' ' + std::to_string(row.time.paid().ticks) + ' ' + std::to_string(row.time.idle.ticks) + ' '
            + std::to_string(row.cost.total()) + '\n';
    const auto reconciliation = workspace.spend().reconcile(kMonth).value();
    for (const auto &total : reconciliation.totals)
        out += total.ledgerBilled.toDecimal() + ' ' + total.billBilled.toDecimal() + '\n';
    return out;
}

std::string documentsOf(Workspace &workspace)
{
    std::string out;
    for (const CostView view : {CostView::Billed, CostView::Effective}) {
        const auto statement = workspace.billing().statement(kMonth, view, {}).value();
        out += reports::toCsv(statement) + reports::toHtml(statement)
            + tests::textBeside(workspace.billing().statementDetail(kMonth, view).value());
    }
    return out;
}

} // namespace

namespace {

// A folder of this process for temporary files, so that anything left in it is ours.
struct TemporaryFiles {
    TemporaryFiles() { qputenv("TMPDIR", folder.path().toUtf8()); }
    QTemporaryDir folder;
};

} // namespace

class TestReport : public QObject {
    Q_OBJECT
private:
    const TemporaryFiles m_temporaryFiles; // before any temporary file is made
    QTemporaryDir m_folder;
    std::unique_ptr<ports::SourceCatalog> m_catalog = connectors::makeSourceCatalog();
    std::unique_ptr<ports::SecretStore> m_secrets = connectors::makeSecretStore(nullptr);
    base::FrozenClock m_clock{base::parseTime("2026-11-03T00:00:00Z").value()};
    std::unique_ptr<Workspace> m_origin;

    std::filesystem::path at(const char *name) const { return m_folder.filePath(QLatin1String(name)).toStdString(); }

    // A report must answer everything exactly as its origin does.
    void opensTheSame(const char *name)
    {
        const auto signer = m_origin->billing().writeReport(kMonth, at(name), "1.2.3");
        QVERIFY2(signer, signer ? "" : signer.error().text.c_str());
        const auto report = OpenedReport::open(at(name));
        QVERIFY2(report, report ? "" : report.error().text.c_str());
        QCOMPARE((*report)->header().fingerprint(), *signer);
        QCOMPARE((*report)->header().program, std::string("1.2.3"));
        const base::FrozenClock clock((*report)->header().made);
        const auto there = Workspace::open((*report)->settings(), (*report)->options(), *m_catalog, *m_secrets, clock);
        QVERIFY2(there, there ? "" : there.error().text.c_str());
        Workspace &workspace = **there;
        QCOMPARE(documentsOf(workspace), documentsOf(*m_origin));
        const std::string figures = figuresOf(workspace);
        QVERIFY(figures.size() > 1000);
        QCOMPARE(figures, figuresOf(*m_origin));
        const auto problems = workspace.verify();
        QVERIFY(problems);
        for (const store::IntegrityProblem &problem : *problems)
            qWarning("%s: %s", problem.where.c_str(), problem.what.c_str());
        QVERIFY(problems->empty());
        QVERIFY(workspace.timeZone().name() == "Europe/Berlin");
        QVERIFY(workspace.fleet().coveredRange().value()
                == (base::TimeRange{kMonth.range().start, kMonth.range().end}));
        QVERIFY(workspace.fleet().idle(clock.now(), {}).value().at == kMonth.range().end);
        isReadOnly(workspace);
    }

    void isReadOnly(Workspace &workspace)
    {
        using base::ErrorCode;
        QVERIFY(workspace.sources().sync({}, {}, {}).error().code == ErrorCode::Refused);
        QVERIFY(workspace.billing().reviewMonth(kMonth).error().code == ErrorCode::Refused);
        QVERIFY(workspace.billing().closeMonth(kMonth, "reason").error().code == ErrorCode::Refused);
        QVERIFY(workspace.apply(fleet()).error().code == ErrorCode::Refused);
        QVERIFY(workspace.billing().writeReport(kMonth, at("again"), "1").error().code == ErrorCode::Refused);
        QVERIFY(workspace.billing().statement({2026, 9}, CostView::Billed, {}).error().code == ErrorCode::NotFound);
        QCOMPARE(workspace.billing().months().value().size(), std::size_t{1});
        QVERIFY(workspace.auditLog().value().empty());
    }

private Q_SLOTS:
    void initTestCase()
    {
        services::WorkspaceOptions options;
        options.dataFolder = at("origin");
        options.actor = "alex";
        auto opened = Workspace::open(fleet(), options, *m_catalog, *m_secrets, m_clock);
        QVERIFY(opened);
        m_origin = std::move(*opened);
        const auto reports = m_origin->sources().sync({}, {}, {});
        QVERIFY(reports);
        for (const services::SyncReport &report : *reports)
            QVERIFY2(!report.error, report.error ? report.error->text.c_str() : "");
    }

    void aDraftOpensElsewhereWithTheSameFigures() { opensTheSame("draft.gpureport"); }

    void holdsNoSecretAndNoAddress()
    {
        const auto unpacked = reports::unpackReportFile(at("draft.gpureport"), at("cache"));
        QVERIFY(unpacked);
        for (const std::string &bytes :
             {unpacked->settings, unpacked->statement, readAll(at("cache")), readAll(at("draft.gpureport"))}) {
            QVERIFY(!bytes.empty());
            for (const char *word : {kCanary, "grafana", "https://"})
                QVERIFY2(bytes.find(word) == std::string::npos, word);
        }
        QVERIFY(unpacked->settings.find("\"sources\": []") != std::string::npos);
    }

    void aClosedMonthDoesToo()
    {
        const auto closed = m_origin->billing().closeMonth(kMonth, "for the test");
        QVERIFY(closed);
        QVERIFY(closed->outcome == reports::SignOff::Outcome::Done);
        opensTheSame("closed.gpureport");
    }

    void aChangedByteIsRefused()
    {
        std::string bytes = readAll(at("closed.gpureport"));
        bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
        std::ofstream(at("changed.gpureport"), std::ios::binary) << bytes;
        QVERIFY(OpenedReport::open(at("changed.gpureport")).error().code == base::ErrorCode::StorageCorrupt);
    }

    void whatIsNoCacheOfOursIsRefusedThoughItIsSigned()
    {
        const auto unpacked = reports::unpackReportFile(at("closed.gpureport"), at("again.db"));
        QVERIFY(unpacked);
        const auto key = base::SigningKey::make().value();
        const auto refused = [&](const std::string &settings, const std::string &statement,
                                 const std::filesystem::path &cache) {
            if (!reports::writeReportFile(at("forged.gpureport"), unpacked->header, {settings, statement, cache}, key))
                return false;
            return !OpenedReport::open(at("forged.gpureport"));
        };
        QVERIFY(!refused(unpacked->settings, unpacked->statement, at("again.db"))); // valid
        QVERIFY(refused(unpacked->settings, unpacked->statement, at("origin/ledger.db"))); // not reduced to the month
        const auto isRefusedAfter = [&](const std::string &sql) {
            const auto database = store::Database::open(at("stored.db"), store::Database::Mode::Writer).value();
            return database->execute(sql + "; PRAGMA journal_mode=DELETE").has_value()
                && refused(unpacked->settings, unpacked->statement, at("stored.db"));
        };
        std::filesystem::copy_file(at("again.db"), at("stored.db"));
        QVERIFY(isRefusedAfter("INSERT INTO day_fact (day, rules, data) VALUES (20000, '', x'00')"));
        QVERIFY(!isRefusedAfter("DELETE FROM day_fact")); // valid again
        std::ofstream(at("text")) << "this is no cache";
        QVERIFY(refused(unpacked->settings, unpacked->statement, at("text")));
        QVERIFY(refused(unpacked->settings, "{}", at("again.db")));
        QVERIFY(refused(unpacked->settings, "[[[[", at("again.db")));
        QVERIFY(refused("sources: [", unpacked->statement, at("again.db")));
        QVERIFY(refused("sources: [{ name: x, kind: demo }]", unpacked->statement, at("again.db")));
    }

    void leavesNoFolderBehind()
    {
        for (const auto &entry : std::filesystem::directory_iterator(std::filesystem::temp_directory_path()))
            QVERIFY(!entry.path().filename().string().starts_with("gpuledger-report-"));
    }
};

GPULEDGER_PLAIN_SUITE(TestReport)

} // namespace tst_report

#include "tst_report.moc"

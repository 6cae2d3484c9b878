// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/documents/documents.h"
#include "app/services/billing/billingservice.h"
#include "app/services/sources/sourceservice.h"
#include "app/services/sources/syncreport.h"
#include "app/services/workspace/workspace.h"
#include "connectors/connectorregistry.h"
#include "connectors/secrets/secretstore.h"
#include "tests/support/suite.h"
#include "tests/unit/ui/showback/showbackbench.h"
#include "ui/export/statementexport.h"
#include "ui/export/statementprint.h"
#include "ui/pages/showback/showbackpage.h"

#include <QAction>
#include <QFileDialog>
#include <QMenu>
#include <QPointer>
#include <QSignalSpy>
#include <QTemporaryDir>

namespace tst_statementsavings {

using namespace gpuledger;
using ui::ShowbackPage;
using ui::StatementExport;

namespace {

constexpr int kPatience = 120000;
constexpr insight::Month kOctober{2026, 10};

} // namespace

// What could be saved, in the documents of the Showback page, over the demo fleet and its bills.
class StatementSavingsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
        m_workspace =
            std::move(services::Workspace::open(tests::billedFleet(), {m_folder.path().toStdString(), "UTC", false},
                                                *m_catalog, *m_secrets, m_clock)
                          .value());
        m_tasks = std::make_unique<ui::TaskRunner>();
        m_sync = std::make_unique<ui::SyncController>(m_workspace->config(), m_workspace->sources(),
                                                      m_workspace->fleet(), *m_tasks);
        m_navigator = std::make_unique<ui::Navigator>(ui::Place{QStringLiteral("showback"), {}, {}});
        const auto reports = m_workspace->sources().sync(std::nullopt, {}, {}).value();
        for (const auto &report : reports)
            QVERIFY(!report.error);
        const ui::PageContext context{{*m_workspace, *m_tasks, *m_sync, m_theme}, *m_navigator};
        m_page = std::make_unique<ShowbackPage>(context);
        m_page->setActive(true);
        m_page->show();
        QTRY_VERIFY_WITH_TIMEOUT(m_page->settled(), kPatience);
    }

    void cleanupTestCase()
    {
        m_page.reset();
        m_navigator.reset();
        m_sync.reset();
        m_tasks.reset();
        m_workspace.reset();
    }

    void onlyWhatIsAskedForHasThem()
    {
        const StatementExport::What all{october(), std::nullopt, true};
        const auto with = StatementExport::withFoundSavings(m_workspace->savings(), all);
        QVERIFY(with.has_value());
        QVERIFY(!all.snapshot->statement.savings && with->snapshot->statement.savings);
        QVERIFY(!with->snapshot->statement.savings->rows.empty());
        QVERIFY(!html(all).contains("<h2>Savings</h2>"));
        QVERIFY(html(*with).contains("<h2>Savings</h2>"));
        const auto sheets = StatementExport::sheetsOf(*with);
        QVERIFY(!sheets.front().savings.empty());
        QVERIFY(sheets.size() > 1 && sheets[1].savings.empty()); // of a team, and these are of all
    }

    void whatNobodyOwnsDoesNotHaveThoseOfAll()
    {
        const auto nobody = StatementExport::withFoundSavings(m_workspace->savings(), {october(), std::string(), true});
        QVERIFY(nobody.has_value() && !nobody->snapshot->statement.savings);
    }

    void manyTeamsHaveWhatEachHasAlone()
    {
        std::vector<StatementExport::What> all;
        for (const reports::TeamStatement &team : october()->statement.currencies.front().teams)
            all.push_back({october(), team.team, true});
        QVERIFY(all.size() > 1);
        const auto each = StatementExport::withFoundSavings(m_workspace->savings(), all, {});
        QVERIFY(each.has_value());
        QCOMPARE(each->size(), all.size());
        std::size_t rows = 0;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const auto alone = StatementExport::withFoundSavings(m_workspace->savings(), all[i]);
            QVERIFY(alone.has_value());
            QCOMPARE(html((*each)[i]), html(*alone));
            QVERIFY(*(*each)[i].team == *all[i].team);
            const auto &found = (*each)[i].snapshot->statement.savings;
            QVERIFY(!found || found->team == *all[i].team);
            rows += found ? found->rows.size() : 0;
        }
        QVERIFY(rows > 0);
        std::stop_source stop;
        stop.request_stop();
        const auto stopped = StatementExport::withFoundSavings(m_workspace->savings(), all, stop.get_token());
        QVERIFY(!stopped && stopped.error().code == base::ErrorCode::Cancelled);
    }

    void thePageWritesThemIfTheOptionIsOn()
    {
        QAction *option = entry(QStringLiteral("With savings (not in CSV)"));
        QVERIFY(option && option->isEnabled() && !option->isChecked());
        for (const bool wanted : {false, true}) {
            option->setChecked(wanted);
            const QString name = save(QStringLiteral("Web page (HTML)…"), wanted ? "with.html" : "without.html");
            QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(name), kPatience);
            QCOMPARE(content(name).contains("<h2>Savings</h2>"), wanted);
        }
        const QString table = save(QStringLiteral("Table (CSV)…"), "table.csv"); // has no place for them
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(table), kPatience);
        QCOMPARE(content(table), QByteArray::fromStdString(reports::toCsv(october()->statement)));
    }

    // Printing asks in a dialog, and nothing else would replace what says that savings are being found.
    void theNoticeGoesOnceTheyWereFound()
    {
        QSignalSpy notices(m_page.get(), &ui::Page::noticeWanted);
        auto *exporter = m_page->findChild<StatementExport *>();
        Q_EMIT exporter->preparing();
        Q_EMIT exporter->prepared();
        QCOMPARE(notices.size(), 2);
        const auto began = notices[0][0].value<ui::PageNotice>(), ended = notices[1][0].value<ui::PageNotice>();
        QVERIFY(!began.text.isEmpty() && ended.text.isEmpty());
        QCOMPARE(began.key, ended.key);
    }

    // Runs last: the month is closed for good.
    void zAClosedMonthIsShownAsItWasClosed()
    {
        QVERIFY(m_workspace->billing().closeMonth(kOctober, "checked with finance").has_value());
        m_snapshot.reset();
        const auto refused = StatementExport::withFoundSavings(m_workspace->savings(), {october(), std::nullopt, true});
        QVERIFY(!refused && refused.error().code == base::ErrorCode::InvalidArgument);
        m_page->refresh();
        QTRY_VERIFY_WITH_TIMEOUT(m_page->settled(), kPatience);
        QVERIFY(!entry(QStringLiteral("With savings (not in CSV)"))->isEnabled());
    }

private:
    std::shared_ptr<const ui::ShowbackSnapshot> october()
    {
        if (!m_snapshot)
            m_snapshot = ui::ShowbackViewModel::ask(m_workspace->config(), m_workspace->spend(), m_workspace->billing(),
                                                    kOctober, reports::CostView::Effective, {})
                             .value();
        return m_snapshot;
    }
    static QByteArray html(const StatementExport::What &what)
    {
        return StatementExport::bytesOf(what.snapshot->statement, StatementExport::sheetsOf(what),
                                        ui::DocumentLook::onPaper(ui::kPdfDotsPerInch), ui::StatementFormat::Html, {})
            .value();
    }
    QAction *entry(const QString &text) const
    {
        for (const QMenu *menu : m_page->findChildren<QMenu *>()) {
            for (QAction *action : menu->actions()) {
                if (action->text() == text)
                    return action;
            }
        }
        return nullptr;
    }
    // The file that is being written.
    QString save(const QString &format, const char *name)
    {
        entry(format)->trigger();
        const QPointer<QFileDialog> dialog = m_page->findChild<QFileDialog *>();
        const QString file = m_folder.filePath(QLatin1String(name));
        Q_EMIT dialog->fileSelected(file);
        dialog->reject();
        const bool isGone = QTest::qWaitFor([&] { return !dialog; }, kPatience);
        return isGone ? file : QString();
    }
    static QByteArray content(const QString &name)
    {
        QFile file(name);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    QTemporaryDir m_folder;
    base::FrozenClock m_clock{base::parseTime("2026-11-06T12:00:00Z").value()};
    widgets::Theme m_theme;
    std::unique_ptr<ports::SourceCatalog> m_catalog = connectors::makeSourceCatalog();
    std::unique_ptr<ports::SecretStore> m_secrets = connectors::makeSecretStore();
    std::unique_ptr<services::Workspace> m_workspace;
    std::unique_ptr<ui::TaskRunner> m_tasks;
    std::unique_ptr<ui::SyncController> m_sync;
    std::unique_ptr<ui::Navigator> m_navigator;
    std::unique_ptr<ShowbackPage> m_page;
    std::shared_ptr<const ui::ShowbackSnapshot> m_snapshot;
};

GPULEDGER_WINDOW_SUITE(StatementSavingsTest)

} // namespace tst_statementsavings

#include "tst_statementsavings.moc"

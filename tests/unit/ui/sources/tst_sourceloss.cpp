// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/sources/sourceservice.h"
#include "tests/support/fakes/fakesource.h"
#include "tests/support/suite.h"
#include "ui/pages/sources/sourcecardview.h"
#include "ui/pages/sources/sourcespage.h"
#include "ui/viewmodels/sources/syncnotice.h"

#include <QApplication>
#include <QDate>
#include <QLabel>
#include <QLocale>
#include <QMessageBox>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <atomic>

namespace tst_sourceloss {

using namespace gpuledger;
using ui::SourcesPage;

namespace {

constexpr int kPatience = 120000;
constexpr std::int64_t kUnit = base::Money::kNanosPerUnit;
const base::UtcTime kNow = base::fromUnix(1'783'684'800); // 2026-07-10T12:00:00Z

class MovableClock final : public base::Clock {
public:
    base::UtcTime now() const override { return base::fromUnix(m_now); }
    void forward(base::Seconds by) { m_now += by.count(); }

private:
    std::atomic<std::int64_t> m_now{base::toUnix(kNow)};
};

// Two machines for 30 USD per day; or half of that.
class FakeAllocator final : public ports::AllocationSource {
public:
    explicit FakeAllocator(const std::atomic<bool> &hasLess)
        : m_hasLess(hasLess)
    {
    }
    const std::string &name() const override { return m_name; }
    std::string address() const override { return "http://oc"; }
    base::Result<ports::ProbeReport> probe(std::stop_token) override { return ports::ProbeReport{}; }
    base::Result<ports::AllocationAnswer> day(base::Day day, std::stop_token) override
    {
        ports::AllocationAnswer answer;
        answer.day.day = day;
        answer.day.currency = base::Currency::usd();
        const std::int64_t part = m_hasLess ? 2 : 1;
        for (int i = 0; i < 2; ++i) {
            model::AllocatedNode node;
            node.name = "n" + std::to_string(i);
            node.seconds = 86'400 / part;
            node.gpuMillis = 8000;
            node.gpuSeconds = 8 * 86'400 / part;
            node.total = 15 * kUnit / part;
            answer.day.nodes.push_back(std::move(node));
        }
        answer.accepted = 2;
        return answer;
    }

private:
    const std::atomic<bool> &m_hasLess;
    std::string m_name = "<b>oc</b>";
};

class Catalog final : public ports::SourceCatalog {
public:
    std::atomic<bool> hasLess = false;

    ports::SourceKinds kinds() const override
    {
        return {{"demo", "Fake", {ports::Capability::Telemetry}},
                {"opencost", "OpenCost", {ports::Capability::Allocations}}};
    }
    base::Result<std::unique_ptr<ports::TelemetrySource>> create(const model::SourceSettings &,
                                                                 const std::vector<model::ExporterMappingText> &,
                                                                 ports::SecretStore &,
                                                                 const base::Clock &) const override
    {
        tests::FakePlan plan;
        plan.name = "prom";
        plan.change = [this](ports::FactBatch &batch) {
            if (hasLess)
                std::erase_if(batch.series, [](const ports::FactBatch::Series &series) { return series.device == 1; });
        };
        return std::make_unique<tests::FakeSource>(std::move(plan));
    }
    base::Result<std::unique_ptr<ports::AllocationSource>>
    createAllocation(const model::SourceSettings &, ports::SecretStore &, const base::Clock &) const override
    {
        return std::make_unique<FakeAllocator>(hasLess);
    }
};

QPushButton *button(const QWidget &parent, const QString &name)
{
    for (QPushButton *one : parent.findChildren<QPushButton *>()) {
        if (one->isVisible() && (one->text() == name || one->accessibleName() == name))
            return one;
    }
    return nullptr;
}

QMessageBox *question()
{
    for (QWidget *widget : QApplication::topLevelWidgets()) {
        auto *box = qobject_cast<QMessageBox *>(widget);
        if (box && box->isVisible())
            return box;
    }
    return nullptr;
}

} // namespace

// What a source no longer has is shown on its card, has to be confirmed before it is accepted, and is then gone.
class SourceLossTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_clock = std::make_unique<MovableClock>();
        m_catalog.hasLess = false;
    }
    void cleanup()
    {
        delete question();
        m_page.reset();
        if (m_sync) {
            m_sync->cancel();
            QTRY_VERIFY_WITH_TIMEOUT(!m_sync->running(), kPatience);
        }
        m_navigator.reset();
        m_sync.reset();
        m_tasks.reset();
        m_workspace.reset();
    }

    void aCardWithoutALossOffersNothing()
    {
        open("opencost");
        syncOnce();
        show();
        QVERIFY(button(*m_page, QStringLiteral("Accept missing data…")) == nullptr);
        QVERIFY(!ui::failureOf(m_sync->lastReports()));
    }

    void heldDaysAreSaidAskedAboutAndAccepted()
    {
        open("opencost");
        syncOnce();
        m_catalog.hasLess = true;
        syncOnce(); // the two days that are not final
        QCOMPARE(m_sync->lastReports().front().held.size(), std::size_t{2});
        QVERIFY(!m_sync->lastReports().front().whole());
        const auto notice = ui::failureOf(m_sync->lastReports());
        QVERIFY(notice
                && notice->text
                    == QStringLiteral("<b>oc</b> has less data for 2 days than before; the fuller figures are "
                                      "kept until you decide."));
        show();
        QVERIFY2(
            shows(QStringLiteral("The server has less data for 2 days than before: 30.00 USD instead of 60.00 USD. The "
                                 "fuller figures are kept until you decide.")),
            qPrintable(texts()));
        QVERIFY(shows(QStringLiteral("Needs consent")));
        QPushButton *accept = button(*m_page, QStringLiteral("Accept missing data at <b>oc</b>…"));
        QVERIFY(accept != nullptr);
        QVERIFY(accept->focusPolicy() & Qt::TabFocus);
        accept->setFocus();
        QTest::keyClick(accept, Qt::Key_Space);
        QTRY_VERIFY_WITH_TIMEOUT(question(), kPatience);
        QCOMPARE(question()->defaultButton(), question()->button(QMessageBox::Cancel)); // never the destructive one
        QCOMPARE(question()->text(), QStringLiteral("Accept that <b>oc</b> has less than before?"));
        QCOMPARE(question()->textFormat(), Qt::PlainText);
        const QString said = plain(question()->informativeText());
        const auto day = [](int number) { return QLocale().toString(QDate(2026, 7, number), QLocale::ShortFormat); };
        for (const QString &part :
             QStringList{day(8)
                             + QStringLiteral(": 30.00 USD becomes 15.00 USD, 48.0 node-hours become 24.0, "
                                              "384.0 GPU-hours become 192.0"),
                         day(9) + QStringLiteral(": 30.00 USD"), QStringLiteral("In all, 60.00 USD becomes 30.00 USD."),
                         QStringLiteral("can't be brought back")})
            QVERIFY2(said.contains(part), qPrintable(said));
        const auto *shown = question()->findChild<QLabel *>(QStringLiteral("qt_msgbox_informativelabel"));
        // Otherwise long lines are truncated.
        QVERIFY(shown && shown->wordWrap() && !shown->text().contains(QChar(0x00a0)));
        QVERIFY(shown->height() >= shown->heightForWidth(shown->width()));
        QTest::keyClick(question(), Qt::Key_Return); // Cancel is the default
        QTRY_VERIFY_WITH_TIMEOUT(!question(), kPatience);
        QTest::mouseClick(accept, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(question(), kPatience);
        QTest::keyClick(question(), Qt::Key_Escape);
        QTRY_VERIFY_WITH_TIMEOUT(!question(), kPatience);
        QVERIFY(!m_sync->running());
        QCOMPARE(held(), std::size_t{2});
        QTest::mouseClick(accept, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(question(), kPatience);
        QTest::mouseClick(button(*question(), QStringLiteral("Accept missing data")), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!m_sync->running() && held() == 0, kPatience);
        QVERIFY(m_sync->lastReports().front().whole());
        QTRY_VERIFY_WITH_TIMEOUT(button(*m_page, QStringLiteral("Accept missing data…")) == nullptr, kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(shows(QStringLiteral("Up to date")), kPatience); // the page queries it after the sync
        QVERIFY(!ui::failureOf(m_sync->lastReports()));
    }

    void telemetryThatIsGoneIsAcceptedTheSameWay()
    {
        open("demo");
        syncOnce();
        m_clock->forward(base::Seconds{7200});
        m_catalog.hasLess = true;
        syncOnce();
        QVERIFY(!m_sync->lastReports().front().gone.empty());
        show();
        QVERIFY2(
            shows(QStringLiteral("The last sync lacked 1 series that were there before. That time is fetched again "
                                 "until you decide.")),
            qPrintable(texts()));
        QVERIFY(!texts().contains(QLatin1String("--accept-gone"))); // mentioned once, and not as a command to type
        QPushButton *accept = button(*m_page, QStringLiteral("Accept missing data at prom…"));
        QVERIFY(accept != nullptr);
        QTest::mouseClick(accept, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(question(), kPatience);
        const QString said = plain(question()->informativeText());
        QVERIFY2(said.contains(QLatin1String("the source lacks 1 series (1 devices, 2.0 device-hours)")),
                 qPrintable(said));
        QVERIFY2(said.contains(QLatin1String("No stored figure changes.")), qPrintable(said));
        QTest::mouseClick(button(*question(), QStringLiteral("Accept missing data")), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!m_sync->running() && m_sync->lastReports().front().goneAccepted, kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(button(*m_page, QStringLiteral("Accept missing data…")) == nullptr, kPatience);
        syncOnce();
        QVERIFY(m_sync->lastReports().front().whole());
    }

    // A scheduled sync may begin while the question is open: the decision is carried out after it.
    void anAcceptanceWaitsForASyncThatRuns()
    {
        open("opencost");
        syncOnce();
        m_catalog.hasLess = true;
        syncOnce();
        m_sync->start();
        QVERIFY(m_sync->running());
        m_sync->startOne(m_name, ui::SyncController::WhatIsGone::Accept);
        QTRY_VERIFY_WITH_TIMEOUT(!m_sync->running() && held() == 0, kPatience);
    }

private:
    void open(const std::string &kind)
    {
        model::SourceSettings source;
        m_name = source.name = kind == "demo" ? "prom" : "<b>oc</b>";
        source.kind = kind;
        source.url = kind == "demo" ? "" : "http://oc";
        source.firstSync = 10 * base::kDay;
        model::Settings settings;
        settings.sources.push_back(std::move(source));
        auto workspace = services::Workspace::open(std::move(settings), {m_folder->path().toStdString(), "UTC", false},
                                                   m_catalog, m_secrets, *m_clock);
        QVERIFY(workspace.has_value());
        m_workspace = std::move(*workspace);
        m_tasks = std::make_unique<ui::TaskRunner>();
        m_sync = std::make_unique<ui::SyncController>(m_workspace->config(), m_workspace->sources(),
                                                      m_workspace->fleet(), *m_tasks);
    }
    void syncOnce()
    {
        m_sync->start();
        QTRY_VERIFY_WITH_TIMEOUT(!m_sync->running() && !m_sync->lastReports().empty(), kPatience);
        QVERIFY(!m_sync->lastReports().front().error);
    }
    void show()
    {
        m_navigator = std::make_unique<ui::Navigator>(ui::Place{QStringLiteral("sources"), {}, {}});
        m_page = std::make_unique<SourcesPage>(
            ui::PageContext{{*m_workspace, *m_tasks, *m_sync, m_theme, {}, {}}, *m_navigator});
        m_page->resize(1200, 1000);
        m_page->setActive(true);
        m_page->show();
        m_page->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_page.get()));
        QTRY_VERIFY_WITH_TIMEOUT(m_page->settled(), kPatience);
    }
    std::size_t held() const { return m_workspace->sources().statuses().value().front().held.size(); }
    QString texts() const
    {
        QStringList all;
        for (const QLabel *label : m_page->findChildren<QLabel *>()) {
            if (label->isVisible())
                all << label->text();
        }
        return plain(all.join(QLatin1Char('\n')));
    }
    bool shows(const QString &text) const { return texts().split(QLatin1Char('\n')).contains(text); }
    // Without layout markup.
    static QString plain(QString text)
    {
        return text.remove(QLatin1String("<p>"))
            .replace(QLatin1String("<br />\n"), QLatin1String("\n"))
            .replace(QChar(0x00a0), QLatin1Char(' '));
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<MovableClock> m_clock;
    Catalog m_catalog;
    tests::NoSecrets m_secrets;
    widgets::Theme m_theme;
    std::string m_name;
    std::unique_ptr<services::Workspace> m_workspace;
    std::unique_ptr<ui::TaskRunner> m_tasks;
    std::unique_ptr<ui::SyncController> m_sync;
    std::unique_ptr<ui::Navigator> m_navigator;
    std::unique_ptr<SourcesPage> m_page;
};

GPULEDGER_WINDOW_SUITE(SourceLossTest)

} // namespace tst_sourceloss

#include "tst_sourceloss.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// The window over data that end before now: it covers the requested range, like the command line, and does not compare
// with anything that was not fetched.
#include "app/services/environment/demosettings.h"
#include "app/services/workspace/workspace.h"
#include "connectors/connectorregistry.h"
#include "connectors/secrets/secretstore.h"
#include "tests/support/fleets/storefixture.h"
#include "tests/support/suite.h"
#include "ui/pages/overview/overviewadapter.h"
#include "ui/viewmodels/device/deviceviewmodel.h"
#include "ui/viewmodels/heatmap/heatmapviewmodel.h"
#include "ui/viewmodels/idle/idleviewmodel.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

namespace tst_staledata {

using namespace gpuledger;
using ui::Span;

namespace {

constexpr int kPatience = 120'000;
constexpr const char *kSynced = "2026-11-10T12:00:00Z", *kLater = "2026-11-14T13:37:00Z";

base::UtcTime at(const char *text)
{
    return base::parseTime(text).value();
}

bool near(const QJsonValue &json, std::optional<double> value)
{
    return value ? json.isDouble() && std::abs(json.toDouble() - *value) < 1e-6 : json.isNull();
}

// The window's view-models at a given time, over the same cache.
struct Look {
    Look(const QString &folder, const char *now, ports::SourceCatalog &catalog, ports::SecretStore &secrets)
        : clock(at(now))
        , workspace(services::Workspace::open(services::keptDemoSettings(folder.toStdString()),
                                              {folder.toStdString(), "UTC", false}, catalog, secrets, clock)
                        .value())
    {
    }
    std::unique_ptr<ui::OverviewViewModel> overview(const ui::TimeChoice &time)
    {
        auto desk = ui::savingsDesk(workspace->config(), workspace->fleet(), workspace->savings());
        return answered(std::make_unique<ui::OverviewViewModel>(workspace->config(), workspace->fleet(),
                                                                workspace->spend(), std::move(desk), tasks),
                        time);
    }
    std::unique_ptr<ui::HeatmapViewModel> heatmap(const ui::TimeChoice &time)
    {
        return answered(std::make_unique<ui::HeatmapViewModel>(workspace->config(), workspace->fleet(), tasks), time);
    }
    template <typename Model>
    static std::unique_ptr<Model> answered(std::unique_ptr<Model> model, const ui::TimeChoice &time)
    {
        model->setScope({time, {}});
        model->refresh();
        if (!QTest::qWaitFor([&] { return model->snapshot() && model->state() != ui::PageState::Loading; }, kPatience))
            qFatal("no answer");
        return model;
    }

    base::FrozenClock clock;
    std::unique_ptr<services::Workspace> workspace;
    ui::TaskRunner tasks;
};

} // namespace

class StaleDataTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
        const QJsonObject filled = cli(kSynced,
                                       {QStringLiteral("demo"), QStringLiteral("--days"), QStringLiteral("3"),
                                        QStringLiteral("--gpus"), QStringLiteral("48")});
        QVERIFY(!filled.isEmpty());
    }

    void rangesEndNow_data()
    {
        QTest::addColumn<ui::TimeChoice>("time");
        QTest::addColumn<QStringList>("options");
        const auto row = [](const char *name, ui::TimeChoice time, const char *options) {
            QTest::newRow(name) << time << QString::fromLatin1(options).split(QLatin1Char(' '));
        };
        row("day", {Span::Day, {}}, "--from -1d");
        row("week", {Span::Week, {}}, "--from -7d");
        row("month", {Span::Month, {}}, "--from -30d");
        row("this month", {Span::ThisMonth, {}}, "--from 2026-11-01");
        row("all", {Span::All, {}}, "--from 2026-11-07T12:00:00Z");
        row("custom", {Span::Custom, {at("2026-11-09"), at("2026-11-13")}}, "--from 2026-11-09 --to 2026-11-13");
    }

    // Both programs return the same figures for the same range at the same time, fresh and stale.
    void rangesEndNow()
    {
        QFETCH(ui::TimeChoice, time);
        QFETCH(QStringList, options);
        for (const char *now : {kSynced, kLater}) {
            const bool isStale = now == kLater;
            Look look(m_folder.path(), now, *m_catalog, *m_secrets);
            const auto overview = look.overview(time);
            const QJsonObject summary = cli(
                now, options + QStringList{QStringLiteral("summary"), QStringLiteral("--by"), QStringLiteral("team")});
            const auto &o = overview->snapshot()->overview;
            const QJsonObject total = summary[QLatin1String("total")].toObject();
            const QJsonObject hours = total[QLatin1String("gpu_hours")].toObject();
            if (o.range.end < base::floorTo(at(now), base::kCell)
                || time.span != Span::Custom) // no page shows the future
                QCOMPARE(summary[QLatin1String("to")].toString(), QString::fromStdString(base::toRfc3339(o.range.end)));
            QVERIFY(near(hours[QLatin1String("paid")], o.total.time.paid().hours()));
            QVERIFY(near(hours[QLatin1String("not_synced")], o.total.notSynced.hours()));
            QVERIFY(near(total[QLatin1String("coverage")], o.total.coverage));
            QCOMPARE(summary[QLatin1String("data")].toObject()[QLatin1String("stale")].toBool(), o.reach.stale);
            const bool isBehind = isStale && time.span != Span::Custom;
            if (isStale)
                QVERIFY(o.total.notSynced.ticks > 0 && *o.total.coverage < 0.9);
            if (isBehind)
                QVERIFY(o.range.end == base::floorTo(at(now), base::kCell));
            compareHeatmaps(look, time, options, now);
        }
    }

    // Last 24 hours, four days after the last sync: nothing is known about it, and that is shown instead of zeros.
    void whatWasNeverFetchedIsNotShownAsNothing()
    {
        Look look(m_folder.path(), kLater, *m_catalog, *m_secrets);
        const auto overview = look.overview({Span::Day, {}});
        const auto figures = ui::overviewFigures(*overview->snapshot(), ui::OverviewMoney::List);
        QVERIFY(figures[0].value.isEmpty() && figures[1].value.isEmpty() && figures[2].value.isEmpty());
        QVERIFY2(figures[3].title.startsWith(QStringLiteral("Idle on 10 Nov, ")), qPrintable(figures[3].title));
        QVERIFY(figures[3].detail.contains(QStringLiteral("not known")));
        const auto heatmap = look.heatmap({Span::Day, {}});
        QCOMPARE(heatmap->state(), ui::PageState::Data);
        const auto &matrix = heatmap->snapshot()->matrix;
        QVERIFY(matrix.rowCount() > 2);
        for (int row = 0; row < matrix.rowCount(); ++row) {
            bool any = false;
            for (int column = 0; column < matrix.columnCount(); ++column) {
                QVERIFY(std::isnan(matrix.value(row, column)));
                any = any || matrix.isMissing(row, column);
            }
            QVERIFY(any); // hatched, not "nothing held"
        }
    }

    void aDeviceEndsWhereItsDataDo()
    {
        for (const char *now : {kSynced, kLater}) {
            Look look(m_folder.path(), now, *m_catalog, *m_secrets);
            ui::ExtraSeriesList expressions;
            ui::DeviceViewModel model(look.workspace->config(), look.workspace->fleet(), look.workspace->sources(),
                                      look.tasks, expressions);
            model.setScope({{Span::Week, {}}, {}});
            model.refresh();
            QTRY_VERIFY_WITH_TIMEOUT(model.snapshot() && model.snapshot()->details, kPatience);
            const auto &details = *model.snapshot()->details;
            QVERIFY(details.range.end == base::floorTo(at(now), base::kCell));
            QVERIFY(details.dataEnd == at(kSynced));
            QVERIFY(std::any_of(details.stays.begin(), details.stays.end(),
                                [](const auto &stay) { return stay.endedLater; })); // it did not end with the data
            QVERIFY(now == kSynced ? details.notSynced.ticks == 0 : std::abs(details.notSynced.hours() - 97.5) < 0.2);
        }
    }

    void theIdleListSaysIt()
    {
        for (const char *now : {kSynced, kLater}) {
            Look look(m_folder.path(), now, *m_catalog, *m_secrets);
            ui::IdleViewModel model(look.workspace->config(), look.workspace->fleet(), look.workspace->actions(),
                                    look.tasks);
            model.refresh();
            QTRY_VERIFY_WITH_TIMEOUT(model.snapshot(), kPatience);
            const QJsonObject data = cli(now, {QStringLiteral("idle")})[QLatin1String("data")].toObject();
            QCOMPARE(model.snapshot()->list.reach.stale, now == kLater);
            QCOMPARE(data[QLatin1String("stale")].toBool(), now == kLater);
            QCOMPARE(data[QLatin1String("age_seconds")].toInteger(), qint64{model.snapshot()->list.reach.age.count()});
        }
    }

    // A period before the first sync, and one between two fetched ranges, which their hull conceals.
    void comparesWithNothingThatWasNotFetched()
    {
        using State = insight::Comparison::State;
        const auto comparison = [&](Span span) {
            Look look(m_folder.path(), kSynced, *m_catalog, *m_secrets);
            const auto overview = look.overview({span, {}});
            const auto &o = overview->snapshot()->overview;
            const auto figures = ui::overviewFigures(*overview->snapshot(), ui::OverviewMoney::Bills);
            const bool made = o.comparison.state == State::Made;
            QTest::qVerify(o.before.has_value() == made && o.change.has_value() == made, "before", "", __FILE__,
                           __LINE__);
            QTest::qVerify(figures[1].change.contains(QStringLiteral("fetched")) != made, "figure",
                           qPrintable(figures[1].change), __FILE__, __LINE__);
            QTest::qVerify(made || !overview->snapshot()->spendBefore, "bills", "", __FILE__, __LINE__);
            return o.comparison.state;
        };
        QVERIFY(comparison(Span::Week) == State::NothingBefore);
        QVERIFY(comparison(Span::Day) == State::Made);
        const std::string cache = m_folder.filePath(QStringLiteral("ledger.db")).toStdString();
        tests::executeOn(cache, "UPDATE sync_range SET range_start = range_end - 86400");
        QVERIFY(comparison(Span::Day) == State::NothingBefore);
        tests::executeOn(cache, "UPDATE sync_range SET range_start = range_end - 129600");
        QVERIFY(comparison(Span::Day) == State::PartBefore);
        tests::executeOn(cache, "UPDATE sync_range SET range_start = range_end - 259200");
        QVERIFY(comparison(Span::Day) == State::Made);
    }

private:
    // The program itself, with --json.
    QJsonObject cli(const char *now, const QStringList &arguments)
    {
        QProcess process;
        const QStringList all{QStringLiteral("--demo"), QStringLiteral("--json"), QStringLiteral("--data"),
                              m_folder.path(),          QStringLiteral("--now"),  QString::fromLatin1(now),
                              QStringLiteral("--tz"),   QStringLiteral("UTC")};
        process.start(qEnvironmentVariable("GPULEDGER_BIN_DIR") + QStringLiteral("/gpuledger-cli"), all + arguments);
        if (!process.waitForFinished(kPatience))
            process.kill();
        const QByteArray out = process.readAllStandardOutput();
        if (out.isEmpty())
            qWarning("%s", process.readAllStandardError().constData());
        return QJsonDocument::fromJson(out).object();
    }

    void compareHeatmaps(Look &look, const ui::TimeChoice &time, const QStringList &options, const char *now)
    {
        auto model =
            std::make_unique<ui::HeatmapViewModel>(look.workspace->config(), look.workspace->fleet(), look.tasks);
        model->setScope({time, {}});
        model->setMetric(insight::Metric::Utilization);
        model->setBins(insight::Bins::Day);
        QTRY_VERIFY_WITH_TIMEOUT(model->snapshot() && !model->isAsking(), kPatience);
        const auto &map = *model->snapshot()->heatmap;
        QVERIFY(map.binning == insight::Bins::Day);
        const QJsonObject json =
            cli(now, options + QStringList{QStringLiteral("heatmap"), QStringLiteral("--bins"), QStringLiteral("day")});
        const QJsonArray bins = json[QLatin1String("bins")].toArray(), rows = json[QLatin1String("rows")].toArray();
        QCOMPARE(static_cast<std::size_t>(rows.size()), map.rows.size());
        int partial = 0;
        for (qsizetype r = 0; r < rows.size(); ++r) {
            const insight::HeatmapRow &row = map.rows[static_cast<std::size_t>(r)];
            QCOMPARE(rows[r].toObject()[QLatin1String("key")].toString().toStdString(), row.key);
            const QJsonArray cells = rows[r].toObject()[QLatin1String("cells")].toArray();
            for (std::size_t b = 0; b < row.cells.size(); ++b) {
                qsizetype column = 0; // the window starts with the data
                while (column < bins.size() && bins[column].toString().toStdString() != map.bins[b])
                    ++column;
                const QJsonObject cell = cells[column].toObject();
                const insight::HeatmapCell &own = row.cells[b];
                QVERIFY(near(cell[QLatin1String("value")], own.value));
                QVERIFY(near(cell[QLatin1String("observed")], own.observed));
                QVERIFY(near(cell[QLatin1String("known")], own.known));
                QVERIFY(near(cell[QLatin1String("not_synced_hours")], own.notSyncedHours));
                QCOMPARE(cell[QLatin1String("partial")].toBool(), own.isPartial());
                partial += own.isPartial();
            }
        }
        QVERIFY(partial > 0); // the day of the sync is not complete
    }

    QTemporaryDir m_folder;
    std::unique_ptr<ports::SourceCatalog> m_catalog = connectors::makeSourceCatalog();
    std::unique_ptr<ports::SecretStore> m_secrets = connectors::makeSecretStore();
};

GPULEDGER_WINDOW_SUITE(StaleDataTest)

} // namespace tst_staledata

#include "tst_staledata.moc"

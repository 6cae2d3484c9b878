// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/sources/sourceservice.h"
#include "app/services/sources/syncreport.h"
#include "app/services/workspace/workspace.h"
#include "connectors/connectorregistry.h"
#include "connectors/secrets/secretstore.h"
#include "tests/support/suite.h"
#include "ui/pages/savings/comparepanel.h"
#include "ui/viewmodels/savings/compare/compareviewmodel.h"
#include "widgets/charts/stackedbarchart.h"
#include "widgets/inputs/choicebutton.h"
#include "widgets/table/datatable.h"

#include <QAbstractItemModelTester>
#include <QFile>
#include <QLabel>
#include <QTemporaryDir>
#include <QTest>

#include <map>

namespace tst_compareviewmodel {

using namespace gpuledger;
using ui::CompareColumn;
using ui::CompareViewModel;

namespace {

constexpr int kPatience = 60000;

// The price book and the bills of a small demo company.
struct PricedCompany {
    QTemporaryDir folder;
    std::unique_ptr<ports::SourceCatalog> catalog = connectors::makeSourceCatalog();
    std::unique_ptr<ports::SecretStore> secrets = connectors::makeSecretStore();
    base::FrozenClock clock{base::parseTime("2026-11-21T12:00:00Z").value()};
    std::unique_ptr<services::Workspace> workspace;
    ui::TaskRunner tasks;

    PricedCompany()
    {
        model::Settings settings;
        model::SourceSettings source;
        source.name = source.kind = "demo";
        source.options = {{"gpus", "56"}, {"days", "3"}};
        source.firstSync = 3 * base::kDay;
        settings.sources.push_back(source);
        const QString listed = file(QStringLiteral("listed.csv"),
                                    "provider,gpu_model,gpus,currency,per_hour\nlisted,H100 SXM,8,USD,400\n");
        settings.prices.own.push_back({listed.toStdString(), {}, {}, {}});
        settings.prices.own.push_back({folder.filePath(QStringLiteral("never.csv")).toStdString(), {}, {}, {}});
        for (const char *pool : {"onprem-a100", "onprem-nothing"}) {
            model::OwnedMachine &owned = settings.prices.owned.emplace_back();
            owned.nodeLabels = {{"pool", pool}};
            owned.price = "21500";
            owned.powerW = "650";
            owned.pue = "1.3";
            owned.usdPerKwh = "0.12";
        }
        settings.prices.owned.emplace_back().nodeLabels = {{"pool", "bare"}};
        settings.prices.owned.back().price = "9000";
        workspace =
            services::Workspace::open(settings, {folder.path().toStdString(), "UTC", false}, *catalog, *secrets, clock)
                .value();
    }

    QString file(const QString &name, const QByteArray &text) const
    {
        QFile out(folder.filePath(name));
        return out.open(QIODevice::WriteOnly) && out.write(text) == text.size() ? out.fileName() : QString();
    }
};

int rowOfProvider(const CompareViewModel &model, const QString &provider)
{
    for (int row = 0; row < model.rows()->rowCount(); ++row) {
        if (model.rows()->text(row, static_cast<int>(CompareColumn::Provider)) == provider)
            return row;
    }
    return -1;
}

QByteArray ownOffer(const QByteArray &provider, const QByteArray &currency, const QByteArray &perHour)
{
    return "provider,gpu_model,gpus,currency,per_hour\n" + provider + ",H100 SXM,8," + currency + ',' + perHour + '\n';
}

} // namespace

// What the same GPUs cost elsewhere, without the page around it.
class CompareViewModelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
        m_company = std::make_unique<PricedCompany>();
        QVERIFY(m_company->workspace->sources().sync(std::nullopt, {}, {}).has_value());
    }

    void init()
    {
        m_model = std::make_unique<CompareViewModel>(m_company->workspace->config(), m_company->workspace->spend(),
                                                     m_company->tasks);
        m_model->setActive(true);
        QTRY_COMPARE_WITH_TIMEOUT(m_model->state(), ui::PageState::Data, kPatience);
    }

    void filtersByModelGpusAndTerms()
    {
        const QAbstractItemModelTester tester(&m_model->table());
        m_model->setModel(QStringLiteral("H100"));
        m_model->setGpus(8);
        m_model->setTerms(ui::CompareTerms::OnDemand);
        QTRY_VERIFY_WITH_TIMEOUT(!m_model->isAsking(), kPatience);
        const ui::CompareTable &rows = *m_model->rows();
        QVERIFY(rows.rowCount() > 1);
        double before = 0;
        for (int row = 0; row < rows.rowCount(); ++row) {
            QVERIFY(rows.quote(row).gpu.model.starts_with("H100"));
            QCOMPARE(rows.quote(row).microGpus, 8 * savings::kMicroOfGpu);
            const auto price = std::get<double>(rows.value(row, static_cast<int>(CompareColumn::PerGpuHour)));
            QVERIFY(price >= before); // the cheapest first
            before = price;
        }
        m_model->setGpus(3);
        QTRY_COMPARE_WITH_TIMEOUT(m_model->state(), ui::PageState::Empty, kPatience);
    }

    void saysWhetherOwningIsCheaper()
    {
        const QStringList lines = m_model->ownedLines();
        QCOMPARE(lines.size(), 3);
        QVERIFY2(lines[0].startsWith(QStringLiteral("Owned pool=onprem-a100 (A100")), qPrintable(lines[0]));
        // 21,500 / 35,040 h + 0.65 kW x 1.3 x 0.12
        QVERIFY2(lines[0].contains(QStringLiteral("$0.7150 per GPU-hour at full use. Above a utilization of")),
                 qPrintable(lines[0]));
        QVERIFY2(lines[1].contains(QStringLiteral("--owned 'pool=onprem-nothing' --gpu-model")), qPrintable(lines[1]));
        QVERIFY2(lines[2].endsWith(QStringLiteral("does not have power_w, pue, usd_per_kwh.")), qPrintable(lines[2]));
        const widgets::Theme theme;
        ui::ComparePanel panel(theme, *m_model);
        panel.show();
        m_model->refresh();
        QTRY_VERIFY_WITH_TIMEOUT(!m_model->isAsking(), kPatience);
        const auto labels = panel.findChildren<QLabel *>();
        QVERIFY(std::any_of(labels.begin(), labels.end(),
                            [&](const QLabel *label) { return label->text() == lines.join(QLatin1Char('\n')); }));
    }

    void showsOneBarForEachProvider()
    {
        m_model->setModel({});
        QTRY_VERIFY_WITH_TIMEOUT(!m_model->isAsking(), kPatience);
        std::set<QString> providers;
        for (const int row : m_model->cheapestRows()) {
            const savings::PriceQuote &quote = m_model->rows()->quote(row);
            const bool isPaid = quote.source == savings::kOwnBills;
            QVERIFY(providers.insert(QString::fromStdString(quote.provider) + (isPaid ? u"$" : u"")).second);
        }
        QVERIFY(providers.size() > 1);
    }

    // The list of the configuration, which the sync at the beginning stored.
    void hasStoredPriceLists()
    {
        m_model->setModel({});
        QTRY_VERIFY_WITH_TIMEOUT(!m_model->isAsking() && rowOfProvider(*m_model, QStringLiteral("listed")) >= 0,
                                 kPatience);
        QVERIFY(m_model->files().isEmpty());
        // A list of which nothing is stored is not said to be compared.
        QVERIFY(m_model->unreadText().contains(QStringLiteral("never.csv")));
        QVERIFY(!m_model->unreadText().contains(QStringLiteral("last sync")));
        QVERIFY(QFile::rename(m_company->folder.filePath(QStringLiteral("listed.csv")),
                              m_company->folder.filePath(QStringLiteral("away.csv"))));
        QVERIFY(m_company->workspace->sources().sync(std::nullopt, {}, {}).has_value());
        m_model->refresh();
        QTRY_VERIFY_WITH_TIMEOUT(!m_model->isAsking() && m_model->unreadText().contains(QStringLiteral("listed.csv")),
                                 kPatience);
        QVERIFY(m_model->unreadText().contains(QStringLiteral("last sync")));
        QVERIFY(rowOfProvider(*m_model, QStringLiteral("listed")) >= 0);
    }

    void addsOwnOffersAndKeepsCurrenciesApart()
    {
        m_model->setModel({});
        m_model->addOffers(m_company->file(QStringLiteral("own.csv"),
                                           "provider,gpu_model,gpus,currency,per_hour\n"
                                           "<b>cheap</b>,H100 SXM,8,USD,0.8\nteuer,H100 SXM,8,EUR,80\n"));
        QTRY_VERIFY_WITH_TIMEOUT(!m_model->isAsking() && rowOfProvider(*m_model, QStringLiteral("teuer")) >= 0,
                                 kPatience);
        const int cheap = rowOfProvider(*m_model, QStringLiteral("<b>cheap</b>"));
        QVERIFY(cheap >= 0);
        QCOMPARE(m_model->rows()->text(cheap, static_cast<int>(CompareColumn::PerGpuHour)), QStringLiteral("0.1000"));
        QCOMPARE(m_model->rows()->text(cheap, static_cast<int>(CompareColumn::Age)), QString(QChar(0x2013)));
        QCOMPARE(m_model->rows()->groups().size(), std::size_t{2});
        QVERIFY(m_model->table().isGrouped());
        QVERIFY(m_model->rows()->groupOf(cheap)
                != m_model->rows()->groupOf(rowOfProvider(*m_model, QStringLiteral("teuer"))));
    }

    // By type and region, and only of spot machines.
    void showsHowOftenSpotMachinesAreTakenAway()
    {
        m_model->setModel({});
        m_model->addOffers(m_company->file(QStringLiteral("spot.csv"),
                                           "provider,machine,gpu_model,gpus,region,currency,per_hour,purchase\n"
                                           "aws,P4d.24xlarge,A100 SXM4,8,us-east-1,CHF,9,spot\n"
                                           "aws,p4d.24xlarge,A100 SXM4,8,us-east-1,CHF,29,1-year\n"
                                           "aws,p4d.24xlarge,A100 SXM4,8,mars-1,CHF,8,spot\n"));
        const auto offers = [this] {
            std::map<double, int> rows; // by price
            for (int row = 0; row < m_model->rows()->rowCount(); ++row) {
                if (m_model->rows()->quote(row).perHour.currency().code() == "CHF")
                    rows[m_model->rows()->quote(row).perHour.toDouble()] = row;
            }
            return rows;
        };
        QTRY_VERIFY_WITH_TIMEOUT(!m_model->isAsking() && offers().size() == 3, kPatience);
        const auto rows = offers();
        const auto column = static_cast<int>(CompareColumn::Interruptions);
        const ui::CompareTable &table = *m_model->rows();
        QCOMPARE(table.text(rows.at(9), column), QStringLiteral("10-15% a month"));
        QVERIFY(std::get<double>(table.value(rows.at(9), column)) > 0);
        QVERIFY(table.sourceLine(rows.at(9), column).startsWith(QStringLiteral("Published, ")));
        QVERIFY(table.sourceLine(rows.at(9), 0) != table.sourceLine(rows.at(9), column));
        for (const double price : {29.0, 8.0}) {
            QCOMPARE(table.text(rows.at(price), column), QString(QChar(0x2013)));
            QVERIFY(table.sourceLine(rows.at(price), column).isEmpty());
        }
    }

    void keepsItsListsWhenAFileCantBeRead()
    {
        const int before = m_model->rows()->rowCount();
        const QString bad = m_company->file(QStringLiteral("bad.csv"), "a,b\n1,2\n");
        m_model->addOffers(bad);
        QTRY_VERIFY_WITH_TIMEOUT(m_model->fileError().has_value() && !m_model->isAsking(), kPatience);
        QCOMPARE(m_model->state(), ui::PageState::Data);
        QCOMPARE(m_model->rows()->rowCount(), before);
        QVERIFY(m_model->files().isEmpty());
        QVERIFY(QString::fromStdString(m_model->fileError()->text).contains(QStringLiteral("bad.csv")));
        m_model->addCatalogue(m_company->file(QStringLiteral("neo_vms.csv"),
                                              "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,"
                                              "Region,GpuInfo,SpotPrice\nneo-1,H100,1,8,64,1.5,eu-1,,0.9\n"));
        QTRY_VERIFY_WITH_TIMEOUT(!m_model->isAsking(), kPatience);
        QVERIFY(!m_model->fileError());
        QCOMPARE(m_model->files().size(), 1);
    }

    void twoFilesAtOnceAreBothReadAndEachOnce()
    {
        m_model->setModel({});
        const QString one = m_company->file(QStringLiteral("one.csv"), ownOffer("first", "USD", "0.8"));
        const QString two = m_company->file(QStringLiteral("two.csv"), ownOffer("second", "USD", "0.9"));
        m_model->addOffers(one);
        m_model->addOffers(m_company->file(QStringLiteral("worse.csv"), "a,b\n1,2\n"));
        m_model->addOffers(two);
        QTRY_VERIFY_WITH_TIMEOUT(!m_model->isAsking(), kPatience);
        QCOMPARE(m_model->files(), (QStringList{one, two}));
        QVERIFY(rowOfProvider(*m_model, QStringLiteral("first")) >= 0);
        QVERIFY(rowOfProvider(*m_model, QStringLiteral("second")) >= 0);
        QVERIFY(QFile::remove(one)); // it is not needed again
        m_model->refresh();
        QTRY_VERIFY_WITH_TIMEOUT(!m_model->isAsking(), kPatience);
        QCOMPARE(m_model->state(), ui::PageState::Data);
        QVERIFY(rowOfProvider(*m_model, QStringLiteral("first")) >= 0);
        m_model->removeFile(one);
        QTRY_VERIFY_WITH_TIMEOUT(!m_model->isAsking(), kPatience);
        QVERIFY(rowOfProvider(*m_model, QStringLiteral("first")) < 0);
        QCOMPARE(m_model->files(), QStringList{two});
    }

    void theButtonSaysTheModelOfTheFilter()
    {
        const widgets::Theme theme;
        ui::ComparePanel panel(theme, *m_model);
        const auto *models = panel.findChild<widgets::ChoiceButton *>();
        m_model->setModel(QStringLiteral("H100")); // not by the button
        QTRY_VERIFY_WITH_TIMEOUT(!m_model->isAsking(), kPatience);
        QCOMPARE(models->currentKey(), QStringLiteral("H100"));
        const auto labels = panel.findChildren<QLabel *>();
        const auto says = [&](const char *text) {
            return std::any_of(labels.begin(), labels.end(),
                               [&](const QLabel *label) { return label->text().contains(QLatin1String(text)); });
        };
        QVERIFY(says("Own bills have no")); // this company has none
        m_model->setCost(model::CostView::List);
        QTRY_VERIFY_WITH_TIMEOUT(!m_model->isAsking(), kPatience);
        QVERIFY(says("own bills are not compared"));
        QVERIFY(!says("Own bills have no"));
        m_model->setModel(QStringLiteral("gone"));
        QTRY_VERIFY_WITH_TIMEOUT(!m_model->isAsking(), kPatience);
        QCOMPARE(models->currentKey(), QStringLiteral("gone"));
    }

    void theChartIsInTheConfiguredCurrency()
    {
        m_model->setModel({});
        m_model->addOffers(m_company->file(QStringLiteral("early.csv"), ownOffer("austral", "AUD", "0.1")));
        QTRY_VERIFY_WITH_TIMEOUT(!m_model->isAsking() && rowOfProvider(*m_model, QStringLiteral("austral")) >= 0,
                                 kPatience);
        QCOMPARE(m_model->rows()->groups().front().id, QStringLiteral("AUD"));
        QCOMPARE(m_model->chartCurrency(), QStringLiteral("USD"));
        for (const int row : m_model->cheapestRows())
            QVERIFY(m_model->rows()->quote(row).perHour.currency() == base::Currency::usd());
    }

    void offersThatDifferInTheirCurrencyHaveIdsOfTheirOwn()
    {
        m_model->setModel({});
        m_model->addOffers(
            m_company->file(QStringLiteral("ids.csv"), ownOffer("both", "USD", "0.8") + "both,H100 SXM,8,EUR,0.8\n"));
        QTRY_VERIFY_WITH_TIMEOUT(!m_model->isAsking() && rowOfProvider(*m_model, QStringLiteral("both")) >= 0,
                                 kPatience);
        std::set<QString> ids;
        for (int row = 0; row < m_model->rows()->rowCount(); ++row)
            QVERIFY(ids.insert(m_model->rows()->id(row)).second);
    }

    void namesEverythingForScreenReaders()
    {
        const widgets::Theme theme;
        ui::ComparePanel panel(theme, *m_model);
        panel.resize(1000, 500);
        m_model->setModel(QStringLiteral("H100"));
        QTRY_VERIFY_WITH_TIMEOUT(!m_model->isAsking(), kPatience);
        const auto *chart = panel.findChild<widgets::StackedBarChart *>();
        QVERIFY(chart && chart->itemCount() > 0);
        for (int i = 0; i < chart->itemCount(); ++i)
            QVERIFY(!chart->itemName(i).isEmpty());
        QCOMPARE(panel.table()->model().shownRows(), m_model->rows()->rowCount());
    }

private:
    std::unique_ptr<PricedCompany> m_company;
    std::unique_ptr<CompareViewModel> m_model;
};

GPULEDGER_WINDOW_SUITE(CompareViewModelTest)

} // namespace tst_compareviewmodel

#include "tst_compareviewmodel.moc"

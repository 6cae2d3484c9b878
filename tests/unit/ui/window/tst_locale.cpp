// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/suite.h"
#include "ui/format/local/language.h"
#include "ui/format/local/localtext.h"
#include "ui/format/savings/savingsphrase.h"
#include "ui/viewmodels/idle/idletext.h"
#include "widgets/charts/axis.h"

#include <QCoreApplication>
#include <QTest>

#include <limits>

namespace tst_locale {

using namespace gpuledger;
using base::ErrorCode;
using insight::IdleSignal;
using ui::IdleText;
using ui::Language;
using ui::LocalText;

namespace {

const QLocale kGerman(QLocale::German, QLocale::Germany);

QString spaced(QString text)
{
    return text.replace(QChar(0xA0), QLatin1Char(' ')).replace(QChar(0x202F), QLatin1Char(' '));
}

QString withoutContext(const char *context, const char *text)
{
    return QCoreApplication::translate(context, text);
}

} // namespace

// The window's texts and figures in German, and in English for users of other languages.
class LocaleTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_german = std::make_unique<Language>(kGerman); }
    void cleanup()
    {
        m_german.reset(); // and removes its texts
        QLocale::setDefault(QLocale::c());
    }

    void speaksTheLanguageOfTheLocale()
    {
        QCOMPARE(m_german->code(), QStringLiteral("de"));
        QCOMPARE(LocalText::metricName(insight::Metric::Utilization), QStringLiteral("Auslastung"));
        QCOMPARE(LocalText::dimensionPlural(insight::Dimension::Node), QStringLiteral("Knoten"));
        m_german.reset();
        const Language austrian(QLocale(QLocale::German, QLocale::Austria));
        QCOMPARE(austrian.code(), QStringLiteral("de"));
    }

    void speaksEnglishToOthers()
    {
        m_german.reset();
        const Language other(QLocale(QLocale::Finnish, QLocale::Finland));
        QCOMPARE(other.code(), QStringLiteral("en"));
        QCOMPARE(LocalText::metricName(insight::Metric::Utilization), QStringLiteral("Utilization"));
        QCOMPARE(spaced(LocalText::percent(0.123)), QStringLiteral("12,3 %")); // numbers are formatted for the locale
    }

    // Links and JSON keep the key.
    void namesTimeOfNoTeam()
    {
        m_german.reset();
        const Language english(QLocale(QLocale::English, QLocale::UnitedStates));
        QCOMPARE(LocalText::teamName("shared"), QStringLiteral("Unallocated"));
        QCOMPARE(LocalText::teamName("vision"), QStringLiteral("vision"));
        QCOMPARE(LocalText::filterText(insight::Dimension::Team, QStringLiteral("shared"), false),
                 QStringLiteral("team: Unallocated"));
        QCOMPARE(LocalText::filterText(insight::Dimension::Cluster, QStringLiteral("shared"), false),
                 QStringLiteral("cluster: shared"));
    }

    void hasPlurals()
    {
        QCOMPARE(IdleText::deviceCount(1), QStringLiteral("1 Gerät"));
        QCOMPARE(IdleText::deviceCount(3), QStringLiteral("3 Geräte"));
        m_german.reset();
        const Language english(QLocale(QLocale::English, QLocale::UnitedStates));
        QCOMPARE(QCoreApplication::translate("gpuledger::ui::SourcesViewModel", "%n nodes", nullptr, 1),
                 QStringLiteral("1 node"));
        QCOMPARE(QCoreApplication::translate("gpuledger::ui::SourcesViewModel", "%n nodes", nullptr, 2),
                 QStringLiteral("2 nodes"));
    }

    void writesFigures()
    {
        QCOMPARE(spaced(LocalText::money(1234.56, QStringLiteral("EUR"))), QStringLiteral("1.234,56 €"));
        QCOMPARE(spaced(LocalText::money(-1234.56, QStringLiteral("EUR"))), QStringLiteral("−1.234,56 €"));
        QCOMPARE(spaced(LocalText::money(1234.4, QStringLiteral("EUR"), 0)), QStringLiteral("1.234 €"));
        QCOMPARE(spaced(LocalText::money(1234.56, QStringLiteral("USD"))), QStringLiteral("1.234,56 USD"));
        QCOMPARE(spaced(LocalText::percent(0.1234)), QStringLiteral("12,3 %"));
        QCOMPARE(spaced(LocalText::gpuHours(1234.56)), QStringLiteral("1.234,6 GPU-h"));
        QCOMPARE(LocalText::shortMoney(14800), QStringLiteral("14,8 Tsd."));
        QCOMPARE(LocalText::shortMoney(-2'500'000), QStringLiteral("−2,5 Mio."));
        QCOMPARE(widgets::axisText(40000, 10000), QStringLiteral("40 Tsd."));
        QCOMPARE(widgets::axisText(2.5e6, 5e5), QStringLiteral("2,5 Mio."));
        m_german.reset();
        const Language american(QLocale(QLocale::English, QLocale::UnitedStates));
        QCOMPARE(LocalText::money(1234.56, QStringLiteral("USD")), QStringLiteral("$1,234.56"));
        QCOMPARE(LocalText::money(1234.56, QStringLiteral("EUR")), QStringLiteral("1,234.56 EUR"));
        QCOMPARE(LocalText::shortMoney(14800), QStringLiteral("14.8k"));
    }

    // One minus sign, and none for zero.
    void writesSigns()
    {
        QCOMPARE(LocalText::number(-1234.5, 2), QStringLiteral("−1.234,50"));
        QCOMPARE(LocalText::number(-0.004, 2), QStringLiteral("0,00"));
        QCOMPARE(LocalText::number(-0.0, 1), QStringLiteral("0,0"));
        QCOMPARE(LocalText::number(std::numeric_limits<double>::quiet_NaN(), 1), QStringLiteral("–"));
        QCOMPARE(LocalText::signedNumber(0.004, 2), QStringLiteral("0,00"));
        QCOMPARE(LocalText::signedNumber(1.5, 1), QStringLiteral("+1,5"));
        QCOMPARE(LocalText::signedNumber(-1.5, 1), QStringLiteral("−1,5"));
        QCOMPARE(spaced(LocalText::percent(-0.00001)), QStringLiteral("0,0 %"));
        QCOMPARE(spaced(LocalText::signedPercent(0.05)), QStringLiteral("+5,0 %"));
        QCOMPARE(spaced(LocalText::money(-0.001, QStringLiteral("EUR"))), QStringLiteral("0,00 €"));
        QCOMPARE(spaced(LocalText::money(-2.5, QStringLiteral("USD"))), QStringLiteral("−2,50 USD"));
        QCOMPARE(LocalText::shortMoney(-0.01), QStringLiteral("0,0"));
        QCOMPARE(LocalText::monthText(QStringLiteral("2026-10")), QStringLiteral("Oktober 2026"));
        m_german.reset();
        QCOMPARE(LocalText::number(-12, 0), QStringLiteral("−12"));
    }

    void writesTimes()
    {
        const base::TimeZone zone = base::TimeZone::find("Europe/Berlin").value();
        const auto at = base::parseTime("2026-03-29T00:30:00Z").value(); // the night of the change of clocks
        QCOMPARE(IdleText::instant(at, zone), QStringLiteral("29. März, 01:30"));
        QCOMPARE(LocalText::dateTime(at, zone), QStringLiteral("29.03.26 01:30"));
        QCOMPARE(LocalText::age(base::Seconds{7200}), QStringLiteral("2 h"));
        QCOMPARE(LocalText::timeRange(
                     {base::parseTime("2026-10-31T23:00:00Z").value(), base::parseTime("2026-11-14T23:00:00Z").value()},
                     zone),
                 QStringLiteral("1. Nov. – 14. Nov."));
    }

    void wordsWhatTheEngineSays()
    {
        const IdleSignal signal{true, IdleSignal::Kind::Activity, 0.028, 0.05, base::Seconds{5400}};
        QCOMPARE(spaced(LocalText::phrase(ui::phraseOf(signal))),
                 QStringLiteral("Aktivität höchstens 2,8 % in jedem 5-min-Abschnitt der letzten 1 h 30 min, "
                                "Schwelle 5,0 %"));
        QCOMPARE(QString::fromStdString(ui::phraseOf(signal).english()),
                 QStringLiteral("activity at most 2.8 % in any 5 min of the last 1 h 30 min, threshold 5.0 %"));
        QCOMPARE(LocalText::protection("namespace prod"), QStringLiteral("Namespace prod"));
        // Inserted foreign text is not scanned for placeholders.
        const ports::Finding finding{ports::Finding::Level::Good,
                                     ports::FindingText::Devices,
                                     {std::string("exporter %2"), std::uint64_t{1}, std::uint64_t{12}},
                                     ports::FindingRemedy::None,
                                     {}};
        QCOMPARE(LocalText::phrase(ui::textOf(finding)), QStringLiteral("exporter %2: 1 Gerät auf 12 Knoten"));
        QCOMPARE(QString::fromStdString(ui::textOf(finding).english()),
                 QStringLiteral("exporter %2: 1 device on 12 nodes"));
    }

    void saysWhereAPriceComesFrom()
    {
        QCOMPARE(LocalText::priceSource("price book 2026-08-01: aws p5.48xlarge us-east-1 (the node is in eu-west-1)"),
                 QStringLiteral("Preisliste 2026-08-01: aws p5.48xlarge us-east-1 (der Knoten ist in eu-west-1)"));
        QCOMPARE(LocalText::priceSource("list price estimate (median of 1 instance type of aws, 2026-08-01)"),
                 QStringLiteral("geschätzter Listenpreis (Median von 1 Instanztyp von aws, 2026-08-01)"));
        QCOMPARE(LocalText::priceSource("override: label a=b"), QStringLiteral("Vorgabe: label a=b"));
        QCOMPARE(LocalText::priceSource("something else"), QStringLiteral("something else"));
    }

    // Every sentence exists in both languages, with the same number of terms.
    void everyFindingHasItsSentence()
    {
        using ports::FindingTerm;
        const std::vector<FindingTerm> terms(4, FindingTerm(std::string("x")));
        for (int i = 0; i <= static_cast<int>(ports::FindingText::DemoWithoutProfiling); ++i) {
            const ports::Finding finding{
                {}, static_cast<ports::FindingText>(i), terms, ports::FindingRemedy::None, terms};
            everywhere(ui::textOf(finding));
        }
        for (int i = 1; i <= static_cast<int>(ports::FindingRemedy::RepairServer); ++i) {
            const ports::Finding finding{{}, {}, terms, static_cast<ports::FindingRemedy>(i), terms};
            everywhere(ui::remedyOf(finding));
        }
        for (int i = 0; i <= static_cast<int>(IdleSignal::Kind::NoRequests); ++i)
            everywhere(ui::phraseOf(IdleSignal{true, static_cast<IdleSignal::Kind>(i), 1, 1, base::Seconds{60}}));
    }

    void everyRemarkHasItsSentence()
    {
        for (const auto text : {
#define GPULEDGER_REMARK(name, text) savings::RemarkText::name,
#include "app/savings/proposals/remarks.def"
#undef GPULEDGER_REMARK
             }) {
            savings::Remark remark{text, {}};
            for (const char *mark : {"%1", "%2", "%3"}) {
                if (savings::englishOf(text).find(mark) != std::string_view::npos)
                    remark.terms.push_back(savings::textTerm("x"));
            }
            if (text != savings::RemarkText::WithSource) // the same in both
                everywhere(ui::textOf(remark));
        }
    }

    void quantitiesOfRemarksAreInTheLocale()
    {
        using namespace savings;
        const auto both = [](const RemarkTerm &term, const char *german) {
            return spaced(LocalText::phrase(ui::valueOf(term))) + QLatin1Char('|')
                + QString::fromStdString(ui::valueOf(term).english())
                == QString::fromUtf8(german);
        };
        const base::Currency usd = base::Currency::usd();
        QVERIFY(both(countTerm(1234), "1.234|1234"));
        QVERIFY(both(decimalTerm(12.5), "12,5|12.5"));
        QVERIFY(both(hoursTerm(1412), "1.412,0|1412.0"));
        QVERIFY(both(shareTerm(0.125), "12,5 %|12.5 %"));
        QVERIFY(both(gibibytesTerm(80), "80,0 GiB|80.0 GiB"));
        QVERIFY(both(amountTerm({1'234'500'000'000, usd}), "1.234,50 USD|1234.50 USD"));
        QVERIFY(both(rateTerm({3'061'170'000, usd}), "3,0612 USD|3.0612 USD"));
        QVERIFY(both(rateTerm({-70'000, usd}), "−0,0001 USD|-0.0001 USD"));
        QVERIFY(both(dayTerm(base::parseTime("2027-01-31").value()), "31.01.27|2027-01-31"));
        QVERIFY(both(durationTerm(base::Seconds{5400}), "1 h 30 min|1 h 30 min"));
        QVERIFY(both(protectionTerm("namespace prod"), "Namespace prod|namespace prod"));
        QVERIFY(both(priceSourceTerm("override: label a=b"), "Vorgabe: label a=b|override: label a=b"));
        const Remark ends{RemarkText::SunkUntil, {dayTerm(base::parseTime("2027-01-31").value())}};
        QVERIFY(both(remarkTerm(ends), "gebunden bis 31.01.27|sunk until 2027-01-31"));
        const Remark hostile{RemarkText::CountedAlready, {textTerm("%1 %2")}};
        QVERIFY(both(remarkTerm(hostile), "schon gezählt in %1 %2|counted already in %1 %2"));
    }

    void saysWhatWentWrong()
    {
        for (int i = 0; i <= static_cast<int>(ErrorCode::Internal); ++i) {
            const QString text = LocalText::sentence(base::Error::make(static_cast<ErrorCode>(i), {}));
            QVERIFY(text.endsWith(QLatin1Char('.')));
            m_german.reset();
            const QString english = LocalText::sentence(base::Error::make(static_cast<ErrorCode>(i), {}));
            m_german = std::make_unique<Language>(kGerman);
            QVERIFY2(text != english, qPrintable(text));
        }
        const auto error = base::Error::make(ErrorCode::Network, "http://a can't be reached",
                                             "check that the server is running and that the port is right");
        QCOMPARE(LocalText::sentence(error),
                 QStringLiteral("Der Server ist nicht erreichbar. http://a can't be "
                                "reached. Abhilfe: prüfen, ob der Server läuft und der Port stimmt."));
        for (const char *remedy : {
#define GPULEDGER_REMEDY(name, text) text,
#include "app/base/remedies.def"
#undef GPULEDGER_REMEDY
             })
            QVERIFY2(withoutContext("gpuledger::ui::Remedy", remedy) != QString::fromUtf8(remedy), remedy);
    }

    void dialogsOfQtSpeakIt()
    {
        const QString cancel = QCoreApplication::translate("QPlatformTheme", "Cancel");
        if (cancel == QLatin1String("Cancel"))
            QSKIP("skipped: Qt's own translations are not installed");
        QCOMPARE(cancel, QStringLiteral("Abbrechen"));
    }

private:
    void everywhere(const ui::Phrase &phrase)
    {
        const QString english = QString::fromStdString(phrase.english());
        const QString german = LocalText::phrase(phrase);
        QVERIFY(!english.isEmpty() && !german.isEmpty());
        const QStringList same{QStringLiteral("x: x on x"), QStringLiteral("x in x")}; // in both languages
        QVERIFY2(german != english || same.contains(english), qPrintable(english));
        QVERIFY2(!english.contains(QLatin1Char('%')) || english.contains(QLatin1String(" %")), qPrintable(english));
    }

    std::unique_ptr<Language> m_german;
};

GPULEDGER_SUITE(LocaleTest)

} // namespace tst_locale

#include "tst_locale.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Named assumptions as text: what is kept, what is replaced, and what is refused.
#include "app/savings/assumptions/scenario.h"
#include "tests/support/suite.h"

#include <QTest>

namespace tst_scenario {

using namespace gpuledger;
using base::ErrorCode;
using savings::Assumptions;

namespace {

Assumptions delayOf(const char *value)
{
    Assumptions out;
    (void)out.set("scale-down-delay", value);
    return out;
}

} // namespace

class TestScenario : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void keepsAndReplacesAndRemoves()
    {
        const std::string one = savings::withScenario("", "careful \"x\"", delayOf("3h")).value();
        const std::string two = savings::withScenario(one, "bold", delayOf("2h")).value();
        const std::string again = savings::withScenario(two, "bold", delayOf("4h")).value();
        const auto all = savings::scenariosIn(again).value();
        QCOMPARE(all.size(), std::size_t(2));
        QCOMPARE(all[0].name, std::string("bold"));
        QVERIFY(all[0].assumptions == delayOf("4h"));
        QVERIFY(all[1].assumptions == delayOf("3h"));
        const std::string left = savings::withoutScenario(again, "bold").value();
        QCOMPARE(savings::scenariosIn(left).value().size(), std::size_t(1));
        QVERIFY(savings::withoutScenario(left, "bold").error().code == ErrorCode::NotFound);
    }

    void valuesAreAmongTheDefaultsOfTheConfiguration()
    {
        Assumptions usual;
        QVERIFY(usual.setUsual("scale-down-delay", "5h"));
        const std::string text = R"({"version":1,"scenarios":{"a":{"scale-down-delay":"1h"},"b":{}}})";
        const auto all = savings::scenariosIn(text, usual).value();
        QCOMPARE(all[0].assumptions.text("scale-down-delay"), std::string("1h"));
        QCOMPARE(all[1].assumptions.text("scale-down-delay"), std::string("5h"));
    }

    // It says the same after the configuration was changed, and back.
    void keepsWhatWasChosenAlsoIfItIsTheDefault()
    {
        const auto configured = [](std::string_view delay) {
            Assumptions usual;
            if (!usual.setUsual("scale-down-delay", delay))
                qFatal("a default is refused");
            return usual;
        };
        Assumptions chosen = configured("5h");
        QVERIFY(chosen.set("scale-down-delay", "5h") && chosen.set("start-up", "10m"));
        QVERIFY(chosen.isUsual());
        const std::string text = savings::withScenario("", "a", chosen).value();
        for (const char *delay : {"2h", "5h"}) {
            const auto all = savings::scenariosIn(text, configured(delay)).value();
            const Assumptions &read = all.front().assumptions;
            QCOMPARE(read.text("scale-down-delay"), std::string("5h"));
            QCOMPARE(read.changed().size(), std::size_t{delay == std::string_view("2h") ? 1U : 0U});
            QCOMPARE(read.chosen().size(), std::size_t{2});
            QCOMPARE(savings::withScenario("", "a", read).value(), text);
        }
        chosen.useDefaultsOf(configured("2h"));
        QCOMPARE(chosen.text("scale-down-delay"), std::string("5h"));
        chosen.reset("scale-down-delay");
        QCOMPARE(chosen.text("scale-down-delay"), std::string("2h"));
        const std::string less = savings::withScenario("", "a", chosen).value();
        QVERIFY(less.find("scale-down-delay") == std::string::npos && less.find("start-up") != std::string::npos);
    }

    void keepsWhatItCanNotUse()
    {
        const std::string text = R"({"version":1,"scenarios":{"old":{"gone":"7","scale-down-delay":"2h"}}})";
        const auto all = savings::scenariosIn(text).value();
        QVERIFY(all.front().unknown == std::vector<std::string>{"gone=7"});
        QVERIFY(all.front().assumptions == delayOf("2h"));
        const auto more = savings::scenariosIn(savings::withScenario(text, "new", {}).value()).value();
        QVERIFY(more.back().unknown == std::vector<std::string>{"gone=7"});
    }

    void refusesDamagedTexts()
    {
        for (const char *text :
             {"x", "[]", "{}", R"({"version":2,"scenarios":{}})", R"({"version":1,"scenarios":[]})",
              R"({"version":1,"scenarios":{"a":{"b":1}}})", R"({"version":1,"scenarios":{"a":1}})"}) {
            const auto read = savings::scenariosIn(text);
            QVERIFY2(!read && read.error().code == ErrorCode::Parse, text);
            QVERIFY2(!savings::withScenario(text, "new", {}), text);
        }
    }

    void refusesNamesAndTooMany()
    {
        QCOMPARE(savings::scenarioName("  two words ").value(), std::string("two words"));
        for (const char *name : {"", "  ", "a\nb", "\x1b[31m", "\xff"})
            QVERIFY2(!savings::scenarioName(name), name);
        QVERIFY(savings::scenarioName(std::string(60, 'n')));
        QVERIFY(!savings::scenarioName(std::string(61, 'n')));
        std::string text;
        for (std::size_t i = 0; i < savings::kMostScenarios; ++i)
            text = savings::withScenario(text, "s" + std::to_string(i), {}).value();
        QVERIFY(savings::withScenario(text, "s7", delayOf("2h")));
        QVERIFY(savings::withScenario(text, "more", {}).error().code == ErrorCode::TooMuch);
    }
};

GPULEDGER_SUITE(TestScenario)

} // namespace tst_scenario

#include "tst_scenario.moc"

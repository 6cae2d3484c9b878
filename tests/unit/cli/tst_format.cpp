// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/suite.h"
#include "ui/format/actions/markphrase.h"
#include "ui/format/actions/resultphrase.h"
#include "ui/format/phrases/chance.h"
#include "ui/format/phrases/figures.h"
#include "ui/format/phrases/sentence.h"
#include "ui/format/texttable.h"

#include <QTest>

#include <clocale>

namespace tst_format {

using namespace gpuledger;
using base::ErrorCode;

class TestFormat : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { std::setlocale(LC_ALL, "de_DE.UTF-8"); } // no result here may depend on it

    void unknownIsADashAndNeverZero()
    {
        QVERIFY(ui::percentText(std::nullopt) == "-");
        QVERIFY(ui::moneyText(std::nullopt) == "-");
        QVERIFY(ui::fixed(std::nan(""), 1) == "-");
        QVERIFY(ui::percentText(0.0) == "0.0 %");
    }

    void aChanceIsNeverCertain()
    {
        QVERIFY(ui::chanceText(0.873) == "87.3 %");
        QVERIFY(ui::chanceText(0.99) == "99.0 %");
        QVERIFY(ui::chanceText(0.9951) == "> 99 %");
        QVERIFY(ui::chanceText(1) == "> 99 %");
    }

    void roundsMoneyHalfAwayFromZero_data()
    {
        QTest::addColumn<qint64>("nanos");
        QTest::addColumn<QString>("text");
        QTest::newRow("zero") << qint64{0} << QStringLiteral("0.00");
        QTest::newRow("below half") << qint64{4'999'999} << QStringLiteral("0.00");
        QTest::newRow("half") << qint64{5'000'000} << QStringLiteral("0.01");
        QTest::newRow("credit") << qint64{-5'000'000} << QStringLiteral("-0.01");
        QTest::newRow("small credit") << qint64{-4'999'999} << QStringLiteral("0.00");
        QTest::newRow("carries") << qint64{1'999'999'999} << QStringLiteral("2.00");
        QTest::newRow("largest") << std::numeric_limits<qint64>::max() << QStringLiteral("9223372036.85");
        QTest::newRow("smallest") << std::numeric_limits<qint64>::min() << QStringLiteral("-9223372036.85");
    }
    void roundsMoneyHalfAwayFromZero()
    {
        QFETCH(qint64, nanos);
        QFETCH(QString, text);
        QCOMPARE(QString::fromStdString(ui::amountText(nanos)), text);
    }

    void writesFigures()
    {
        QVERIFY(ui::fixed(1234567.891, 1) == "1234567.9");
        QVERIFY(ui::fixed(-0.01, 1) == "0.0");
        QVERIFY(ui::durationText(base::Seconds{59}) == "59 s");
        QVERIFY(ui::durationText(base::Seconds{3 * 86400 + 4 * 3600 + 59}) == "3 d 4 h");
        QVERIFY(ui::durationText(base::Seconds{7200}) == "2 h");
        QVERIFY(ui::bytesText(999) == "999 B");
        QVERIFY(ui::bytesText(999'960) == "1.0 MB");
    }

    void padsByDisplayWidth()
    {
        QCOMPARE(ui::displayWidth("team"), 4);
        QCOMPARE(ui::displayWidth("\xE5\x9B\xA2\xE9\x98\x9F"), 4); // two wide characters
        QCOMPARE(ui::displayWidth("e\xCC\x81"), 1); // a letter with a combining accent
        ui::TextTable table({{"team"}, {"n", ui::TextTable::Align::Right}});
        table.add({"\xE5\x9B\xA2\xE9\x98\x9F", "1"});
        table.add({"a", "22"});
        QVERIFY(table.toText(false) == "team   n\n\xE5\x9B\xA2\xE9\x98\x9F   1\na     22\n");
        QVERIFY(table.toText(true).starts_with("\x1b[1m"));
    }

    void quotesCsvCellsAndDefusesFormulas()
    {
        ui::TextTable table({{"a"}, {"b"}});
        table.add({"=1+1", "-12.5"});
        table.add({"x,\"y\"\nz", "@sum"});
        QVERIFY(table.toCsv() == "a,b\r\n\"'=1+1\",-12.5\r\n\"x,\"\"y\"\"\nz\",\"'@sum\"\r\n");
    }

    void tellsEveryErrorWithARemedy()
    {
        for (int code = 0; code <= static_cast<int>(ErrorCode::Internal); ++code) {
            const std::string sentence = ui::sentenceFor(base::Error::make(static_cast<ErrorCode>(code), "detail"));
            QVERIFY2(sentence.ends_with('.') && sentence.size() > 6, sentence.c_str());
            QVERIFY(sentence.find('\n') == std::string::npos);
        }
        base::Error error = base::Error::make(ErrorCode::Unauthorized, "401 \x1b[2J\nfrom x", "check the token");
        error.source = "prod";
        const std::string sentence = ui::sentenceFor(error);
        QVERIFY(sentence.starts_with("prod: The server rejected the credential"));
        QVERIFY(sentence.ends_with("check the token."));
        QVERIFY(ui::sentenceFor(base::Error::make(ErrorCode::Network, "x", "is it on?")).ends_with("is it on?"));
        QVERIFY(sentence.find('\x1b') == std::string::npos && sentence.find('\n') == std::string::npos);
    }

    // Users' scripts parse these texts; they stay as they were when the log stored them.
    void saysEveryResultAsItAlwaysDid()
    {
        using actions::ActionResult;
        using Code = actions::ResultCode;
        const std::vector<std::pair<ActionResult, std::string>> all{
            {{Code::None}, ""},
            {{Code::Said, "50 %1 {}"}, "50 %1 {}"},
            {actions::refusedBy({actions::CheckName::SameObject, actions::Outcome::Failed, actions::Why::Gone, ""}),
             "refused by the last check (same-object: gone); nothing was done"},
            {{Code::HaltedByUser}, "halted by the user; nothing was done"},
            {{Code::HaltedByOther}, "halted, because another of these failed; nothing was done"},
            {{Code::NotAllowed, "patch"}, "not allowed: patch"},
            {{Code::SourceMayNot, "k"}, "the configuration does not let source k change anything"},
            {{Code::ChangedSince, {}, "f", "2", "3"}, "f is now 2; it was 3 before the stop and nothing was changed"},
            {{Code::StoppedSince, "kim"}, "someone else has stopped it since: kim"},
            {{Code::MarkGone},
             "someone else has changed it since: it no longer carries the mark of this stop; nothing was changed"},
            {{Code::StillThere}, "it is still there; nothing was changed"},
            {{Code::NameTaken}, "the object is gone, or another one has its name now"},
            {{Code::StoppedAgain, {}, {}, {}, {}, 7}, "it was stopped again by action 7; bring that one back"},
            {{Code::PlatformRefused, "no"}, "the platform refused it, nothing was done: no"},
            {{Code::ChangedMeanwhile, "it is stopping"},
             "it changed between the checks and the call, nothing was done: it is stopping"},
            {{Code::TryLater, "busy"}, "the platform asked to try later, nothing was done: busy"},
            {{Code::NeverLeft}, "the program ended before sending its call; nothing was done"},
            {{Code::AnswerLost, "cut"}, "the answer was lost: cut"},
            {{Code::AnswerUnwritten}, "the program ended before the answer was written down"},
            {{Code::GoneAsAsked}, "it is gone, as requested"},
            {{Code::GoneUnexplained}, "the object is gone; it is not known whether this caused it"},
            {{Code::FoundDone}, "the platform confirms: it was done"},
            {{Code::FoundAgain}, "the platform confirms: it is there again"},
            {{Code::NotDone, {}, "f", "2"}, "it was not done: f is 2; it is not repeated automatically"},
            {{Code::NotMadeAgain},
             "it is not there: it was not recreated, or has ended; it is not repeated automatically"},
            {{Code::StoppedByOther, "kim"}, "someone else stopped it: kim"},
            {{Code::SetBack, {}, "f", "2"}, "someone reset f to 2"},
            {{Code::OtherValue, {}, "f", "2", "3"}, "it was brought back, but f is now 2; it was 3 before the stop"},
            {{Code::Gone}, "the object is gone"},
            {{Code::StillHeld, "a, b"}, "it was done, but these still hold GPUs: a, b"},
            {{Code::StillSet, {}, "f", "2"}, "it was done, but f is still 2"},
            {{Code::NoEffect}, "it was done, but did not take effect"},
            {{Code::BroughtBack, {}, {}, {}, {}, 7}, "brought back by action 7"}};
        QCOMPARE(all.size(), static_cast<std::size_t>(Code::Last) + 1);
        QCOMPARE(ui::plainText(ActionResult{Code::ChangedSince, {}, "f", "3", "3"}),
                 std::string("f is 3 again already; nothing was changed"));
        for (std::size_t i = 0; i < all.size(); ++i) {
            QVERIFY(all[i].first.code == static_cast<Code>(i));
            QCOMPARE(ui::plainText(all[i].first), all[i].second);
        }
        QVERIFY(ui::plainText(ActionResult{Code::StoppedByOther}) == "someone else stopped it");
    }

    void saysWhatDecidedACheck()
    {
        using actions::Why;
        const auto said = [](Why why, const char *subject, std::optional<double> share) {
            return ui::plainText(actions::refusedBy({actions::CheckName::StillIdle, actions::Outcome::Failed, why,
                                                     subject, base::fromUnix(1'793'491'200), share}));
        };
        QCOMPARE(
            said(Why::Active, "a", 0.0625),
            std::string("refused by the last check (still-idle: active): a, 6.3 % at 2026-11-01T00:00:00Z; nothing "
                        "was done"));
        QCOMPARE(said(Why::Active, "a", {}),
                 std::string("refused by the last check (still-idle: active): a, a request at 2026-11-01T00:00:00Z; "
                             "nothing was done"));
        QCOMPARE(said(Why::Stale, "", {}),
                 std::string("refused by the last check (still-idle: stale): last sample at 2026-11-01T00:00:00Z; "
                             "nothing was done"));
        // A log of an earlier version contains the same sentence, which is shown unchanged.
        model::ActionRecord old;
        old.result = said(Why::Active, "a", 0.0625);
        QCOMPARE(ui::plainText(old), old.result);
    }

    void saysWhyAMarkEnded()
    {
        actions::MarkEvent event;
        event.kind = actions::MarkEvent::Kind::Over;
        event.end = actions::MarkEnd::Worked;
        QCOMPARE(ui::plainText(event), std::string("the mark is over (worked)"));
        event.end = actions::MarkEnd::PlatformRefused;
        event.action = 7;
        event.result = {actions::ResultCode::PlatformRefused, "no"};
        QCOMPARE(ui::plainText(event),
                 std::string("the mark is over (platform-refused): action 7: the platform refused it, nothing was "
                             "done: no"));
        QCOMPARE(ui::textOf(event).english(),
                 std::string("not stopped by action 7: the platform refused it, nothing was done: no"));
        event = {};
        event.kind = actions::MarkEvent::Kind::Over;
        event.check = {actions::CheckName::NotProtected, actions::Outcome::Failed, actions::Why::Label, "a"};
        QCOMPARE(
            ui::plainText(event),
            std::string("the mark is over (objected): refused by the last check (not-protected: label): a; nothing "
                        "was done"));
        event.kind = actions::MarkEvent::Kind::Postponed;
        QCOMPARE(ui::plainText(event), std::string("a fresh notice (unwatched)"));
    }
};

GPULEDGER_SUITE(TestFormat)

} // namespace tst_format

#include "tst_format.moc"

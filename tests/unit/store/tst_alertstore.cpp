// SPDX-License-Identifier: GPL-3.0-or-later
// Alerts in the cache: who leads, what a round stores, and how a message is claimed and settled.
#include "app/store/alerts/alertstore.h"
#include "app/store/ledgerstore.h"
#include "app/store/sqlite/pagevfs.h"
#include "tests/support/suite.h"

#include <QTemporaryDir>
#include <QTest>
#include <SQLiteCpp/Database.h>

#include <map>

namespace tst_alertstore {

using namespace gpuledger;
using model::NoticeState;
using store::MessageState;

namespace {

base::UtcTime alertMinute(int number)
{
    return base::fromUnix(1'800'000'000) + base::Seconds{60} * number;
}

class AlertCache {
public:
    AlertCache()
        : m_store(*store::LedgerStore::open(m_folder.path().toStdString()))
    {
    }
    store::AlertStore alerts() { return m_store->alerts(); }
    void reopen()
    {
        m_store.reset();
        m_store = *store::LedgerStore::open(m_folder.path().toStdString());
    }

    // As another version of the program may write it.
    void write(const char *sql)
    {
        m_store.reset();
        SQLite::Database(m_folder.filePath(QStringLiteral("ledger.db")).toStdString(), SQLite::OPEN_READWRITE, 0,
                         store::pageVfs())
            .exec(sql);
        reopen();
    }

private:
    QTemporaryDir m_folder;
    std::unique_ptr<store::LedgerStore> m_store;
};

store::NewMessage newMessage(const std::vector<std::string> &keys, const std::string &target = "chat",
                             NoticeState notice = NoticeState::Firing)
{
    store::NewMessage out{target, "idle", notice, "{}", {}};
    for (const std::string &key : keys)
        out.alerts.push_back({key, target, notice, "idle", "scope " + key, alertMinute(-5), 0, false});
    return out;
}

store::AlertRoundRows alertRound(int at, std::vector<store::NewMessage> messages, std::vector<std::string> firing = {})
{
    store::AlertRoundRows out;
    out.at = alertMinute(at);
    out.states = {{"idle", "definition", "states " + std::to_string(at), alertMinute(at)}};
    out.messages = std::move(messages);
    out.firing = std::move(firing);
    return out;
}

} // namespace

class TestAlertStore : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void oneProgramLeads()
    {
        AlertCache cache;
        QVERIFY(*cache.alerts().lead("a", alertMinute(0)));
        QVERIFY(!*cache.alerts().lead("b", alertMinute(14)));
        QVERIFY(*cache.alerts().lead("a", alertMinute(10)));
        QVERIFY(!*cache.alerts().lead("b", alertMinute(24)));
        QVERIFY(!*cache.alerts().putRound("b", alertRound(24, {newMessage({"k"})})));
        QVERIFY(cache.alerts().pending()->empty());
        QVERIFY(*cache.alerts().lead("b", alertMinute(25)));
        QVERIFY(!*cache.alerts().lead("a", alertMinute(26)));
        QVERIFY(cache.alerts().resign("a").has_value());
        QVERIFY(!*cache.alerts().lead("a", alertMinute(26)));
        // It slept during its round, while b led.
        QVERIFY(!*cache.alerts().putRound("a", alertRound(0, {newMessage({"k"})})));
        QVERIFY(cache.alerts().pending()->empty());
        // b had a clock that was ahead.
        QVERIFY(*cache.alerts().lead("a", alertMinute(-10'000)));
    }

    void aRoundIsStoredAsAWhole()
    {
        AlertCache cache;
        auto rows = alertRound(0, {newMessage({"k", "l"})}, {"k", "l"});
        rows.changes = {{alertMinute(0), "idle", "scope k", "k", "pending", "firing", "3 USD/day"}};
        QVERIFY(*cache.alerts().putRound("a", rows));
        cache.reopen();
        const auto read = cache.alerts().rows(alertMinute(1)).value();
        QCOMPARE(read.states.size(), std::size_t{1});
        QCOMPARE(read.states.front().states, std::string("states 0"));
        QCOMPARE(read.told.size(), std::size_t{2});
        QVERIFY(!read.told.front().isLost);
        const auto changes = cache.alerts().changes({alertMinute(0), alertMinute(1)}).value();
        QCOMPARE(changes.size(), std::size_t{1});
        QCOMPARE(changes.front().value, std::string("3 USD/day"));
        QVERIFY(cache.alerts().changes({alertMinute(1), alertMinute(2)})->empty());
    }

    void nothingIsQueuedTwice()
    {
        AlertCache cache;
        QVERIFY(*cache.alerts().putRound("a", alertRound(0, {newMessage({"k"})}, {"k"})));
        QVERIFY(*cache.alerts().putRound("a", alertRound(1, {newMessage({"k"})}, {"k"})));
        QCOMPARE(cache.alerts().pending()->size(), std::size_t{1});
        QVERIFY(*cache.alerts().putRound(
            "a", alertRound(2, {newMessage({"k"}, "pager"), newMessage({"k"}, "chat", NoticeState::Resolved)})));
        QCOMPARE(cache.alerts().pending()->size(), std::size_t{3});
    }

    void aMessageIsClaimedOnce()
    {
        AlertCache cache;
        QVERIFY(*cache.alerts().putRound("a", alertRound(0, {newMessage({"k"}), newMessage({"l"})})));
        const auto all = cache.alerts().pending().value();
        QVERIFY(*cache.alerts().claim(all[0], alertMinute(0)));
        QVERIFY(!*cache.alerts().claim(all[0], alertMinute(0))); // the attempt was counted
        QVERIFY(!*cache.alerts().claim(all[1], alertMinute(1))); // its target is in use
        cache.reopen(); // the program died while it sent
        const auto again = cache.alerts().pending().value();
        QCOMPARE(again.size(), std::size_t{2});
        QCOMPARE(again[0].attempts, 1);
        QVERIFY(!*cache.alerts().claim(again[0], alertMinute(2)));
        QVERIFY(*cache.alerts().claim(again[0], alertMinute(3)));
        QVERIFY(
            cache.alerts().settle(again[0].id, {MessageState::Delivered, {}, alertMinute(3), "ok", true}).has_value());
        QVERIFY(*cache.alerts().claim(again[1], alertMinute(3)));
        QCOMPARE(cache.alerts().pending()->size(), std::size_t{1});
        const auto delivered = cache.alerts().message(again[0].id).value();
        QVERIFY(delivered && delivered->state == MessageState::Delivered && delivered->attempts == 2);
        QCOMPARE(delivered->deliveredAt, std::optional(alertMinute(3)));
    }

    void deadLetters()
    {
        AlertCache cache;
        QVERIFY(*cache.alerts().putRound("a", alertRound(0, {newMessage({"k"})}, {"k"})));
        const std::int64_t id = cache.alerts().pending()->front().id;
        QVERIFY(!*cache.alerts().retry(id, alertMinute(1)));
        QVERIFY(cache.alerts().settle(id, {MessageState::Dead, {}, {}, "refused", true}).has_value());
        QVERIFY(cache.alerts().pending()->empty());
        QVERIFY(cache.alerts().rows(alertMinute(1))->told.front().isLost);
        QVERIFY(*cache.alerts().retry(id, alertMinute(1)));
        QCOMPARE(cache.alerts().pending()->front().nextAt, std::optional(alertMinute(1)));
        QVERIFY(*cache.alerts().discard(id));
        QVERIFY(!*cache.alerts().discard(id));
        QVERIFY(cache.alerts().rows(alertMinute(1))->told.front().isLost);
        QVERIFY(cache.alerts().pending()->empty() && cache.alerts().undelivered()->empty());
        QVERIFY(cache.alerts().message(id).value()->state == MessageState::Discarded);
    }

    // Escalations count from then.
    void aDiscardedMessageKeepsItsTime()
    {
        AlertCache cache;
        QVERIFY(*cache.alerts().putRound("a", alertRound(0, {newMessage({"k"})}, {"k"})));
        QVERIFY(*cache.alerts().discard(cache.alerts().pending()->front().id));
        const auto told = cache.alerts().rows(alertMinute(1))->told;
        QCOMPARE(told.size(), std::size_t{1});
        QVERIFY(told.front().firedAt == alertMinute(-5));
        QVERIFY(told.front().toldAt == alertMinute(0));
    }

    void aMessageIsCancelledOrAPartOfIt()
    {
        AlertCache cache;
        QVERIFY(*cache.alerts().putRound("a", alertRound(0, {newMessage({"k", "l"}), newMessage({"m", "n"})})));
        const auto all = cache.alerts().pending().value();
        QVERIFY(*cache.alerts().cancel(all[0], {{"k"}, "rest", "cut", "acknowledged"}, alertMinute(1)));
        QVERIFY(!*cache.alerts().cancel(all[0], {{"k"}, "rest", "cut", "acknowledged"}, alertMinute(1)));
        QVERIFY(!*cache.alerts().claim(all[0], alertMinute(1))); // it says something else now
        QVERIFY(*cache.alerts().cancel(all[1], {{"m"}, "", "cut", "acknowledged"}, alertMinute(1)));
        const auto left = cache.alerts().pending().value();
        QCOMPARE(left.size(), std::size_t{1});
        QCOMPARE(left.front().content, std::string("rest"));
        QVERIFY(cache.alerts().message(all[1].id).value()->state == MessageState::Cancelled);
        std::map<std::string, std::pair<bool, base::UtcTime>> told;
        const auto rows = cache.alerts().rows(alertMinute(1)).value();
        for (const store::ToldAlert &one : rows.told)
            told[one.key] = {one.isLost, one.toldAt};
        const std::map<std::string, std::pair<bool, base::UtcTime>> wanted{
            {"k", {true, alertMinute(0)}}, {"l", {false, alertMinute(0)}}, {"m", {true, alertMinute(0)}}};
        QVERIFY(told == wanted); // n is to be told anew
        const auto messages = cache.alerts().messages({alertMinute(0), alertMinute(1)}).value();
        QCOMPARE(messages.size(), std::size_t{3});
        QVERIFY(messages.front().state == MessageState::Cancelled && messages.front().content == "cut");
    }

    // What was tried may have arrived, and what is being sent is not cancelled.
    void aMessageThatWasTriedIsCancelled()
    {
        AlertCache cache;
        QVERIFY(*cache.alerts().putRound("a", alertRound(0, {newMessage({"k"})})));
        QVERIFY(*cache.alerts().claim(cache.alerts().pending()->front(), alertMinute(0)));
        const auto tried = cache.alerts().pending()->front();
        const store::MessageCut whole{{"k"}, "", "cut", "acknowledged"};
        QVERIFY(!*cache.alerts().cancel(tried, whole, alertMinute(1)));
        QVERIFY(*cache.alerts().cancel(tried, whole, alertMinute(3)));
        QVERIFY(!cache.alerts().rows(alertMinute(3))->told.front().isLost);
        QVERIFY(cache.alerts().settle(tried.id, {MessageState::Waiting, alertMinute(4), {}, "busy", true}).has_value());
        QVERIFY(cache.alerts().pending()->empty());
        QVERIFY(cache.alerts().settle(tried.id, {MessageState::Delivered, {}, alertMinute(4), "", true}).has_value());
        QVERIFY(cache.alerts().message(tried.id).value()->state == MessageState::Delivered);
    }

    void aStateOfANewerVersionIsLeftAlone()
    {
        AlertCache cache;
        QVERIFY(*cache.alerts().putRound("a", alertRound(0, {newMessage({"k"}), newMessage({"l"})}, {"k", "l"})));
        const auto before = cache.alerts().pending().value();
        cache.write("UPDATE alert_message SET state = 'parked' WHERE id = 1");
        const auto all = cache.alerts().messages({alertMinute(-1), alertMinute(1)}).value();
        QCOMPARE(all.size(), std::size_t{2});
        QVERIFY(all[0].state == MessageState::Waiting && all[1].state == MessageState::Unknown);
        const auto pending = cache.alerts().pending().value();
        QVERIFY(pending.size() == 1 && pending.front().id == 2);
        QVERIFY(!*cache.alerts().claim(before.front(), alertMinute(1))); // was read before
        QVERIFY(!*cache.alerts().retry(1, alertMinute(1)) && !*cache.alerts().discard(1));
        QVERIFY(cache.alerts().settle(1, {MessageState::Dead, {}, {}, "refused", true}).has_value());
        QVERIFY(cache.alerts().message(1).value()->state == MessageState::Unknown);
        QVERIFY(!cache.alerts().rows(alertMinute(1))->told.front().isLost);
        QCOMPARE(cache.alerts().undelivered()->front().waiting, std::int64_t{1});
        QVERIFY(cache.alerts().settle(1, {MessageState::Delivered, {}, alertMinute(1), "ok", true}).has_value());
        QVERIFY(cache.alerts().message(1).value()->state == MessageState::Delivered);
    }

    void silencesAndAcknowledgements()
    {
        AlertCache cache;
        const std::int64_t id =
            cache.alerts().silence({0, "idle", "", alertMinute(0), alertMinute(60), "alex", "move"}).value();
        QCOMPARE(cache.alerts().rows(alertMinute(59))->silences.front().by, std::string("alex"));
        QVERIFY(cache.alerts().rows(alertMinute(60))->silences.empty());
        QVERIFY(*cache.alerts().endSilence(id, alertMinute(30)));
        QVERIFY(!*cache.alerts().endSilence(id, alertMinute(31)));
        QVERIFY(cache.alerts().acknowledge({"k", "alex", "", alertMinute(0)}).has_value());
        QVERIFY(cache.alerts().acknowledge({"k", "kim", "", alertMinute(1)}).has_value());
        QVERIFY(*cache.alerts().putRound("a", alertRound(2, {}, {"k"})));
        QCOMPARE(cache.alerts().rows(alertMinute(2))->acks.front().by, std::string("kim"));
        QVERIFY(*cache.alerts().putRound("a", alertRound(3, {})));
        QVERIFY(cache.alerts().rows(alertMinute(3))->acks.empty());
    }

    void thePastIsForgotten()
    {
        constexpr int kLater = 100 * 24 * 60;
        AlertCache cache;
        auto rows = alertRound(0, {newMessage({"old"}), newMessage({"long"})}, {"old", "long"});
        rows.changes = {{alertMinute(0), "idle", "s", "old", "pending", "firing", ""}};
        QVERIFY(*cache.alerts().putRound("a", rows));
        const auto pending = cache.alerts().pending().value();
        for (const auto &one : pending)
            QVERIFY(cache.alerts().settle(one.id, {MessageState::Delivered, {}, alertMinute(0), "", true}).has_value());
        QVERIFY(*cache.alerts().putRound("a", alertRound(kLater, {}, {"long"})));
        const auto told = cache.alerts().rows(alertMinute(kLater))->told;
        QCOMPARE(told.size(), std::size_t{1});
        QCOMPARE(told.front().key, std::string("long"));
        QVERIFY(!told.front().isLost);
        QVERIFY(cache.alerts().changes({alertMinute(-1), alertMinute(kLater)})->empty());
        QCOMPARE(cache.alerts().messages({alertMinute(-1), alertMinute(kLater)})->size(), std::size_t{1});
    }
};

GPULEDGER_SUITE(TestAlertStore)

} // namespace tst_alertstore

#include "tst_alertstore.moc"

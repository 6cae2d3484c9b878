// SPDX-License-Identifier: GPL-3.0-or-later
// Mails about alerts: headers, encodings, and texts from outside that would break them.
#include "connectors/notify/mail/mailtext.h"
#include "connectors/notify/mail/message.h"
#include "connectors/notify/mail/mimetext.h"
#include "tests/support/suite.h"
#include "tests/unit/connectors/mailnotices.h"

#include <QTest>

namespace tst_mailmessage {

using namespace gpuledger;
using model::NoticeState;
using tests::idleNotice;
using tests::noticeGroup;

namespace {

std::string message(const model::NoticeGroup &group)
{
    return notify::mailMessage(group, "gpu@example.org", {"oncall@example.org", "b@example.org"});
}

std::string headersOf(const std::string &text)
{
    return text.substr(0, text.find("\r\n\r\n") + 2);
}

bool has(const std::string &text, std::string_view part)
{
    return text.find(part) != std::string::npos;
}

// The longest line; -1 if a CR or LF is not part of a CRLF.
int longestLine(const std::string &text)
{
    std::size_t longest = 0, begin = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\r' ? text.compare(i, 2, "\r\n") != 0 : text[i] == '\n' && (i == 0 || text[i - 1] != '\r'))
            return -1;
        if (text[i] == '\r') {
            longest = std::max(longest, i - begin);
            begin = i + 2;
        }
    }
    return static_cast<int>(longest);
}

} // namespace

class TestMailMessage : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void hasTheHeadersOfAMail()
    {
        const std::string text = message(noticeGroup({idleNotice("research")}));
        for (const char *line :
             {"Date: Wed, 26 Mar 2025 12:00:00 +0000\r\n", "\r\nFrom: GPU Ledger <gpu@example.org>\r\n",
              "\r\nTo: oncall@example.org,\r\n b@example.org\r\n", "\r\nMessage-ID: <key-8.firing@example.org>\r\n",
              "\r\nAuto-Submitted: auto-generated\r\n", "\r\nMIME-Version: 1.0\r\n", "\r\nSubject: "})
            QVERIFY2(has(headersOf(text), line), line);
        QVERIFY(!has(text, "In-Reply-To") && !has(text, "References"));
        QCOMPARE(message(noticeGroup({idleNotice("research")})), text);
    }

    void anEndIsAReply()
    {
        auto over = idleNotice("research", NoticeState::Resolved);
        over.endedAt = base::fromUnix(1742990400);
        const std::string text = message(noticeGroup({over}));
        QVERIFY(has(text, "\r\nMessage-ID: <key-8.resolved@example.org>\r\n"));
        QVERIFY(has(text, "\r\nIn-Reply-To: <key-8.firing@example.org>\r\n"));
        QVERIFY(has(notify::mailSubject(noticeGroup({over})), "resolved: idle-cost: research"));
        QVERIFY(has(notify::mailPlainBody(noticeGroup({over})), "Until: 2025-03-26 12:00 UTC"));
    }

    void aGroupIsOneMessage()
    {
        const auto group = noticeGroup({idleNotice("research"), idleNotice("ml")});
        const std::string text = message(group);
        QVERIFY(has(text, "\r\nMessage-ID: <group-1.firing@example.org>\r\n"));
        QVERIFY(has(text, "\r\nReferences: <key-8.firing@example.org>\r\n <key-2.firing@example.org>\r\n"));
        QVERIFY(has(notify::mailSubject(group), "idle-cost: research and 1 more"));
        std::vector<model::Notice> many(70, idleNotice("research"));
        many[0].items.resize(30, many[0].items[0]);
        many[0].moreItems = 5;
        const std::string body = notify::mailPlainBody(noticeGroup(many));
        QVERIFY(has(body, "and 20 more") && has(body, "and 15 more"));
        QVERIFY(has(notify::mailHtmlBody(noticeGroup(many)), "and 20 more"));
        QVERIFY(longestLine(message(noticeGroup(many))) <= 998);
    }

    void saysWhatWhoSinceWhenAndWhatItCosts()
    {
        const auto group = noticeGroup({idleNotice("research")});
        for (const std::string &body : {notify::mailPlainBody(group), notify::mailHtmlBody(group)}) {
            for (const char *part : {"research", "notebook", "ann", "2025-03-26 10:00 UTC", "26.03 USD", "9372.00 USD",
                                     "312.40 USD/day", "200 USD/day", "Idle GPUs cost more than the bound."})
                QVERIFY2(has(body, part), part);
        }
        QVERIFY(has(notify::mailPlainBody(group), "Open: gpuledger://idle?item=1&team=x\n"));
        QVERIFY(has(notify::mailHtmlBody(group), "href=\"gpuledger://idle?item=1&amp;team=x\""));
    }

    void whatIsUnknownIsNotZero()
    {
        auto notice = idleNotice("research");
        notice.value.clear();
        notice.costSoFar.reset();
        notice.items[0].owner.clear();
        notice.items[0].perMonth.reset();
        notice.items[0].since.reset();
        const std::string body = notify::mailPlainBody(noticeGroup({notice}));
        QVERIFY(has(body, "Value: unknown (threshold: 200 USD/day)"));
        QVERIFY(has(body, "- notebook, unknown, GPUs: 8, since: unknown, a month: unknown\n"));
        QVERIFY(!has(body, "Cost so far"));
        notice.threshold.clear(); // of what is no value
        QVERIFY(!has(notify::mailPlainBody(noticeGroup({notice})), "Value:"));
    }

    void textFromOutsideStaysText()
    {
        auto notice = idleNotice("x\r\nBcc: evil@example.org\r\n\r\n<script>alert(1)</script>\x1b[31m\xff");
        notice.key = "a>\r\nBcc: evil@example.org";
        notice.rule = std::string(10'000, 'r');
        notice.items[0].name = "<img src=x onerror=alert(1)>" + std::string(10'000, 'n') + "\n.\n--=_";
        notice.link = "javascript:alert(1)";
        notice.summary = "\xE2\x80\xAEsummary & \"more\"";
        const auto group = noticeGroup({notice});
        const std::string text = message(group);
        QVERIFY(longestLine(text) > 0 && longestLine(text) <= 998);
        QVERIFY(!has(text, "\nBcc:") && !has(text, "\x1b") && !has(text, "\xff"));
        const std::string html = notify::mailHtmlBody(group);
        QVERIFY(!has(html, "<script") && !has(html, "<img") && !has(html, "href="));
        QVERIFY(has(html, "&lt;img src=x") && has(html, "&amp; &quot;more&quot;"));
        QVERIFY(notify::mailSubject(group).size() <= 203);
    }

    void encodesHeaders()
    {
        QCOMPARE(notify::mailHeaderText("plain text"), std::string("plain text"));
        QCOMPARE(notify::mailHeaderText("gr\xC3\xBC\xC3\x9F"), std::string("=?UTF-8?B?Z3LDvMOf?="));
        QVERIFY(notify::mailHeaderText("=?UTF-8?Q?fake?=").starts_with("=?UTF-8?B?"));
        std::string umlauts;
        for (int i = 0; i < 100; ++i)
            umlauts += "\xC3\xA4";
        const std::string folded = notify::mailHeaderText(umlauts);
        QVERIFY(longestLine("Subject: " + folded + "\r\n") <= 76 && has(folded, "?=\r\n =?UTF-8?B?"));
        // 19 characters in a word: none is split.
        QVERIFY(folded.starts_with("=?UTF-8?B?w6TDpMOkw6TDpMOkw6TDpMOkw6TDpMOkw6TDpMOkw6TDpMOkw6Q=?="));
    }

    void encodesBodies()
    {
        QCOMPARE(notify::quotedPrintable("a=b \n\xC3\xA4\n"), std::string("a=3Db=20\r\n=C3=A4\r\n"));
        QCOMPARE(notify::quotedPrintable("\r"), std::string("=0D"));
        const std::string lines = notify::quotedPrintable(std::string(500, 'x') + "\n");
        QCOMPARE(longestLine(lines), 76);
    }

    void tellsAddresses()
    {
        for (const char *right : {"a@b", "gpu.ledger+alerts@mail.example.org"})
            QVERIFY2(notify::isMailAddress(right), right);
        for (const char *wrong :
             {"", "a", "@b", "a@", "a@b@c", "a b@c", "<a@b>", "a@b\r\nX: y", "a@b,c@d", "-a@b", "\xC3\xA4@b"})
            QVERIFY2(!notify::isMailAddress(wrong), wrong);
        QVERIFY(!notify::isMailAddress(std::string(300, 'a') + "@b"));
    }
};

GPULEDGER_SUITE(TestMailMessage)

} // namespace tst_mailmessage

#include "tst_mailmessage.moc"

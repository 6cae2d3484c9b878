// SPDX-License-Identifier: GPL-3.0-or-later
// A commitment of Compute Engine: whether it is one to tell, the GPUs or the series that it is for, its terms, its
// times, and entries of another form.
#include "app/base/text/text.h"
#include "connectors/gcp/commitments/committeduse.h"
#include "tests/support/suite.h"
#include "tests/unit/gcp/fakecommitments.h"

#include <QTest>

namespace tst_committeduse {

namespace {

std::optional<model::CloudCommitment> readOf(const Json &commitment)
{
    return gcp::committedUseOf(commitment, "ml", "us-central1");
}

std::optional<model::CloudCommitment> readWith(const char *patch)
{
    return readOf(commitment("1", patch));
}

// "machine, count, GPU or none", or "rejected".
std::string machineIn(const char *patch)
{
    const auto one = readWith(patch);
    if (!one)
        return "rejected";
    return one->machine + ", " + (one->count ? std::to_string(*one->count) : "?")
        + (one->isMachineGpu ? ", GPU" : ", none");
}

std::string termsIn(const char *patch)
{
    const auto one = readWith(patch);
    return one ? one->terms : "rejected";
}

std::string stateIn(const char *patch)
{
    const auto is = gcp::isCommittedUse(commitment("1", patch));
    return is ? (*is ? "told" : "left out") : "unreadable";
}

} // namespace

class TestCommittedUse : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void onlyMachinesThatAreNotOverAreOnes()
    {
        for (const char *told : {"{}", "{'status':'NOT_YET_ACTIVE'}", "{'category':null}", "{'category':''}",
                                 "{'category':'CATEGORY_UNSPECIFIED'}"})
            QCOMPARE(stateIn(told), std::string("told"));
        for (const char *out :
             {"{'status':'EXPIRED'}", "{'status':'CANCELLED'}", "{'status':'CANCELING'}", "{'status':'CREATING'}",
              "{'status':'CANCELED_EARLY_TERMINATION'}", "{'status':'active'}", "{'category':'LICENSE'}",
              "{'category':'ANOTHER'}", "{'category':null,'licenseResource':{'amount':'4'}}"})
            QCOMPARE(stateIn(out), std::string("left out"));
        for (const char *bad :
             {"{'status':7}", "{'status':null}", "{'status':''}", "{'category':7}", "{'category':[]}"})
            QCOMPARE(stateIn(bad), std::string("unreadable"));
        for (const Json &other : {Json(), Json(7), Json("x"), Json::array(), Json::object()})
            QVERIFY(!gcp::isCommittedUse(other) && !readOf(other));
    }

    void theMachineIsWhatGoogleLimitsItTo_data()
    {
        QTest::addColumn<QString>("patch");
        QTest::addColumn<QString>("machine");
        const auto row = [](const char *patch, const char *machine) {
            QTest::newRow(patch) << QString::fromLatin1(patch) << QString::fromLatin1(machine);
        };
        const auto type = [&](const char *name, const char *machine) {
            QTest::newRow(name) << QStringLiteral("{'type':'%1','resources':[{'type':'VCPU','amount':'8'}]}")
                                       .arg(QString::fromLatin1(name))
                                << QString::fromLatin1(machine);
        };
        const auto resource = [&](const char *members, const char *machine) {
            QTest::newRow(members)
                << QStringLiteral("{'resources':[{'type':'ACCELERATOR',%1}]}").arg(QString::fromLatin1(members))
                << QString::fromLatin1(machine);
        };
        row("{}", "nvidia-h100-80gb, 16, GPU");
        type("ACCELERATOR_OPTIMIZED", "A2, ?, GPU");
        type("ACCELERATOR_OPTIMIZED_A3", "A3, ?, GPU");
        type("ACCELERATOR_OPTIMIZED_A3_MEGA", "A3, ?, GPU");
        type("ACCELERATOR_OPTIMIZED_A4X", "A4X, ?, GPU");
        type("ACCELERATOR_OPTIMIZED_CT6E", "CT6E, ?, none"); // a TPU
        type("GRAPHICS_OPTIMIZED", "G2, ?, GPU");
        type("GRAPHICS_OPTIMIZED_G4", "G4, ?, GPU");
        type("GRAPHICS_OPTIMIZED_G4_VGPU", "G4, ?, GPU");
        type("ACCELERATOR_OPTIMIZEDX", "ACCELERATOR_OPTIMIZEDX, ?, none");
        type("GENERAL_PURPOSE_N2", "GENERAL_PURPOSE_N2, ?, none");
        type("COMPUTE_OPTIMIZED", "COMPUTE_OPTIMIZED, ?, none");
        type("", "rejected");
        type("TYPE_UNSPECIFIED", "rejected");
        row("{'type':7}", "rejected");
        row("{'type':'GENERAL_PURPOSE','resources':null}", "GENERAL_PURPOSE, ?, none");
        row("{'type':null}", "nvidia-h100-80gb, 16, GPU");
        resource("'acceleratorType':'nvidia-l4','amount':'8'", "nvidia-l4, 8, GPU");
        resource("'acceleratorType':'zones/us-central1-a/acceleratorTypes/nvidia-l4','amount':'8'",
                 "nvidia-l4, 8, GPU");
        resource("'acceleratorType':'https://www.googleapis.com/compute/v1/projects/ml/zones/us-central1-a/"
                 "acceleratorTypes/nvidia-b200','amount':8",
                 "nvidia-b200, 8, GPU");
        resource("'acceleratorType':'ct5lp','amount':'8'", "ct5lp, 8, none");
        resource("'acceleratorType':'nvidia-l4'", "nvidia-l4, ?, GPU"); // how many is not told
        resource("'acceleratorType':'nvidia-l4','amount':'0'", "A3, ?, GPU"); // none of them
        resource("'acceleratorType':'nvidia-l4','amount':'8'},{'type':'ACCELERATOR','acceleratorType':'nvidia-l4',"
                 "'amount':'4'",
                 "nvidia-l4, 12, GPU");
        for (const char *amount : {"'-1'", "-1", "'1.5'", "1.5", "'8x'", "''", "true", "{}", "[]", "'1e3'",
                                   "'1000000001'", "'9223372036854775808'", "'99999999999999999999'", "' 8'"})
            resource((std::string("'acceleratorType':'nvidia-l4','amount':") + amount).c_str(), "rejected");
        for (const char *name : {"null", "''", "7", "[]", "'acceleratorTypes/'"})
            resource((std::string("'amount':'8','acceleratorType':") + name).c_str(), "rejected");
        for (const char *resources : {"7", "'x'", "{}", "[7]", "[null]", "[{}]", "[{'type':8}]", "[[]]"})
            row((std::string("{'resources':") + resources + '}').c_str(), "rejected");
    }
    void theMachineIsWhatGoogleLimitsItTo()
    {
        QFETCH(QString, patch);
        QFETCH(QString, machine);
        QCOMPARE(machineIn(patch.toLatin1().constData()), machine.toStdString());
    }

    void severalAcceleratorsAreInTheTerms()
    {
        Json one = commitment("1", "{'type':'GENERAL_PURPOSE','plan':'THIRTY_SIX_MONTH','autoRenew':false}");
        one["resources"] =
            *format::parseJson(js("[{'type':'ACCELERATOR','acceleratorType':'nvidia-tesla-t4','amount':'16'},"
                                  "{'type':'ACCELERATOR','acceleratorType':'nvidia-tesla-p100'},"
                                  "{'type':'ACCELERATOR','acceleratorType':'nvidia-tesla-t4','amount':'4'}]"));
        auto read = readOf(one);
        QVERIFY(read && !read->count && read->isMachineGpu);
        QCOMPARE(read->machine, std::string("nvidia-tesla-p100"));
        QCOMPARE(read->terms, std::string("GENERAL_PURPOSE, 3 years, nvidia-tesla-p100, 20 nvidia-tesla-t4"));
        one["resources"] = Json::array();
        for (char c = 'a'; c < 'm'; ++c)
            one["resources"].push_back(
                {{"type", "ACCELERATOR"}, {"acceleratorType", std::string("nvidia-") + c}, {"amount", "1"}});
        read = readOf(one);
        QVERIFY(read && read->terms.ends_with(", 1 nvidia-j, and 2 more"));
    }

    void termsAreGooglesWords()
    {
        QCOMPARE(termsIn("{}"), std::string("ACCELERATOR_OPTIMIZED_A3, 1 year, renews itself"));
        QCOMPARE(termsIn("{'plan':'SIXTY_MONTH','autoRenew':null}"), std::string("ACCELERATOR_OPTIMIZED_A3, 5 years"));
        QCOMPARE(termsIn("{'plan':'NEW_PLAN','autoRenew':'true'}"), std::string("ACCELERATOR_OPTIMIZED_A3, NEW_PLAN"));
        QCOMPARE(termsIn("{'plan':null}"), std::string("ACCELERATOR_OPTIMIZED_A3, renews itself"));
        QCOMPARE(termsIn("{'plan':null,'type':null,'autoRenew':false}"), std::string());
        QCOMPARE(termsIn("{'plan':5}"), std::string("rejected"));
    }

    void entriesOfAnotherFormAreRejected()
    {
        for (const char *patch :
             {"{'id':null}", "{'id':''}", "{'id':'a/b'}", "{'id':-1}", "{'id':1.5}", "{'id':'123456789012345678901'}",
              "{'name':7}", "{'region':7}", "{'startTimestamp':'soon'}", "{'endTimestamp':'2027-13-01T00:00:00Z'}",
              "{'endTimestamp':1798761600}", "{'endTimestamp':'2026-01-01T00:00:00Z'}"}) // before its start
            QVERIFY2(!readWith(patch), patch);
        QCOMPARE(readWith("{'id':18446744073709551615}")->id, std::string("18446744073709551615"));
    }

    void timesMayBeAbsent()
    {
        const auto one = readWith("{'startTimestamp':null,'endTimestamp':''}");
        QVERIFY(one && !one->start && !one->end);
        QVERIFY(readWith("{'startTimestamp':null}")->end.has_value());
    }

    void textsArePrintable()
    {
        const auto one =
            readWith("{'name':'a\\u001b[31m\\nb','type':'X\\u202e','plan':'P\\u0007','region':'x/r\\u001b',"
                     "'resources':[{'type':'ACCELERATOR','acceleratorType':'nvidia\\u001b'}]}");
        QVERIFY(one.has_value());
        for (const std::string &text : {one->name, one->terms, one->region, one->machine}) {
            QVERIFY(!text.empty());
            QCOMPARE(text, base::printableLine(text));
        }
        QVERIFY(readWith("{'name':null}")->name.empty());
    }

    // A commitment without a region is where it was listed.
    void theRegionIsTheLastPartOfItsAddress()
    {
        for (const auto &[patch, region] :
             {std::pair("{'region':'regions/europe-west4'}", "europe-west4"),
              std::pair("{'region':null}", "us-central1"), std::pair("{'region':'asia-east1'}", "asia-east1")})
            QCOMPARE(readWith(patch)->region, std::string(region));
    }
};

GPULEDGER_SUITE(TestCommittedUse)

} // namespace tst_committeduse

#include "tst_committeduse.moc"

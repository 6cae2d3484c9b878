// SPDX-License-Identifier: GPL-3.0-or-later
// What syncs keep of ratings of placement: it comes back, and a text that does not fit is nothing.
#include "app/services/prices/placementmemory.h"
#include "tests/support/suite.h"

#include <QTemporaryDir>
#include <QtTest>

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace tst_placementmemory {

using namespace gpuledger;
using services::KeptPlacement;

namespace {

KeptPlacement full()
{
    KeptPlacement kept;
    kept.readAt = base::fromUnix(1'700'000'000);
    kept.fullAt = base::fromUnix(1'700'000'001);
    kept.failedAt = base::fromUnix(1'700'000'002);
    kept.failure = "it's \"full\"\n\xc3\xa4";
    kept.ratings = {{"aws",
                     "us-east-1",
                     {{"p4d.24xlarge", "p4de.24xlarge"}, 8},
                     {{"use1-az1", 9}, {"use1-az4", 1}},
                     base::fromUnix(1'699'999'999)},
                    {"aws", "us-east-1", {{"g5.xlarge"}, 1}, {}, base::fromUnix(1'699'999'998)}};
    return kept;
}

} // namespace

class TestPlacementMemory : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void comesBackFromItsText()
    {
        QVERIFY(services::placementOfText(services::placementText(full())) == full());
        QVERIFY(services::placementOfText(services::placementText({})) == KeptPlacement());
    }

    void aDamagedTextIsNothing()
    {
        const std::string text = services::placementText(full());
        for (std::size_t i = 0; i < text.size(); ++i)
            QVERIFY(services::placementOfText(text.substr(0, i)) == KeptPlacement());
        for (const auto &[from, to] : std::initializer_list<std::pair<const char *, const char *>>{
                 {"\"version\":1", "\"version\":2"},
                 {"\"version\":1", "\"version\":null"},
                 {"\"read\":1700000000", "\"read\":18446744073709551615"},
                 {"\"read\":1700000000", "\"read\":1.5"},
                 {"\"ratings\":[", "\"ratings\":[1,"},
                 {"\"ratings\":", "\"rating\":"},
                 {"\"count\":8", "\"count\":0"},
                 {"\"count\":8", "\"count\":-8"},
                 {"\"count\":8", "\"count\":\"8\""},
                 {"\"rating\":9", "\"rating\":11"},
                 {"\"rating\":9", "\"rating\":0"},
                 {"\"rating\":9", "\"rating\":99999999999999999999"},
                 {"\"use1-az4\"", "\"use1-az1\""},
                 {"\"use1-az4\"", "null"},
                 {"\"p4de.24xlarge\"", "\"p4d.24xlarge\""},
                 {"\"p4de.24xlarge\"", "[]"},
                 {"[\"g5.xlarge\"]", "[]"},
                 {"\"region\":\"us-east-1\"", "\"region\":1"},
                 {"\"at\":1699999999", "\"at\":null"}}) {
            std::string changed = text;
            const std::size_t at = changed.find(from);
            QVERIFY2(at != std::string::npos, from);
            changed.replace(at, std::string_view(from).size(), to);
            QVERIFY2(services::placementOfText(changed) == KeptPlacement(), to);
        }
        for (const char *other : {"", "null", "[]", "{}", "1", "\"version\"", "{\"version\":1}"})
            QVERIFY2(services::placementOfText(other) == KeptPlacement(), other);
    }

    void isKeptForEachSource()
    {
        QTemporaryDir dir;
        const auto cache = store::LedgerStore::open(dir.path().toStdString());
        QVERIFY(cache.has_value());
        QVERIFY(services::keptPlacement(**cache, "cloud").value() == KeptPlacement());
        QVERIFY(services::keepPlacement(**cache, "cloud", full()).has_value());
        QVERIFY(services::keptPlacement(**cache, "cloud").value() == full());
        QVERIFY(services::keptPlacement(**cache, "other").value() == KeptPlacement());
        QVERIFY((*cache)->memoryOf("cloud").value().empty()); // what a source remembers itself stays its own
    }
};

GPULEDGER_SUITE(TestPlacementMemory)

} // namespace tst_placementmemory

#include "tst_placementmemory.moc"

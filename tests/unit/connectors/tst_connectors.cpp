// SPDX-License-Identifier: GPL-3.0-or-later
// The requirements for every connector's descriptor, and the texts about connectors: the sample, which is made from the
// descriptors, and the handbook, which is written by hand.
#include "app/services/config/config.h"
#include "connectors/connectorlist.h"
#include "connectors/connectorregistry.h"
#include "tests/support/suite.h"

#include <QFile>
#include <QTest>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <set>
#include <sstream>

namespace tst_connectors {

using namespace gpuledger;
using connectors::ConnectorDescriptor;
using connectors::descriptors;
using ports::Capability;
using ports::SourceField;
using ports::SourceRight;

namespace {

constexpr std::array<std::string_view, 6> kOfEverySource{"name", "kind", "cluster", "first_sync", "every", "rights"};

bool isSentencePart(std::string_view text)
{
    return text.size() > 3 && text.back() != '.' && text.front() != ' ';
}

// The sample without comment signs: the result of uncommenting everything.
std::string wholeSample()
{
    std::string text;
    std::istringstream lines{services::sampleConfig(connectors::makeSourceCatalog()->kinds())};
    for (std::string line; std::getline(lines, line);)
        text += (line.starts_with("#- ") ? line.substr(3) : line) + "\n";
    return text;
}

// The entry of this kind in the sample's list of sources; empty if there is none.
std::string sampleOf(const std::string &kind)
{
    const std::string all = wholeSample();
    const std::size_t begin = all.find("\nsources:"), end = all.find("\n\n", begin);
    std::string sources = all.substr(begin, end - begin);
    std::size_t at = sources.find("  - name:");
    while (at != std::string::npos) {
        const std::size_t next = sources.find("  - name:", at + 1);
        const std::string entry = sources.substr(at, next - at);
        if (entry.find("kind: " + kind + ' ') != std::string::npos
            || entry.find("kind: " + kind + '\n') != std::string::npos || entry.ends_with("kind: " + kind))
            return entry;
        at = next;
    }
    return {};
}

std::string handbook(const char *name)
{
    QFile file(qEnvironmentVariable("GPULEDGER_SOURCE_DIR") + QLatin1String("/docs/") + QLatin1String(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

const ConnectorDescriptor &descriptor(int index)
{
    return descriptors().at(static_cast<std::size_t>(index));
}

void addRows()
{
    QTest::addColumn<int>("index");
    for (std::size_t i = 0; i < descriptors().size(); ++i)
        QTest::newRow(descriptors()[i].kind.kind.c_str()) << static_cast<int>(i);
}

} // namespace

class TestConnectors : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void kindsAreUnique()
    {
        std::set<std::string> kinds;
        for (const ConnectorDescriptor &one : descriptors())
            QVERIFY2(kinds.insert(one.kind.kind).second, one.kind.kind.c_str());
        QVERIFY(kinds.size() >= 7);
        QVERIFY(!connectors::descriptorOf("no-such-kind"));
    }

    void settingsAreWhole_data() { addRows(); }
    void settingsAreWhole()
    {
        QFETCH(int, index);
        const ports::SourceKind &kind = descriptor(index).kind;
        QVERIFY(!kind.title.empty());
        std::set<std::string_view> keys(kOfEverySource.begin(), kOfEverySource.end());
        for (const SourceField &field : kind.fields) {
            QVERIFY2(keys.insert(field.key).second, field.key.data());
            QVERIFY2(!field.title.empty() && isSentencePart(field.help) && !field.example.empty(), field.key.data());
            QVERIFY2(field.low <= field.high, field.key.data());
            const bool isLogin = field.type == SourceField::Type::Access || field.type == SourceField::Type::Signed;
            QVERIFY2(field.logins.empty() != isLogin, field.key.data());
            // Without one, the kind is as it is without a login.
            QVERIFY2(field.type != SourceField::Type::Access || !field.takesLogin("none") || !field.isRequired,
                     field.key.data());
        }
        // A platform, or a service that is at one place for everybody, is found by its region, scope or key.
        QVERIFY(kind.needs(SourceField::Type::Url) != kind.needs(SourceField::Type::Path)
                || kind.needs(SourceField::Type::Signed) || kind.needs(SourceField::Type::Access)
                || kind.needs(SourceField::Type::Text) || kind.isPlatform() || kind.has(Capability::Simulated));
    }

    void whatItCanIsWhatItMakes_data() { addRows(); }
    void whatItCanIsWhatItMakes()
    {
        QFETCH(int, index);
        const ConnectorDescriptor &one = descriptor(index);
        QCOMPARE(one.telemetry != nullptr, one.kind.has(Capability::Telemetry));
        QCOMPARE(one.costs != nullptr, one.kind.has(Capability::Bills));
        QCOMPARE(one.allocations != nullptr, one.kind.has(Capability::Allocations));
        QCOMPARE(one.actions != nullptr, one.kind.has(Capability::Stops));
        QCOMPARE(one.queue != nullptr, one.kind.has(Capability::Waiting));
        QCOMPARE(one.prices != nullptr, one.kind.has(Capability::Prices));
        QCOMPARE(one.inventory != nullptr, one.kind.has(Capability::Inventory));
        QCOMPARE(one.plans != nullptr, one.kind.has(Capability::Plans));
        QCOMPARE(one.claims != nullptr, one.kind.has(Capability::Claims));
        QCOMPARE(one.budgets != nullptr, one.kind.has(Capability::Budgets));
        QCOMPARE(one.commitments != nullptr, one.kind.has(Capability::Commitments));
        QVERIFY(one.telemetry || one.costs || one.allocations || one.actions || one.inventory || one.plans
                || one.claims);
        QVERIFY(!one.kind.has(Capability::Expressions) || one.telemetry);
        QVERIFY(!one.kind.has(Capability::MachinesOnly) || (one.kind.stops() && !one.kind.tellsTelemetry()));
    }

    void saysWhichRightsItNeeds_data() { addRows(); }
    void saysWhichRightsItNeeds()
    {
        QFETCH(int, index);
        const ports::SourceKind &kind = descriptor(index).kind;
        const auto has = [&](SourceRight::For what) {
            return std::any_of(kind.rights.begin(), kind.rights.end(),
                               [&](const SourceRight &one) { return one.what == what; });
        };
        QCOMPARE(has(SourceRight::For::Reading), !kind.has(Capability::Simulated));
        QCOMPARE(has(SourceRight::For::Stopping), kind.stops() && !kind.has(Capability::Simulated));
        for (const SourceRight &right : kind.rights) {
            QVERIFY(isSentencePart(right.words));
            if (right.policy.starts_with("{")) {
                const auto policy = nlohmann::json::parse(right.policy, nullptr, false);
                QVERIFY(!policy.is_discarded());
                QVERIFY(policy.contains("Actions") ? !policy.at("Actions").empty() // a role of Azure
                                                   : !policy.at("Statement").at(0).at("Action").empty());
            }
            // The handbook has the same text.
            if (!right.policy.empty())
                QVERIFY2(handbook("stopping.md").find(right.policy) != std::string::npos
                             || handbook("connect.md").find(right.policy) != std::string::npos,
                         right.policy.data());
        }
    }

    void theSampleShowsEverySetting_data() { addRows(); }
    void theSampleShowsEverySetting()
    {
        QFETCH(int, index);
        const ports::SourceKind &kind = descriptor(index).kind;
        const std::string sample = sampleOf(kind.kind);
        QVERIFY2(!sample.empty(), "the sample has no source of this kind");
        for (const SourceField &field : kind.fields) {
            const std::size_t at = sample.find("    " + std::string(field.key) + ": ");
            QVERIFY2(at != std::string::npos, field.key.data());
            const std::string line = sample.substr(at, sample.find('\n', at) - at);
            QVERIFY2(line.find("# " + std::string(field.help)) != std::string::npos, line.c_str());
        }
    }

    // The text of `sources add` and of the window lists them in this order.
    void theCatalogueHasThemAll()
    {
        const ports::SourceKinds kinds = connectors::makeSourceCatalog()->kinds();
        QCOMPARE(kinds.size(), descriptors().size());
        for (std::size_t i = 0; i < kinds.size(); ++i)
            QCOMPARE(kinds[i].kind, descriptors()[i].kind.kind);
    }
};

GPULEDGER_SUITE(TestConnectors)

} // namespace tst_connectors

#include "tst_connectors.moc"

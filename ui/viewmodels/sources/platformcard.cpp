// SPDX-License-Identifier: GPL-3.0-or-later
// The part of SourcesViewModel about platforms: what can be stopped there, and the machines that they list.
#include "app/services/sources/syncreport.h"
#include "ui/viewmodels/sources/sourcesviewmodel.h"

#include <QLocale>

namespace gpuledger::ui {

using Standing = SourceCard::Standing;

namespace {

QString numberText(std::uint64_t value)
{
    return QLocale().toString(static_cast<qulonglong>(value));
}

QString machinesText(const services::MachineCount &all)
{
    if (all.machines == 0)
        return numberText(0);
    if (all.unseen == all.machines)
        return SourcesViewModel::tr("%1, none with telemetry").arg(numberText(all.machines));
    return all.unseen == 0
        ? SourcesViewModel::tr("%1, all with telemetry").arg(numberText(all.machines))
        : SourcesViewModel::tr("%1, %2 without telemetry").arg(numberText(all.machines), numberText(all.unseen));
}

} // namespace

void SourcesViewModel::judgePlatform(SourceCard &card, const services::SourceStatus &status) const
{
    using State = SourceTest::State;
    const SourceTest *test = existingTestOf(card.name);
    card.canSync = false;
    switch (test ? test->state() : State::Untested) {
    case State::Untested:
    case State::Stopped:
        card.standing = Standing::NeverSynced;
        card.standingWord = tr("Not tested yet");
        break;
    case State::Running:
        card.standing = Standing::NeverSynced;
        card.standingWord = tr("Testing");
        break;
    case State::Usable:
        card.standing = Standing::Fresh;
        card.standingWord = tr("Usable");
        break;
    case State::NeedsConsent:
        card.standing = Standing::Behind;
        card.standingWord = tr("Needs consent", "a test");
        break;
    case State::NotUsable:
    case State::Failed:
        card.standing = Standing::Failed;
        card.standingWord = tr("Not usable");
        break;
    }
}

void SourcesViewModel::addMachines(SourceCard &card, const services::SourceStatus &status) const
{
    if (status.machines)
        card.facts.push_back({tr("Machines with GPUs"), machinesText(*status.machines),
                              tr("From the cloud's own list. What a machine without telemetry does is unknown, and its "
                                 "time is unobserved.")});
}

// Below them, when it was tested, if that is all that happens there.
void SourcesViewModel::addPlatformFacts(SourceCard &card, const services::SourceStatus &status) const
{
    const model::SourceSettings &source = status.settings;
    const auto add = [&](const QString &label, const std::string &value, const QString &otherwise) {
        card.facts.push_back({label, value.empty() ? otherwise : QString::fromStdString(value), {}});
    };
    addMachines(card, status);
    const auto option = [&](const char *key) {
        const auto at = source.options.find(key);
        return at == source.options.end() ? std::string() : at->second;
    };
    if (!status.tellsPlans && !status.tellsClaims)
        add(tr("Cluster"), source.cluster, QString::fromStdString(source.name));
    if (status.tellsClaims) {
        card.facts.push_back({tr("Shown in"), tr("Savings, Compare", "a page, its tab"),
                              tr("What the tools claim to have saved beside what the bill has")});
    } else if (status.tellsPlans) {
        card.facts.push_back({tr("Shown in"), tr("Savings, Compare", "a page, its tab"),
                              tr("What the planned machines would cost beside what such machines cost you now")});
    } else if (source.auth.kind == model::AuthSettings::Kind::SigV4) {
        add(tr("Region"), source.auth.region, {});
        add(tr("Profile"), source.auth.profile, tr("as the AWS tools choose it"));
    } else if (const std::string subscription = option("subscription"); !subscription.empty()) { // no-tr: a key
        add(tr("Subscription"), subscription, {});
    } else if (const std::string project = option("project"); !project.empty()) { // no-tr: a key
        add(tr("Project"), project, {});
    } else {
        add(tr("Kubeconfig"), option("kubeconfig"), tr("the usual one")); // no-tr: a key
        add(tr("Context"), option("context"), tr("the file's current one")); // no-tr: a key
    }
    if (status.tellsInventory)
        return;
    const SourceTest *test = existingTestOf(card.name);
    const auto time = test ? test->time() : std::nullopt;
    card.facts.push_back({tr("Last test"), time ? ago(*time) : QStringLiteral("–"),
                          time ? exactTime(*time) : tr("Since the program was started")});
}

} // namespace gpuledger::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/window/datawords.h"

#include "app/insight/device/devicedetails.h"
#include "app/insight/query/values.h"
#include "app/insight/queue/blocked.h"
#include "app/services/actions/actionservice.h"
#include "app/services/actions/queueservice.h"
#include "app/services/fleet/fleetservice.h"
#include "app/services/savings/savingsservice.h"
#include "ui/format/phrases/waitingphrase.h"

#include <QLocale>
#include <QRegularExpression>

#include <set>

namespace gpuledger::tests {

using insight::Dimension;

namespace {

class Words {
public:
    void add(const QString &text)
    {
        static const QRegularExpression kWord(QStringLiteral("\\p{L}{2,}"));
        for (auto it = kWord.globalMatch(text); it.hasNext();)
            m_words.insert(it.next().captured());
    }
    void add(const std::string &text) { add(QString::fromStdString(text)); }
    const QSet<QString> &words() const { return m_words; }

private:
    QSet<QString> m_words;
};

void addIdle(Words &words, services::Workspace &workspace, base::TimeRange covered)
{
    const auto idle = workspace.fleet().idle(covered.end, {});
    if (!idle)
        qFatal("no idle list: %s", idle.error().text.c_str());
    std::set<std::string> devices;
    for (const auto &item : idle->items) {
        words.add(item.name + ' ' + item.nameSpace + ' ' + item.node + ' ' + item.protection + ' ' + item.workload);
        devices.insert(item.devices.begin(), item.devices.end());
    }
    for (const auto &item : idle->unknown)
        words.add(item.name + ' ' + item.nameSpace + ' ' + item.node);
    const auto blocked = workspace.fleet().blocked(covered.end, {});
    if (!blocked)
        qFatal("no blocked GPUs: %s", blocked.error().text.c_str());
    for (const auto &item : blocked->items) {
        words.add(item.node + ' ' + item.cluster + ' ' + item.gpuModel + ' ' + item.owner);
        for (const auto &wait : item.waits)
            words.add(wait.nameSpace + ' ' + wait.name + ' ' + wait.resource);
    }
    for (const std::string &device : devices) {
        const auto details = workspace.fleet().deviceDetails({device, {}, {covered, {}}, 10});
        if (!details)
            qFatal("no device: %s", details.error().text.c_str());
        for (const auto &stay : details->stays)
            words.add(stay.pod);
    }
}

void addWaiting(Words &words, services::Workspace &workspace, base::TimeRange covered)
{
    const auto waiting = workspace.actions().waiting().waitingAt(covered.end, {}, {});
    if (!waiting)
        qFatal("can't read the waiting jobs: %s", waiting.error().text.c_str());
    for (const auto &item : waiting->items)
        words.add(ui::workloadOf(item.work) + ' ' + ui::gpuKindOf(item.work) + ' ' + item.work.queue + ' ' + item.node);
}

void addSavings(Words &words, services::Workspace &workspace)
{
    const auto savings = workspace.savings().savings({});
    if (!savings)
        qFatal("no savings: %s", savings.error().text.c_str());
    for (const auto &item : savings->items)
        words.add(item.target + ' ' + item.id + ' ' + item.owner);
}

} // namespace

QSet<QString> dataWords(services::Workspace &workspace)
{
    Words words;
    for (int d = 0; d <= static_cast<int>(Dimension::Device); ++d) {
        const auto values = workspace.fleet().values(static_cast<Dimension::Kind>(d));
        if (!values)
            qFatal("no values: %s", values.error().text.c_str());
        for (const auto &value : *values)
            words.add(value.value);
    }
    const auto covered = workspace.fleet().coveredRange();
    if (!covered)
        qFatal("no range: %s", covered.error().text.c_str());
    addIdle(words, workspace, *covered);
    addWaiting(words, workspace, *covered);
    addSavings(words, workspace);
    for (const model::AlertRule &rule : workspace.settings().alerts)
        words.add(rule.name);
    const QLocale locale;
    for (int i = 1; i <= 12; ++i)
        words.add(locale.monthName(i, QLocale::ShortFormat) + QLatin1Char(' ') + locale.monthName(i));
    for (int i = 1; i <= 7; ++i)
        words.add(locale.dayName(i, QLocale::ShortFormat) + QLatin1Char(' ') + locale.dayName(i));
    words.add(
        QStringLiteral("demo pod UTC USD GPU Ledger GiB https prometheus example org Prometheus")); // no-tr: names
    return words.words();
}

} // namespace gpuledger::tests

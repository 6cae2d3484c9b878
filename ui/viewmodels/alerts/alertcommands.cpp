// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/engine/configservice.h"
#include "ui/format/local/celltext.h"
#include "ui/format/local/localtext.h"
#include "ui/viewmodels/alerts/alertsviewmodel.h"
#include "ui/viewmodels/alerts/alerttext.h"

#include <algorithm>
#include <utility>

// The commands of the page that change something outside of the configuration.
namespace gpuledger::ui {

using base::Result;

std::optional<AlertsViewModel::Firing> AlertsViewModel::firingOf(const QString &row) const
{
    if (!snapshot() || row.isEmpty())
        return std::nullopt;
    for (const services::RuleResult &rule : snapshot()->evaluation.rules) {
        const QString prefix = AlertTables::firingId(rule.rule.name, {});
        if (!row.startsWith(prefix))
            continue;
        const QString name = row.mid(prefix.size());
        for (const services::FiringScope &scope : rule.firing) {
            if (textOf(scope.scope) == name)
                return Firing{&rule, &scope};
        }
    }
    return std::nullopt;
}

QString AlertsViewModel::takeWantedFiring()
{
    return firingOf(m_wantedFiring) ? std::exchange(m_wantedFiring, {}) : QString();
}

void AlertsViewModel::run(Work work, const QString &done)
{
    ++m_working;
    m_tasks.run<Result<void>>(this, std::move(work), [this, done](const Result<void> &answer) {
        --m_working;
        if (answer) {
            Q_EMIT told(done, false);
            refresh();
        } else {
            Q_EMIT told(LocalText::sentence(answer.error()), true);
        }
        Q_EMIT changed();
    });
    Q_EMIT changed();
}

void AlertsViewModel::acknowledge(const QString &row)
{
    const auto firing = firingOf(row);
    if (!firing)
        return;
    services::Acknowledgement wanted;
    wanted.key = firing->scope->key;
    wanted.at = m_config.clock().now();
    run([wanted, call = m_desk.acknowledge](const std::stop_token &) { return call(wanted); },
        tr("Acknowledged: no further message says that it fires."));
}

void AlertsViewModel::silence(const QString &row, base::Seconds length, const QString &reason)
{
    const auto firing = firingOf(row);
    if (!firing)
        return;
    services::Silence wanted;
    wanted.rule = firing->rule->rule.name;
    wanted.scope = firing->scope->scope;
    wanted.from = m_config.clock().now();
    wanted.until = wanted.from + length;
    wanted.reason = reason.toStdString();
    const QString until = LocalText::dateTime(wanted.until, m_config.timeZone());
    run(
        [wanted, call = m_desk.silence](const std::stop_token &) -> Result<void> {
            GPULEDGER_TRY(call(wanted));
            return {};
        },
        tr("Silenced until %1.", "time").arg(until));
}

void AlertsViewModel::endSilence(std::int64_t id)
{
    run([id, call = m_desk.endSilence](const std::stop_token &) { return call(id); }, tr("The silence has ended."));
}

void AlertsViewModel::findIdle(const QString &row)
{
    const auto firing = firingOf(row);
    if (!firing)
        return;
    using Answer = Result<insight::IdleList>;
    ++m_working;
    m_tasks.run<Answer>(
        this,
        [call = m_desk.idle, per = std::string(alerts::toString(firing->rule->rule.scope)),
         scope = firing->scope->scope](const std::stop_token &) { return call(per, scope); },
        [this](const Answer &answer) {
            --m_working;
            if (answer)
                Q_EMIT idleFound(*answer);
            else
                Q_EMIT told(LocalText::sentence(answer.error()), true);
            Q_EMIT changed();
        });
    Q_EMIT changed();
}

const services::OutboxEntry *AlertsViewModel::messageOf(const QString &row) const
{
    if (!snapshot())
        return nullptr;
    const auto &all = snapshot()->history.outbox;
    bool isNumber = false;
    const qlonglong id = row.toLongLong(&isNumber);
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const services::OutboxEntry &one) { return isNumber && one.id == id; });
    return found == all.end() ? nullptr : &*found;
}

void AlertsViewModel::retry(std::int64_t message)
{
    run([message, call = m_desk.retry](const std::stop_token &) { return call(message); },
        tr("The message is sent after the next sync."));
}

void AlertsViewModel::drop(std::int64_t message)
{
    run([message, call = m_desk.discard](const std::stop_token &) { return call(message); },
        tr("The message is not sent."));
}

void AlertsViewModel::test(const QString &target)
{
    using Answer = Result<ports::Delivery>;
    ++m_working;
    m_tasks.run<Answer>(
        this,
        [name = target.toStdString(), call = m_desk.test](const std::stop_token &stop) { return call(name, stop); },
        [this, target](const Answer &answer) {
            --m_working;
            if (!answer)
                Q_EMIT told(LocalText::sentence(answer.error()), true);
            else if (answer->outcome == ports::DeliveryOutcome::Delivered)
                Q_EMIT told(tr("%1 has received a test message.", "a target").arg(target), false);
            else if (answer->detail.empty())
                Q_EMIT told(tr("%1 did not accept the test message.", "a target").arg(target), true);
            else
                Q_EMIT told(
                    tr("%1 did not accept the test message: %2", "a target, why").arg(target, textOf(answer->detail)),
                    true);
            Q_EMIT changed();
        });
    Q_EMIT changed();
}

} // namespace gpuledger::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/savings/scenariosviewmodel.h"

#include "app/base/remedy.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace gpuledger::ui {

using savings::Scenario;

ScenariosViewModel::ScenariosViewModel(SavingsDesk desk, SavingsViewModel &model, TaskRunner &tasks, QObject *parent)
    : QObject(parent)
    , m_desk(std::move(desk))
    , m_model(model)
    , m_tasks(tasks)
    , m_list(tasks, this, [this] { Q_EMIT changed(); })
{
}

const std::vector<Scenario> &ScenariosViewModel::scenarios() const
{
    static const List kNone;
    return m_list.snapshot() ? *m_list.snapshot() : kNone;
}

const Scenario *ScenariosViewModel::find(const QString &name) const
{
    const List &all = scenarios();
    const auto found = std::find_if(all.begin(), all.end(),
                                    [name = name.toStdString()](const Scenario &one) { return one.name == name; });
    return found == all.end() ? nullptr : &*found;
}

bool ScenariosViewModel::isChanged() const
{
    const Scenario *one = current();
    if (!one)
        return false;
    savings::Assumptions kept = one->assumptions;
    kept.useDefaultsOf(m_model.assumptions()); // those of the configuration may have changed since it was read
    return kept != m_model.assumptions();
}

bool ScenariosViewModel::isDefault() const
{
    return m_model.assumptions().isUsual();
}

bool ScenariosViewModel::isOffered() const
{
    const auto shown = m_model.snapshot();
    if (!shown) // so that nothing moves when it is there
        return true;
    return !shown->frame.covered.empty() && (!shown->frame.isReadOnly || !scenarios().empty());
}

bool ScenariosViewModel::canWrite() const
{
    return m_desk.saveScenario && m_desk.removeScenario && m_model.snapshot() && !m_model.snapshot()->frame.isReadOnly
        && !m_isWriting;
}

void ScenariosViewModel::use(const QString &name)
{
    const Scenario *one = find(name);
    if (!one)
        return;
    m_current = name; // first, so that the place of the new values has it
    m_model.setAssumptions(one->assumptions);
    Q_EMIT currentChanged();
}

void ScenariosViewModel::reset()
{
    m_current.clear(); // first, so that the place of the new values does not have it
    m_model.resetAssumptions();
    Q_EMIT currentChanged();
}

void ScenariosViewModel::save(const QString &name)
{
    write(
        [desk = m_desk, name = name.toStdString(), values = m_model.assumptions()]() -> base::Result<Written> {
            const auto kept = desk.saveScenario(name, values);
            GPULEDGER_TRY(kept);
            auto all = desk.scenarios();
            GPULEDGER_TRY(all);
            return Written{QString::fromStdString(kept->name), std::move(*all)};
        },
        [this](const QString &kept) {
            setCurrent(kept);
            Q_EMIT saved(kept);
        });
}

void ScenariosViewModel::remove(const QString &name)
{
    write(
        [desk = m_desk, name = name.toStdString()]() -> base::Result<Written> {
            GPULEDGER_TRY(desk.removeScenario(name));
            auto all = desk.scenarios();
            GPULEDGER_TRY(all);
            return Written{{}, std::move(*all)};
        },
        [this, name](const QString &) {
            if (m_current == name)
                setCurrent({});
            Q_EMIT removed(name);
        });
}

void ScenariosViewModel::write(std::function<base::Result<Written>()> work, std::function<void(const QString &)> done)
{
    using Answer = base::Result<Written>;
    if (!canWrite()) {
        Q_EMIT failed(
            base::Error::make(base::ErrorCode::Refused, "scenarios can't be changed now", base::Remedy::WaitUntilDone));
        return;
    }
    m_isWriting = true;
    Q_EMIT changed();
    m_tasks.run<Answer>(
        this, [work = std::move(work)](const std::stop_token &) -> Answer { return work(); },
        [this, done = std::move(done)](const Answer &answer) {
            m_isWriting = false;
            if (!answer) {
                Q_EMIT changed();
                Q_EMIT failed(answer.error());
                return;
            }
            m_list.replace(std::make_shared<const List>(answer->all));
            done(answer->name);
            refresh(); // an answer from before is dropped
            Q_EMIT changed();
        });
}

void ScenariosViewModel::setCurrent(const QString &name)
{
    m_current = name;
    Q_EMIT currentChanged();
}

void ScenariosViewModel::restore(const QString &name)
{
    if (name == m_current)
        return;
    m_current = name;
    Q_EMIT changed();
}

void ScenariosViewModel::refresh()
{
    if (!m_desk.scenarios)
        return;
    m_list.ask([desk = m_desk](const std::stop_token &) -> LatestQuery<List>::Answer {
        auto all = desk.scenarios();
        GPULEDGER_TRY(all);
        return std::make_shared<const List>(std::move(*all));
    });
}

} // namespace gpuledger::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/sourcetest.h"

#include "ui/format/localtext.h"

namespace gpuledger::ui {

namespace {

SourceCheck checkOf(const ports::Finding &finding)
{
    using Level = ports::Finding::Level;
    SourceCheck check;
    check.level = finding.level == Level::Good ? SourceCheck::Level::Found
        : finding.level == Level::Missing      ? SourceCheck::Level::Missing
                                               : SourceCheck::Level::Problem;
    check.text = LocalText::phrase(textOf(finding));
    check.remedy = LocalText::phrase(remedyOf(finding));
    return check;
}

} // namespace

SourceTest::SourceTest(services::Workspace &workspace, TaskRunner &tasks, QObject *parent)
    : QObject(parent)
    , m_workspace(workspace)
    , m_tasks(tasks)
{
}

SourceTest::~SourceTest()
{
    m_running.request_stop();
}

void SourceTest::start(const model::SourceSettings &source)
{
    m_running.request_stop();
    m_checks.clear();
    m_ownerLabels.clear();
    const quint64 generation = ++m_generation;
    m_running = m_tasks.run<Answer>(
        this, [workspace = &m_workspace, source](std::stop_token stop) { return workspace->testSource(source, stop); },
        [this, generation](Answer answer) { take(generation, std::move(answer)); });
    become(State::Running);
}

void SourceTest::stop()
{
    if (!isRunning())
        return;
    m_running.request_stop();
    ++m_generation;
    become(State::Stopped);
}

void SourceTest::reset()
{
    if (m_state == State::Untested)
        return;
    m_running.request_stop();
    ++m_generation;
    m_checks.clear();
    m_ownerLabels.clear();
    become(State::Untested);
}

void SourceTest::take(quint64 generation, Answer answer)
{
    if (generation != m_generation)
        return;
    if (!answer) {
        m_error = LocalText::sentence(answer.error());
        return become(State::Failed);
    }
    m_product = LocalText::phrase(productOf(*answer));
    for (const ports::Finding &finding : answer->findings)
        m_checks.push_back(checkOf(finding));
    for (const std::string &label : answer->ownerLabelCandidates)
        m_ownerLabels << QString::fromStdString(label);
    become(answer->usable ? State::Usable : State::NotUsable);
}

void SourceTest::become(State state)
{
    m_state = state;
    Q_EMIT changed();
}

QString SourceTest::summary() const
{
    switch (m_state) {
    case State::Untested:
        return {};
    case State::Running:
        return tr("Asking what is there…");
    case State::Stopped:
        return tr("The test was stopped.");
    case State::Failed:
        return m_error;
    case State::Usable:
        return tr("%1 answers and can be used.", "a product with its version").arg(m_product);
    case State::NotUsable:
        return tr("%1 answers, but no GPU activity was found.", "a product with its version").arg(m_product);
    }
    return {};
}

} // namespace gpuledger::ui

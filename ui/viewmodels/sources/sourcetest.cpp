// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/sources/sourcetest.h"

#include "app/base/time/clock.h"
#include "app/services/environment/logincommands.h"
#include "app/services/sources/sourceservice.h"
#include "ui/format/local/localtext.h"

#include <algorithm>
#include <utility>

namespace gpuledger::ui {

namespace {

SourceCheck::Level levelOf(ports::Finding::Level level)
{
    using Level = ports::Finding::Level;
    return level == Level::Good   ? SourceCheck::Level::Found
        : level == Level::Missing ? SourceCheck::Level::Missing
                                  : SourceCheck::Level::Problem;
}

SourceCheck checkOf(const ports::Finding &finding)
{
    SourceCheck check;
    check.level = levelOf(finding.level);
    check.text = LocalText::phrase(textOf(finding));
    check.remedy = LocalText::phrase(remedyOf(finding));
    return check;
}

SourceCheck checkOf(const ports::BillFinding &finding)
{
    const QString provider = QString::fromStdString(finding.provider);
    SourceCheck check;
    check.level = levelOf(finding.level);
    check.text = (provider.isEmpty() ? QString() : provider + QLatin1String(": ")) + LocalText::phrase(textOf(finding));
    return check;
}

} // namespace

SourceTest::SourceTest(const base::Clock &clock, services::SourceService &sources, TaskRunner &tasks,
                       const LoginPorts &logins, QObject *parent)
    : QObject(parent)
    , m_clock(clock)
    , m_sources(sources)
    , m_tasks(tasks)
    , m_logins(logins)
{
}

SourceTest::~SourceTest()
{
    m_running.request_stop();
}

SourceTest::Answer SourceTest::ask(services::SourceService &sources, const LoginPorts &logins,
                                   const model::SourceSettings &source, const std::vector<ports::CommandPlan> &agreed,
                                   const std::stop_token &stop)
{
    Outcome outcome;
    if (logins.consent && logins.commands) {
        for (const ports::CommandPlan &plan : agreed)
            GPULEDGER_TRY(logins.consent->agree(plan));
        auto open = services::commandsToAgreeTo(*logins.commands, *logins.consent, source);
        // NotFound would suggest that the server lacks something, but here the configured login is wrong.
        if (!open && open.error().code == base::ErrorCode::NotFound)
            open.error().code = base::ErrorCode::InvalidConfig;
        GPULEDGER_TRY(open);
        outcome.commands = std::move(*open);
        if (!outcome.commands.empty())
            return outcome;
    }
    auto report = sources.test(source, stop);
    GPULEDGER_TRY(report);
    outcome.report = std::move(*report);
    return outcome;
}

void SourceTest::start(const model::SourceSettings &source)
{
    begin(source, {});
}

void SourceTest::agree()
{
    if (m_state == State::NeedsConsent)
        begin(model::SourceSettings(*m_source), std::exchange(m_commands, {}));
}

void SourceTest::begin(const model::SourceSettings &source, std::vector<ports::CommandPlan> agreed)
{
    m_running.request_stop();
    forget();
    m_source = source;
    const quint64 generation = ++m_generation;
    m_running = m_tasks.run<Answer>(
        this,
        [sources = &m_sources, logins = m_logins, source, agreed = std::move(agreed)](const std::stop_token &stop) {
            return ask(*sources, logins, source, agreed, stop);
        },
        [this, generation](Answer answer) { take(generation, std::move(answer)); });
    become(State::Running);
}

void SourceTest::forget()
{
    m_checks.clear();
    m_ownerLabels.clear();
    m_commands.clear();
    m_time.reset();
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
    forget();
    m_source.reset();
    become(State::Untested);
}

void SourceTest::take(quint64 generation, Answer answer)
{
    if (generation != m_generation)
        return;
    if (!answer || answer->commands.empty())
        m_time = m_clock.now();
    if (!answer) {
        m_error = LocalText::sentence(answer.error());
        return become(State::Failed);
    }
    if (!answer->commands.empty()) {
        m_commands = std::move(answer->commands);
        return become(State::NeedsConsent);
    }
    const ports::ProbeReport &report = answer->report;
    m_product = LocalText::phrase(productOf(report));
    for (const ports::Finding &finding : report.findings)
        m_checks.push_back(checkOf(finding));
    for (const ports::BillFinding &finding : report.bill ? report.bill->findings : std::vector<ports::BillFinding>())
        m_checks.push_back(checkOf(finding));
    for (const std::string &label : report.ownerLabelCandidates)
        m_ownerLabels << QString::fromStdString(label);
    become(report.usable ? State::Usable : State::NotUsable);
}

void SourceTest::become(State state)
{
    m_state = state;
    Q_EMIT changed();
}

ports::SourceKind SourceTest::testedKind() const
{
    const ports::SourceKinds kinds = m_sources.kinds();
    const ports::SourceKind *const kind = m_source ? ports::findKind(kinds, m_source->kind) : nullptr;
    return kind ? *kind : ports::SourceKind();
}

QString SourceTest::summary() const
{
    switch (m_state) {
    case State::Untested:
        return {};
    case State::Running:
        return tr("Checking what is there…");
    case State::Stopped:
        return tr("The test was stopped.");
    case State::Failed:
        return m_error;
    case State::Usable:
        if (testedKind().tellsPlans())
            return tr("The plans can be read.");
        if (testedKind().tellsClaims())
            return tr("The claims can be read.");
        if (testedKind().needs(ports::SourceField::Type::Path))
            return tr("The bill can be read.");
        return tr("%1 answers and can be used.", "a product with its version").arg(m_product);
    case State::NeedsConsent:
        return tr("A program would run to log in. Nothing was run: you have not agreed to it yet.");
    case State::NotUsable:
        if (testedKind().tellsBills())
            return tr("No bill can be read there yet.");
        if (testedKind().tellsPlans())
            return tr("No plan was found there.");
        if (testedKind().tellsClaims())
            return tr("No claim was found there.");
        if (testedKind().isPlatform())
            return tr("%1 answers, but nothing can be stopped with these rights.", "a product with its version")
                .arg(m_product);
        return tr("%1 answers, but no GPU activity was found.", "a product with its version").arg(m_product);
    }
    return {};
}

} // namespace gpuledger::ui

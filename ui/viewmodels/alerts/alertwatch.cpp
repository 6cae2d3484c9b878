// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/alerts/alertwatch.h"

#include "app/base/text/log.h"
#include "app/services/alerts/alertdesk.h"
#include "app/services/engine/configservice.h"
#include "ui/viewmodels/shell/synccontroller.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

namespace gpuledger::ui {

// What a round on the worker came to.
struct AlertWatch::Outcome {
    std::optional<base::Seconds> pause; // until a message is due; std::nullopt: nothing waits
};

namespace {

constexpr base::Seconds kShortestAlertPause{5};

template <typename T> void logAlertProblem(const base::Result<T> &done)
{
    if (!done && done.error().code != base::ErrorCode::Cancelled)
        base::log::warning("alerts", done.error().text);
}

} // namespace

AlertWatch::AlertWatch(const services::ConfigService &config, services::AlertDesk &desk, SyncController &sync,
                       QObject *parent)
    : QObject(parent)
    , m_config(config)
    , m_desk(desk)
{
    m_due.setSingleShot(true);
    connect(&m_due, &QTimer::timeout, this, [this] { run(false); });
    connect(&sync, &SyncController::runningChanged, this, [this, control = &sync] {
        if (!control->running())
            run(true);
    });
}

void AlertWatch::run(bool evaluates)
{
    if (m_config.isReport())
        return;
    if (m_running) {
        m_again = m_again || evaluates;
        return;
    }
    m_running = true;
    m_due.stop();
    m_tasks.run<Outcome>(
        this,
        [desk = &m_desk, evaluates](const std::stop_token &stop) {
            if (evaluates) {
                const auto round = desk->evaluate(stop);
                logAlertProblem(round);
                if (round) {
                    for (const std::string &problem : round->problems)
                        base::log::warning("alerts", problem);
                }
            }
            logAlertProblem(desk->deliver(stop));
            const auto due = desk->nextDue();
            logAlertProblem(due);
            Outcome out;
            if (due && *due)
                out.pause = std::max(**due - desk->now(), kShortestAlertPause);
            return out;
        },
        [this](const Outcome &outcome) { finish(outcome); });
}

void AlertWatch::finish(const Outcome &outcome)
{
    m_running = false;
    if (std::exchange(m_again, false))
        return run(true);
    if (outcome.pause)
        m_due.start(std::chrono::milliseconds(*outcome.pause));
}

} // namespace gpuledger::ui

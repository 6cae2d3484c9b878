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

// What the workers came to.
struct AlertWatch::Round { };
struct AlertWatch::Delivered {
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
    connect(&m_due, &QTimer::timeout, this, &AlertWatch::deliver);
    connect(&sync, &SyncController::runningChanged, this, [this, control = &sync] {
        if (!control->running())
            evaluate();
    });
    // What waits since the program ran the last time does not wait for a sync.
    QTimer::singleShot(0, this, &AlertWatch::deliver);
}

void AlertWatch::evaluate()
{
    if (m_config.isReport())
        return;
    if (m_isEvaluating) {
        m_evaluatesAgain = true;
        return;
    }
    m_isEvaluating = true;
    m_tasks.run<Round>(
        this,
        [desk = &m_desk](const std::stop_token &stop) {
            const auto round = desk->evaluate(stop);
            logAlertProblem(round);
            if (round) {
                for (const std::string &problem : round->problems)
                    base::log::warning("alerts", problem);
            }
            return Round();
        },
        [this](const Round &) {
            m_isEvaluating = false;
            deliver();
            if (std::exchange(m_evaluatesAgain, false))
                evaluate();
        });
}

void AlertWatch::deliver()
{
    if (m_config.isReport())
        return;
    if (m_isDelivering) {
        m_deliversAgain = true;
        return;
    }
    m_isDelivering = true;
    m_due.stop();
    m_tasks.run<Delivered>(
        this,
        [desk = &m_desk](const std::stop_token &stop) {
            logAlertProblem(desk->deliver(stop));
            const auto due = desk->nextDue();
            logAlertProblem(due);
            Delivered out;
            if (due && *due)
                out.pause = std::max(**due - desk->now(), kShortestAlertPause);
            return out;
        },
        [this](const Delivered &delivered) {
            m_isDelivering = false;
            if (std::exchange(m_deliversAgain, false))
                deliver();
            else if (delivered.pause)
                m_due.start(std::chrono::milliseconds(*delivered.pause));
        });
}

} // namespace gpuledger::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "ui/viewmodels/shell/taskrunner.h"

#include <QObject>

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>

namespace gpuledger::ui {

// The five states of a page (look.md).
enum class PageState { FirstRun, Loading, Data, Empty, Error };

// Runs one engine query at a time for a page: off the GUI thread, the newest query wins, stale answers are dropped, and
// a hidden page sends no query until it is shown. Part of a view model; must not outlive `context`; GUI thread.
template <typename Snapshot> class LatestQuery {
public:
    using Answer = base::Result<std::shared_ptr<const Snapshot>>;
    using Question = std::function<Answer(std::stop_token)>; // runs on a worker thread

    // `answered` is called after every answer that is not stale; then either snapshot() is a new one or error() is set.
    LatestQuery(TaskRunner &tasks, QObject *context, std::function<void()> answered)
        : m_tasks(tasks)
        , m_context(context)
        , m_answered(std::move(answered))
    {
    }
    ~LatestQuery() { m_running.request_stop(); }
    LatestQuery(const LatestQuery &) = delete;
    LatestQuery &operator=(const LatestQuery &) = delete;

    // The last successful answer; kept after errors and while a new one is being computed.
    const std::shared_ptr<const Snapshot> &snapshot() const { return m_snapshot; }
    // The error of the last answer.
    const std::optional<base::Error> &error() const { return m_error; }
    bool isAsking() const { return m_asking; }
    // Call when the next query is about another subject: nothing is shown until it is answered.
    void forget()
    {
        m_snapshot.reset();
        m_error.reset();
    }

    // For a part of the answer that is known before the next one.
    void replace(std::shared_ptr<const Snapshot> snapshot) { m_snapshot = std::move(snapshot); }

    void ask(Question question)
    {
        m_question = std::move(question);
        repeat();
    }
    // Runs the same query again, e.g. after a sync.
    void repeat()
    {
        if (!m_question)
            return;
        m_stale = !m_active;
        if (m_stale)
            return;
        m_running.request_stop();
        m_asking = true;
        const quint64 generation = ++m_generation;
        m_running = m_tasks.run<Answer>(
            m_context,
            [question = m_question](std::stop_token stop) -> Answer {
                if (stop.stop_requested()) // a newer query is already waiting
                    return base::fail(base::ErrorCode::Cancelled, "superseded");
                return question(stop);
            },
            [this, generation](Answer answer) { take(generation, std::move(answer)); });
    }
    void setActive(bool active)
    {
        m_active = active;
        if (active && m_stale)
            repeat();
    }

private:
    void take(quint64 generation, Answer answer)
    {
        if (generation != m_generation)
            return;
        m_asking = false;
        if (!answer && answer.error().code == base::ErrorCode::Cancelled)
            return;
        m_error.reset();
        if (answer)
            m_snapshot = std::move(*answer);
        else
            m_error = std::move(answer).error();
        m_answered();
    }

    TaskRunner &m_tasks;
    QObject *m_context;
    std::function<void()> m_answered;
    Question m_question;
    std::shared_ptr<const Snapshot> m_snapshot;
    std::optional<base::Error> m_error;
    quint64 m_generation = 0;
    bool m_active = true;
    bool m_stale = false;
    bool m_asking = false;
    std::stop_source m_running;
};

} // namespace gpuledger::ui

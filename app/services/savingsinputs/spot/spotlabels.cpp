// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/savingsinputs/spot/spotlabels.h"

#include "app/services/savingsinputs/spot/spotfacts.h"

#include <optional>
#include <string>

namespace gpuledger::services {

using savings::SpotCandidate;

namespace {

// Takes what a label or annotation says; notes a value that can't be read, in which case an older pod's stays.
class SpotStatements {
public:
    SpotStatements(const model::Labels &labels, SpotCandidate &one)
        : m_labels(labels)
        , m_one(one)
    {
    }

    void take(const char *label, const char *name, std::optional<std::int64_t> &into)
    {
        const auto found = m_labels.find(label);
        if (found == m_labels.end())
            return;
        const auto length = base::parseDuration(found->second);
        if (note(name, found->second, length && length->count() > 0))
            into = length->count();
    }

    // A duration after the start of a run, or a time: what was said last.
    void takeDeadline(const char *label, const char *name)
    {
        const auto found = m_labels.find(label);
        if (found == m_labels.end())
            return;
        const auto at = base::parseTime(found->second);
        const auto length = base::parseDuration(found->second);
        const bool isLength = length && length->count() > 0;
        if (!note(name, found->second, at || isLength))
            return;
        m_one.deadlineAt = at ? std::optional(*at) : std::nullopt;
        m_one.deadline = at ? std::nullopt : std::optional<std::int64_t>(length->count());
    }

    void take(const char *label, const char *name, savings::SpotAnswer &into)
    {
        const auto found = m_labels.find(label);
        if (found == m_labels.end())
            return;
        if (note(name, found->second, found->second == "true" || found->second == "false"))
            into = found->second == "true" ? savings::SpotAnswer::Yes : savings::SpotAnswer::No;
    }

private:
    bool note(const char *name, const std::string &value, bool isRead)
    {
        if (isRead)
            m_one.misread.erase(name);
        else
            m_one.misread[name] = value;
        return isRead;
    }

    const model::Labels &m_labels;
    SpotCandidate &m_one;
};

} // namespace

void readSpotLabels(const model::Labels &labels, SpotCandidate &one)
{
    SpotStatements said(labels, one);
    said.take(kCheckpointLabel, "gpu-ledger.io/checkpoint-every", one.checkpointEvery);
    said.takeDeadline(kDeadlineLabel, "gpu-ledger.io/deadline");
    said.take(kInterruptibleLabel, "gpu-ledger.io/interruptible", one.interruptible);
}

} // namespace gpuledger::services

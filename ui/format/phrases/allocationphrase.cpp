// SPDX-License-Identifier: GPL-3.0-or-later
// Phrases for why OpenCost or Kubecost reports a different amount.
#include "ui/format/phrases/phrase.h"

// Mark the text for lupdate; this library does not link Qt.
#define QT_TRANSLATE_NOOP(context, text) text

namespace gpuledger::ui {

namespace {

using model::AllocationReason;

const char *patternOf(AllocationReason reason)
{
    switch (reason) {
    case AllocationReason::SharedPods:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "it assigns no GPU cost to pods that share a GPU");
    case AllocationReason::MigPods:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "it assigns no GPU cost to pods on MIG instances");
    case AllocationReason::AmdPods:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "it assigns no GPU cost to pods on AMD GPUs");
    case AllocationReason::PodsWithoutCost:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "it assigns no GPU cost to pods that held GPUs");
    case AllocationReason::HeldTime:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                 "the GPU time it counts for pods differs from what they held");
    case AllocationReason::IdleWithoutHours:
        return QT_TRANSLATE_NOOP(
            "gpuledger::ui::Phrase",
            "its idle cost has no GPU-hours: it is cost assigned to no pod, not time that no pod held");
    case AllocationReason::NegativeIdle:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                 "its idle cost is negative: it assigned more to pods than the nodes cost");
    case AllocationReason::PriceTooLow:
        return QT_TRANSLATE_NOOP(
            "gpuledger::ui::Phrase",
            "its price of the whole node is no more than that of one vCPU of it; the price book was used");
    case AllocationReason::NoGpuPrice:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                 "its node price has no part for the GPUs; the price book was used");
    case AllocationReason::NoPrice:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "it has no price for these nodes; the price book was used");
    case AllocationReason::TwoPrices:
        return QT_TRANSLATE_NOOP(
            "gpuledger::ui::Phrase",
            "its allocations and its assets have different prices for the same GPU time; that of the assets was used");
    case AllocationReason::TwoSources:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                 "two sources price the same nodes; the first by name was used");
    case AllocationReason::Bill:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "the bill says so, and the bill was used");
    case AllocationReason::Unseen:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "telemetry never saw these nodes");
    case AllocationReason::Rate:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                 "the price book has a different price for the same time; the source's was used");
    case AllocationReason::GpusWithoutPrice:
        return QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "it has no price for the GPUs of these nodes");
    }
    return "";
}

} // namespace

Phrase textOf(AllocationReason reason)
{
    return {patternOf(reason), nullptr, 0, {}};
}

} // namespace gpuledger::ui

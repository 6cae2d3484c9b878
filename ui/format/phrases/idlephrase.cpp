// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/format/phrases/phrase.h"

#define QT_TRANSLATE_NOOP(context, text) text

namespace gpuledger::ui {

Phrase causeOf(const insight::IdleItem &item)
{
    switch (item.cause) {
    case insight::IdleCause::Empty:
        return {QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "nothing is loaded: it holds at most %1 on each device"),
                nullptr,
                0,
                {{Phrase::Term::Kind::Gibibytes, {}, static_cast<double>(insight::kEmptyMib) / 1024, {}}}};
    case insight::IdleCause::Loaded:
        return {
            QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "memory is in use but the GPU does no work"), nullptr, 0, {}};
    case insight::IdleCause::Oversized:
        return {QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                  "it does little work, and its memory would fit into the smallest slice of a device"),
                nullptr,
                0,
                {}};
    case insight::IdleCause::Starved:
        if (const insight::IdleSignal *signal = insight::waitingSignal(item.signals))
            return phrases::say(
                QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "it waits for input while the GPU does no work: %1"),
                {{Phrase::Term::Kind::Phrase, {}, 0, {phraseOf(*signal)}}});
        return phrases::say(
            QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "it waits for input while the GPU does no work"));
    case insight::IdleCause::Unknown:
        break;
    }
    return {QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "the reason is not known: its memory is not reported"),
            nullptr,
            0,
            {}};
}

namespace {

// Of a machine that can't go, because of others on it.
Phrase sharedMachine(const insight::IdleItem &item)
{
    if (item.avoidablePerMonth && item.avoidablePerMonth->nanos() > 0)
        return {
            QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                              "only a part of its cost ends when it is stopped: others work on one of its machines"),
            nullptr,
            0,
            {}};
    if (item.sharesGpu)
        return {QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                  "stopping saves nothing now: others use the same GPU, whose machine stays for them"),
                nullptr,
                0,
                {}};
    return {QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                              "stopping saves nothing now: its machine stays for others that work on it"),
            nullptr,
            0,
            {}};
}

} // namespace

Phrase recoveryOf(const insight::IdleItem &item)
{
    switch (item.recoverable) {
    case model::Recovery::WithMachine:
        return sharedMachine(item);
    case model::Recovery::Now:
        if (!item.stopWith.empty())
            return {QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                      "its cost ends only when what else is idle on its machine is stopped too"),
                    nullptr,
                    0,
                    {}};
        if (item.kind == model::SubjectKind::Machine)
            return {QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "its cost ends when it is stopped"), nullptr, 0, {}};
        return {
            QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "its cost ends when its machine is given back"), nullptr, 0, {}};
    case model::Recovery::AtDate:
        return {
            QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                              "stopping saves nothing until the commitment or reservation that pays for its machine "
                              "ends; the bill does not say when"),
            nullptr,
            0,
            {}};
    case model::Recovery::Never:
        return {QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                  "stopping saves nothing: the machine is owned; it only frees it for others"),
                nullptr,
                0,
                {}};
    case model::Recovery::Unknown:
        break;
    }
    return {QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "whether stopping saves anything is not known"), nullptr, 0, {}};
}

} // namespace gpuledger::ui

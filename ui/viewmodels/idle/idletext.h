// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"
#include "app/base/time/timezone.h"
#include "app/insight/idle/evidence.h"
#include "app/insight/idle/idle.h"
#include "app/insight/queue/blocked.h"

#include <QCoreApplication>
#include <QString>
#include <QStringList>

namespace gpuledger::ui {

// What stopping some workloads would save a month, in units of one currency: `avoidable` for certain, `undecided` at
// most in addition (whether it would end is not known). Stopping does not end `sunk`.
struct IdleSaving {
    bool isPriced = false; // at least one of them has a price
    int unpriced = 0; // the others; nothing above includes them
    double avoidable = 0, undecided = 0, sunk = 0;
    double shared = 0; // part of `sunk`: others use the machine, which can't go before them

    // As if everything idle on its machine were stopped, too.
    void add(const insight::IdleItem &item) { add(item, item.stopWith); }
    // What a stop of exactly these would save, in a stop together with some others.
    static IdleSaving ofStop(const std::vector<insight::IdleItem> &items,
                             const std::vector<insight::IdleItem> &others = {});
    double atMost() const { return avoidable + undecided; }

private:
    void add(const insight::IdleItem &item, const std::vector<std::string> &stopped); // ids, ascending
};

// The sentences of the Idle page, shared by its table and its panel. GUI thread.
class IdleText {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::IdleText)
public:
    enum class Sureness { Low, Medium, High };
    static Sureness sureness(double chance); // that it stays idle

    static QString chance(double chance); // "72 %"
    // What the chance was measured from: "312 idle times of the team's workloads of the kind training".
    static QString chanceBasis(const insight::IdleItem &item);
    // How likely it stays idle, and what a stop now would bring; one sentence each.
    static QStringList outlook(const insight::IdleItem &item);
    static QString duration(base::Seconds length); // "2 d 4 h"
    static QString kindName(model::WorkloadKind kind); // "notebook"; empty: unknown
    static QString instant(base::UtcTime at, const base::TimeZone &zone); // "19 Nov, 08:12"
    static QString exactInstant(base::UtcTime at, const base::TimeZone &zone); // "19 Nov 2026, 08:12 (Europe/Berlin)"
    static QString count(double gpus); // "8", "0.14"
    static QString gpuCount(double gpus); // "8 GPUs"
    static QString deviceCount(std::size_t devices); // "8 devices"
    static QString gpus(double gpus, const std::string &model); // "8 × A100 80GB"
    static QString name(const insight::IdleItem &item); // "notebook/jlee-ablation-0"
    // "cluster prod › ns research › node gpu-7 › 8 devices"
    static QString whereabouts(const std::string &cluster, const std::string &nameSpace, const std::string &node,
                               std::size_t devices);
    static QString signalName(model::ActivitySignal signal); // "SM active"
    // Split of the cost per month into what ends when the workload is stopped, and what does not. In the list's
    // currency, whole units.
    static QString avoidable(const insight::IdleItem &item); // "1,234", "no price", "not known"
    static QString sunk(const insight::IdleItem &item);
    // The only sentence about money to be saved, without its subject: "saves 3,652, up to 22,169 USD a month", or for
    // what was stopped already, "saving 3,652, …". Empty: no price is known.
    static QString saves(const IdleSaving &saving, base::Currency currency);
    static QString saving(const IdleSaving &saving, base::Currency currency);
    // The amounts alone: "3,652, up to 22,169", with the currency's code if one is given; "0"; "no price".
    static QString amounts(const IdleSaving &saving, const QString &code = {});
    // Why it is idle, whether stopping it ends its cost, and its outlook, one sentence each; unknown facts are omitted.
    static QStringList reasons(const insight::IdleItem &item);
    // Why something that is idle in part is listed, and is not stopped; a sentence.
    static QString whyPartly(const insight::IdleItem &item);
    // Why free GPUs could not be given to what waited; a sentence.
    static QString whyBlocked(const insight::BlockedItem &item);
    // The pods that waited, a sentence each; the first few, and how many more.
    static QStringList whoWaited(const insight::BlockedItem &item, const base::TimeZone &zone);
    // The gaps in the evidence, one sentence each.
    static QStringList unknowns(const insight::IdleItem &item, const insight::Evidence *evidence);

private:
    static QString amount(const std::optional<base::Money> &money);
    static QString withUnpriced(const QString &clause, const IdleSaving &saving);
    static QString codeOf(base::Currency currency);
};

} // namespace gpuledger::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/activity/stoptable.h"

#include "app/model/fleet/kindname.h"
#include "ui/format/actions/actionphrase.h"
#include "ui/format/local/celltext.h"
#include "ui/format/local/localtext.h"
#include "ui/viewmodels/idle/idletext.h"
#include "widgets/delegates/roles.h"

#include <QCoreApplication>

#include <algorithm>

namespace gpuledger::ui {

using actions::Check;
using actions::Outcome;
using actions::PlannedStop;
using insight::IdleItem;

namespace {

enum StopColumn { What, Owner, Gpus, Saves, Checks };

// Its cost goes on because of others on its machine that are not stopped with it.
bool leavesMachine(const IdleItem &item, const std::vector<IdleItem> &stopped)
{
    return item.recoverable == model::Recovery::WithMachine
        || std::any_of(item.stopWith.begin(), item.stopWith.end(), [&](const std::string &id) {
               return std::none_of(stopped.begin(), stopped.end(), [&](const IdleItem &one) { return one.id == id; });
           });
}

QString firstUpper(QString text)
{
    text.replace(0, 1, text.left(1).toUpper());
    return text;
}

// As a sentence with a capital letter, unless it begins with a name.
QString sentence(const Phrase &phrase, const base::TimeZone &zone = {})
{
    QString text = LocalText::phrase(phrase, zone);
    const bool isName = !phrase.terms.empty() && phrase.terms.front().kind == Phrase::Term::Kind::Text
        && !phrase.terms.front().text.empty() && text.startsWith(textOf(phrase.terms.front().text));
    return isName ? text : firstUpper(std::move(text));
}

QString joined(const std::vector<IdleItem> &items)
{
    QStringList names;
    for (const IdleItem &item : items)
        names << textOf(model::shownName(item.kind, item.name));
    return names.join(QStringLiteral(", "));
}

class StopTable : public TableSnapshot {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::StopTable)
public:
    explicit StopTable(const std::vector<IdleItem> &chosen)
    {
        for (const IdleItem &item : chosen)
            m_rows.push_back({textOf(item.id), textOf(model::shownName(item.kind, item.name)), textOf(item.owner),
                              item.gpus, textOf(item.gpuModel), IdleSaving::ofStop({item}, chosen), tr("checking…"),
                              widgets::Tone::Muted, false});
    }
    StopTable(const std::shared_ptr<const actions::Plan> &plan, const base::TimeZone &zone)
    {
        std::vector<IdleItem> all;
        for (const PlannedStop &stop : plan->stops) {
            if (stop.isStoppable())
                all.insert(all.end(), stop.items.begin(), stop.items.end());
        }
        for (const PlannedStop &stop : plan->stops) {
            const StopWords words = stopWords(stop, zone);
            const bool can = stop.isStoppable();
            m_rows.push_back({stopRowId(stop), words.title, textOf(stop.owner), stop.gpus,
                              textOf(stop.items.front().gpuModel), IdleSaving::ofStop(stop.items, all),
                              can ? passedText(stop) : words.verdict,
                              can ? widgets::Tone::Good : widgets::Tone::Warning, can});
        }
    }
    static std::vector<TableColumn> columns(base::Currency currency)
    {
        const QString code = QString::fromUtf8(currency.code().data(), static_cast<qsizetype>(currency.code().size()));
        std::vector<TableColumn> all(5);
        const auto set = [&](StopColumn column, const char *key, const QString &title, TableValueType type) {
            all[column].key = QString::fromLatin1(key);
            all[column].title = title;
            all[column].type = type;
        };
        set(What, "what", tr("What is stopped"), TableValueType::Text);
        set(Owner, "owner", tr("Owner"), TableValueType::Text);
        set(Gpus, "gpus", tr("GPUs"), TableValueType::Number);
        set(Saves, "month", tr("Saves, %1 a month", "currency").arg(code), TableValueType::Number);
        set(Checks, "checks", tr("Checks"), TableValueType::Text);
        all[What].isEmphasized = true;
        all[What].stretch = 2;
        all[Gpus].isWhole = true;
        all[Checks].stretch = 3;
        all[Saves].isFigure = true;
        return all;
    }

    static QString sunkText() { return tr("Stopping saves nothing: the machine is owned or committed to"); }

    int rowCount() const override { return static_cast<int>(m_rows.size()); }
    QString id(int row) const override { return at(row).id; }
    bool isCheckable(int row) const override { return at(row).can; }
    TableValue value(int row, int column) const override
    {
        const Row &one = at(row);
        switch (column) {
        case What:
            return one.what;
        case Owner:
            return one.owner;
        case Gpus:
            return one.gpus;
        case Saves:
            return one.saving.isPriced && one.saving.undecided == 0 && one.saving.unpriced == 0
                ? TableValue(one.saving.avoidable)
                : TableValue();
        default:
            return one.checks;
        }
    }
    QString text(int row, int column) const override
    {
        const Row &one = at(row);
        switch (column) {
        case What:
            return one.what;
        case Owner:
            return one.owner;
        case Gpus:
            return one.model.isEmpty() ? IdleText::gpuCount(one.gpus)
                                       : IdleText::gpus(one.gpus, one.model.toStdString());
        case Saves:
            return IdleText::amounts(one.saving);
        default:
            return one.checks;
        }
    }
    QString sourceLine(int row, int column) const override { return column == Checks ? at(row).checks : QString(); }
    QVariant extra(int row, int column, int role) const override
    {
        if (role != widgets::kToneRole || column != Checks)
            return {};
        return QVariant::fromValue(at(row).tone);
    }

private:
    struct Row {
        QString id, what, owner;
        double gpus = 0;
        QString model;
        IdleSaving saving; // in a month
        QString checks;
        widgets::Tone tone{};
        bool can = false;
    };
    static QString passedText(const PlannedStop &stop)
    {
        const auto passed = std::count_if(stop.checks.begin(), stop.checks.end(),
                                          [](const Check &check) { return check.outcome == Outcome::Passed; });
        const auto all = static_cast<int>(stop.checks.size());
        return passed == all ? tr("%n checks passed", nullptr, all)
                             : tr("%1 of %2 checks passed, none failed").arg(passed).arg(all);
    }
    const Row &at(int row) const { return m_rows[static_cast<std::size_t>(row)]; }
    std::vector<Row> m_rows;
};

} // namespace

std::vector<TableColumn> stopColumns(base::Currency currency)
{
    return StopTable::columns(currency);
}

std::shared_ptr<const TableSnapshot> stopTableOf(const std::vector<IdleItem> &chosen)
{
    return std::make_shared<StopTable>(chosen);
}

std::shared_ptr<const TableSnapshot> stopTableOf(const std::shared_ptr<const actions::Plan> &plan,
                                                 const base::TimeZone &zone)
{
    return std::make_shared<StopTable>(plan, zone);
}

QString stopRowId(const PlannedStop &stop)
{
    return textOf(stop.target.ref.uid.empty() ? stop.items.front().id : stop.target.ref.uid);
}

StopWords stopWords(const PlannedStop &stop, const base::TimeZone &zone)
{
    StopWords words;
    const bool found = !stop.target.ref.uid.empty();
    words.title = found ? textOf(targetText(stop.target.ref)) : joined(stop.items);
    if (found) {
        words.effect = sentence(effectOf(stop.target));
        words.undo = sentence(undoOf(stop.target));
        QStringList losses;
        for (const model::Loss loss : stop.target.losses)
            losses << LocalText::phrase(textOf(loss));
        words.lost = firstUpper(losses.join(QStringLiteral("; ")));
        for (const model::Caution &caution : stop.target.cautions)
            words.cautions << sentence(textOf(caution));
        const bool isSunk = std::any_of(stop.items.begin(), stop.items.end(), [](const IdleItem &item) {
            return item.recoverable == model::Recovery::AtDate || item.recoverable == model::Recovery::Never;
        });
        if (isSunk) // prepaid cost continues
            words.cautions << StopTable::sunkText();
        const auto shared = std::find_if(stop.items.begin(), stop.items.end(),
                                         [&](const IdleItem &item) { return leavesMachine(item, stop.items); });
        if (shared != stop.items.end())
            words.cautions << sentence(recoveryOf(*shared));
    }
    QStringList against;
    for (const Check &check : stop.checks) {
        const Phrase phrase = textOf(check);
        words.checks.push_back({LocalText::phrase(nameOf(check.name)), sentence(phrase, zone), check.outcome});
        if (check.outcome == Outcome::Failed)
            against << (against.isEmpty() ? sentence(phrase, zone) : LocalText::phrase(phrase, zone));
    }
    words.verdict = against.join(QStringLiteral("; "));
    return words;
}

} // namespace gpuledger::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/activity/activitytable.h"

#include "app/actions/plan/evidence.h"
#include "app/actions/run/marks.h"
#include "app/services/actions/actionservice.h"
#include "app/services/billing/billingservice.h"
#include "app/services/engine/configservice.h"
#include "app/store/actions/actionstore.h"
#include "app/store/damage/setaside.h"
#include "ui/format/actions/actionphrase.h"
#include "ui/format/actions/markphrase.h"
#include "ui/format/local/celltext.h"
#include "ui/format/local/localtext.h"
#include "ui/viewmodels/activity/actionwords.h"
#include "ui/viewmodels/idle/idletext.h"
#include "widgets/delegates/roles.h"

#include <QCoreApplication>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <map>

namespace gpuledger::ui {

using model::ActionRecord;
using model::ActionState;
using store::AuditEntry;

namespace {

enum ActivityColumn { When, Who, Kind, Object, State, Result, Reason, Number };
constexpr int kColumns = Number + 1;
// Pixels; a column that would get less is left out.
constexpr int kNameWidth = 240, kActionWidth = 160, kStateWidth = 100, kResultWidth = 150;

bool isOfAction(const AuditEntry &entry)
{
    return entry.event.action.rfind(store::kActionPrefix, 0) == 0;
}

QString rowIdOf(const ActionRecord &record)
{
    return QStringLiteral("a%1").arg(record.id);
}

QString rowIdOf(const AuditEntry &entry)
{
    return QStringLiteral("e%1").arg(entry.sequence);
}

QJsonObject detailsOf(const AuditEntry &entry)
{
    return QJsonDocument::fromJson(QByteArray::fromStdString(entry.event.details)).object();
}

widgets::Tone toneOf(ActionState state)
{
    switch (state) {
    case ActionState::Verified:
        return widgets::Tone::Good;
    case ActionState::Failed:
    case ActionState::Unknown:
        return widgets::Tone::Critical;
    case ActionState::Refused:
        return widgets::Tone::Warning;
    default:
        return widgets::Tone::Muted;
    }
}

// The first log entry of each action, by action id; it records the confirmation.
std::map<std::int64_t, const AuditEntry *> firstSteps(const std::vector<AuditEntry> &log)
{
    std::map<std::int64_t, const AuditEntry *> first;
    for (const AuditEntry &entry : log) {
        if (isOfAction(entry))
            first.emplace(detailsOf(entry).value(QLatin1String("id")).toInteger(), &entry); // no-tr: key
    }
    return first;
}

// When the entry was really written, if that differs from the time it states.
std::optional<base::UtcTime> writtenApart(const AuditEntry &entry)
{
    return store::isWrittenApart(entry) ? std::optional(entry.recorded->real) : std::nullopt;
}

class ActivityTable : public TableSnapshot {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::ActivityTable)
public:
    explicit ActivityTable(std::shared_ptr<const ActivitySnapshot> snapshot)
        : m_snapshot(std::move(snapshot))
    {
        const auto steps = firstSteps(m_snapshot->log);
        for (const ActionRecord &record : m_snapshot->actions) {
            addAction(record);
            if (const auto step = steps.find(record.id); step != steps.end())
                m_rows.back().written = writtenApart(*step->second);
        }
        for (const AuditEntry &entry : m_snapshot->log) {
            if (!isOfAction(entry))
                addEntry(entry);
        }
        std::reverse(m_rows.begin(), m_rows.end()); // within the same second, the last entry comes first
        std::stable_sort(m_rows.begin(), m_rows.end(), [](const Row &a, const Row &b) { return a.at > b.at; });
    }
    static std::vector<TableColumn> columns()
    {
        std::vector<TableColumn> all(kColumns);
        const auto set = [&](ActivityColumn column, const char *key, const QString &title, TableValueType type,
                             int stretch) {
            TableColumn &one = all[static_cast<std::size_t>(column)];
            one.key = QString::fromLatin1(key);
            one.title = title;
            one.type = type;
            one.stretch = stretch;
            one.isSearched = type == TableValueType::Text;
        };
        set(When, "when", tr("When"), TableValueType::Time, 0);
        set(Who, "who", tr("Who"), TableValueType::Text, 0);
        set(Kind, "kind", tr("Action"), TableValueType::Text, 0);
        set(Object, "object", tr("Target"), TableValueType::Text, 3);
        set(State, "state", tr("State"), TableValueType::Text, 0);
        set(Result, "result", tr("Result"), TableValueType::Text, 2);
        set(Reason, "reason", tr("Reason"), TableValueType::Text, 2);
        set(Number, "number", tr("Number"), TableValueType::Number, 0);
        all[Object].isEmphasized = true;
        all[Object].isWhole = all[Kind].isWhole = all[State].isWhole = true;
        all[Who].least = all[Object].least = all[Reason].least = kNameWidth;
        all[Kind].least = kActionWidth;
        all[State].least = kStateWidth;
        all[Result].least = kResultWidth;
        all[Reason].priority = 1;
        all[Who].priority = 2;
        all[Result].priority = 3;
        all[Number].isVisible = false;
        return all;
    }
    static QString actionName(const ActionRecord &record)
    {
        return record.intent.kind == model::ActionKind::Stop ? tr("stop") : tr("undo");
    }
    // The reason the user typed, or why the watch ended or postponed a mark.
    static QString reasonOf(const AuditEntry &entry, const base::TimeZone &zone)
    {
        const auto mark = actions::markIn(entry.event);
        return mark ? LocalText::phrase(textOf(*mark), zone)
                    : detailsOf(entry).value(QLatin1String("reason")).toString(); // no-tr: key
    }
    static QString entryName(const AuditEntry &entry)
    {
        const std::string &action = entry.event.action;
        const auto mark = QLatin1String("stop-after"); // no-tr: key
        if (action == store::kEndLease && detailsOf(entry).value(QLatin1String("kind")) == mark) // no-tr: key
            return tr("end a mark");
        return entryName(action);
    }
    static QString entryName(const std::string &action)
    {
        if (action == store::kReviewMonth)
            return tr("review a month");
        if (action == store::kReviewTeam)
            return tr("review a team's statement");
        if (action == store::kCloseMonth)
            return tr("close a month");
        if (action == store::kDecide)
            return tr("decide");
        if (action == store::kSettleDecision)
            return tr("settle a decision");
        if (action == store::kChooseSaving)
            return tr("decide on a saving");
        if (action == store::kConfirmDamage)
            return tr("acknowledge a damaged cache");
        if (action == store::kEndLease)
            return tr("withdraw a request");
        if (action == store::kPostponeLease)
            return tr("postpone a mark");
        if (action == std::string(store::kLeasePrefix) + std::string(toString(model::Lease::Kind::StopAfter)))
            return tr("mark for stopping");
        if (action.rfind(store::kLeasePrefix, 0) == 0)
            return tr("request to leave alone");
        return textOf(action);
    }

    int rowCount() const override { return static_cast<int>(m_rows.size()); }
    QString id(int row) const override { return at(row).id; }
    TableValue value(int row, int column) const override
    {
        const Row &one = at(row);
        if (column == When)
            return static_cast<qint64>(base::toUnix(one.at));
        if (column == Number)
            return one.number;
        return one.texts[static_cast<std::size_t>(column)];
    }
    QString text(int row, int column) const override
    {
        const Row &one = at(row);
        if (column == When)
            return IdleText::instant(one.at, m_snapshot->zone);
        if (column == Number)
            return QString::number(one.number);
        const QString &text = one.texts[static_cast<std::size_t>(column)];
        return text.isEmpty() && column != State ? QStringLiteral("–") : text;
    }
    QString sourceLine(int row, int column) const override
    {
        if (column != When)
            return text(row, column);
        const QString said = IdleText::exactInstant(at(row).at, m_snapshot->zone);
        if (!at(row).written)
            return said;
        return tr("%1, written %2 by this computer's clock", "time that an entry says, time of its writing")
            .arg(said, IdleText::exactInstant(*at(row).written, m_snapshot->zone));
    }
    QVariant extra(int row, int column, int role) const override
    {
        if (role != widgets::kToneRole || column != State)
            return {};
        return QVariant::fromValue(at(row).tone);
    }

private:
    struct Row {
        QString id;
        base::UtcTime at{};
        std::optional<base::UtcTime> written; // if it differs from `at`
        qint64 number = 0;
        std::array<QString, kColumns> texts;
        widgets::Tone tone = widgets::Tone::Muted;
    };
    void addAction(const ActionRecord &record)
    {
        Row row;
        row.id = rowIdOf(record);
        row.at = record.intent.at;
        row.number = record.id;
        row.texts[Who] = textOf(record.intent.actor);
        row.texts[Kind] = actionName(record);
        row.texts[Object] = textOf(targetText(record.intent.target));
        row.texts[State] = LocalText::phrase(textOf(record.state));
        row.texts[Result] = resultText(record, m_snapshot->zone);
        row.texts[Reason] = textOf(record.intent.reason);
        row.tone = toneOf(record.state);
        m_rows.push_back(std::move(row));
    }
    void addEntry(const AuditEntry &entry)
    {
        Row row;
        row.id = rowIdOf(entry);
        row.at = entry.event.at;
        row.written = writtenApart(entry);
        row.number = entry.sequence;
        row.texts[Who] = textOf(entry.event.actor);
        row.texts[Kind] = entryName(entry);
        row.texts[Object] = textOf(entry.event.object);
        row.texts[Reason] = reasonOf(entry, m_snapshot->zone);
        m_rows.push_back(std::move(row));
    }
    const Row &at(int row) const { return m_rows[static_cast<std::size_t>(row)]; }

    std::shared_ptr<const ActivitySnapshot> m_snapshot;
    std::vector<Row> m_rows;
};

// Creates the texts of an action's details.
class Evidence {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::ActivityEvidence)
public:
    static ActivityEvidence of(const ActivitySnapshot &snapshot, const ActionRecord &record)
    {
        const model::ActionIntent &intent = record.intent;
        ActivityEvidence out;
        out.title = textOf(targetText(intent.target));
        const auto add = [&](const QString &name, const QString &value) {
            if (!value.isEmpty())
                out.facts.emplace_back(name, value);
        };
        add(tr("State"), LocalText::phrase(textOf(record.state)));
        add(tr("Result"), resultText(record, snapshot.zone));
        add(tr("Who"), textOf(intent.actor));
        add(tr("Reason"), textOf(intent.reason));
        add(tr("Owner"), textOf(intent.owner));
        add(tr("GPUs"), IdleText::count(intent.gpus));
        if (intent.perMonth)
            add(tr("Per month if left idle"),
                LocalText::money(intent.perMonth->toDouble(), textOf(std::string(intent.perMonth->currency().code())),
                                 0));
        const bool isDone = record.state == ActionState::Executed || record.state == ActionState::Verified
            || record.state == ActionState::Undone;
        add(isDone ? tr("Changed") : tr("Planned change"), changeWords(intent));
        add(tr("Field"), textOf(intent.field));
        add(tr("Cluster"), textOf(intent.target.cluster));
        add(tr("Platform"), intent.isSimulated ? tr("simulated: nothing real was stopped") : QString());
        add(tr("Identity"), textOf(intent.target.uid));
        add(tr("Receipt"), textOf(record.receipt));
        if (intent.undoes != 0)
            add(tr("Brings back"), tr("action %1").arg(intent.undoes));
        addSteps(snapshot, record, out);
        for (const actions::Check &check : actions::checksIn(intent.evidence)) {
            const QString sign = check.outcome == actions::Outcome::Passed ? QStringLiteral("✓ ")
                : check.outcome == actions::Outcome::Failed                ? QStringLiteral("✗ ")
                                                                           : QStringLiteral("– ");
            out.checks.emplace_back(sign + LocalText::phrase(nameOf(check.name)),
                                    LocalText::phrase(textOf(check), snapshot.zone));
        }
        return out;
    }
    static ActivityEvidence of(const ActivitySnapshot &snapshot, const AuditEntry &entry)
    {
        ActivityEvidence out;
        out.title = textOf(entry.event.object);
        out.facts.emplace_back(tr("Action"), ActivityTable::entryName(entry));
        out.facts.emplace_back(tr("Who"), textOf(entry.event.actor));
        out.facts.emplace_back(tr("When"), IdleText::exactInstant(entry.event.at, snapshot.zone));
        if (const auto written = writtenApart(entry))
            out.facts.emplace_back(tr("Written"), IdleText::exactInstant(*written, snapshot.zone));
        const QJsonObject details = detailsOf(entry);
        for (auto it = details.begin(); it != details.end(); ++it) {
            const bool isReason =
                it.key() == QLatin1String("reason") || it.key() == QLatin1String("mark"); // no-tr: keys
            const QString value = isReason ? ActivityTable::reasonOf(entry, snapshot.zone) : it->toVariant().toString();
            if (!value.isEmpty())
                out.facts.emplace_back(detailName(it.key()), wordsOf(it.key(), value));
        }
        out.facts.emplace_back(tr("Entry"), QString::number(entry.sequence));
        out.facts.emplace_back(tr("Hash"), textOf(entry.hash).left(16));
        return out;
    }

private:
    // The translated name of a detail in the log; an unknown name stays as written.
    static QString detailName(const QString &key)
    {
        return key == QLatin1String("reason") || key == QLatin1String("mark") ? tr("Reason") // no-tr: keys
            : key == QLatin1String("outcome")  ? tr("Outcome", "of a damaged cache") // no-tr: key
            : key == QLatin1String("why")      ? tr("Damage") // no-tr: key
            : key == QLatin1String("state")    ? tr("State") // no-tr: key
            : key == QLatin1String("target")   ? tr("Target") // no-tr: key
            : key == QLatin1String("owner")    ? tr("Owner") // no-tr: key
            : key == QLatin1String("day")      ? tr("Until") // no-tr: key
            : key == QLatin1String("team")     ? tr("Team") // no-tr: key
            : key == QLatin1String("currency") ? tr("Currency") // no-tr: key
                                               : key;
    }
    static QString wordsOf(const QString &key, QString value)
    {
        if (key == QLatin1String("why")) // no-tr: key
            return value.remove(QLatin1String("*** in database main ***")).trimmed();
        if (key == QLatin1String("state")) // no-tr: key
            return value == QLatin1String("accepted") ? tr("accepted", "a proposal of savings") // no-tr: value
                : value == QLatin1String("dismissed") ? tr("dismissed", "a proposal of savings") // no-tr: value
                : value == QLatin1String("later")     ? tr("put off", "a proposal of savings") // no-tr: value
                : value == QLatin1String("open")      ? tr("open again", "a proposal of savings") // no-tr: value
                                                      : value;
        if (key != QLatin1String("outcome")) // no-tr: key
            return value;
        return value == QLatin1String("corrected") ? tr("repaired", "a damaged cache") // no-tr: value
            : value == QLatin1String("carried")    ? tr("what can't be fetched again was carried over") // no-tr: value
            : value == QLatin1String("lost")       ? tr("nothing could be carried over") // no-tr: value
                                                   : value;
    }
    static void addSteps(const ActivitySnapshot &snapshot, const ActionRecord &record, ActivityEvidence &out)
    {
        for (const AuditEntry &entry : snapshot.log) {
            if (!isOfAction(entry)
                || detailsOf(entry).value(QLatin1String("id")).toInteger() != record.id) // no-tr: key
                continue;
            const auto state =
                model::actionStateFrom(entry.event.action.substr(std::string(store::kActionPrefix).size()));
            if (state)
                out.steps.emplace_back(IdleText::instant(entry.event.at, snapshot.zone),
                                       LocalText::phrase(textOf(*state)));
        }
    }
};

class StandingText {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::StandingText)
public:
    static QString of(const actions::Standing &standing, const base::TimeZone &zone)
    {
        QString text = LocalText::phrase(textOf(standing));
        if (!standing.mark)
            return text;
        if (standing.mark->at != base::UtcTime())
            text = tr("%1, %2", "who stopped it, when").arg(text, IdleText::instant(standing.mark->at, zone));
        return standing.mark->reason.empty()
            ? text
            : tr("%1: %2", "who stopped it, why").arg(text, textOf(standing.mark->reason));
    }
};

} // namespace

base::Result<std::shared_ptr<const ActivitySnapshot>>
askActivity(const services::ConfigService &config, services::BillingService &billing, services::ActionService &actions)
{
    auto snapshot = std::make_shared<ActivitySnapshot>();
    snapshot->zone = config.timeZone();
    if (config.isReport())
        return snapshot;
    auto records = actions.log();
    GPULEDGER_TRY(records);
    auto log = billing.auditLog();
    GPULEDGER_TRY(log);
    snapshot->actions = std::move(*records);
    snapshot->log = std::move(*log);
    return snapshot;
}

QString standingWords(const actions::Standing &standing, const base::TimeZone &zone)
{
    return StandingText::of(standing, zone);
}

std::vector<TableColumn> activityColumns()
{
    return ActivityTable::columns();
}

std::shared_ptr<const TableSnapshot> activityTable(std::shared_ptr<const ActivitySnapshot> snapshot)
{
    return std::make_shared<ActivityTable>(std::move(snapshot));
}

const ActionRecord *actionOf(const ActivitySnapshot &snapshot, const QString &rowId)
{
    for (const ActionRecord &record : snapshot.actions) {
        if (rowIdOf(record) == rowId)
            return &record;
    }
    return nullptr;
}

ActivityEvidence activityEvidence(const ActivitySnapshot &snapshot, const QString &rowId)
{
    if (const ActionRecord *record = actionOf(snapshot, rowId))
        return Evidence::of(snapshot, *record);
    for (const AuditEntry &entry : snapshot.log) {
        if (rowIdOf(entry) == rowId)
            return Evidence::of(snapshot, entry);
    }
    return {};
}

} // namespace gpuledger::ui

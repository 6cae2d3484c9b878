// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/sources/accessstep.h"

#include "ui/dialogs/formrows.h"
#include "ui/format/local/localtext.h"
#include "widgets/state/plaintext.h"

#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace gpuledger::ui {

using widgets::ChoiceButton;
using widgets::Color;
using widgets::Space;
using widgets::TextSize;
using Access = SourceFields::Access;
using Keeper = SourceFields::Keeper;

namespace {

constexpr char kCertificateExample[] = "~/client.pem"; // no-tr: a path
constexpr char kKeyExample[] = "~/client.key"; // no-tr: a path
constexpr char kUserKey[] = "user", kTokenKey[] = "token", kPasswordKey[] = "password"; // no-tr: keys
constexpr char kHome[] = "~/"; // no-tr: part of a path
constexpr char kVariableEnd[] = "_TOKEN"; // no-tr: part of a name
constexpr char kFileEnd[] = "-token"; // no-tr: part of a name

// In the order of the enumeration.
constexpr std::array<const char *, 4> kKeepers{"keychain", "env", "file", "command"};

template <typename Keys> int indexOf(const Keys &keys, const QString &key)
{
    const auto at = std::find_if(keys.begin(), keys.end(), [&](const char *one) { return key == QLatin1String(one); });
    return at == keys.end() ? 0 : static_cast<int>(at - keys.begin());
}

} // namespace

// Those that the kind takes, and the one that the draft has.
void AccessStep::showAccessChoices()
{
    const std::array<std::pair<Access, QString>, 4> all{
        {{Access::None, m_withoutLogin.isEmpty() ? tr("No login needed") : m_withoutLogin},
         {Access::Bearer, tr("Bearer token")},
         {Access::Basic, tr("User and password")},
         {Access::Certificate, tr("Client certificate")}}};
    std::vector<ChoiceButton::Choice> choices;
    for (const auto &[access, text] : all) {
        if (!m_kind || takesAccess(*m_kind, access))
            choices.push_back({QLatin1String(accessName(access)), text});
    }
    if (m_hasOther)
        choices.push_back({QLatin1String(accessName(Access::Other)), tr("As in the file")});
    const QSignalBlocker blocker(m_access); // must not count as the user's choice
    m_access->setChoices(choices);
    m_access->setCurrentKey(QLatin1String(accessName(m_draft.fields().access)));
}

std::vector<ChoiceButton::Choice> AccessStep::keeperChoices()
{
    return {{QLatin1String(kKeepers[0]), tr("Keychain of the system")},
            {QLatin1String(kKeepers[1]), tr("Environment variable")},
            {QLatin1String(kKeepers[2]), tr("File that only you can read")}};
}

AccessStep::AccessStep(const widgets::Theme &theme, SourceDraft &draft, std::function<void()> edited)
    : m_draft(draft)
    , m_edited(std::move(edited))
    , m_form(new QFormLayout)
{
    auto *all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(theme.space(Space::Medium));
    QFormLayout &form = *m_form;
    form.setVerticalSpacing(theme.space(Space::Medium));
    m_help = widgets::plainLabel(theme, {}, TextSize::Body, Color::Muted);
    m_help->setWordWrap(true);
    all->addWidget(m_help); // above the form, which would cut its last line
    all->addLayout(m_form);
    m_access = new ChoiceButton(tr("Access"));
    showAccessChoices();
    connect(m_access, &ChoiceButton::chosen, this, [this] {
        m_edited();
        showChoice();
    });
    form.addRow(tr("Access"), m_access);
    const auto detached = [&](const QString &name, const QString &example) {
        QLineEdit *edit = field({}, example);
        edit->setAccessibleName(name);
        return edit;
    };
    m_user = detached(tr("User"), {});
    addRow(tr("User"), m_user, {Access::Basic});
    m_keeper = new ChoiceButton(tr("Kept in"));
    m_keeper->setChoices(keeperChoices());
    connect(m_keeper, &ChoiceButton::chosen, this, [this] {
        m_edited();
        showChoice();
    });
    addRow(tr("Kept in"), m_keeper, {Access::Bearer, Access::Basic});
    m_kept = detached(tr("Where the credential is"), {});
    addRow(tr("Under"), m_kept, {Access::Bearer, Access::Basic});
    m_certificate = detached(tr("Certificate file"), QLatin1String(kCertificateExample));
    addRow(tr("Certificate"), m_certificate, {Access::Certificate});
    m_key = detached(tr("Key file"), QLatin1String(kKeyExample));
    addRow(tr("Key"), m_key, {Access::Certificate});
    m_authority = field(tr("Authority"), tr("those that the system trusts"),
                        tr("PEM file of your own certificate authority; certificates are always verified"));
    form.addRow(tr("Authority"), m_authority);
    QLabel *note = widgets::plainLabel(theme,
                                       tr("Passwords and tokens are not typed here: the configuration only "
                                          "says where they are kept."),
                                       TextSize::Body, Color::Muted);
    note->setWordWrap(true);
    form.addRow(note);
}

QLineEdit *AccessStep::field(const QString &label, const QString &example, const QString &help)
{
    QLineEdit *edit = formField(label, example, help);
    connect(edit, &QLineEdit::textEdited, this, m_edited);
    return edit;
}

void AccessStep::addRow(const QString &label, QWidget *edit, std::vector<Access> shownFor)
{
    m_form->addRow(label, edit);
    m_rows.push_back({edit, std::move(shownFor)});
}

void AccessStep::showKind(const ports::SourceKind &kind)
{
    const ports::SourceField *const access = typedField(kind, ports::SourceField::Type::Access);
    if (!access)
        return;
    // What the help of every kind says is said below the rows.
    const bool isUsual = access->help == ports::kAccessField.help;
    m_help->setText(isUsual ? QString() : LocalText::connectorText(access->help));
    m_hasAuthority = typedField(kind, ports::SourceField::Type::Authority) != nullptr;
    m_withoutLogin =
        access->fallback == ports::kAccessField.fallback ? QString() : LocalText::connectorText(access->fallback);
    if (!m_withoutLogin.isEmpty())
        m_withoutLogin[0] = m_withoutLogin.at(0).toUpper();
    m_userExample = exampleIn(*access, QLatin1String(kUserKey));
    const QString token = exampleIn(*access, QLatin1String(kTokenKey)),
                  password = exampleIn(*access, QLatin1String(kPasswordKey));
    m_keptExample = (token.isEmpty() ? password : token).section(QLatin1Char(':'), 1);
    m_kind = &kind;
    showAccessChoices();
    showChoice();
}

void AccessStep::fill(const SourceFields &fields)
{
    const QSignalBlocker keeper(m_keeper); // filling in must not count as the user's choice
    m_hasOther = fields.access == Access::Other; // it can be kept
    showAccessChoices();
    if (fields.keeper == Keeper::Command) {
        auto choices = keeperChoices();
        choices.push_back({QLatin1String(kKeepers[3]), tr("Command, as in the file")});
        m_keeper->setChoices(choices);
    }
    m_keeper->setCurrentKey(QLatin1String(kKeepers[static_cast<std::size_t>(fields.keeper)]));
    m_user->setText(fields.user);
    m_kept->setText(fields.kept);
    m_certificate->setText(fields.certificate);
    m_key->setText(fields.key);
    m_authority->setText(fields.authority);
}

void AccessStep::read(SourceFields &fields) const
{
    for (const Access one : {Access::None, Access::Bearer, Access::Basic, Access::Certificate, Access::Other}) {
        if (m_access->currentKey() == QLatin1String(accessName(one)))
            fields.access = one;
    }
    fields.keeper = static_cast<Keeper>(indexOf(kKeepers, m_keeper->currentKey()));
    fields.user = m_user->text();
    fields.kept = m_kept->text();
    fields.certificate = m_certificate->text();
    fields.key = m_key->text();
    fields.authority = m_authority->text();
}

void AccessStep::showChoice()
{
    const Access access = m_draft.fields().access;
    std::vector<FormRow> rows;
    for (const Row &row : m_rows)
        rows.push_back({row.field, std::find(row.shownFor.begin(), row.shownFor.end(), access) != row.shownFor.end()});
    rows.push_back({m_authority, m_hasAuthority});
    m_help->setVisible(!m_help->text().isEmpty());
    showRows(*m_form, rows);
    m_user->setPlaceholderText(m_userExample.isEmpty() ? tr("reader", "example of a user's name") : m_userExample);
    const QString stem = m_keptExample.section(QLatin1Char('-'), 0, 0);
    switch (m_draft.fields().keeper) {
    case Keeper::Keychain:
        m_kept->setPlaceholderText(tr("%1, the name in the keychain", "an example").arg(m_keptExample));
        break;
    case Keeper::Environment:
        m_kept->setPlaceholderText(
            tr("%1, the name of the variable", "an example").arg(stem.toUpper().append(QLatin1String(kVariableEnd))));
        break;
    case Keeper::File:
        m_kept->setPlaceholderText(tr("%1, the path of the file", "an example")
                                       .arg(QString(QLatin1String(kHome) + stem + QLatin1String(kFileEnd))));
        break;
    case Keeper::Command:
        break;
    }
    m_kept->setReadOnly(m_draft.fields().keeper == Keeper::Command); // the user agreed to its exact text
}

void AccessStep::focusFirst()
{
    m_access->setFocus();
}

} // namespace gpuledger::ui

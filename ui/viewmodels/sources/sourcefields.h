// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/sourcekind.h"
#include "app/services/config/configedit.h"

#include <QString>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gpuledger::ui {

// What the user entered for a source, as typed. Never contains a credential, only where it is stored.
struct SourceFields {
    enum class Access {
        None,
        Bearer,
        Basic,
        Certificate,
        Other
    }; // Other: an authentication form of the file that the dialog can't edit
    enum class Keeper { Keychain, Environment, File, Command }; // Command: likewise

    QString kind; // empty: the first kind that the dialog supports
    QString url;
    QString path; // file or folder
    QString name;
    QString cluster; // empty: the source's name
    Access access = Access::None;
    QString user;
    Keeper keeper = Keeper::Keychain;
    QString kept; // name or path under which the keeper stores the credential
    QString certificate, key; // PEM files
    QString authority; // PEM file; empty: the system's authorities
    QString kubeconfig; // file; empty: kubectl's default files
    QString context; // in the kubeconfig; empty: its current context
    QString region, profile; // for AWS; empty profile: the default credential chain of the AWS tools
    bool mayStop = false; // for a platform
    std::map<std::string, QString> options; // other settings of the kind, by key
    std::map<std::string, QString> rare; // rarely needed settings of the kind, by key
    std::set<std::string> onlyInFile; // keys of such settings whose value can't be typed on one line

    friend bool operator==(const SourceFields &, const SourceFields &) = default;
};

// The fields of a configured source; pure functions, any thread.
SourceFields fieldsOf(const model::SourceSettings &source, const ports::SourceKind &kind);
// As the configuration names it: "none", "bearer", "basic", "mtls", or "other".
const char *accessName(SourceFields::Access access);
// Whether the kind takes that access. What the file has and the dialog can't edit stays.
bool takesAccess(const ports::SourceKind &kind, SourceFields::Access access);
// The access, or the first that the kind takes.
SourceFields::Access takenAccess(const ports::SourceKind &kind, SourceFields::Access access);
// The "auth" section for the fields, key by key; empty if there is none, or to keep that of the file.
services::NewSource::Parts authOf(const SourceFields &fields, const ports::SourceKind &kind);
// The kind's settings that have no field of their own in a source, as typed, in the order of the kind.
std::vector<std::pair<std::string, QString>> optionsOf(const SourceFields &fields, const ports::SourceKind &kind);
// The kind's field of this type, if the dialog asks for it; else null.
const ports::SourceField *typedField(const ports::SourceKind &kind, ports::SourceField::Type type);
// Whether the setting is kept in SourceFields::options.
bool isOption(const ports::SourceField &field);
// The first required path or option that is empty; null if all have a value.
const ports::SourceField *missingField(const SourceFields &fields, const ports::SourceKind &kind);
// The rarely needed settings of the kind that can be typed on a line.
std::vector<ports::SourceField> rareFields(const ports::SourceKind &kind);
// The text of a rarely needed setting; empty if it has none.
QString rareText(const SourceFields &fields, const ports::SourceField &field);
// Adds a rarely needed setting to `source`, unless it is empty.
void addRare(const SourceFields &fields, const ports::SourceField &field, services::NewSource &source);
// "X-Scope-OrgID=ml; X-Two=b" and back; text without "=" becomes a header without a value.
QString headersText(const std::map<std::string, std::string> &headers);
services::NewSource::Parts typedHeaders(const QString &text);
// The typed text without surrounding spaces.
std::string typedText(const QString &text);
// The path as a file reference; empty stays empty.
std::string fileReference(const QString &path);
// Whether the text looks like an AWS region: "eu-central-1".
bool isRegion(const QString &text);
// Whether the dialog supports this kind: all but simulated ones.
bool isTypedKind(const ports::SourceKind &kind);
// Whether the kind reports on a cluster, whose name the dialog asks for: bills don't.
bool namesCluster(const ports::SourceKind &kind);
// What the field's example of a map has for a key: "prod" for "profile" in "{ type: sigv4, profile: prod }". Empty if
// it has none.
QString exampleIn(const ports::SourceField &field, const QString &key);

} // namespace gpuledger::ui

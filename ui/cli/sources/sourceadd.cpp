// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/sources/sourceadd.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "app/ports/sourcecatalog.h"
#include "app/services/config/config.h"
#include "ui/cli/program/newfile.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <set>

namespace gpuledger::cli {

namespace {

using base::ErrorCode;
using base::Result;
using services::NewSource;

// Paths on the command line are relative to the working directory, those in the configuration to its own folder.
std::string fromHere(const std::string &path)
{
    std::error_code ec;
    return path.empty() || path.starts_with('~') ? path
                                                 : std::filesystem::absolute(path, ec).lexically_normal().string();
}

std::string reference(const std::string &text)
{
    return text.starts_with("file:") ? "file:" + fromHere(text.substr(5)) : text;
}

// Parses each "NAME=VALUE"; `option` names the option in the error, which does not repeat the value.
Result<NewSource::Parts> pairs(const std::vector<std::string> &texts, const std::string &option)
{
    NewSource::Parts parts;
    std::set<std::string> names;
    for (const std::string &text : texts) {
        const std::size_t equals = text.find('=');
        if (equals == 0 || equals == std::string::npos)
            return base::fail(ErrorCode::InvalidArgument, option + " must be NAME=VALUE",
                              base::Remedy::SeeSourcesAddHelp);
        parts.emplace_back(text.substr(0, equals), text.substr(equals + 1));
        if (!names.insert(parts.back().first).second)
            return base::fail(ErrorCode::InvalidArgument,
                              option + " names " + base::printable(parts.back().first, 64) + " twice",
                              base::Remedy::KeepOne);
    }
    return parts;
}

// Checks that the source can be created, and discards it.
Result<void> canRead(const Session &session, const model::SourceSettings &settings)
{
    const Ports &built = session.ports();
    const ports::SourceKinds kinds = built.catalog.kinds();
    const ports::SourceKind *const kind = ports::findKind(kinds, settings.kind);
    if (kind && kind->tellsBills()) {
        GPULEDGER_TRY(built.catalog.createCost(settings, built.secrets, session.clock()));
    } else if (kind && kind->tellsClaims()) {
        GPULEDGER_TRY(built.catalog.createClaims(settings, built.secrets, session.clock()));
    } else if (kind && kind->tellsPlans()) {
        GPULEDGER_TRY(built.catalog.createPlans(settings, built.secrets, session.clock()));
    } else if (kind && kind->isPlatform()) {
        GPULEDGER_TRY(built.catalog.createTarget(settings, built.secrets, session.clock()));
    } else if (kind && kind->tellsAllocations()) {
        GPULEDGER_TRY(built.catalog.createAllocation(settings, built.secrets, session.clock()));
    } else {
        GPULEDGER_TRY(built.catalog.create(settings, {}, built.secrets, session.clock()));
    }
    return {};
}

} // namespace

void SourceAdd::addOptionsTo(CLI::App &verb)
{
    const auto add = [&](const char *name, std::string &value, const char *help) {
        verb.add_option(name, value, help);
    };
    add("name", m_source.name, "Name of the source; unique");
    verb.add_flag(
        "--sample", m_sample,
        "Write a commented sample instead: to the file of --config (never over an existing one), else to stdout");
    add("--kind", m_source.kind, "Kind of source, for example prometheus (the default with --url) or demo");
    add("--url", m_source.url, "Address of the server");
    add("--path", m_source.path, "File or folder, for kinds that read one");
    add("--cluster-name", m_source.cluster, "Name of the cluster whose devices this source reports");
    add("--cluster-label", m_source.clusterLabel, "Label that names the cluster");
    add("--kubeconfig", m_kubeconfig, "Kubeconfig file of the cluster, for kubernetes ($KUBECONFIG or ~/.kube/config)");
    add("--context", m_context, "Context in that file (default: its current context)");
    add("--auth", m_auth, "none, basic, bearer, mtls or sigv4 (default: inferred from the options below)");
    add("--user", m_user, "User, for basic");
    add("--password", m_password,
        "Location of the password: keychain:NAME, env:NAME, file:PATH or command:PROGRAM ARGUMENT…");
    add("--token", m_token, "Location of the bearer token, in the same form");
    add("--token-header", m_tokenHeader, "Header for the token, for example X-API-KEY (Authorization)");
    add("--certificate", m_certificate, "PEM file of the client certificate, for mtls");
    add("--key", m_key, "PEM file of the client key");
    add("--region", m_region, "AWS region, for sigv4");
    add("--profile", m_profile, "Profile of the credentials (default: the AWS credential chain)");
    add("--ca", m_source.ca, "PEM file of your certificate authority");
    verb.add_option("--header", m_headers, "NAME=VALUE, for example X-Scope-OrgID=ml; repeatable")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    add("--timeout", m_source.timeout, "Timeout of a request (55s)");
    add("--first-sync", m_source.firstSync, "How far back the first sync goes (90d)");
    add("--every", m_source.every, "How often it is read (5m)");
    verb.add_option("--right", m_source.rights, "read or stop; repeatable (read)")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    verb.add_option("--set", m_options, "KEY=VALUE of this kind of source, for example gpus=8; repeatable")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

Result<NewSource::Parts> SourceAdd::auth() const
{
    NewSource::Parts parts;
    const std::string type = !m_auth.empty()       ? m_auth
        : !m_token.empty()                         ? "bearer"
        : !m_password.empty() || !m_user.empty()   ? "basic"
        : !m_certificate.empty() || !m_key.empty() ? "mtls"
        : !m_region.empty() || !m_profile.empty()  ? "sigv4"
                                                   : "";
    const auto add = [&](const char *key, const std::string &value) {
        if (!value.empty())
            parts.emplace_back(key, value);
    };
    add("type", type);
    add("user", m_user);
    add("password", reference(m_password));
    add("token", reference(m_token));
    add("header", m_tokenHeader);
    add("certificate", m_certificate.empty() ? "" : "file:" + fromHere(m_certificate));
    add("key", m_key.empty() ? "" : "file:" + fromHere(m_key));
    add("profile", m_profile);
    add("region", m_region);
    return parts;
}

// The first kind that accepts the given options; empty if none does.
std::string SourceAdd::guessedKind(const ports::SourceKinds &kinds) const
{
    using Type = ports::SourceField::Type;
    const bool leadsToCluster = !m_kubeconfig.empty() || !m_context.empty();
    if (m_source.url.empty() && !leadsToCluster && m_auth != "sigv4" && m_region.empty())
        return {};
    const Type given = !m_source.url.empty() ? Type::Url : leadsToCluster ? Type::Kubeconfig : Type::Signed;
    for (const ports::SourceKind &kind : kinds) {
        const bool takes = std::any_of(kind.fields.begin(), kind.fields.end(),
                                       [&](const ports::SourceField &field) { return field.type == given; });
        if (given == Type::Url ? kind.needs(given) : takes)
            return kind.kind;
    }
    return {};
}

Result<NewSource> SourceAdd::source(const ports::SourceKinds &kinds) const
{
    NewSource source = m_source;
    if (source.name.empty())
        return base::fail(ErrorCode::InvalidArgument, "sources add needs the name of the new source, or --sample",
                          "for example: gpuledger-cli sources add prod --url https://prometheus.example.org");
    if (source.kind.empty())
        source.kind = guessedKind(kinds);
    auto authParts = auth();
    GPULEDGER_TRY(authParts);
    auto headers = pairs(m_headers, "--header");
    GPULEDGER_TRY(headers);
    auto options = pairs(m_options, "--set");
    GPULEDGER_TRY(options);
    if (!m_kubeconfig.empty())
        options->emplace_back("kubeconfig", fromHere(m_kubeconfig));
    if (!m_context.empty())
        options->emplace_back("context", m_context);
    source.auth = std::move(*authParts);
    source.headers = std::move(*headers);
    source.options = std::move(*options);
    source.path = fromHere(source.path);
    source.ca = source.ca.empty() ? "" : "file:" + fromHere(source.ca);
    return source;
}

Result<int> SourceAdd::run(Session &session)
{
    if (m_sample)
        return writeSample(session);
    const ports::SourceKinds kinds = session.ports().catalog.kinds();
    const auto wanted = source(kinds);
    GPULEDGER_TRY(wanted);
    const std::filesystem::path file = session.configFile();
    const auto settings = services::checkNewSource(*wanted, std::filesystem::absolute(file).parent_path(), kinds);
    GPULEDGER_TRY(settings);
    // A source that this build can't read would fail in every sync.
    GPULEDGER_TRY(canRead(session, *settings));
    GPULEDGER_TRY(services::addSourceToFile(file, *wanted, kinds));
    if (session.out().json()) {
        GPULEDGER_TRY(session.out().print(
            Json{{"added", {{"name", settings->name}, {"kind", settings->kind}}}, {"file", file.string()}}));
        return kDone;
    }
    session.out().note("added " + settings->name + " to " + file.string() + "; now run: gpuledger-cli sources test "
                       + settings->name);
    return kDone;
}

Result<int> SourceAdd::writeSample(Session &session)
{
    const std::string sample = services::sampleConfig(session.ports().catalog.kinds());
    if (session.options().config.empty()) {
        GPULEDGER_TRY(session.out().print(sample));
        return kDone;
    }
    GPULEDGER_TRY(writeNewFile(session.configFile(), sample));
    session.out().note("wrote " + session.configFile().string()
                       + "; change the url in it, then run: gpuledger-cli sync");
    return kDone;
}

} // namespace gpuledger::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/auth/kubeconfig.h"

#include "app/base/remedy.h"
#include "app/base/text/log.h"
#include "app/base/text/text.h"
#include "connectors/auth/kubeconfigfile.h"

#include <nlohmann/json.hpp>
#include <openssl/evp.h>

#include <algorithm>
#include <cstdlib>

namespace gpuledger::auth {

using base::ErrorCode;
using base::Result;
using base::Secret;
namespace fs = std::filesystem;

namespace {

std::string inQuotes(const std::string &name)
{
    return '"' + base::printable(name, 100) + '"';
}

std::string environment(const char *name)
{
    const char *value = std::getenv(name);
    return value ? value : "";
}

fs::path resolved(const fs::path &folder, const std::string &path)
{
    const fs::path given(path);
    return given.is_absolute() ? given : folder / given;
}

Result<std::string> fromBase64(const std::string &text, const char *key)
{
    std::string packed;
    std::copy_if(text.begin(), text.end(), std::back_inserter(packed),
                 [](char c) { return c != '\n' && c != '\r' && c != ' '; });
    std::string out(packed.size() / 4 * 3 + 3, '\0');
    const int size = packed.empty() || packed.size() % 4 != 0
        ? -1
        : EVP_DecodeBlock(reinterpret_cast<unsigned char *>(out.data()),
                          reinterpret_cast<const unsigned char *>(packed.data()), static_cast<int>(packed.size()));
    if (size < 0)
        return base::fail(ErrorCode::InvalidConfig, std::string(key) + " is not base64", base::Remedy::ViewKubeconfig);
    out.resize(static_cast<std::size_t>(size)
               - static_cast<std::size_t>(std::count(packed.end() - 2, packed.end(), '=')));
    return out;
}

// NAME-data, otherwise the content of the file that NAME points to; empty if neither is present.
Result<std::string> pem(const KubeEntry &entry, const std::string &key)
{
    const std::string dataKey = key + "-data";
    if (const std::string data = textOf(entry.fields, dataKey.c_str()); !data.empty())
        return fromBase64(data, dataKey.c_str());
    const std::string path = textOf(entry.fields, key.c_str());
    if (path.empty())
        return std::string();
    auto text = readSmallFile(resolved(entry.folder, path));
    GPULEDGER_TRY(text);
    if (!*text || (*text)->empty())
        return base::fail(ErrorCode::NotFound, key + " in the kubeconfig does not exist: " + base::printable(path, 256),
                          base::Remedy::CheckPathInKubeconfig);
    return std::move(**text);
}

Result<Secret> secretPem(const KubeEntry &entry, const std::string &key)
{
    auto text = pem(entry, key);
    GPULEDGER_TRY(text);
    return Secret(std::move(*text));
}

Result<void> readCluster(const KubeEntry &entry, KubeAccess &access)
{
    access.server = textOf(entry.fields, "server");
    while (access.server.ends_with('/'))
        access.server.pop_back();
    if (auto url = http::parseUrl(access.server); !url)
        return base::fail(std::move(url).error());
    if (textOf(entry.fields, "insecure-skip-tls-verify") == "true")
        return base::fail(
            ErrorCode::InvalidConfig,
            "the kubeconfig turns off certificate verification (insecure-skip-tls-verify), which is not supported",
            base::Remedy::SetClusterAuthority);
    auto ca = pem(entry, "certificate-authority");
    GPULEDGER_TRY(ca);
    access.caPem = std::move(*ca);
    access.serverName = textOf(entry.fields, "tls-server-name");
    access.proxy = textOf(entry.fields, "proxy-url");
    const bool known = access.proxy.empty() || access.proxy.starts_with("http://")
        || access.proxy.starts_with("https://") || access.proxy.starts_with("socks5://");
    if (!known || access.serverName.find_first_of("/?#@: \r\n") != std::string::npos)
        return base::fail(ErrorCode::InvalidConfig,
                          "proxy-url must be an http, https or socks5 address, and tls-server-name a host name",
                          base::Remedy::ViewKubeconfig);
    return {};
}

void readImpersonation(const YAML::Node &user, KubeAccess &access)
{
    const auto add = [&](const std::string &name, const std::string &value) {
        if (!value.empty())
            access.headers.emplace_back(name, value);
    };
    add("Impersonate-User", textOf(user, "act-as"));
    add("Impersonate-Uid", textOf(user, "act-as-uid"));
    if (const YAML::Node groups = user["act-as-groups"]; groups.IsDefined() && groups.IsSequence()) {
        for (const YAML::Node &group : groups) {
            if (group.IsScalar())
                add("Impersonate-Group", group.Scalar());
        }
    }
    const YAML::Node extra = user["act-as-user-extra"];
    if (!extra.IsDefined() || !extra.IsMap())
        return;
    for (const auto &one : extra) {
        if (!one.second.IsSequence())
            continue;
        for (const YAML::Node &value : one.second) {
            if (value.IsScalar())
                add("Impersonate-Extra-" + one.first.Scalar(), value.Scalar());
        }
    }
}

nlohmann::json jsonOf(const YAML::Node &node)
{
    if (node.IsMap()) {
        nlohmann::json map = nlohmann::json::object();
        for (const auto &one : node)
            map[one.first.Scalar()] = jsonOf(one.second);
        return map;
    }
    if (node.IsSequence()) {
        nlohmann::json list = nlohmann::json::array();
        for (const YAML::Node &one : node)
            list.push_back(jsonOf(one));
        return list;
    }
    if (!node.IsScalar())
        return nullptr;
    const std::string &text = node.Scalar();
    if (node.Tag() != "!" && (text == "true" || text == "false"))
        return text == "true";
    return text;
}

// The cluster information that is passed to the program if it requests it.
nlohmann::json clusterInfo(const KubeEntry &cluster, const KubeAccess &access)
{
    nlohmann::json info{{"server", access.server}};
    if (!access.serverName.empty())
        info["tls-server-name"] = access.serverName;
    if (!access.proxy.empty())
        info["proxy-url"] = access.proxy;
    if (!access.caPem.empty()) {
        std::string data((access.caPem.size() + 2) / 3 * 4 + 1, '\0');
        const int size = EVP_EncodeBlock(reinterpret_cast<unsigned char *>(data.data()),
                                         reinterpret_cast<const unsigned char *>(access.caPem.data()),
                                         static_cast<int>(access.caPem.size()));
        data.resize(static_cast<std::size_t>(size));
        info["certificate-authority-data"] = data;
    }
    const YAML::Node extensions = cluster.fields["extensions"];
    if (extensions.IsDefined() && extensions.IsSequence()) {
        for (const YAML::Node &one : extensions) {
            if (textOf(one, "name") == "client.authentication.k8s.io/exec")
                info["config"] = jsonOf(one["extension"]);
        }
    }
    return info;
}

Result<void> readExec(const YAML::Node &exec, const KubeEntry &user, const KubeEntry &cluster, KubeAccess &access)
{
    KubeExec out;
    out.apiVersion = textOf(exec, "apiVersion");
    out.installHint = textOf(exec, "installHint");
    const std::string command = textOf(exec, "command"), mode = textOf(exec, "interactiveMode");
    const bool isV1 = out.apiVersion == "client.authentication.k8s.io/v1";
    if (!isV1 && out.apiVersion != "client.authentication.k8s.io/v1beta1")
        return base::fail(ErrorCode::Unsupported,
                          "the login program in the kubeconfig uses " + inQuotes(out.apiVersion)
                              + ", which clusters no longer accept",
                          base::Remedy::RenewKubeconfig);
    if (command.empty() || (isV1 && mode.empty()))
        return base::fail(ErrorCode::InvalidConfig, "exec in the kubeconfig lacks command or interactiveMode",
                          base::Remedy::RenewKubeconfig);
    if (mode == "Always")
        return base::fail(ErrorCode::Unsupported,
                          "the login program " + inQuotes(command) + " needs a terminal for input, and there is none",
                          base::Remedy::LogInWithKubectl);
    const bool hasFolder = command.find('/') != std::string::npos;
    out.command.arguments = {hasFolder ? fs::absolute(resolved(user.folder, command)).lexically_normal().string()
                                       : command};
    if (const YAML::Node arguments = exec["args"]; arguments.IsDefined() && arguments.IsSequence()) {
        for (const YAML::Node &one : arguments)
            out.command.arguments.push_back(one.IsScalar() ? one.Scalar() : std::string());
    }
    if (const YAML::Node variables = exec["env"]; variables.IsDefined() && variables.IsSequence()) {
        for (const YAML::Node &one : variables)
            out.command.variables.emplace_back(textOf(one, "name"), textOf(one, "value"));
    }
    nlohmann::json info{{"kind", "ExecCredential"}, {"apiVersion", out.apiVersion}, {"spec", {{"interactive", false}}}};
    if (textOf(exec, "provideClusterInfo") == "true")
        info["spec"]["cluster"] = clusterInfo(cluster, access);
    out.command.variables.emplace_back("KUBERNETES_EXEC_INFO",
                                       info.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    access.exec = std::move(out);
    return {};
}

Result<void> readProvider(const YAML::Node &provider, KubeAccess &access)
{
    const std::string name = textOf(provider, "name");
    if (name == "oidc" && provider["config"].IsDefined()) {
        access.token = Secret(textOf(provider["config"], "id-token"));
        if (!access.token.empty())
            return {};
    }
    const std::string text = "the kubeconfig uses the auth-provider " + inQuotes(name) + ", which no longer exists";
    if (name == "gcp")
        return base::fail(ErrorCode::Unsupported, text, base::Remedy::UseGkePlugin);
    if (name == "azure")
        return base::fail(ErrorCode::Unsupported, text, base::Remedy::UseKubelogin);
    return base::fail(ErrorCode::Unsupported, text, base::Remedy::RenewKubeconfig);
}

Result<void> readUser(const KubeEntry &entry, const KubeEntry &cluster, KubeAccess &access)
{
    const YAML::Node &user = entry.fields;
    if (!user.IsMap())
        return {};
    auto certificate = secretPem(entry, "client-certificate");
    GPULEDGER_TRY(certificate);
    auto key = secretPem(entry, "client-key");
    GPULEDGER_TRY(key);
    if (certificate->empty() != key->empty())
        return base::fail(ErrorCode::InvalidConfig,
                          "the kubeconfig has a client certificate without its key, or a key without its certificate",
                          base::Remedy::ViewKubeconfig);
    access.certificatePem = std::move(*certificate);
    access.keyPem = std::move(*key);
    access.token = Secret(textOf(user, "token"));
    if (const std::string file = textOf(user, "tokenFile"); !file.empty())
        access.tokenFile = resolved(entry.folder, file);
    access.user = textOf(user, "username");
    access.password = Secret(textOf(user, "password"));
    for (const Secret *secret : {&access.token, &access.password, &access.keyPem})
        base::log::redactValue(secret->reveal());
    readImpersonation(user, access);
    if (const YAML::Node exec = user["exec"]; exec.IsDefined() && exec.IsMap())
        GPULEDGER_TRY(readExec(exec, entry, cluster, access));
    if (const YAML::Node provider = user["auth-provider"]; provider.IsDefined() && provider.IsMap())
        GPULEDGER_TRY(readProvider(provider, access));
    return {};
}

tl::unexpected<base::Error> unknownEntry(const char *what, const std::string &name)
{
    return base::fail(ErrorCode::NotFound, std::string("no kubeconfig has a ") + what + ' ' + inQuotes(name),
                      base::Remedy::SeeContexts);
}

Result<std::vector<KubeconfigFile>> readFiles(const std::vector<fs::path> &paths)
{
    std::vector<KubeconfigFile> files;
    for (const fs::path &path : paths) {
        auto text = readSmallFile(path);
        GPULEDGER_TRY(text);
        if (!*text || (*text)->empty())
            continue;
        auto root = parseKubeconfig(**text, path);
        GPULEDGER_TRY(root);
        files.push_back({fs::absolute(path), *root});
    }
    return files;
}

std::string currentContext(const std::vector<KubeconfigFile> &files)
{
    for (const KubeconfigFile &file : files) {
        if (std::string name = textOf(file.root, "current-context"); !name.empty())
            return name;
    }
    return {};
}

ports::KubeContextNames contextsOf(const std::vector<KubeconfigFile> &files)
{
    ports::KubeContextNames names;
    for (const KubeconfigFile &file : files) {
        const YAML::Node list = file.root["contexts"];
        if (!list.IsDefined() || !list.IsSequence())
            continue;
        for (const YAML::Node &entry : list) {
            std::string name = entry.IsMap() ? textOf(entry, "name") : std::string();
            if (!name.empty() && std::find(names.all.begin(), names.all.end(), name) == names.all.end())
                names.all.push_back(std::move(name));
        }
    }
    names.current = currentContext(files);
    return names;
}

Result<KubeAccess> accessOf(const std::vector<KubeconfigFile> &files, const std::string &wanted)
{
    KubeAccess access;
    access.context = wanted.empty() ? currentContext(files) : wanted;
    const auto context = findEntry(files, "contexts", "context", access.context);
    if (!context)
        return unknownEntry("context", access.context);
    const std::string clusterName = textOf(context->fields, "cluster"), userName = textOf(context->fields, "user");
    if (const std::string space = textOf(context->fields, "namespace"); !space.empty())
        access.nameSpace = space;
    const auto cluster = findEntry(files, "clusters", "cluster", clusterName);
    if (!cluster)
        return unknownEntry("cluster", clusterName);
    GPULEDGER_TRY(readCluster(*cluster, access));
    const auto user = findEntry(files, "users", "user", userName);
    if (!user && !userName.empty())
        return unknownEntry("user", userName);
    if (user)
        GPULEDGER_TRY(readUser(*user, *cluster, access));
    return access;
}

} // namespace

std::vector<fs::path> kubeconfigFiles(const std::string &setting)
{
    const std::string list = setting.empty() ? environment("KUBECONFIG") : setting;
    const std::string home = environment("HOME");
    std::vector<fs::path> files;
    for (std::size_t from = 0; from < list.size();) {
        const std::size_t end = std::min(list.find(':', from), list.size());
        std::string one = list.substr(from, end - from);
        if (one.starts_with("~/") && !home.empty())
            one = home + one.substr(1);
        if (!one.empty())
            files.emplace_back(std::move(one));
        from = end + 1;
    }
    if (files.empty() && !home.empty())
        files.push_back(fs::path(home) / ".kube" / "config");
    return files;
}

namespace {

// Applies `use` to the existing files; there must be at least one.
template <typename Answer, typename Use> Result<Answer> withFiles(const std::vector<fs::path> &paths, const Use &use)
{
    try {
        const auto files = readFiles(paths);
        GPULEDGER_TRY(files);
        if (files->empty())
            return base::fail(
                ErrorCode::NotFound,
                "there is no kubeconfig"
                    + (paths.empty() ? std::string() : " at " + base::printable(paths.front().string(), 256)),
                base::Remedy::SetKubeconfig);
        return use(*files);
    } catch (const std::exception &e) { // a node of an unexpected type
        return base::fail(ErrorCode::InvalidConfig, "the kubeconfig can't be read: " + base::printable(e.what(), 200),
                          base::Remedy::ViewKubeconfig);
    }
}

} // namespace

Result<KubeAccess> loadKubeconfig(const std::vector<fs::path> &paths, const std::string &context)
{
    return withFiles<KubeAccess>(paths, [&](const auto &files) { return accessOf(files, context); });
}

Result<ports::KubeContextNames> listKubeContexts(const std::vector<fs::path> &paths)
{
    return withFiles<ports::KubeContextNames>(
        paths, [](const auto &files) -> Result<ports::KubeContextNames> { return contextsOf(files); });
}

Result<KubeAccess> inClusterAccess(const fs::path &folder)
{
    const std::string host = environment("KUBERNETES_SERVICE_HOST"), port = environment("KUBERNETES_SERVICE_PORT");
    std::error_code ec;
    if (host.empty() || port.empty() || !fs::exists(folder / "token", ec))
        return base::fail(ErrorCode::NotFound, "there is no kubeconfig, and this program is not running in a pod",
                          base::Remedy::SetKubeconfig);
    KubeAccess access;
    access.server = "https://" + (host.find(':') == std::string::npos ? host : '[' + host + ']') + ':' + port;
    access.tokenFile = folder / "token";
    auto ca = readSmallFile(folder / "ca.crt");
    GPULEDGER_TRY(ca);
    access.caPem = ca->value_or("");
    auto space = readSmallFile(folder / "namespace");
    GPULEDGER_TRY(space);
    if (*space && !(*space)->empty())
        access.nameSpace = **space;
    return access;
}

Result<KubeAccess> kubeAccess(const std::string &setting, const std::string &context)
{
    const std::vector<fs::path> files = kubeconfigFiles(setting);
    std::error_code ec;
    const bool any =
        std::any_of(files.begin(), files.end(), [&](const fs::path &file) { return fs::exists(file, ec); });
    if (!any && setting.empty() && context.empty()) {
        if (auto access = inClusterAccess(); access || access.error().code != ErrorCode::NotFound)
            return access;
    }
    return loadKubeconfig(files, context);
}

} // namespace gpuledger::auth

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/secret.h"
#include "app/ports/commandconsent.h"
#include "app/ports/kubecontexts.h"
#include "connectors/http/url.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace gpuledger::auth {

// A program that prints a credential (ExecCredential of client-go).
struct KubeExec {
    std::string apiVersion; // of the ExecCredential
    ports::CredentialCommand command; // KUBERNETES_EXEC_INFO among its variables
    std::string installHint;
};

// How one API server is reached and what proves who we are. Move-only, because it holds credentials.
struct KubeAccess {
    std::string context; // its name; empty in a cluster
    std::string server; // https://host:port/path
    std::string nameSpace = "default";
    std::string caPem; // only these authorities count; empty: the system's
    std::string serverName; // to verify instead of the server's host
    std::string proxy; // empty: as the environment says
    http::Parameters headers; // of impersonation
    base::Secret token;
    std::filesystem::path tokenFile; // read again and again; wins over `token` once it can be read
    std::string user; // basic
    base::Secret password;
    base::Secret certificatePem, keyPem;
    std::optional<KubeExec> exec;
};

// The files that count: `setting` where it is given (":" between several), else KUBECONFIG, else ~/.kube/config.
std::vector<std::filesystem::path> kubeconfigFiles(const std::string &setting);

// Reads them by the rules of client-go: files that are missing are skipped, the first that knows a cluster, user or
// context has it as a whole, relative paths are relative to the file that names them. `context` empty: the current one.
// Writes nothing, runs nothing, asks nobody; any thread. Fails with NotFound (no file, no such context), InvalidConfig
// (what is wrong, and where), Forbidden (a file can't be read) or Unsupported (a kind of login that is gone).
[[nodiscard]] base::Result<KubeAccess> loadKubeconfig(const std::vector<std::filesystem::path> &files,
                                                      const std::string &context);

// The names of the contexts in them; otherwise as loadKubeconfig().
[[nodiscard]] base::Result<ports::KubeContextNames> listKubeContexts(const std::vector<std::filesystem::path> &files);

// What a pod finds in its own container. `folder` holds token, ca.crt and namespace. Fails with NotFound: not in a pod.
inline constexpr const char *kServiceAccountFolder = "/var/run/secrets/kubernetes.io/serviceaccount";
[[nodiscard]] base::Result<KubeAccess> inClusterAccess(const std::filesystem::path &folder = kServiceAccountFolder);

// A kubeconfig where there is one, else the cluster that we run in.
[[nodiscard]] base::Result<KubeAccess> kubeAccess(const std::string &setting, const std::string &context);

} // namespace gpuledger::auth

// SPDX-License-Identifier: GPL-3.0-or-later
/* LD_PRELOAD library that makes one file operation of a program fail.

   FAULT="CALL:N:WHAT:PART": the Nth CALL (open | write | sync | read | trunc | unlink | any) on a file whose path contains PART
   goes wrong. WHAT: an errno number (this call and every later one), or the death of the process:
     kill   SIGKILL before the call
     torn   half of the write is carried out, then SIGKILL
     power  SIGKILL, and every unsynced write is undone (FAULT_SEED: only a random part of them)
   FAULT_COUNT=FILE: the number of such calls in the whole run is written to it; with a larger N nothing fails. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { kPath = 512 };
enum verdict { kGoOn, kFail, kTear };

struct undo {
    char path[kPath];
    off_t offset, size; /* of the file before the write */
    size_t length;
    char *old;
};

static long seen, at = -1;
static char call[16], what[16], part[256];
static struct undo *undos;
static size_t undoCount;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void init(void)
{
    const char *fault = getenv("FAULT");
    if (fault && sscanf(fault, "%15[^:]:%ld:%15[^:]:%255s", call, &at, what, part) != 4)
        at = -1;
}

__attribute__((destructor)) static void tell(void)
{
    const char *file = getenv("FAULT_COUNT");
    FILE *out = file && at >= 0 ? fopen(file, "w") : NULL;
    if (!out)
        return;
    fprintf(out, "%ld\n", seen);
    fclose(out);
}

static int pathOf(int fd, char path[kPath])
{
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, path, kPath - 1);
    path[n < 0 ? 0 : n] = 0;
    return n > 0 && path[0] == '/' && part[0] && strstr(path, part);
}

static int power(void) { return what[0] == 'p'; }

static void undoUnsynced(void)
{
    const char *seed = getenv("FAULT_SEED");
    if (seed)
        srand((unsigned)(atoi(seed) + (int)at));
    for (size_t i = undoCount; i-- > 0;) {
        if (seed && rand() % 2)
            continue;
        int fd = open(undos[i].path, O_WRONLY);
        if (fd < 0)
            continue;
        if (syscall(SYS_pwrite64, fd, undos[i].old, undos[i].length, undos[i].offset) < 0) { }
        struct stat now;
        if (!seed && !fstat(fd, &now) && now.st_size > undos[i].size && syscall(SYS_ftruncate, fd, undos[i].size)) { }
        syscall(SYS_close, fd);
    }
}

static void die(void)
{
    if (power())
        undoUnsynced();
    kill(getpid(), SIGKILL);
    pause();
}

static enum verdict decide(const char *name)
{
    if (at < 0 || (strcmp(call, "any") && strcmp(call, name)))
        return kGoOn;
    long count = __atomic_add_fetch(&seen, 1, __ATOMIC_SEQ_CST);
    int deadly = strchr("kpt", what[0]) != NULL;
    if (count < at || (deadly && count > at))
        return kGoOn;
    if (what[0] == 't' && !strcmp(name, "write"))
        return kTear;
    if (deadly)
        die();
    errno = atoi(what);
    return kFail;
}

static enum verdict decideFd(const char *name, int fd)
{
    char path[kPath];
    return at >= 0 && pathOf(fd, path) ? decide(name) : kGoOn;
}

static void remember(int fd, off_t offset, size_t length)
{
    char path[kPath];
    struct stat now;
    if (!power() || !pathOf(fd, path) || strstr(path, "-shm") || fstat(fd, &now))
        return;
    pthread_mutex_lock(&mutex);
    undos = realloc(undos, (undoCount + 1) * sizeof *undos);
    struct undo *u = &undos[undoCount++];
    strcpy(u->path, path);
    u->offset = offset;
    u->size = now.st_size;
    u->length = length;
    u->old = calloc(1, length);
    if (syscall(SYS_pread64, fd, u->old, length, offset) < 0) { }
    pthread_mutex_unlock(&mutex);
}

static void forget(int fd)
{
    char path[kPath];
    if (!power() || !pathOf(fd, path))
        return;
    pthread_mutex_lock(&mutex);
    size_t kept = 0;
    for (size_t i = 0; i < undoCount; i++) {
        if (strcmp(undos[i].path, path))
            undos[kept++] = undos[i];
        else
            free(undos[i].old);
    }
    undoCount = kept;
    pthread_mutex_unlock(&mutex);
}

#define REAL(type, name, ...)                                                                                          \
    static type (*real)(__VA_ARGS__);                                                                                  \
    if (!real)                                                                                                         \
    real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

#define PWRITE(name, offset_type)                                                                                      \
    ssize_t name(int fd, const void *data, size_t size, offset_type offset)                                            \
    {                                                                                                                  \
        REAL(ssize_t, name, int, const void *, size_t, offset_type);                                                   \
        enum verdict v = decideFd("write", fd);                                                                        \
        if (v == kFail)                                                                                                \
            return -1;                                                                                                 \
        if (v == kTear) {                                                                                              \
            real(fd, data, size / 2, offset);                                                                          \
            die();                                                                                                     \
        }                                                                                                              \
        remember(fd, offset, size);                                                                                    \
        return real(fd, data, size, offset);                                                                           \
    }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

ssize_t write(int fd, const void *data, size_t size)
{
    REAL(ssize_t, write, int, const void *, size_t);
    if (fd < 3)
        return real(fd, data, size);
    enum verdict v = decideFd("write", fd);
    if (v == kFail)
        return -1;
    if (v == kTear) {
        real(fd, data, size / 2);
        die();
    }
    remember(fd, lseek(fd, 0, SEEK_CUR), size);
    return real(fd, data, size);
}

#define SYNC(name)                                                                                                     \
    int name(int fd)                                                                                                   \
    {                                                                                                                  \
        REAL(int, name, int);                                                                                          \
        if (decideFd("sync", fd) == kFail)                                                                             \
            return -1;                                                                                                 \
        int rc = real(fd);                                                                                             \
        if (!rc)                                                                                                       \
            forget(fd);                                                                                                \
        return rc;                                                                                                     \
    }
SYNC(fsync)
SYNC(fdatasync)

#define PREAD(name, offset_type)                                                                                       \
    ssize_t name(int fd, void *data, size_t size, offset_type offset)                                                  \
    {                                                                                                                  \
        REAL(ssize_t, name, int, void *, size_t, offset_type);                                                         \
        return decideFd("read", fd) == kFail ? -1 : real(fd, data, size, offset);                                      \
    }
PREAD(pread, off_t)
PREAD(pread64, off64_t)

#define TRUNCATE(name, size_type)                                                                                      \
    int name(int fd, size_type size)                                                                                   \
    {                                                                                                                  \
        REAL(int, name, int, size_type);                                                                               \
        return decideFd("trunc", fd) == kFail ? -1 : real(fd, size);                                                   \
    }
TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)

int unlink(const char *path)
{
    REAL(int, unlink, const char *);
    return at >= 0 && strstr(path, part) && decide("unlink") == kFail ? -1 : real(path);
}

#define OPEN(name)                                                                                                     \
    int name(const char *path, int flags, ...)                                                                         \
    {                                                                                                                  \
        REAL(int, name, const char *, int, ...);                                                                       \
        va_list rest;                                                                                                  \
        va_start(rest, flags);                                                                                         \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;                                        \
        va_end(rest);                                                                                                  \
        return at >= 0 && strstr(path, part) && decide("open") == kFail ? -1 : real(path, flags, mode);                \
    }
OPEN(open)
OPEN(open64)

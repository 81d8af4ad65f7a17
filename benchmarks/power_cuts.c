/* Notes everything that a program writes below a folder, so that a power cut can be played afterwards.
 *
 * gcc -shared -fPIC -O1 power_cuts.c -o power_cuts.so -ldl
 * LD_PRELOAD=power_cuts.so CUT_BELOW=/folder CUT_LOG=/log program
 *
 * Each note is a line "KIND SECONDS INODE OFFSET SIZE PATH" and then SIZE bytes. Kinds: C a file is made, M a folder,
 * W bytes are written, T a file is cut to OFFSET, S a file or folder is synced, R a rename (the bytes are the new path),
 * L another name, U a name is deleted. The notes stand in the order in which things were done: one at a time. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
static int log_to = -1;
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define HOLD pthread_mutex_lock(&one_at_a_time)
#define LET_GO pthread_mutex_unlock(&one_at_a_time)

static const char *below(void) { return getenv("CUT_BELOW"); }

static int inside(const char *path) {
    const char *folder = below();
    return folder && path && !strncmp(path, folder, strlen(folder));
}

static void absolute(int folder, const char *path, char *out) {
    char link[64];
    ssize_t size;
    if (path[0] == '/') {
        snprintf(out, PATH_MAX, "%s", path);
        return;
    }
    if (folder == AT_FDCWD) snprintf(link, sizeof link, "/proc/self/cwd");
    else snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
    size = readlink(link, out, PATH_MAX - 1);
    out[size < 0 ? 0 : size] = 0;
    if (path[0]) snprintf(out + strlen(out), PATH_MAX - strlen(out), "/%s", path);
}

static void note(char kind, ino_t inode, off_t offset, const char *path, const void *bytes, size_t size) {
    struct timespec now;
    char *line = malloc(size + PATH_MAX + 100);
    int head;
    if (log_to < 0 && getenv("CUT_LOG"))
        log_to = syscall(SYS_openat, AT_FDCWD, getenv("CUT_LOG"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    clock_gettime(CLOCK_MONOTONIC, &now);
    head = sprintf(line, "%c %ld.%09ld %lu %ld %zu %s\n", kind, (long)now.tv_sec, now.tv_nsec, (unsigned long)inode,
                   (long)offset, size, path);
    if (size) memcpy(line + head, bytes, size);
    if (log_to >= 0) syscall(SYS_write, log_to, line, head + size);
    free(line);
}

static int known(int file, char *path, struct stat *what) {
    absolute(file, "", path);
    return inside(path) && !fstat(file, what) && (S_ISREG(what->st_mode) || S_ISDIR(what->st_mode));
}

static int opened(int folder, const char *path, int flags, mode_t mode) {
    static int (*real)(int, const char *, int, ...);
    char whole[PATH_MAX];
    struct stat what;
    int file, new, fresh;
    if (!real) real = REAL(openat);
    absolute(folder, path, whole);
    if (!inside(whole) || !(flags & (O_CREAT | O_TRUNC))) return real(folder, path, flags, mode);
    HOLD;
    new = stat(whole, &what) != 0;
    file = real(folder, path, flags, mode);
    fresh = file >= 0 && !fstat(file, &what) && S_ISREG(what.st_mode);
    if (fresh && new) note('C', what.st_ino, 0, whole, NULL, 0);
    else if (fresh && (flags & O_TRUNC)) note('T', what.st_ino, 0, whole, NULL, 0);
    LET_GO;
    return file;
}

#define OPEN(name, first, folder)                                      \
    int name(first const char *path, int flags, ...) {                 \
        va_list more;                                                  \
        va_start(more, flags);                                         \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, int) : 0; \
        va_end(more);                                                  \
        return opened(folder, path, flags, mode);                      \
    }
#define FOLDER int at,
OPEN(open, , AT_FDCWD)
OPEN(open64, , AT_FDCWD)
OPEN(openat, FOLDER, at)
OPEN(openat64, FOLDER, at)

ssize_t write(int file, const void *bytes, size_t size) {
    char path[PATH_MAX];
    struct stat what;
    ssize_t done;
    if (!known(file, path, &what)) return syscall(SYS_write, file, bytes, size);
    HOLD;
    done = syscall(SYS_write, file, bytes, size);
    if (done > 0) note('W', what.st_ino, lseek(file, 0, SEEK_CUR) - done, path, bytes, done);
    LET_GO;
    return done;
}

ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t offset) {
    char path[PATH_MAX];
    struct stat what;
    ssize_t done;
    if (!known(file, path, &what)) return syscall(SYS_pwrite64, file, bytes, size, offset);
    HOLD;
    done = syscall(SYS_pwrite64, file, bytes, size, offset);
    if (done > 0) note('W', what.st_ino, offset, path, bytes, done);
    LET_GO;
    return done;
}
ssize_t pwrite(int file, const void *bytes, size_t size, off_t offset) { return pwrite64(file, bytes, size, offset); }

#define SYNC(name)                                                     \
    int name(int file) {                                               \
        char path[PATH_MAX];                                           \
        struct stat what;                                              \
        if (!known(file, path, &what)) return syscall(SYS_##name, file); \
        HOLD;                                                          \
        int done = syscall(SYS_##name, file);                          \
        if (!done) note('S', what.st_ino, S_ISDIR(what.st_mode), path, NULL, 0); \
        LET_GO;                                                        \
        return done;                                                   \
    }
SYNC(fsync)
SYNC(fdatasync)

int ftruncate64(int file, off64_t size) {
    char path[PATH_MAX];
    struct stat what;
    int done, counts = known(file, path, &what);
    HOLD;
    done = syscall(SYS_ftruncate, file, size);
    if (counts && !done) note('T', what.st_ino, size, path, NULL, 0);
    LET_GO;
    return done;
}
int ftruncate(int file, off_t size) { return ftruncate64(file, size); }

int truncate64(const char *path, off64_t size) {
    char whole[PATH_MAX];
    struct stat what;
    int done;
    absolute(AT_FDCWD, path, whole);
    HOLD;
    done = syscall(SYS_truncate, path, size);
    if (!done && inside(whole) && !stat(whole, &what)) note('T', what.st_ino, size, whole, NULL, 0);
    LET_GO;
    return done;
}
int truncate(const char *path, off_t size) { return truncate64(path, size); }

static int two_names(char kind, int from, const char *old, int to, const char *new, int flags) {
    char first[PATH_MAX], second[PATH_MAX];
    struct stat what;
    int done;
    absolute(from, old, first);
    absolute(to, new, second);
    HOLD;
    done = kind == 'R' ? syscall(SYS_renameat2, from, old, to, new, flags) : syscall(SYS_linkat, from, old, to, new, flags);
    if (!done && inside(second) && !stat(second, &what)) note(kind, what.st_ino, 0, first, second, strlen(second));
    LET_GO;
    return done;
}
int rename(const char *old, const char *new) { return two_names('R', AT_FDCWD, old, AT_FDCWD, new, 0); }
int renameat(int from, const char *old, int to, const char *new) { return two_names('R', from, old, to, new, 0); }
int link(const char *old, const char *new) { return two_names('L', AT_FDCWD, old, AT_FDCWD, new, 0); }
int linkat(int from, const char *old, int to, const char *new, int flags) {
    return two_names('L', from, old, to, new, flags);
}

int unlinkat(int folder, const char *path, int flags) {
    char whole[PATH_MAX];
    int done;
    absolute(folder, path, whole);
    HOLD;
    done = syscall(SYS_unlinkat, folder, path, flags);
    if (!done && inside(whole)) note('U', 0, 0, whole, NULL, 0);
    LET_GO;
    return done;
}
int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }
int rmdir(const char *path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }

int mkdirat(int folder, const char *path, mode_t mode) {
    char whole[PATH_MAX];
    int done;
    absolute(folder, path, whole);
    HOLD;
    done = syscall(SYS_mkdirat, folder, path, mode);
    if (!done && inside(whole)) note('M', 0, 0, whole, NULL, 0);
    LET_GO;
    return done;
}
int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }

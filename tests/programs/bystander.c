// SPDX-License-Identifier: Apache-2.0
//
// Applications that use the library and also wait for children, handle signals, end threads, and
// change directory, root and privileges. Each part is a separate process; 0 means that everything
// was as expected.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <CL/cl.h>

static cl_device_id device;
static cl_context context;
static char build_log[20000];

static void check(int is_right, const char *what) {
    if (is_right)
        return;
    printf("not so: %s (errno %d)\n", what, errno);
    fflush(stdout);
    _exit(1);
}

static void make_context(void) {
    cl_platform_id platform;
    cl_int code = clGetPlatformIDs(1, &platform, NULL);
    check(code == CL_SUCCESS, "there is a platform");
    code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    check(code == CL_SUCCESS, "there is a device");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    check(code == CL_SUCCESS, "there is a context");
}

static cl_program start_build(const char *source, const char *options,
                              void (*notify)(cl_program, void *), cl_int *code) {
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, code);
    check(*code == CL_SUCCESS, "there is a program");
    *code = clBuildProgram(program, 1, &device, options, notify, NULL);
    return program;
}

static cl_int result_of(cl_program program) {
    cl_build_status status = CL_BUILD_NONE;
    build_log[0] = 0;
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof build_log, build_log, NULL);
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL);
    return status;
}

static int builds(const char *source, const char *options) {
    cl_int code;
    cl_program program = start_build(source, options, NULL, &code);
    const int status = result_of(program);
    clReleaseProgram(program);
    return code == CL_SUCCESS && status == CL_BUILD_SUCCESS;
}

/// A source that the cache doesn't have.
static const char *new_source(const char *start) {
    static char text[1000];
    static int number;
    snprintf(text, sizeof text, "%s\nkernel void k%d_%d(global int *o) { o[0] = 1; }\n", start,
             (int)getpid(), number++);
    return text;
}

static int runs(const char *source, const char *options) {
    cl_int code;
    cl_program program = start_build(source, options, NULL, &code);
    if (code != CL_SUCCESS)
        return -1;
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &code);
    cl_kernel kernel;
    clCreateKernelsInProgram(program, 1, &kernel, NULL);
    cl_mem out = clCreateBuffer(context, 0, sizeof(int), NULL, &code);
    const size_t one = 1;
    int value = -2;
    clSetKernelArg(kernel, 0, sizeof out, &out);
    clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL);
    clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof value, &value, 0, NULL, NULL);
    clReleaseMemObject(out);
    clReleaseKernel(kernel);
    clReleaseCommandQueue(queue);
    clReleaseProgram(program);
    return value;
}

// ---- children ----

static volatile int strangers, own_ends;
static pid_t own[3];

static void on_child(int number, siginfo_t *info, void *unused) {
    (void)number, (void)unused;
    int is_own = 0;
    for (int i = 0; i < 3; ++i)
        is_own |= info->si_pid == own[i];
    strangers += !is_own;
    own_ends += is_own;
}

static void all_of_it(void) {
    make_context();
    check(runs(new_source(""), "") == 1, "a kernel runs");
}

static void waits(void) {
    check(waitpid(-1, NULL, WNOHANG | __WALL) < 0 && errno == ECHILD, "there is no child at first");
    struct sigaction action = {.sa_sigaction = on_child, .sa_flags = SA_SIGINFO | SA_RESTART};
    sigaction(SIGCHLD, &action, NULL);
    all_of_it();
    check(waitpid(-1, NULL, WNOHANG | __WALL) < 0 && errno == ECHILD, "the library has no child");
    for (int i = 0; i < 3; ++i)
        if ((own[i] = fork()) == 0) {
            usleep(50000 * (i + 1));
            _exit(7);
        }
    alarm(30);
    int status, ended = 0;
    while (wait(&status) > 0)
        ended += WIFEXITED(status) && WEXITSTATUS(status) == 7;
    check(errno == ECHILD && ended == 3, "wait() sees three children and ends");
    clReleaseContext(context);
    clUnloadCompiler();
    usleep(100000);
    siginfo_t info;
    check(waitid(P_ALL, 0, &info, WEXITED | WNOHANG | __WALL) < 0 && errno == ECHILD,
          "no child is left to waitid()");
    check(strangers == 0 && own_ends > 0, "SIGCHLD is of own children only");
}

static void ignores(void) {
    signal(SIGCHLD, SIG_IGN);
    for (int round = 0; round < 2; ++round) {
        all_of_it();
        clReleaseContext(context);
    }
}

// ---- signals ----

static void *wait_for_signal(void *set) {
    int number = 0;
    sigwait(set, &number);
    printf("sigwait has %d\n", number);
    exit(6);
}

static void on_term(int number) {
    static const char text[] = "handled\n";
    check(number == SIGTERM && write(1, text, sizeof text - 1) > 0, "it is SIGTERM");
    _exit(5);
}

static void ready(void) {
    printf("ready\n");
    fflush(stdout);
}

static void ends_first_thread(const char *how) {
    all_of_it();
    static sigset_t set; // the stack of the first thread is gone
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    if (!strcmp(how, "handler"))
        signal(SIGTERM, on_term);
    if (!strcmp(how, "sigwait")) {
        pthread_sigmask(SIG_BLOCK, &set, NULL);
        pthread_t thread;
        pthread_create(&thread, NULL, wait_for_signal, &set);
    }
    ready();
    pthread_exit(NULL);
}

static void *first_user(void *unused) {
    all_of_it();
    return unused;
}

// The thread that used the library has ended; the one that blocks the signal continues.
static void keeps_blocked(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_t thread;
    pthread_create(&thread, NULL, first_user, NULL);
    pthread_join(thread, NULL);
    kill(getpid(), SIGTERM);
    sleep(3);
    sigset_t pending;
    sigpending(&pending);
    check(sigismember(&pending, SIGTERM), "a blocked signal stays pending while there is a thread");
    const struct timespec no_time = {0, 0};
    check(sigtimedwait(&set, NULL, &no_time) == SIGTERM, "the application takes it");
}

// ---- folders ----

static void put(const char *path, int value) {
    FILE *file = fopen(path, "w");
    fprintf(file, "#define VALUE %d\n", value);
    fclose(file);
}

static const char *const value_of_header =
    "#include \"value.h\"\nkernel void k(global int *o) { o[0] = VALUE; }";

static const char *const value_of_searched_header =
    "#include <value.h>\nkernel void k(global int *o) { o[0] = VALUE; }";

static volatile int notified;
static void notify(cl_program program, void *unused) {
    (void)program, (void)unused;
    notified = 1;
}

static void changes_folder(const char *top) {
    check(chdir(top) == 0, "there is a folder");
    mkdir("a", 0700), mkdir("b", 0700), mkdir("gone", 0700), mkdir("fifo", 0700);
    put("a/value.h", 1), put("b/value.h", 2);
    check(chdir("a") == 0, "a");
    make_context();
    check(runs(value_of_header, "-I .") == 1, "the header of a is found");
    check(chdir("../b") == 0, "b");
    check(runs(value_of_header, "-I .") == 2, "the header of b is found in b");
    check(runs(value_of_header, "") == 2, "also without -I");
    check(runs(value_of_searched_header, "-I ../a") == 1, "and that of a by a relative path");
    put("value.h", 22);
    check(runs(value_of_header, "-I .") == 22, "a changed header is noticed");
    // The folder is that of the call, however late the build is.
    cl_int code;
    cl_program program = start_build(value_of_header, "-I .", notify, &code);
    check(chdir("../gone") == 0, "gone");
    while (!notified)
        usleep(1000);
    check(result_of(program) == CL_BUILD_SUCCESS, "a build under way keeps its folder");
    clReleaseProgram(program);
    check(rmdir("../gone") == 0, "a folder that a process works in may be deleted");
    check(!builds(value_of_header, "-I ."), "there is no header in a deleted folder");
    check(strstr(build_log, "directory of this process was deleted") != NULL, "the log says so");
    check(runs(new_source(""), "") == 1, "other programs are built");
    check(chdir("/") == 0, "/");
    char options[300], pipe[300];
    snprintf(pipe, sizeof pipe, "%s/fifo/value.h", top);
    snprintf(options, sizeof options, "-I %s/fifo", top);
    check(mkfifo(pipe, 0600) == 0, "there is a pipe");
    check(!builds(value_of_header, options), "a pipe without a writer does not block");
    unlink(pipe);
}

// ---- rights ----

static const char *secret_path;
static char including[400], embedding[400], asking[400];

static void no_secret(const char *when) {
    check(open(secret_path, O_RDONLY) < 0, "the process can't read the file itself");
    const char *const sources[] = {including, embedding, asking};
    for (int i = 0; i < 3; ++i) {
        const int is_built = builds(sources[i], "");
        check(!strstr(build_log, "hunter2"), when);
        check(!is_built, when);
    }
    if (runs(new_source(""), "") != 1)
        printf("%s\n", build_log);
    check(runs(new_source(""), "") == 1, "an ordinary program is built");
}

static void *drop_in_one_thread(void *unused) {
    check(syscall(SYS_setresuid, 65534, 65534, 65534) == 0, "one thread has other rights");
    no_secret("a thread without rights doesn't see the file");
    cl_int code;
    notified = 0;
    cl_program program = start_build(including, "", notify, &code);
    while (!notified)
        usleep(1000);
    check(result_of(program) != CL_BUILD_SUCCESS && !strstr(build_log, "hunter2"),
          "nor does a build that it begins");
    return unused;
}

static void drops(const char *how, const char *top) {
    char private[300];
    snprintf(private, sizeof private, "%s/private", top);
    check(mkdir(private, 0700) == 0 && chdir(private) == 0, "others may not enter the folder");
    make_context();
    check(runs(new_source(""), "") == 1, "the compiler works");
    check(!builds(including, "") && strstr(build_log, "hunter2"), "root sees the file");
    if (!strcmp(how, "thread")) {
        pthread_t thread;
        pthread_create(&thread, NULL, drop_in_one_thread, NULL);
        pthread_join(thread, NULL);
        check(!builds(including, "") && strstr(build_log, "hunter2"), "others see it still");
    } else if (!strcmp(how, "euid")) {
        check(seteuid(65534) == 0, "it drops");
        no_secret("with another effective user the file isn't seen");
        check(seteuid(0) == 0, "it comes back");
        check(!builds(including, "") && strstr(build_log, "hunter2"), "then it is seen again");
    } else if (!strcmp(how, "gid")) {
        check(chown(secret_path, 1, 0) == 0 && chmod(secret_path, 0640) == 0, "of a group");
        check(setgroups(0, NULL) == 0 && setgid(65534) == 0 && setuid(65534) == 0, "it drops");
        no_secret("without the group the file isn't seen");
    } else if (!strcmp(how, "chroot")) {
        char inside[300], outside[300];
        snprintf(inside, sizeof inside, "%s/root/value.h", top);
        snprintf(outside, sizeof outside, "%s/root", top);
        mkdir(outside, 0755);
        put(inside, 9);
        check(chroot(outside) == 0 && chdir("/") == 0, "it has another root");
        check(setgid(65534) == 0 && setuid(65534) == 0, "and no rights");
        no_secret("outside of the root nothing is seen");
        check(runs(value_of_header, "-I /") == 9, "what is inside is found");
    } else {
        check(setgroups(0, NULL) == 0 && setgid(65534) == 0 && setuid(65534) == 0, "it drops");
        no_secret("after setuid the file isn't seen");
    }
}

static void prepare_secret(const char *path) {
    secret_path = path;
    const int file = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0600);
    check(file >= 0 && write(file, "the_password_is_hunter2\n", 24) == 24, "there is a secret");
    close(file);
    snprintf(including, sizeof including, "#include \"%s\"\nkernel void k(global int *o) {}", path);
    snprintf(embedding, sizeof embedding,
             "kernel void k(global int *o) { __asm__ volatile(\".include \\\"%s\\\"\"); }", path);
    snprintf(
        asking, sizeof asking,
        "#if __has_include(\"%s\")\nkernel void k(global int *o) {}\n#else\n#error none\n#endif",
        path);
}

int main(int count, char **arguments) {
    const char *part = count > 1 ? arguments[1] : "";
    if (!strcmp(part, "waits"))
        waits();
    else if (!strcmp(part, "ignores"))
        ignores();
    else if (!strcmp(part, "ends"))
        ends_first_thread(arguments[2]);
    else if (!strcmp(part, "blocked"))
        keeps_blocked();
    else if (!strcmp(part, "folder"))
        changes_folder(arguments[2]);
    else if (!strcmp(part, "drops")) {
        char secret[300];
        snprintf(secret, sizeof secret, "%s/secret", arguments[3]);
        prepare_secret(secret);
        drops(arguments[2], arguments[3]);
    } else {
        return 2;
    }
    return 0;
}

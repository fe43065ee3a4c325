/*  scree lab: runs a scene interactively, in a browser. */
#include "app/run/folder.h"
#include "app/run/signals.h"
#include "app/run/verbs.h"
#include "common/machine.h"
#include "common/out_file.h"

#include "lab.h"
#include "server.h"

#include <errno.h>
#include <spawn.h>
#include <sys/wait.h>

extern char **environ;

#define USUAL_PORT 8420
#define MEGABYTE 1048576.0

typedef struct lab_options
{
    scree_lab_def lab;
    scree_lab_server_def server;
    const char *runs[2];
    bool opens;
} lab_options;

static bool is_going(const char *path)
{
    return scree_folder_look(path) == SCREE_FOLDER_BUSY;
}

static bool is_run(const char *path)
{
    scree_folder_state state = scree_folder_look(path);
    return state == SCREE_FOLDER_FINISHED || state == SCREE_FOLDER_STOPPED ||
           state == SCREE_FOLDER_BUSY;
}

/*  A scene, or the folders of one or two runs. */
static bool parse_operands(const scree_arguments *arguments, lab_options *options)
{
    const char *const words[2] = {arguments->operand, arguments->second};
    size_t count = 0;

    for (size_t k = 0; k < 2 && words[k]; k++) {
        if (is_run(words[k])) {
            options->runs[count++] = words[k];
        } else if (scree_is_folder(words[k])) {
            scree_usage_error("lab: %.200s: is a folder, but not that of a run: it has no run.json",
                              words[k]);
            return false;
        }
    }
    if (words[1] && count < 2) {
        scree_usage_error(
            "lab: two runs can be opened next to each other, or one scene: \"%.100s\" "
            "is not the folder of a run",
            options->runs[0] == words[0] ? words[1] : words[0]);
        return false;
    }
    options->lab.scene = count ? NULL : words[0];
    options->server.runs.count = count;
    options->server.runs.is_going = is_going;
    return true;
}

static bool parse_options(const scree_verb *verb, const scree_arguments *arguments,
                          lab_options *options)
{
    uint64_t port = USUAL_PORT, threads = scree_machine_cores() > 2 ? scree_machine_cores() - 1 : 1;
    uint64_t clients = 8, bodies = 1000000, megabytes = 4096;
    const char *address = scree_argument(verb, arguments, "listen");

    if (!scree_parse_count(verb, arguments, "port", 0, 65535, &port) ||
        !scree_parse_count(verb, arguments, "threads", 1, 256, &threads) ||
        !scree_parse_count(verb, arguments, "clients", 1, 100, &clients) ||
        !scree_parse_count(verb, arguments, "bodies", 1, 10000000, &bodies) ||
        !scree_parse_count(verb, arguments, "memory", 64, 1 << 20, &megabytes))
        return false;
    options->server.address = address ? address : "127.0.0.1";
    options->server.port = (uint32_t)port;
    options->server.has_token = scree_argument(verb, arguments, "token") != NULL;
    options->server.max_clients = (uint32_t)clients;
    if (!scree_lab_is_loopback(options->server.address) && !options->server.has_token) {
        scree_usage_error("lab: --listen %.60s admits other machines: give --token, too",
                          options->server.address);
        return false;
    }
    options->server.runs.max_bytes = (size_t)megabytes * (size_t)MEGABYTE;
    options->lab.threads = (uint32_t)threads;
    options->lab.max_bodies = bodies;
    options->lab.max_bytes = (size_t)megabytes * (size_t)MEGABYTE;
    options->lab.starts = scree_argument(verb, arguments, "paused") == NULL;
    options->opens = scree_argument(verb, arguments, "open") != NULL;
    return parse_operands(arguments, options);
}

/*  The desktop's command that opens addresses; 0: not running. */
typedef struct opener
{
    pid_t child;
    const char *url;
} opener;

/*  Not an error: the user can open the address, on this machine or through a tunnel. */
static void say_no_browser(const opener *browser, const char *why)
{
    fprintf(stderr, "scree: lab: no browser was opened, %s; open %s by hand\n", why, browser->url);
}

static void open_browser(opener *browser)
{
    const char *const words[] = {"xdg-open", browser->url, NULL};

    /* posix_spawnp does not change its arguments, but they are not const */
    int failure =
        posix_spawnp(&browser->child, words[0], NULL, NULL, (char *const *)(void *)words, environ);
    if (failure) {
        browser->child = 0;
        say_no_browser(browser, failure == ENOENT ? "as xdg-open is not installed"
                                                  : "as xdg-open cannot be started");
    }
}

/*  Its exit status is not 0 if it has found no browser. */
static void watch_opener(opener *browser)
{
    int status = 0;

    if (!browser->child || waitpid(browser->child, &status, WNOHANG) == 0)
        return;
    browser->child = 0;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        say_no_browser(browser, "as xdg-open found none");
}

static bool is_stopped(void *user)
{
    watch_opener(user);
    return scree_signals_caught() != 0;
}

static int serve(const lab_options *options, scree_lab_server *server)
{
    scree_lab_def def = options->lab;
    scree_error error = {SCREE_OK, ""};
    scree_lab *lab;

    def.wake = scree_lab_server_wake;
    def.user = server;
    scree_status status = scree_lab_create(&def, &lab, &error);
    if (status)
        return scree_status_error(status, error.text);
    printf("the lab is at %s\nCtrl-C ends it\n", scree_lab_server_url(server));
    fflush(stdout);
    opener browser = {0, scree_lab_server_url(server)};
    if (options->opens)
        open_browser(&browser);
    scree_signals_begin();
    scree_lab_server_run(server, lab, is_stopped, &browser);
    scree_signals_end();
    scree_lab_destroy(lab);
    return SCREE_EXIT_OK;
}

static int run_lab(const scree_arguments *arguments)
{
    const scree_verb *verb = &scree_verb_lab;
    lab_options options = {0};
    scree_error error = {SCREE_OK, ""};
    scree_lab_server *server;

    if (!parse_options(verb, arguments, &options))
        return SCREE_EXIT_USAGE;
    options.server.runs.paths = options.runs;
    scree_status status = scree_lab_server_create(&options.server, &server, &error);
    if (status)
        return scree_status_error(status, error.text);
    int code = serve(&options, server);
    scree_lab_server_destroy(server);
    return code;
}

static const scree_option lab_options_of[] = {
    {"port", "N", "port; 0: any free one; default 8420"},
    {"open", NULL, "open a browser there"},
    {"paused", NULL, "wait for play, also after a scene was chosen"},
    {"threads", "N", "number of threads; default: one less than processors"},
    {"listen", "ADDRESS", "an address other than 127.0.0.1; only with --token"},
    {"token", NULL, "admit only those who have the address with its random token"},
    {"clients", "N", "largest number of pages; default 8"},
    {"bodies", "N", "largest number of bodies; default 1e6"},
    {"memory", "MB", "memory for scene and world; default 4096"},
    {NULL, NULL, NULL},
};

const scree_verb scree_verb_lab = {
    .name = "lab",
    .operand = "SCENE|RUN RUN",
    .summary = "Opens the lab: a page in the browser in which a scene runs and can be changed.",
    .text =
        "Without a scene the lab starts with a drum. The page loads nothing from the network. "
        "It has\n"
        "the examples, a scene editor, sliders, plots, and a choice of detection methods that "
        "can be\n"
        "changed while bodies move; the mouse adds, drags and removes bodies.\n"
        "With the folder of a run the page plays its film, also while the run is going on; with "
        "two,\nboth next to each other.\n"
        "Only this machine is served. The page cannot read files: a scene that it sends may "
        "name none.",
    .example = "scree lab hopper.lua --open\nscree lab out/drum out/drum-rate=8",
    .options = lab_options_of,
    .run = run_lab,
};

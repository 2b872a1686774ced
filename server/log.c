#include "server/log.h"

#include "engine/memory/memory.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *const level_words[] = {"info", "warning", "error"};

bool log_level_read(const char *word, enum log_level *level)
{
    for (int i = 0; i <= LOG_LEVEL_ERROR; i++) {
        if (strcmp(word, level_words[i]) != 0)
            continue;
        *level = (enum log_level)i;
        return true;
    }
    return false;
}

void log_hold(struct log *log)
{
    log->held = memory_stream(&log->held_text, &log->held_length);
}

void log_let_go(struct log *log)
{
    if (log->held == NULL)
        return;
    fclose(log->held);
    log->held = NULL;
    fwrite(log->held_text, 1, log->held_length, log->out);
    fflush(log->out);
    free(log->held_text);
}

static FILE *stream(const struct log *log)
{
    return log->held != NULL ? log->held : log->out;
}

static void write_time(char *text, size_t size)
{
    struct timespec now;
    struct tm utc;
    char seconds[32];
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &utc);
    strftime(seconds, sizeof seconds, "%Y-%m-%dT%H:%M:%S", &utc);
    snprintf(text, size, "%s.%03ldZ", seconds, now.tv_nsec / 1000000);
}

void log_begin(struct writer *line, enum log_level level, const char *fact)
{
    char at[48];
    write_time(at, sizeof at);
    writer_init(line);
    writer_object(line);
    writer_key(line, "at"), writer_string(line, at);
    writer_key(line, "level"), writer_string(line, level_words[level]);
    writer_key(line, "fact"), writer_string(line, fact);
}

void log_end(const struct log *log, enum log_level level, struct writer *line)
{
    writer_end(line);
    if (level >= log->least) {
        fprintf(stream(log), "%s\n", writer_text(line));
        fflush(stream(log)); /* whoever follows the log sees facts when they happen */
    }
    writer_release(line);
}

void log_write(const struct log *log, enum log_level level, const char *fact, const char *members)
{
    char at[48];
    if (level < log->least)
        return;
    write_time(at, sizeof at);
    bool bare = members == NULL || members[0] == '\0';
    fprintf(stream(log), "{\"at\":\"%s\",\"level\":\"%s\",\"fact\":\"%s\"%s%s}\n", at,
            level_words[level], fact, bare ? "" : ",", bare ? "" : members);
    fflush(stream(log));
}

void log_text(const struct log *log, enum log_level level, const char *fact, const char *key,
              const char *text)
{
    struct writer line;
    log_begin(&line, level, fact);
    writer_key(&line, key), writer_string(&line, text);
    log_end(log, level, &line);
}

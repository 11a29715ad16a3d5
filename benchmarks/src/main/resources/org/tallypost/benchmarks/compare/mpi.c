/* Copyright 2026 The Tallypost authors */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What the comparison measures, over MPI: round trips between ranks 0 and 1, messages per second from all other ranks to
 * rank 0, and an alltoall. Compiled and started by the comparison. Every run lies between two probes of the raw machine, and
 * who receives a message reads all of it. Arguments:
 *
 *   mode (rtt, rate, alltoall), length, run ms, warm-up runs, attempts, probe ms, near ns, fast ns, slow ns, timeout s
 *
 * The states of the machine are unknown if fast is 0. Prints
 *
 *   RUN probeBefore probeAfter beforeNs afterNs figure p50 p99 p999 messages busy
 *   WRONG messages
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define VARIANTS 7
#define WINDOW 64
#define LINES 4096
#define HEAD_INTERVAL 256
#define MAX_COUNT 4000000
#define MIN_BUSY 0.9
/* runs that are kept with the machine fast, as in ForkResult */
#define ENOUGH 3
#define STATE_FACTOR 1.75

typedef _Atomic int64_t word;

/* What rank 0 and rank 1 hand to each other without MPI; each word on lines of its own. */
struct shared
{
    word ping, pad0[31];
    word pong, pad1[31];
    word stop, pad2[31];
    word head, pad3[31];
    word sent, pad4[31];
    word done, pad5[31];
    word lines[LINES][8];
};

struct figure
{
    double value, p50, p99, p999;
    int64_t messages;
    double busy;
};

static int rank, size, cores, length;
static double run_ns, probe_ns;
static struct shared *shared;
static uint8_t *messages, *inbox;
static int64_t sequence, wrong, lines_written, lines_read, line_sum;
static int64_t *expected;
static uint64_t sums[VARIANTS];
static int64_t *starts, *ends;
static int64_t count = 1000;

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static int64_t cpu(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void idle(void)
{
    if (cores < 2)
    {
        sched_yield();
    }
}

static uint64_t content(const int variant, const int offset)
{
    const uint64_t mixed = (variant * 4096ULL + offset + 1) * 0x9E3779B97F4A7C15ULL;
    return mixed ^ (mixed >> 29);
}

static void prepare(void)
{
    messages = calloc(VARIANTS, length);
    inbox = aligned_alloc(64, (size_t)(2 * WINDOW + size + 1) * ((length + 63) / 64 * 64));
    expected = calloc(size, sizeof(int64_t));
    starts = malloc(MAX_COUNT * sizeof(int64_t));
    ends = malloc(MAX_COUNT * sizeof(int64_t));
    for (int variant = 0; variant < VARIANTS; variant++)
    {
        for (int at = 8; at < length; at += 8)
        {
            const uint64_t value = content(variant, at);
            memcpy(messages + variant * length + at, &value, 8);
            sums[variant] += value;
        }
    }
}

/* The next message: only its first word is written anew. */
static uint8_t *next_message(void)
{
    uint8_t *const message = messages + sequence % VARIANTS * length;
    const uint64_t first = (uint64_t)rank << 56 | (uint64_t)sequence++;
    memcpy(message, &first, 8);
    return message;
}

static void check(const uint8_t *const message)
{
    uint64_t first, sum = 0;
    memcpy(&first, message, 8);
    for (int at = 8; at < length; at += 8)
    {
        uint64_t value;
        memcpy(&value, message + at, 8);
        sum += value;
    }
    const int source = first >> 56;
    const int64_t number = first & 0xFFFFFFFFFFFFFFULL;
    if (source >= size)
    {
        wrong++;
        return;
    }
    wrong += number != expected[source] || sum != sums[number % VARIANTS];
    expected[source] = number + 1;
}

static int by_size(const void *const a, const void *const b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void percentiles(struct figure *const figure, int64_t *const times, const int64_t found)
{
    qsort(times, found, sizeof(int64_t), by_size);
    figure->p50 = times[found / 2];
    figure->p99 = times[(int64_t)(found * 0.99)];
    figure->p999 = times[(int64_t)(found * 0.999)];
}

/* So many that the next run takes as long as it should. */
static int64_t calibrated(const int64_t had, const double elapsed_ns, const double wanted_ns, const int multiple)
{
    double wanted = had * wanted_ns / elapsed_ns;
    wanted = wanted < multiple ? multiple : wanted > MAX_COUNT / 2 ? MAX_COUNT / 2 : wanted;
    return (int64_t)wanted / multiple * multiple;
}

static void round_trips(const int64_t wanted, const int stamped)
{
    for (int64_t i = 0; i < wanted; i++)
    {
        if (rank == 0)
        {
            starts[i] = stamped ? now() : 0;
            MPI_Send(next_message(), length, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
            MPI_Recv(inbox, length, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            check(inbox);
            ends[i] = stamped ? now() - starts[i] : 0;
        }
        else
        {
            MPI_Recv(inbox, length, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            check(inbox);
            MPI_Send(inbox, length, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
        }
    }
}

static struct figure rtt(void)
{
    struct figure figure = { 0 };
    round_trips(count, 1);
    if (rank == 0)
    {
        percentiles(&figure, ends, count);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    const int64_t start = now();
    round_trips(count, 0);
    const double elapsed = now() - start;
    figure.value = elapsed / count;
    figure.messages = 2 * count;
    count = calibrated(count, elapsed, run_ns / 2, 1);
    return figure;
}

static void post(MPI_Request *const requests, const int half)
{
    const int source = size == 2 ? 1 : MPI_ANY_SOURCE;
    const size_t stride = (length + 63) / 64 * 64;
    for (int i = 0; i < WINDOW; i++)
    {
        MPI_Irecv(inbox + (half * WINDOW + i) * stride, length, MPI_BYTE, source, 0, MPI_COMM_WORLD, &requests[i]);
    }
}

/* Two windows of receives are posted, so that one is always open while the other is read. */
static int64_t receive(const int64_t windows)
{
    MPI_Request requests[2][WINDOW];
    const size_t stride = (length + 63) / 64 * 64;
    int64_t start = 0;
    post(requests[0], 0);
    if (windows > 1)
    {
        post(requests[1], 1);
    }
    for (int64_t window = 0; window < windows; window++)
    {
        const int half = window & 1;
        MPI_Waitall(WINDOW, requests[half], MPI_STATUSES_IGNORE);
        for (int i = 0; i < WINDOW; i++)
        {
            check(inbox + (half * WINDOW + i) * stride);
        }
        if (window + 2 < windows)
        {
            post(requests[half], half);
        }
        if (window == 0)
        {
            start = now();
        }
    }
    return start;
}

/* Messages may not change until they are sent: each of a window needs one of its own. */
static void send(const int64_t windows)
{
    static uint8_t *outbox = NULL;
    MPI_Request requests[WINDOW];
    if (outbox == NULL)
    {
        outbox = malloc((size_t)WINDOW * length);
    }
    for (int64_t window = 0; window < windows; window++)
    {
        for (int i = 0; i < WINDOW; i++)
        {
            memcpy(outbox + (size_t)i * length, next_message(), length);
            MPI_Isend(outbox + (size_t)i * length, length, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &requests[i]);
        }
        MPI_Waitall(WINDOW, requests, MPI_STATUSES_IGNORE);
    }
}

static struct figure rate(void)
{
    struct figure figure = { 0 };
    count = count < 4 * WINDOW ? 4 * WINDOW : count / WINDOW * WINDOW;
    if (rank > 0)
    {
        send(count / WINDOW);
        return figure;
    }
    const int64_t start = receive((size - 1) * count / WINDOW);
    const double elapsed = now() - start;
    figure.messages = (size - 1) * count - WINDOW;
    figure.value = figure.messages * 1e9 / elapsed;
    count = calibrated(count, elapsed, run_ns, WINDOW);
    return figure;
}

/* From the first rank's start to the last rank's end; the first and the last word of every block are held to what was sent. */
static struct figure alltoall(void)
{
    static uint8_t *blocks = NULL;
    struct figure figure = { 0 };
    const int last = length - 8;
    if (blocks == NULL)
    {
        blocks = calloc(size, length);
    }
    for (int64_t i = 0; i < count; i++)
    {
        for (int dest = 0; dest < size; dest++)
        {
            const uint64_t word = (uint64_t)rank << 48 | (uint64_t)dest << 32 | (uint64_t)(sequence & 0xFFFFFFFF);
            memcpy(blocks + (size_t)dest * length + last, &word, 8);
            memcpy(blocks + (size_t)dest * length, &word, 8);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        starts[i] = now();
        MPI_Alltoall(blocks, length, MPI_BYTE, inbox, length, MPI_BYTE, MPI_COMM_WORLD);
        ends[i] = now();
        for (int source = 0; source < size; source++)
        {
            const uint64_t word = (uint64_t)source << 48 | (uint64_t)rank << 32 | (uint64_t)(sequence & 0xFFFFFFFF);
            wrong += memcmp(inbox + (size_t)source * length, &word, 8) != 0 ||
                memcmp(inbox + (size_t)source * length + last, &word, 8) != 0;
        }
        sequence++;
    }
    MPI_Reduce(rank == 0 ? MPI_IN_PLACE : starts, starts, count, MPI_INT64_T, MPI_MIN, 0, MPI_COMM_WORLD);
    MPI_Reduce(rank == 0 ? MPI_IN_PLACE : ends, ends, count, MPI_INT64_T, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
    {
        double elapsed = 0;
        for (int64_t i = 0; i < count; i++)
        {
            ends[i] -= starts[i];
            elapsed += ends[i];
        }
        percentiles(&figure, ends, count);
        figure.value = figure.p50;
        figure.messages = count * size * (size - 1);
        count = calibrated(count, elapsed, run_ns, 1);
    }
    return figure;
}

static struct figure measure(struct figure (*const mode)(void))
{
    MPI_Bcast(&count, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    const int64_t start = now(), cpu_start = cpu();
    struct figure figure = mode();
    double busy = (double)(cpu() - cpu_start) / (now() - start);
    busy = busy > 1 || size > cores ? 1 : busy;
    MPI_Reduce(&busy, &figure.busy, 1, MPI_DOUBLE, MPI_MIN, 0, MPI_COMM_WORLD);
    return figure;
}

/* The others wait without a core until ranks 0 and 1 are done. */
static void begin_probe(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

static void end_probe(void)
{
    static int64_t probes = 0;
    probes++;
    if (rank == 0)
    {
        atomic_store(&shared->done, probes);
    }
    while (atomic_load(&shared->done) < probes)
    {
        usleep(50);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static double probe_round_trips(void)
{
    static int64_t step = 0, number = 0;
    double result = 0;
    step++;
    begin_probe();
    if (rank == 0)
    {
        const int64_t start = now();
        int64_t trips = 0, elapsed = 0;
        while (elapsed < probe_ns)
        {
            for (int i = 0; i < 128; i++)
            {
                atomic_store_explicit(&shared->ping, ++number, memory_order_release);
                while (atomic_load_explicit(&shared->pong, memory_order_acquire) != number)
                {
                    idle();
                }
            }
            trips += 128;
            elapsed = now() - start;
        }
        atomic_store(&shared->stop, step);
        result = (double)elapsed / trips;
    }
    else if (rank == 1)
    {
        while (atomic_load_explicit(&shared->stop, memory_order_acquire) < step)
        {
            for (int i = 0; i < 1024; i++)
            {
                const int64_t found = atomic_load_explicit(&shared->ping, memory_order_acquire);
                if (found != number)
                {
                    number = found;
                    atomic_store_explicit(&shared->pong, found, memory_order_release);
                }
                else
                {
                    idle();
                }
            }
        }
    }
    end_probe();
    return result;
}

static int read_line(void)
{
    word *const line = shared->lines[lines_read & (LINES - 1)];
    if (atomic_load_explicit(&line[0], memory_order_acquire) != lines_read + 1)
    {
        idle();
        return 0;
    }
    for (int i = 1; i < 8; i++)
    {
        line_sum += atomic_load_explicit(&line[i], memory_order_relaxed);
    }
    if ((++lines_read & (HEAD_INTERVAL - 1)) == 0)
    {
        atomic_store_explicit(&shared->head, lines_read, memory_order_release);
    }
    return 1;
}

static void write_line(void)
{
    static int64_t head = 0;
    while (lines_written - head >= LINES)
    {
        head = atomic_load_explicit(&shared->head, memory_order_acquire);
        idle();
    }
    word *const line = shared->lines[lines_written & (LINES - 1)];
    lines_written++;
    for (int i = 1; i < 8; i++)
    {
        atomic_store_explicit(&line[i], lines_written, memory_order_relaxed);
    }
    atomic_store_explicit(&line[0], lines_written, memory_order_release);
}

static double probe_stream(void)
{
    static int64_t step = 0;
    double result = 0;
    step++;
    begin_probe();
    /* numbers of its own, below those of the round trips */
    if (rank == 0)
    {
        while (!read_line())
        {
            /* the writer is on its way */
        }
        const int64_t start = now(), first = lines_read;
        int64_t elapsed = 0;
        while (elapsed < probe_ns || lines_read == first)
        {
            for (int i = 0; i < 4096; i++)
            {
                read_line();
            }
            elapsed = now() - start;
        }
        result = (lines_read - first) * 1e9 / elapsed;
        atomic_store(&shared->stop, -step);
        while (atomic_load(&shared->sent) >> 40 != step || lines_read < (atomic_load(&shared->sent) & 0xFFFFFFFFFFLL))
        {
            read_line();
        }
    }
    else if (rank == 1)
    {
        while (atomic_load_explicit(&shared->stop, memory_order_acquire) != -step)
        {
            for (int i = 0; i < WINDOW; i++)
            {
                write_line();
            }
        }
        atomic_store(&shared->sent, step << 40 | lines_written);
    }
    end_probe();
    return result;
}

static int state(const double ns, const double near, const double fast, const double slow)
{
    return ns < near ? 0 : ns < fast ? 1 : ns < slow ? 2 : 3;
}

static int is_kept_fast(const double before, const double after, const double busy, char **const argv)
{
    const double near = atof(argv[7]), fast = atof(argv[8]), slow = atof(argv[9]);
    if (fast == 0)
    {
        return busy >= MIN_BUSY && before < STATE_FACTOR * after && after < STATE_FACTOR * before;
    }
    const int found = state(before, near, fast, slow);
    return busy >= MIN_BUSY && found == 1 && found == state(after, near, fast, slow);
}

static void run_all(char **const argv, struct figure (*const mode)(void))
{
    const int is_rate = mode == rate, warmups = atoi(argv[4]), attempts = atoi(argv[5]);
    for (int i = 0; i < warmups; i++)
    {
        measure(mode);
        probe_round_trips();
    }
    double before = probe_round_trips(), stream_before = is_rate ? probe_stream() : before;
    for (int i = 0, kept = 0; i < attempts && kept < ENOUGH; i++)
    {
        const struct figure figure = measure(mode);
        const double after = probe_round_trips(), stream_after = is_rate ? probe_stream() : after;
        if (rank == 0)
        {
            printf("RUN %.3f %.3f %.3f %.3f %.3f %.3f %.3f %.3f %lld %.4f\n", stream_before, stream_after, before, after,
                figure.value, figure.p50, figure.p99, figure.p999, (long long)figure.messages, figure.busy);
            kept += is_kept_fast(before, after, figure.busy, argv);
        }
        MPI_Bcast(&kept, 1, MPI_INT, 0, MPI_COMM_WORLD);
        before = after;
        stream_before = stream_after;
    }
    int64_t all = 0;
    MPI_Reduce(&wrong, &all, 1, MPI_INT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
    {
        printf("WRONG %lld\n", (long long)all);
        fflush(stdout);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc != 11 || size < 2)
    {
        fprintf(stderr, "found %d arguments and %d ranks, expected 10 and at least 2\n", argc - 1, size);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    cores = (int)sysconf(_SC_NPROCESSORS_ONLN);
    length = atoi(argv[2]);
    run_ns = atof(argv[3]) * 1e6;
    probe_ns = atof(argv[6]) * 1e6;
    /* whoever waits for nothing does not wait for ever */
    alarm((unsigned)atoi(argv[10]));
    MPI_Win window;
    MPI_Aint bytes;
    int unit;
    MPI_Win_allocate_shared(
        rank == 0 ? sizeof(struct shared) : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &shared, &window);
    MPI_Win_shared_query(window, 0, &bytes, &unit, &shared);
    if (rank == 0)
    {
        memset((void *)shared, 0, sizeof(struct shared));
    }
    prepare();
    MPI_Barrier(MPI_COMM_WORLD);
    run_all(argv, strcmp(argv[1], "rtt") == 0 ? rtt : strcmp(argv[1], "rate") == 0 ? rate : alltoall);
    MPI_Win_free(&window);
    MPI_Finalize();
    return line_sum == -1;
}

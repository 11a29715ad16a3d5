/* Copyright 2026 The Tallypost authors */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What the comparison measures, over MPI: round trips between ranks 0 and 1, messages per second from all other ranks to
 * rank 0, and an alltoall. Compiled and started by the comparison, as one process of a team. A rank that receives a
 * message reads all of it, but in latency and bandwidth, which are round trips and rates of messages that may be long: of these
 * it reads two words in each 4,096 bytes. Arguments, for each cell: mode (or none), length, ranks, how many receives with
 * other tags are posted beside those that are measured, and 1 if one from any source is. The detail of a turn is - or the times
 * of single alltoalls as ns:1,2,3.
 */
#include "turns.h"

#define VARIANTS 7
#define WINDOW 64
/* of a turn; what is beyond is not told */
#define MAX_TIMES 4096
/* one part of a turn in so many does not count */
#define LEAD 10
#define FIELDS 5
/* of a long message: begins with the first word of the message */
#define PAGE 4096
#define BULK_LENGTH (8 << 20)
/* of the first receive that no message is for */
#define FIRST_TAG 1000

struct cell
{
    char mode;
    int bulk, length, ranks, window;
    MPI_Comm ring;
    uint8_t *messages, *inbox, *outbox;
    int64_t sequence;
    int64_t *expected;
    uint64_t sums[VARIANTS];
    int others;
    MPI_Request *other_requests;
    int64_t *other_rooms;
};

static int64_t wrong;
static int64_t times[MAX_TIMES];
static int timed;
static struct cell *cells;

static uint64_t content(const int variant, const int offset)
{
    const uint64_t mixed = (variant * 4096ULL + offset + 1) * 0x9E3779B97F4A7C15ULL;
    return mixed ^ (mixed >> 29);
}

static size_t stride(const struct cell *const cell)
{
    return ((size_t)cell->length + 63) / 64 * 64;
}

/* Receives that no message is for, from the other rank of the pair; the last one may be from any source. */
static void post_others(struct cell *const cell, const int posted, const int wildcards)
{
    cell->others = posted + wildcards;
    cell->other_requests = calloc(cell->others + 1, sizeof(MPI_Request));
    cell->other_rooms = calloc(cell->others + 1, sizeof(int64_t));
    for (int i = 0; i < cell->others; i++)
    {
        MPI_Irecv(&cell->other_rooms[i], sizeof(int64_t), MPI_BYTE, i < posted ? rank == 0 : MPI_ANY_SOURCE, FIRST_TAG + i,
            cell->ring, &cell->other_requests[i]);
    }
}

static void cancel_others(struct cell *const cell)
{
    for (int i = 0; i < cell->others; i++)
    {
        MPI_Cancel(&cell->other_requests[i]);
        MPI_Wait(&cell->other_requests[i], MPI_STATUS_IGNORE);
    }
}

static void prepare(struct cell *const cell, char **const argv)
{
    /* t for round trips, a for rates, l for alltoall */
    cell->bulk = strcmp(argv[0], "latency") == 0 || strcmp(argv[0], "bandwidth") == 0;
    cell->mode = cell->bulk ? (argv[0][0] == 'l' ? 't' : 'a') : argv[0][1];
    cell->length = atoi(argv[1]);
    cell->window = WINDOW;
    while (cell->bulk && cell->window > 2 && (int64_t)cell->window * cell->length > BULK_LENGTH)
    {
        cell->window /= 2;
    }
    cell->ranks = atoi(argv[2]);
    MPI_Comm_split(MPI_COMM_WORLD, rank < cell->ranks ? 0 : MPI_UNDEFINED, rank, &cell->ring);
    if (rank >= cell->ranks)
    {
        return;
    }
    cell->messages = calloc(VARIANTS, cell->length);
    cell->inbox = aligned_alloc(64, (2 * cell->window + cell->ranks + 1) * stride(cell));
    cell->outbox = calloc(cell->window + cell->ranks, cell->length);
    cell->expected = calloc(cell->ranks, sizeof(int64_t));
    for (int variant = 0; variant < VARIANTS; variant++)
    {
        for (int at = 8; at < cell->length; at += 8)
        {
            const uint64_t value = content(cell->bulk ? 0 : variant, at);
            memcpy(cell->messages + variant * cell->length + at, &value, 8);
            cell->sums[variant] += value;
        }
    }
    /* the blocks of an alltoall, and long messages: only the first word of each, or of its pages, is written anew */
    for (int i = 0; i < cell->window + cell->ranks; i++)
    {
        memcpy(cell->outbox + (size_t)i * cell->length, cell->messages, cell->length);
    }
    post_others(cell, atoi(argv[3]), atoi(argv[4]));
}

/* The next message: only its first word is written anew. */
static uint8_t *next_message(struct cell *const cell)
{
    uint8_t *const message = cell->messages + cell->sequence % VARIANTS * cell->length;
    const uint64_t first = (uint64_t)rank << 56 | (uint64_t)cell->sequence++;
    for (int at = 0; at < (cell->bulk ? cell->length : 1); at += PAGE)
    {
        memcpy(message + at, &first, 8);
    }
    return message;
}

/* The next message in a place of a window. A long one is made there, and the place has its words. */
static void make_message(struct cell *const cell, uint8_t *const place)
{
    if (!cell->bulk)
    {
        memcpy(place, next_message(cell), cell->length);
        return;
    }
    const uint64_t first = (uint64_t)rank << 56 | (uint64_t)cell->sequence++;
    for (int at = 0; at < cell->length; at += PAGE)
    {
        memcpy(place + at, &first, 8);
    }
}

/* Of each page the first word, and one at another place each time. */
static void check_pages(struct cell *const cell, const uint8_t *const message)
{
    uint64_t first, found;
    memcpy(&first, message, 8);
    const int source = first >> 56;
    const int64_t number = first & 0xFFFFFFFFFFFFFFULL;
    if (source >= cell->ranks)
    {
        wrong++;
        return;
    }
    int right = number == cell->expected[source];
    for (int page = 0; page < cell->length; page += PAGE)
    {
        const int words = (cell->length - page < PAGE ? cell->length - page : PAGE) / 8;
        memcpy(&found, message + page, 8);
        right &= found == first;
        if (words > 1)
        {
            const int at = page + 8 * (1 + (int)((number + page / PAGE) % (words - 1)));
            memcpy(&found, message + at, 8);
            right &= found == content(0, at);
        }
    }
    wrong += !right;
    cell->expected[source] = number + 1;
}

static void check(struct cell *const cell, const uint8_t *const message)
{
    uint64_t first, sum = 0;
    if (cell->bulk)
    {
        check_pages(cell, message);
        return;
    }
    memcpy(&first, message, 8);
    for (int at = 8; at < cell->length; at += 8)
    {
        uint64_t value;
        memcpy(&value, message + at, 8);
        sum += value;
    }
    const int source = first >> 56;
    const int64_t number = first & 0xFFFFFFFFFFFFFFULL;
    if (source >= cell->ranks)
    {
        wrong++;
        return;
    }
    wrong += number != cell->expected[source] || sum != cell->sums[number % VARIANTS];
    cell->expected[source] = number + 1;
}

/* Each returns when the part that counts began. */
static int64_t rtt(struct cell *const cell, const int64_t count)
{
    const int64_t lead = count / LEAD;
    int64_t start = now();
    for (int64_t i = 0; i < count; i++)
    {
        if (i == lead)
        {
            start = now();
        }
        if (rank == 0)
        {
            MPI_Send(next_message(cell), cell->length, MPI_BYTE, 1, 0, cell->ring);
            MPI_Recv(cell->inbox, cell->length, MPI_BYTE, 1, 0, cell->ring, MPI_STATUS_IGNORE);
            check(cell, cell->inbox);
        }
        else
        {
            MPI_Recv(cell->inbox, cell->length, MPI_BYTE, 0, 0, cell->ring, MPI_STATUS_IGNORE);
            check(cell, cell->inbox);
            MPI_Send(cell->inbox, cell->length, MPI_BYTE, 0, 0, cell->ring);
        }
    }
    return start;
}

static void post(struct cell *const cell, MPI_Request *const requests, const int half)
{
    const int source = cell->ranks == 2 ? 1 : MPI_ANY_SOURCE;
    for (int i = 0; i < cell->window; i++)
    {
        MPI_Irecv(cell->inbox + (half * cell->window + i) * stride(cell), cell->length, MPI_BYTE, source, 0, cell->ring, &requests[i]);
    }
}

/* Two windows of receives are posted, so that one is always open while the other is read. */
static int64_t receive(struct cell *const cell, const int64_t windows, const int64_t lead)
{
    MPI_Request requests[2][WINDOW];
    int64_t start = now();
    post(cell, requests[0], 0);
    if (windows > 1)
    {
        post(cell, requests[1], 1);
    }
    for (int64_t window = 0; window < windows; window++)
    {
        const int half = window & 1;
        MPI_Waitall(cell->window, requests[half], MPI_STATUSES_IGNORE);
        for (int i = 0; i < cell->window; i++)
        {
            check(cell, cell->inbox + (half * cell->window + i) * stride(cell));
        }
        if (window + 2 < windows)
        {
            post(cell, requests[half], half);
        }
        if (window + 1 == lead)
        {
            start = now();
        }
    }
    return start;
}

/* Messages may not change until they are sent: each of a window needs one of its own. */
static void send(struct cell *const cell, const int64_t windows)
{
    MPI_Request requests[WINDOW];
    for (int64_t window = 0; window < windows; window++)
    {
        for (int i = 0; i < cell->window; i++)
        {
            uint8_t *const message = cell->outbox + (size_t)i * cell->length;
            make_message(cell, message);
            MPI_Isend(message, cell->length, MPI_BYTE, 0, 0, cell->ring, &requests[i]);
        }
        MPI_Waitall(cell->window, requests, MPI_STATUSES_IGNORE);
    }
}

/* Every block is read whole: its first word is held to what was sent, and the sum of the others. */
static int64_t alltoall(struct cell *const cell, const int64_t count)
{
    const int64_t lead = count / LEAD;
    uint8_t *const blocks = cell->outbox;
    int64_t start = now(), before = start;
    timed = 0;
    for (int64_t i = 0; i < count; i++)
    {
        if (i == lead)
        {
            start = now();
            before = start;
        }
        for (int dest = 0; dest < cell->ranks; dest++)
        {
            const uint64_t word = (uint64_t)rank << 48 | (uint64_t)dest << 32 | (uint64_t)(cell->sequence & 0xFFFFFFFF);
            memcpy(blocks + (size_t)dest * cell->length, &word, 8);
        }
        MPI_Alltoall(blocks, cell->length, MPI_BYTE, cell->inbox, cell->length, MPI_BYTE, cell->ring);
        for (int source = 0; source < cell->ranks; source++)
        {
            const uint64_t word = (uint64_t)source << 48 | (uint64_t)rank << 32 | (uint64_t)(cell->sequence & 0xFFFFFFFF);
            const uint8_t *const block = cell->inbox + (size_t)source * cell->length;
            uint64_t sum = 0;
            for (int at = 8; at < cell->length; at += 8)
            {
                uint64_t value;
                memcpy(&value, block + at, 8);
                sum += value;
            }
            wrong += memcmp(block, &word, 8) != 0 || sum != cell->sums[0];
        }
        cell->sequence++;
        if (i >= lead && timed < MAX_TIMES)
        {
            const int64_t after = now();
            times[timed++] = after - before;
            before = after;
        }
    }
    return start;
}

static int ranks_of(const int number)
{
    return cells[number].ranks;
}

/* All ranks of the cell take the turn; rank 0 answers. */
static void take(const int number, const int64_t wanted)
{
    struct cell *const cell = &cells[number];
    int64_t counted = 0, start = 0, all = 0;
    MPI_Barrier(cell->ring);
    const int64_t delay = run_delay(), begin = now();
    if (cell->mode == 't')
    {
        start = rtt(cell, wanted);
        counted = wanted - wanted / LEAD;
    }
    else if (cell->mode == 'a')
    {
        const int64_t senders = cell->ranks - 1, asked = wanted / cell->window / senders;
        const int64_t windows = asked > 2 ? asked : 2;
        const int64_t lead = senders * windows / LEAD > 1 ? senders * windows / LEAD : 1;
        if (rank == 0)
        {
            start = receive(cell, senders * windows, lead);
        }
        else
        {
            send(cell, windows);
        }
        counted = (senders * windows - lead) * cell->window;
    }
    else
    {
        start = alltoall(cell, wanted);
        counted = wanted - wanted / LEAD;
    }
    const int64_t end = now(), delayed = run_delay();
    MPI_Reduce(&wrong, &all, 1, MPI_INT64_T, MPI_SUM, 0, cell->ring);
    if (rank == 0)
    {
        const int told = cell->mode == 'l' ? timed : 0;
        book(end - begin, end - start, counted, all, delayed < 0 ? -1 : delayed - delay);
        printf(told > 0 ? "ns:" : "-");
        for (int i = 0; i < told; i++)
        {
            printf(i == 0 ? "%lld" : ",%lld", (long long)times[i]);
        }
        printf("\n");
        fflush(stdout);
    }
}

int main(int argc, char **argv)
{
    open_turns(&argc, &argv);
    const int count = (argc - 1) / FIELDS;
    if (argc < 1 + FIELDS || argc != 1 + FIELDS * count)
    {
        fprintf(stderr, "found %d arguments, expected %d for each cell\n", argc - 1, FIELDS);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    cells = calloc(count, sizeof(struct cell));
    for (int i = 0; i < count; i++)
    {
        prepare(&cells[i], argv + 1 + FIELDS * i);
    }
    take_turns(count);
    for (int i = 0; i < count; i++)
    {
        cancel_others(&cells[i]);
    }
    close_turns();
    return 0;
}

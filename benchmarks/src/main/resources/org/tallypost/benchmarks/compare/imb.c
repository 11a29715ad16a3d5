/* Copyright 2026 The Tallypost authors */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The operations of "tallypost bench imb", over MPI; what each is, and how it is measured, is told at ImbCall and ImbParty, of
 * which this is the counterpart. Arguments: imb or thesis; then for each cell the operation's name and a length in bytes.
 * The detail of a turn is the least and the greatest time that a rank took for all repetitions, in nanoseconds, as 1,2.
 */
#include "turns.h"

#define FIELDS 2
#define WINDOW 64
#define WARM_UPS 4
#define TAG 1
/* receives of a window share so many bytes */
#define WINDOW_LENGTH (8 << 20)

enum call
{
    PINGPONG, PINGPING, SENDRECV, EXCHANGE, UNIBAND, BIBAND, BCAST, REDUCE, ALLREDUCE, REDUCE_SCATTER, ALLGATHER, ALLGATHERV,
    GATHER, GATHERV, SCATTER, SCATTERV, ALLTOALL, ALLTOALLV, BARRIER, RAW_LINES, RAW_PINGPONG, CALLS
};

static const char *const names[CALLS] =
{
    "pingpong", "pingping", "sendrecv", "exchange", "uniband", "biband", "bcast", "reduce", "allreduce", "reduce_scatter",
    "allgather", "allgatherv", "gather", "gatherv", "scatter", "scatterv", "alltoall", "alltoallv", "barrier",
    "raw_lines", "raw_pingpong"
};

struct cell
{
    enum call call;
    int length;
};

static struct cell *cells;
static int is_thesis;
static uint8_t *in, *out;
static size_t in_length, out_length;
static int counts[MAX_RANKS], displacements[MAX_RANKS];
static int64_t wrong;

/* Memory of ranks 0 and 1 for what is raw, as at ImbRaw: a line of each, and a place for bytes of each behind a line. */
#define LINE_LENGTH 128
#define HEAD_LENGTH 64
static uint8_t *raw;
static MPI_Win raw_window;
static size_t raw_place;
static int64_t comings, messages;

static int max(const int a, const int b)
{
    return a > b ? a : b;
}

static int is_reduction(const enum call call)
{
    return call == REDUCE || call == ALLREDUCE || call == REDUCE_SCATTER;
}

static int is_raw(const enum call call)
{
    return call == RAW_LINES || call == RAW_PINGPONG;
}

static int is_transfer(const enum call call)
{
    return call <= BIBAND;
}

/* Places for the receives of a window. */
static int places(const int length)
{
    return length == 0 || WINDOW_LENGTH / length >= WINDOW ? WINDOW : max(1, WINDOW_LENGTH / length);
}

static int ranks_of(const int number)
{
    (void)number;
    return size;
}

/* What rank source has at a place before the operation. */
static uint8_t content(const int source, const size_t at, const int64_t step)
{
    return (uint8_t)(source * 31 + at * 7 + step * 13);
}

static float element(const int source, const size_t index, const int64_t step)
{
    return (float)((source + index + step) % 16);
}

static void fill(const struct cell *const cell, const int64_t step)
{
    const size_t length = is_transfer(cell->call) || is_raw(cell->call) ? (size_t)cell->length :
        (cell->call == SCATTER || cell->call == SCATTERV || cell->call == ALLTOALL || cell->call == ALLTOALLV ? size : 1) *
        (size_t)cell->length;
    for (size_t i = 0; !is_reduction(cell->call) && i < length; i++)
    {
        in[i] = content(rank, i, step);
    }
    for (size_t i = 0; is_reduction(cell->call) && i < length / sizeof(float); i++)
    {
        ((float *)in)[i] = element(rank, i, step);
    }
    memset(out, 0xFF, out_length);
}

static int is_sent(const int source, const size_t from, const size_t to, const size_t length, const int64_t step)
{
    for (size_t i = 0; i < length; i++)
    {
        if (out[to + i] != content(source, from + i, step))
        {
            return 0;
        }
    }
    return 1;
}

static int is_sum(const size_t first, const size_t count, const int64_t step)
{
    for (size_t i = 0; i < count; i++)
    {
        float sum = 0;
        for (int source = 0; source < size; source++)
        {
            sum += element(source, first + i, step);
        }
        if (((float *)out)[i] != sum)
        {
            return 0;
        }
    }
    return 1;
}

/* What the last operation left at this rank. */
static int is_right(const struct cell *const cell, const int64_t step)
{
    const size_t length = cell->length;
    const int pairs = size / 2;
    int right = 1;
    switch (cell->call)
    {
        case PINGPONG:
        case PINGPING:
        case RAW_PINGPONG:
            return rank > 1 || is_sent(1 - rank, 0, 0, length, step);
        case SENDRECV:
            return is_sent((rank + size - 1) % size, 0, 0, length, step);
        case EXCHANGE:
            return is_sent((rank + size - 1) % size, 0, 0, length, step) &&
                is_sent((rank + 1) % size, 0, length, length, step);
        case UNIBAND:
        case BIBAND:
            for (int place = 0; place < places(cell->length); place++)
            {
                const int receives = rank < 2 * pairs && (cell->call == BIBAND || rank >= pairs);
                right &= !receives ||
                    is_sent(rank < pairs ? rank + pairs : rank - pairs, 0, place * length, length, step);
            }
            return right;
        case BCAST:
            return rank == 0 || is_sent(0, 0, 0, length, step);
        case REDUCE:
            return rank != 0 || is_sum(0, length / sizeof(float), step);
        case ALLREDUCE:
            return is_sum(0, length / sizeof(float), step);
        case REDUCE_SCATTER:
            return is_sum(displacements[rank], counts[rank], step);
        case SCATTER:
        case SCATTERV:
            return is_sent(0, rank * length, 0, length, step);
        case BARRIER:
        case RAW_LINES:
            return 1;
        default:
            for (int source = 0; source < size; source++)
            {
                const int is_all_to_all = cell->call == ALLTOALL || cell->call == ALLTOALLV;
                const int has_it = rank == 0 || (cell->call != GATHER && cell->call != GATHERV);
                right &= !has_it || is_sent(source, is_all_to_all ? rank * length : 0, source * length, length, step);
            }
            return right;
    }
}

/* Portions of a call that takes lists of them: equal ones in bytes, or elements split as evenly as they can be. */
static void portion(const struct cell *const cell)
{
    const int is_split = cell->call == REDUCE_SCATTER;
    const int elements = cell->length / (int)sizeof(float);
    int at = 0;
    for (int i = 0; i < size; i++)
    {
        counts[i] = is_split ? elements / size + (i < elements % size) : cell->length;
        displacements[i] = at;
        at += counts[i];
    }
}

static void window(const struct cell *const cell, const int peer, const int sends, const int receives)
{
    MPI_Request requests[2 * WINDOW];
    const int length = cell->length;
    int count = 0;
    for (int i = 0; receives && i < WINDOW; i++)
    {
        MPI_Irecv(out + (size_t)(i % places(length)) * length, length, MPI_BYTE, peer, TAG, MPI_COMM_WORLD,
            &requests[count++]);
    }
    for (int i = 0; sends && i < WINDOW; i++)
    {
        MPI_Isend(in, length, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, &requests[count++]);
    }
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
}

static void band(const struct cell *const cell)
{
    const int pairs = size / 2, is_first = rank < pairs, both = cell->call == BIBAND;
    uint8_t answer = 0;
    if (rank >= 2 * pairs)
    {
        return;
    }
    window(cell, is_first ? rank + pairs : rank - pairs, is_first || both, !is_first || both);
    if (is_first)
    {
        MPI_Recv(&answer, 1, MPI_BYTE, rank + pairs, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    else
    {
        MPI_Send(&answer, 1, MPI_BYTE, rank - pairs, TAG, MPI_COMM_WORLD);
    }
}

static void transfer(const struct cell *const cell)
{
    const int length = cell->length, right = (rank + 1) % size, left = (rank + size - 1) % size;
    MPI_Request requests[2];
    switch (cell->call)
    {
        case PINGPONG:
            if (rank == 0)
            {
                MPI_Send(in, length, MPI_BYTE, 1, TAG, MPI_COMM_WORLD);
            }
            if (rank < 2)
            {
                MPI_Recv(out, length, MPI_BYTE, 1 - rank, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            }
            if (rank == 1)
            {
                MPI_Send(in, length, MPI_BYTE, 0, TAG, MPI_COMM_WORLD);
            }
            break;
        case PINGPING:
            if (rank < 2)
            {
                MPI_Isend(in, length, MPI_BYTE, 1 - rank, TAG, MPI_COMM_WORLD, &requests[0]);
                MPI_Recv(out, length, MPI_BYTE, 1 - rank, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
            }
            break;
        case SENDRECV:
            MPI_Sendrecv(
                in, length, MPI_BYTE, right, TAG, out, length, MPI_BYTE, left, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            break;
        case EXCHANGE:
            MPI_Isend(in, length, MPI_BYTE, right, TAG, MPI_COMM_WORLD, &requests[0]);
            MPI_Isend(in, length, MPI_BYTE, left, TAG, MPI_COMM_WORLD, &requests[1]);
            MPI_Recv(out, length, MPI_BYTE, left, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Recv(out + length, length, MPI_BYTE, right, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
            break;
        default:
            band(cell);
            break;
    }
}

static void collective(const struct cell *const cell)
{
    const int length = cell->length, elements = length / (int)sizeof(float);
    const MPI_Comm all = MPI_COMM_WORLD;
    switch (cell->call)
    {
        case BCAST: MPI_Bcast(rank == 0 ? in : out, length, MPI_BYTE, 0, all); break;
        case REDUCE: MPI_Reduce(in, out, elements, MPI_FLOAT, MPI_SUM, 0, all); break;
        case ALLREDUCE: MPI_Allreduce(in, out, elements, MPI_FLOAT, MPI_SUM, all); break;
        case REDUCE_SCATTER: MPI_Reduce_scatter(in, out, counts, MPI_FLOAT, MPI_SUM, all); break;
        case ALLGATHER: MPI_Allgather(in, length, MPI_BYTE, out, length, MPI_BYTE, all); break;
        case ALLGATHERV: MPI_Allgatherv(in, length, MPI_BYTE, out, counts, displacements, MPI_BYTE, all); break;
        case GATHER: MPI_Gather(in, length, MPI_BYTE, out, length, MPI_BYTE, 0, all); break;
        case GATHERV: MPI_Gatherv(in, length, MPI_BYTE, out, counts, displacements, MPI_BYTE, 0, all); break;
        case SCATTER: MPI_Scatter(in, length, MPI_BYTE, out, length, MPI_BYTE, 0, all); break;
        case SCATTERV: MPI_Scatterv(in, counts, displacements, MPI_BYTE, out, length, MPI_BYTE, 0, all); break;
        case ALLTOALL: MPI_Alltoall(in, length, MPI_BYTE, out, length, MPI_BYTE, all); break;
        case ALLTOALLV:
            MPI_Alltoallv(in, counts, displacements, MPI_BYTE, out, counts, displacements, MPI_BYTE, all);
            break;
        default: MPI_Barrier(all); break;
    }
}

static void await_line(const int64_t *const line, const int64_t expected)
{
    while (__atomic_load_n(line, __ATOMIC_ACQUIRE) < expected)
    {
        /* the other rank is about to write it */
    }
}

static void put_raw(const int length)
{
    uint8_t *const place = raw + 2 * LINE_LENGTH + rank * raw_place;
    memcpy(place + HEAD_LENGTH, in, length);
    __atomic_store_n((int64_t *)place, messages, __ATOMIC_RELEASE);
}

static void take_raw(const int length)
{
    const uint8_t *const place = raw + 2 * LINE_LENGTH + (1 - rank) * raw_place;
    await_line((const int64_t *)place, messages);
    memcpy(out, place + HEAD_LENGTH, length);
}

static void move_raw(const struct cell *const cell)
{
    if (cell->call == RAW_LINES)
    {
        comings++;
        __atomic_store_n((int64_t *)(raw + rank * LINE_LENGTH), comings, __ATOMIC_RELEASE);
        await_line((const int64_t *)(raw + (1 - rank) * LINE_LENGTH), comings);
        return;
    }
    messages++;
    if (rank == 0)
    {
        put_raw(cell->length);
        take_raw(cell->length);
    }
    else
    {
        take_raw(cell->length);
        put_raw(cell->length);
    }
}

static void once(const struct cell *const cell)
{
    if (is_raw(cell->call))
    {
        move_raw(cell);
    }
    else if (is_transfer(cell->call))
    {
        transfer(cell);
    }
    else
    {
        collective(cell);
    }
}

/* Whether each repetition is timed by itself, behind a barrier. */
static int is_single(const enum call call)
{
    return call == BARRIER ? is_thesis : !is_transfer(call) && !is_raw(call);
}

/* Times of this rank: one for all repetitions together, or one for each. */
static int measure(const struct cell *const cell, const int repetitions, int64_t *const times)
{
    const int single = is_single(cell->call);
    for (int i = 0; i < WARM_UPS; i++)
    {
        once(cell);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    if (!single)
    {
        const int64_t start = now();
        for (int i = 0; i < repetitions; i++)
        {
            once(cell);
        }
        times[0] = (now() - start) / (cell->call == PINGPONG || cell->call == RAW_PINGPONG ? 2 : 1);
        return 1;
    }
    for (int i = 0; i < repetitions; i++)
    {
        MPI_Barrier(MPI_COMM_WORLD);
        const int64_t start = now();
        once(cell);
        times[i] = now() - start;
    }
    return repetitions;
}

/* Ranks that take part, the first ones. */
static int active(const enum call call)
{
    return call <= PINGPING || is_raw(call) ? 2 : call == UNIBAND || call == BIBAND ? size / 2 * 2 : size;
}

/* What counts, of all repetitions together: a mean over ranks, or of each repetition what the thesis asks for. */
static int64_t figure(const enum call call, const int64_t *const times, const int count)
{
    const int is_at_root = call == GATHER || call == GATHERV || call == REDUCE;
    int64_t sum = 0;
    for (int i = 0; i < count; i++)
    {
        int64_t ranks = 0, longest = 0;
        for (int source = 0; source < active(call); source++)
        {
            const int64_t time = times[(size_t)source * count + i];
            ranks += time;
            longest = time > longest ? time : longest;
        }
        sum += !is_thesis || call == BARRIER || is_transfer(call) ? ranks / active(call) : is_at_root ? times[i] : longest;
    }
    return sum;
}

static void answer(
    const struct cell *const cell, const int repetitions, const int64_t *const times, const int count, const int64_t elapsed,
    const int64_t all, const int64_t delay)
{
    int64_t least = INT64_MAX, most = 0;
    for (int source = 0; source < active(cell->call); source++)
    {
        int64_t sum = 0;
        for (int i = 0; i < count; i++)
        {
            sum += times[(size_t)source * count + i];
        }
        least = sum < least ? sum : least;
        most = sum > most ? sum : most;
    }
    book(elapsed, figure(cell->call, times, count), repetitions, all, delay);
    printf("%lld,%lld\n", (long long)least, (long long)most);
    fflush(stdout);
}

static void take(const int number, const int64_t repetitions)
{
    const struct cell *const cell = &cells[number];
    const int64_t step = shared->step;
    int64_t *const times = calloc(repetitions, sizeof(int64_t));
    int64_t *const gathered = rank == 0 ? calloc(size * repetitions, sizeof(int64_t)) : NULL;
    int64_t all = 0;
    portion(cell);
    fill(cell, step);
    MPI_Barrier(MPI_COMM_WORLD);
    const int64_t delay = run_delay(), begin = now();
    const int count = measure(cell, (int)repetitions, times);
    const int64_t elapsed = now() - begin, delayed = run_delay();
    wrong += !is_right(cell, step);
    MPI_Gather(times, count, MPI_INT64_T, gathered, count, MPI_INT64_T, 0, MPI_COMM_WORLD);
    MPI_Reduce(&wrong, &all, 1, MPI_INT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
    {
        answer(cell, (int)repetitions, gathered, count, elapsed, all, delayed < 0 ? -1 : delayed - delay);
    }
    free(times);
    free(gathered);
}

static void prepare(struct cell *const cell, char **const argv)
{
    int call = 0;
    while (call < CALLS && strcmp(argv[0], names[call]) != 0)
    {
        call++;
    }
    if (call == CALLS)
    {
        fprintf(stderr, "found the operation '%s', expected one that is known\n", argv[0]);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    cell->call = (enum call)call;
    cell->length = atoi(argv[1]);
    const size_t length = cell->length;
    const size_t received = call == UNIBAND || call == BIBAND ? places(cell->length) * length :
        max(2, size) * length;
    in_length = size * length > in_length ? size * length : in_length;
    out_length = received > out_length ? received : out_length;
}

/* Memory in which both ranks' places have room for what is raw. */
static void open_raw(const int count)
{
    MPI_Aint bytes;
    int unit, longest = 0;
    for (int i = 0; i < count; i++)
    {
        longest = is_raw(cells[i].call) ? max(longest, cells[i].length) : longest;
    }
    raw_place = (HEAD_LENGTH + (size_t)longest + LINE_LENGTH - 1) / LINE_LENGTH * LINE_LENGTH;
    const size_t length = 2 * LINE_LENGTH + 2 * raw_place;
    MPI_Win_allocate_shared(rank == 0 ? length : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &raw, &raw_window);
    MPI_Win_shared_query(raw_window, 0, &bytes, &unit, &raw);
    if (rank == 0)
    {
        memset(raw, 0, length);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    open_turns(&argc, &argv);
    const int count = (argc - 2) / FIELDS;
    if (argc < 2 + FIELDS || argc != 2 + FIELDS * count)
    {
        fprintf(stderr, "found %d arguments, expected a method and %d for each cell\n", argc - 1, FIELDS);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    is_thesis = strcmp(argv[1], "thesis") == 0;
    cells = calloc(count, sizeof(struct cell));
    for (int i = 0; i < count; i++)
    {
        prepare(&cells[i], argv + 2 + FIELDS * i);
    }
    open_raw(count);
    in = aligned_alloc(4096, (in_length / 4096 + 1) * 4096);
    out = aligned_alloc(4096, (out_length / 4096 + 1) * 4096);
    memset(in, 0, in_length);
    take_turns(count);
    MPI_Win_free(&raw_window);
    close_turns();
    return 0;
}

// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

// The twin of IntegerSort. Arguments: keys, rounds.
#include "rounds.h"

static void make(int *keys, int first, int count)
{
    for (int i = 0; i < count; i++)
    {
        uint64_t mixed = (uint64_t)(first + i + 1) * 0x9E3779B97F4A7C15u;
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9u;
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBu;
        keys[i] = (int)((mixed ^ mixed >> 31) & INT32_MAX);
    }
}

static int rank_of(int key)
{
    return (int)((long)key * all_ranks >> 31);
}

static void set_starts(const int *counts, int *starts, int count)
{
    starts[0] = 0;
    for (int i = 1; i < count; i++)
    {
        starts[i] = starts[i - 1] + counts[i - 1];
    }
}

static void distribute(const int *keys, int count, int *sorted, int *counts, int *next)
{
    memset(counts, 0, all_ranks * sizeof(int));
    for (int i = 0; i < count; i++)
    {
        counts[rank_of(keys[i])]++;
    }
    set_starts(counts, next, all_ranks);
    for (int i = 0; i < count; i++)
    {
        sorted[next[rank_of(keys[i])]++] = keys[i];
    }
}

static void sort(int *keys, int *spare, int count)
{
    int *from = keys;
    int *to = spare;
    for (int digit = 0; digit < 4; digit++)
    {
        const int shift = digit * 8;
        int counts[256] = {0};
        int next[256];
        for (int i = 0; i < count; i++)
        {
            counts[from[i] >> shift & 255]++;
        }
        set_starts(counts, next, 256);
        for (int i = 0; i < count; i++)
        {
            to[next[from[i] >> shift & 255]++] = from[i];
        }
        int *other = from;
        from = to;
        to = other;
    }
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    const int all = argument(argc, argv, 1, 10000);
    const int rounds = argument(argc, argv, 2, 1);
    const int keys_count = count_of(all, own_rank, all_ranks);
    int *keys = zeros(keys_count, sizeof(int));
    int *distributed = zeros(keys_count, sizeof(int));
    int *numbers = zeros((size_t)5 * all_ranks, sizeof(int));
    int *send_counts = numbers;
    int *receive_counts = numbers + all_ranks;
    int *send_starts = numbers + 2 * all_ranks;
    int *receive_starts = numbers + 3 * all_ranks;
    int *next = numbers + 4 * all_ranks;
    int *own = NULL;
    int *spare = NULL;
    int room = -1;
    int count = 0;
    make(keys, first_of(all, own_rank, all_ranks), keys_count);
    for (int round = 0; round < rounds; round++)
    {
        const double start = start_round();
        distribute(keys, keys_count, distributed, send_counts, next);
        MPI_Alltoall(send_counts, 1, MPI_INT, receive_counts, 1, MPI_INT, MPI_COMM_WORLD);
        set_starts(send_counts, send_starts, all_ranks);
        set_starts(receive_counts, receive_starts, all_ranks);
        count = receive_starts[all_ranks - 1] + receive_counts[all_ranks - 1];
        if (room < count)
        {
            free(own);
            free(spare);
            room = count;
            own = zeros(count, sizeof(int));
            spare = zeros(count, sizeof(int));
        }
        MPI_Alltoallv(distributed, send_counts, send_starts, MPI_INT, own, receive_counts, receive_starts, MPI_INT,
            MPI_COMM_WORLD);
        sort(own, spare, count);
        end_round(start);
    }
    MPI_Gather(&count, 1, MPI_INT, receive_counts, 1, MPI_INT, 0, MPI_COMM_WORLD);
    set_starts(receive_counts, receive_starts, all_ranks);
    bool is_good = own_rank != 0 || receive_starts[all_ranks - 1] + receive_counts[all_ranks - 1] == all;
    MPI_Bcast(&is_good, 1, MPI_C_BOOL, 0, MPI_COMM_WORLD);
    if (is_good)
    {
        int *sorted = zeros(own_rank == 0 ? all : 0, sizeof(int));
        MPI_Gatherv(own, count, MPI_INT, sorted, receive_counts, receive_starts, MPI_INT, 0, MPI_COMM_WORLD);
        if (own_rank == 0)
        {
            int *alone = zeros(all, sizeof(int));
            int *other = zeros(all, sizeof(int));
            make(alone, 0, all);
            sort(alone, other, all);
            is_good = memcmp(alone, sorted, all * sizeof(int)) == 0;
            for (int i = 1; i < all; i++)
            {
                is_good &= alone[i - 1] <= alone[i];
            }
            free(alone);
            free(other);
        }
        free(sorted);
    }
    if (own_rank == 0)
    {
        finish("sort", is_good);
    }
    free(keys);
    free(distributed);
    free(numbers);
    free(own);
    free(spare);
    MPI_Finalize();
    return 0;
}

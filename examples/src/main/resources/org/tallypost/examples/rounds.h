// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

// What the programs have in common: their arguments, shares of ranks, and their output.
#pragma once

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int own_rank;
static int all_ranks;

static int argument(int argc, char **argv, int place, int usual)
{
    const int number = argc > place ? atoi(argv[place]) : usual;
    if (number < 1)
    {
        fprintf(stderr, "argument %d: found=%s, expected=at least 1\n", place, argv[place]);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    return number;
}

static void *zeros(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    if (memory == NULL)
    {
        fprintf(stderr, "no memory for %zu times %zu bytes\n", count, size);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    return memory;
}

static int first_of(int items, int rank, int ranks)
{
    return (int)((long)items * rank / ranks);
}

static inline int count_of(int items, int rank, int ranks)
{
    return first_of(items, rank + 1, ranks) - first_of(items, rank, ranks);
}

static void begin(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &own_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &all_ranks);
}

static double start_round(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Wtime();
}

static void end_round(double start)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (own_rank == 0)
    {
        printf("seconds %.9f\n", MPI_Wtime() - start);
    }
}

static void finish(const char *name, bool is_good)
{
    printf("%s: %s\n", name, is_good ? "right" : "WRONG, the result is not that of one process");
}

/* Copyright 2026 The Tallypost authors */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * How a program of MPI takes turns as one process of a team: rank 0 reads the lines of turns and answers them. Between two turns
 * all ranks are blocked, rank 0 in a read, the others at a semaphore.
 *
 *   TURN step cell messages profile                                     read; the profile has no meaning here
 *   READY                                                               printed before the first turn
 *   BOOKED elapsedNs countedNs messages wrong switches runDelay steal detail
 *       printed for each turn; -1 is unknown
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAX_RANKS 64

struct shared
{
    sem_t turn[MAX_RANKS];
    int64_t step;
    int64_t cell;
    int64_t count;
    int64_t quit;
};

static int rank, size;
static struct shared *shared;
static MPI_Win shared_window;

/* What a program has of its own: the ranks of a cell, and what they all do in a turn, at the end of which rank 0 books. */
static int ranks_of(int cell);
static void take(int cell, int64_t messages);

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

/* Nanoseconds in which this thread could run and had no core; -1 if the kernel does not tell. */
static int64_t run_delay(void)
{
    long long ran, delay = -1;
    FILE *const file = fopen("/proc/thread-self/schedstat", "r");
    if (file != NULL)
    {
        if (fscanf(file, "%lld %lld", &ran, &delay) != 2)
        {
            delay = -1;
        }
        fclose(file);
    }
    return delay;
}

/* To be called first. */
static void open_turns(int *const argc, char ***const argv)
{
    MPI_Aint bytes;
    int unit;
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size < 2 || size > MAX_RANKS)
    {
        fprintf(stderr, "found %d ranks, expected 2 to %d\n", size, MAX_RANKS);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    MPI_Win_allocate_shared(
        rank == 0 ? sizeof(struct shared) : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &shared, &shared_window);
    MPI_Win_shared_query(shared_window, 0, &bytes, &unit, &shared);
    if (rank == 0)
    {
        memset(shared, 0, sizeof(struct shared));
        for (int other = 0; other < size; other++)
        {
            sem_init(&shared->turn[other], 1, 0);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Begins the line of a turn; its detail and its end are to follow. */
static void book(
    const int64_t elapsed, const int64_t counted, const int64_t messages, const int64_t wrong, const int64_t delay)
{
    printf("BOOKED %lld %lld %lld %lld -1 %lld -1 ", (long long)elapsed, (long long)counted, (long long)messages,
        (long long)wrong, (long long)delay);
}

static void serve(const int count)
{
    char line[256];
    long long step, messages;
    int cell, profile;
    printf("READY\n");
    fflush(stdout);
    while (fgets(line, sizeof(line), stdin) != NULL)
    {
        if (sscanf(line, "TURN %lld %d %lld %d", &step, &cell, &messages, &profile) != 4 || cell < 0 || cell >= count)
        {
            printf("FAILED found '%s', expected TURN step cell messages profile\n", strtok(line, "\n"));
            fflush(stdout);
            MPI_Abort(MPI_COMM_WORLD, 2);
        }
        shared->step = step;
        shared->cell = cell;
        shared->count = messages;
        for (int other = 1; other < ranks_of(cell); other++)
        {
            sem_post(&shared->turn[other]);
        }
        take(cell, messages);
    }
    shared->quit = 1;
    for (int other = 1; other < size; other++)
    {
        sem_post(&shared->turn[other]);
    }
}

static void await_turns(void)
{
    while (1)
    {
        while (sem_wait(&shared->turn[rank]) != 0)
        {
            /* interrupted */
        }
        if (shared->quit)
        {
            return;
        }
        take(shared->cell, shared->count);
    }
}

/* Returns when the last turn was taken. */
static void take_turns(const int count)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
    {
        serve(count);
    }
    else
    {
        await_turns();
    }
}

static void close_turns(void)
{
    MPI_Win_free(&shared_window);
    MPI_Finalize();
}

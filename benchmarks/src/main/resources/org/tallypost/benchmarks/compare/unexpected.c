/* Copyright 2026 The Tallypost authors */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Messages that nobody receives, over MPI: all other ranks send to rank 0, which lets them all come before it receives the first
 * one. Compiled and started by "bench unexpected". Arguments: messages of each sender, their length in bytes, and the most
 * resident bytes that rank 0 may have.
 *
 *   FULL before full       printed by rank 0: resident bytes before the first message, and when all have come
 *   RECEIVED after wrong   resident bytes when all were received, and messages that were not in order
 *   LIMIT resident         instead of both: rank 0 has become too large, and the program ends
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MESSAGE 1
#define LAST 2
#define LOOKS 1000

static int64_t resident(void)
{
    long long all, pages = 0;
    FILE *const file = fopen("/proc/self/statm", "r");
    if (file != NULL)
    {
        if (fscanf(file, "%lld %lld", &all, &pages) != 2)
        {
            pages = 0;
        }
        fclose(file);
    }
    return pages * sysconf(_SC_PAGESIZE);
}

/* The last message of each sender is matched, so all that it sent before has come. */
static void await_all(const int senders, const int64_t limit)
{
    int count = 0;
    for (int64_t looks = 1; count < senders; looks++)
    {
        int is_there;
        MPI_Status status;
        MPI_Iprobe(MPI_ANY_SOURCE, LAST, MPI_COMM_WORLD, &is_there, &status);
        if (is_there)
        {
            MPI_Recv(NULL, 0, MPI_BYTE, status.MPI_SOURCE, LAST, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            count++;
        }
        else if (looks % LOOKS == 0 && resident() > limit)
        {
            printf("LIMIT %lld\n", (long long)resident());
            fflush(stdout);
            MPI_Abort(MPI_COMM_WORLD, 3);
        }
    }
}

static int64_t receive_all(const int senders, const int64_t messages, const int length, uint8_t *const message)
{
    int64_t *const next = calloc(senders + 1, sizeof(int64_t));
    int64_t wrong = 0;
    for (int64_t i = 0; i < senders * messages; i++)
    {
        int64_t number;
        MPI_Status status;
        MPI_Recv(message, length, MPI_BYTE, MPI_ANY_SOURCE, MESSAGE, MPI_COMM_WORLD, &status);
        memcpy(&number, message, sizeof(number));
        wrong += number != next[status.MPI_SOURCE]++;
    }
    free(next);
    return wrong;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int64_t messages = argc == 4 ? atoll(argv[1]) : 0;
    const int length = argc == 4 ? atoi(argv[2]) : 0;
    if (messages < 1 || length < 8)
    {
        fprintf(stderr, "found %d arguments, expected messages, length, limit\n", argc - 1);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    uint8_t *const message = calloc(1, length);
    const int64_t before = resident();
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
    {
        await_all(size - 1, atoll(argv[3]));
        printf("FULL %lld %lld\n", (long long)before, (long long)resident());
        const int64_t wrong = receive_all(size - 1, messages, length, message);
        printf("RECEIVED %lld %lld\n", (long long)resident(), (long long)wrong);
        fflush(stdout);
    }
    else
    {
        for (int64_t i = 0; i < messages; i++)
        {
            memcpy(message, &i, sizeof(i));
            MPI_Send(message, length, MPI_BYTE, 0, MESSAGE, MPI_COMM_WORLD);
        }
        MPI_Send(NULL, 0, MPI_BYTE, 0, LAST, MPI_COMM_WORLD);
    }
    free(message);
    MPI_Finalize();
    return 0;
}

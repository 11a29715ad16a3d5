// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

// The twin of Transfers. Arguments: pingpong or stream, length, messages, rounds,
// milliseconds of rounds before them that do not count.
#include "rounds.h"

enum { WINDOW = 64 };

static int length;
static char *out;
static char *in;

static char at(int place, int round)
{
    return (char)(place * 31 + round + 1);
}

static void ping_pong(int messages)
{
    for (int i = 0; i < messages; i++)
    {
        if (own_rank == 0)
        {
            MPI_Send(out, length, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
            MPI_Recv(in, length, MPI_BYTE, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        else
        {
            MPI_Recv(in, length, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(in, length, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
        }
    }
}

static void stream(int messages)
{
    MPI_Request requests[WINDOW];
    for (int sent = 0; sent < messages; sent += WINDOW)
    {
        for (int i = 0; i < WINDOW; i++)
        {
            if (own_rank == 0)
            {
                MPI_Isend(out, length, MPI_BYTE, 1, 1, MPI_COMM_WORLD, &requests[i]);
            }
            else
            {
                MPI_Irecv(in, length, MPI_BYTE, 0, 1, MPI_COMM_WORLD, &requests[i]);
            }
        }
        MPI_Waitall(WINDOW, requests, MPI_STATUSES_IGNORE);
        if (own_rank == 0)
        {
            MPI_Recv(in, 1, MPI_BYTE, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        else
        {
            MPI_Send(in, 1, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
        }
    }
}

static void warm_up(bool is_stream, int messages, int milliseconds)
{
    const int windows = messages / 16 / WINDOW;
    const int part = (windows < 1 ? 1 : windows) * WINDOW;
    const double start = MPI_Wtime();
    int is_over = 0;
    while (!is_over)
    {
        if (own_rank < 2 && is_stream)
        {
            stream(part);
        }
        else if (own_rank < 2)
        {
            ping_pong(part);
        }
        is_over = (MPI_Wtime() - start) * 1e3 >= milliseconds;
        MPI_Bcast(&is_over, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    const bool is_stream = argc > 1 && strcmp(argv[1], "stream") == 0;
    length = argument(argc, argv, 2, 8);
    const int messages = argument(argc, argv, 3, 1000);
    const int rounds = argument(argc, argv, 4, 1);
    int wrong = 0;
    int all = 0;
    out = zeros(length, 1);
    in = zeros(length, 1);
    if (argc > 5)
    {
        warm_up(is_stream, messages, argument(argc, argv, 5, 1));
    }
    for (int round = 0; round < rounds; round++)
    {
        for (int i = 0; i < length; i++)
        {
            out[i] = at(i, round);
            in[i] = 0;
        }
        const double start = start_round();
        if (own_rank < 2 && is_stream)
        {
            stream(messages);
        }
        else if (own_rank < 2)
        {
            ping_pong(messages);
        }
        end_round(start);
        for (int i = 0; i < length && own_rank < 2 && !(is_stream && own_rank == 0); i++)
        {
            wrong += in[i] != at(i, round);
        }
    }
    MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (own_rank == 0)
    {
        finish("transfers", all == 0);
    }
    free(out);
    free(in);
    MPI_Finalize();
    return 0;
}

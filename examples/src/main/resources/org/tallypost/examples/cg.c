// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

// The twin of ConjugateGradient. Arguments: size, steps, rounds.
#include <math.h>

#include "rounds.h"

static int size;

static void make_side(double *side, int first_row, int count)
{
    for (int i = 0; i < count; i++)
    {
        const long place = (long)first_row * size + i;
        side[i] = 1 + place % 7 - place % 11 / 4.0;
    }
}

static void multiply(const double *restrict halo, double *restrict out, int count)
{
    for (int row = 0; row < count; row += size)
    {
        for (int column = 0; column < size; column++)
        {
            const int i = row + column;
            const int own = i + size;
            const double left = column == 0 ? 0 : halo[own - 1];
            const double right = column == size - 1 ? 0 : halo[own + 1];
            out[i] = 4 * halo[own] - (halo[i] + halo[own + size] + (left + right));
        }
    }
}

static double dot(const double *left, const double *right, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
    {
        sum += left[i] * right[i];
    }
    return sum;
}

static void add(double *restrict to, double factor, const double *restrict from, int count)
{
    for (int i = 0; i < count; i++)
    {
        to[i] += factor * from[i];
    }
}

static void turn(double *restrict direction, double factor, const double *restrict residual, int count)
{
    for (int i = 0; i < count; i++)
    {
        direction[i] = residual[i] + factor * direction[i];
    }
}

static void exchange(double *direction, int count)
{
    const int above = own_rank == 0 ? MPI_PROC_NULL : own_rank - 1;
    const int below = own_rank == all_ranks - 1 ? MPI_PROC_NULL : own_rank + 1;
    MPI_Request requests[4];
    MPI_Irecv(direction, size, MPI_DOUBLE, above, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(direction + size + count, size, MPI_DOUBLE, below, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(direction + size, size, MPI_DOUBLE, above, 1, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(direction + count, size, MPI_DOUBLE, below, 1, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

static double sum(bool is_alone, double own)
{
    double all = own;
    if (!is_alone)
    {
        MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    return all;
}

static double *run(bool is_alone, int first_row, int rows, int steps)
{
    const int count = rows * size;
    double *residual = zeros(count, sizeof(double));
    double *solution = zeros(count, sizeof(double));
    double *product = zeros(count, sizeof(double));
    double *direction = zeros(count + 2 * (size_t)size, sizeof(double));
    make_side(residual, first_row, count);
    memcpy(direction + size, residual, count * sizeof(double));
    double square = sum(is_alone, dot(residual, residual, count));
    for (int step = 0; step < steps; step++)
    {
        if (!is_alone)
        {
            exchange(direction, count);
        }
        multiply(direction, product, count);
        const double length = square / sum(is_alone, dot(product, direction + size, count));
        add(solution, length, direction + size, count);
        add(residual, -length, product, count);
        const double next = sum(is_alone, dot(residual, residual, count));
        turn(direction + size, next / square, residual, count);
        square = next;
    }
    free(residual);
    free(product);
    free(direction);
    return solution;
}

static bool is_equal(const double *found, const double *expected, int count)
{
    double most = 0;
    double difference = 0;
    for (int i = 0; i < count; i++)
    {
        if (!isfinite(found[i]))
        {
            return false;
        }
        most = fmax(most, fabs(expected[i]));
        difference = fmax(difference, fabs(found[i] - expected[i]));
    }
    return most > 0 && difference <= 1e-8 * most;
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    size = argument(argc, argv, 1, 32);
    const int steps = argument(argc, argv, 2, 20);
    const int rounds = argument(argc, argv, 3, 1);
    const int first_row = first_of(size, own_rank, all_ranks);
    const int rows = count_of(size, own_rank, all_ranks);
    double *solution = NULL;
    for (int round = 0; round < rounds; round++)
    {
        free(solution);
        const double start = start_round();
        solution = run(false, first_row, rows, steps);
        end_round(start);
    }
    int *counts = zeros(2 * (size_t)all_ranks, sizeof(int));
    int *starts = counts + all_ranks;
    for (int i = 0; i < all_ranks; i++)
    {
        counts[i] = count_of(size, i, all_ranks) * size;
        starts[i] = first_of(size, i, all_ranks) * size;
    }
    double *all = zeros(own_rank == 0 ? (size_t)size * size : 0, sizeof(double));
    MPI_Gatherv(solution, rows * size, MPI_DOUBLE, all, counts, starts, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (own_rank == 0)
    {
        double *alone = run(true, 0, size, steps);
        finish("cg", is_equal(all, alone, size * size));
        free(alone);
    }
    free(all);
    free(counts);
    free(solution);
    MPI_Finalize();
    return 0;
}

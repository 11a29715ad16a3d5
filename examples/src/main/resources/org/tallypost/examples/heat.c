// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

// The twin of HeatStencil. Arguments: size, steps, rounds.
#include "rounds.h"

static double *block(int rows, int width, bool is_top)
{
    double *cells = zeros((size_t)(rows + 2) * width, sizeof(double));
    for (int i = 0; is_top && i < width; i++)
    {
        cells[i] = 1;
    }
    return cells;
}

static void step(const double *restrict from, double *restrict to, int rows, int width)
{
    for (int row = 1; row <= rows; row++)
    {
        const int end = (row + 1) * width - 1;
        for (int i = row * width + 1; i < end; i++)
        {
            to[i] = 0.25 * (from[i - width] + from[i + width] + (from[i - 1] + from[i + 1]));
        }
    }
}

static MPI_Comm grid;
static MPI_Datatype column;
static int size, rows, columns, width, first_row, first_column;
static int above, below, left, right;

static void exchange(double *cells)
{
    MPI_Request requests[8];
    double *last = cells + rows * width;
    MPI_Irecv(cells + 1, columns, MPI_DOUBLE, above, 1, grid, &requests[0]);
    MPI_Irecv(last + width + 1, columns, MPI_DOUBLE, below, 1, grid, &requests[1]);
    MPI_Irecv(cells + width, 1, column, left, 1, grid, &requests[2]);
    MPI_Irecv(cells + 2 * width - 1, 1, column, right, 1, grid, &requests[3]);
    MPI_Isend(cells + width + 1, columns, MPI_DOUBLE, above, 1, grid, &requests[4]);
    MPI_Isend(last + 1, columns, MPI_DOUBLE, below, 1, grid, &requests[5]);
    MPI_Isend(cells + width + 1, 1, column, left, 1, grid, &requests[6]);
    MPI_Isend(cells + 2 * width - 2, 1, column, right, 1, grid, &requests[7]);
    MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
}

static double *run(bool is_alone, int own_rows, int own_width, bool is_top, int steps)
{
    double *from = block(own_rows, own_width, is_top);
    double *to = block(own_rows, own_width, is_top);
    for (int i = 0; i < steps; i++)
    {
        if (!is_alone)
        {
            exchange(from);
        }
        step(from, to, own_rows, own_width);
        double *next = to;
        to = from;
        from = next;
    }
    free(to);
    return from;
}

static double *collect(double *cells)
{
    const int place[4] = {first_row, rows, first_column, columns};
    int *places = zeros((size_t)4 * all_ranks, sizeof(int));
    MPI_Gather(place, 4, MPI_INT, places, 4, MPI_INT, 0, grid);
    MPI_Datatype inner;
    MPI_Type_vector(rows, columns, width, MPI_DOUBLE, &inner);
    MPI_Type_commit(&inner);
    MPI_Request sent;
    MPI_Isend(cells + width + 1, 1, inner, 0, 1, grid, &sent);
    double *plate = zeros(own_rank == 0 ? (size_t)size * size : 0, sizeof(double));
    for (int rank = 0; rank < all_ranks && own_rank == 0; rank++)
    {
        const int *at = places + 4 * rank;
        MPI_Datatype outer;
        MPI_Type_vector(at[1], at[3], size, MPI_DOUBLE, &outer);
        MPI_Type_commit(&outer);
        MPI_Recv(plate + at[0] * size + at[2], 1, outer, rank, 1, grid, MPI_STATUS_IGNORE);
        MPI_Type_free(&outer);
    }
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
    MPI_Type_free(&inner);
    free(places);
    return plate;
}

static bool is_equal(const double *plate, const double *alone)
{
    for (int row = 0; row < size; row++)
    {
        for (int i = 0; i < size; i++)
        {
            if (plate[row * size + i] != alone[(row + 1) * (size + 2) + i + 1])
            {
                return false;
            }
        }
    }
    return true;
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    size = argument(argc, argv, 1, 64);
    const int steps = argument(argc, argv, 2, 50);
    const int rounds = argument(argc, argv, 3, 1);
    int dimensions[2] = {0, 0};
    int periods[2] = {0, 0};
    int own[2];
    MPI_Dims_create(all_ranks, 2, dimensions);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dimensions, periods, 0, &grid);
    MPI_Cart_coords(grid, own_rank, 2, own);
    first_row = first_of(size, own[0], dimensions[0]);
    rows = count_of(size, own[0], dimensions[0]);
    first_column = first_of(size, own[1], dimensions[1]);
    columns = count_of(size, own[1], dimensions[1]);
    width = columns + 2;
    MPI_Type_vector(rows, 1, width, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    MPI_Cart_shift(grid, 0, 1, &above, &below);
    MPI_Cart_shift(grid, 1, 1, &left, &right);
    double *cells = NULL;
    for (int round = 0; round < rounds; round++)
    {
        free(cells);
        const double start = start_round();
        cells = run(false, rows, width, first_row == 0, steps);
        end_round(start);
    }
    double *plate = collect(cells);
    if (own_rank == 0)
    {
        double *alone = run(true, size, size + 2, true, steps);
        finish("heat", is_equal(plate, alone));
        free(alone);
    }
    free(plate);
    free(cells);
    MPI_Type_free(&column);
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}

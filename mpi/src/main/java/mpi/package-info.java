// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
/**
 * MPI for Java, in the dialect of Open MPI's Java bindings ({@code send}, {@code getRank}) and in that of mpiJava 1.2 and MPJ
 * Express ({@code Send}, {@code Rank}). Both are in the same classes, and a program may mix them. What a member does is in the
 * MPI standard.
 *
 * <p>One process is one rank, and one thread makes all calls: that of {@link mpi.MPI#Init}.
 */
package mpi;

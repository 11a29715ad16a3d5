// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

/** What a program gives back when it is no longer used. */
public interface Freeable
{
    void free() throws MPIException;
}

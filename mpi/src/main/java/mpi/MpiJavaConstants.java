// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

/**
 * What only programs of mpiJava name. Two communicators have another type there than in Open MPI: a class file finds the one with
 * the type that it names, here or in {@link MPI}.
 */
class MpiJavaConstants extends Constants
{
    /** This rank alone, with the type of mpiJava. Set by {@link MPI}, which has to be there before a communicator. */
    public static Comm COMM_SELF;
    public static Comm COMM_NULL;

    public static final Datatype NULL = Datatype.none("DATATYPE_NULL");
    /** Marks where an item of a structure begins. */
    public static final Datatype LB = Datatype.none("LB");
    /** Marks where an item of a structure ends. */
    public static final Datatype UB = Datatype.none("UB");
    public static final Status EMPTY_STATUS = new Status();
    public static final int SEND_OVERHEAD = 0;
    public static final int RECV_OVERHEAD = 0;
    public static final int NUM_OF_PROCESSORS = Runtime.getRuntime().availableProcessors();
}

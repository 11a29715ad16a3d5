// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import org.agrona.DirectBuffer;

/**
 * What only programs of mpiJava name. Two communicators have another type there than in Open MPI: a class file finds the one with
 * the type that it names, here or in {@link MPI}.
 */
class MpiJavaConstants extends Constants
{
    /** This rank alone, with the type of mpiJava. Set by {@link MPI}, which has to be there before a communicator. */
    public static Comm COMM_SELF;
    public static Comm COMM_NULL;

    static
    {
        checkFlag();
    }

    public static final Datatype NULL = Datatype.none("DATATYPE_NULL");
    /** Marks where an item of a structure begins. */
    public static final Datatype LB = Datatype.none("LB");
    /** Marks where an item of a structure ends. */
    public static final Datatype UB = Datatype.none("UB");
    public static final Status EMPTY_STATUS = new Status();
    public static final int SEND_OVERHEAD = 0;
    public static final int RECV_OVERHEAD = 0;
    public static final int NUM_OF_PROCESSORS = Runtime.getRuntime().availableProcessors();

    /** Before the first class that needs it: what this one throws is the cause of the error that the program gets. */
    private static void checkFlag()
    {
        // of Agrona only an interface is loaded for this
        if (!Object.class.getModule().isExported("jdk.internal.misc", DirectBuffer.class.getModule()))
        {
            throw new IllegalStateException("a flag of the JVM is missing: start the program by tallypost run, which gives it, " +
                "or by java --add-opens java.base/jdk.internal.misc=ALL-UNNAMED");
        }
    }
}

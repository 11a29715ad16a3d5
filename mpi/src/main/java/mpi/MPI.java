// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import org.tallypost.collectives.Reducers;

/**
 * The beginning and the end, and what there is of the library. Any thread makes calls between Init and Finalize, several at the
 * same time: one that waits lets the others in. Init may be called again behind Finalize.
 */
public final class MPI extends MpiJavaConstants
{
    public static final Datatype BYTE = Datatype.predefined("BYTE", Kind.BYTE, 1);
    public static final Datatype CHAR = Datatype.predefined("CHAR", Kind.CHAR, 1);
    public static final Datatype SHORT = Datatype.predefined("SHORT", Kind.SHORT, 1);
    public static final Datatype BOOLEAN = Datatype.predefined("BOOLEAN", Kind.BOOLEAN, 1);
    public static final Datatype INT = Datatype.predefined("INT", Kind.INT, 1);
    public static final Datatype LONG = Datatype.predefined("LONG", Kind.LONG, 1);
    public static final Datatype FLOAT = Datatype.predefined("FLOAT", Kind.FLOAT, 1);
    public static final Datatype DOUBLE = Datatype.predefined("DOUBLE", Kind.DOUBLE, 1);
    public static final Datatype PACKED = Datatype.predefined("PACKED", Kind.PACKED, 1);
    public static final Datatype OBJECT = Datatype.predefined("OBJECT", Kind.OBJECT, 1);
    public static final Datatype FLOAT_COMPLEX = Datatype.predefined("FLOAT_COMPLEX", Kind.FLOAT, 2);
    public static final Datatype DOUBLE_COMPLEX = Datatype.predefined("DOUBLE_COMPLEX", Kind.DOUBLE, 2);
    public static final Datatype SHORT2 = Datatype.predefined("SHORT2", Kind.SHORT, 2);
    public static final Datatype LONG2 = Datatype.predefined("LONG2", Kind.LONG, 2);
    public static final Datatype FLOAT2 = Datatype.predefined("FLOAT2", Kind.FLOAT, 2);
    public static final Datatype DOUBLE2 = Datatype.predefined("DOUBLE2", Kind.DOUBLE, 2);
    public static final Datatype DATATYPE_NULL = NULL;

    public static final Int2 int2 = new Int2();
    public static final ShortInt shortInt = new ShortInt();
    public static final LongInt longInt = new LongInt();
    public static final FloatInt floatInt = new FloatInt();
    public static final DoubleInt doubleInt = new DoubleInt();

    /** Two ints: with extents in bytes in the dialect of Open MPI, in ints in that of mpiJava. */
    public static final Datatype INT2 = Datatype.pair("INT2", Kind.INT, 4, Kind.INT, 8);
    public static final Datatype SHORT_INT = Datatype.pair("SHORT_INT", Kind.SHORT, 4, Kind.INT, 8);
    public static final Datatype LONG_INT = Datatype.pair("LONG_INT", Kind.LONG, 8, Kind.INT, 16);
    public static final Datatype FLOAT_INT = Datatype.pair("FLOAT_INT", Kind.FLOAT, 4, Kind.INT, 8);
    public static final Datatype DOUBLE_INT = Datatype.pair("DOUBLE_INT", Kind.DOUBLE, 8, Kind.INT, 16);

    public static final Op SUM = new Op(Reducers.SUM);
    public static final Op PROD = new Op(Reducers.PRODUCT);
    public static final Op MIN = new Op(Reducers.MIN);
    public static final Op MAX = new Op(Reducers.MAX);
    public static final Op LAND = new Op(Reducers.LOGICAL_AND);
    public static final Op LOR = new Op(Reducers.LOGICAL_OR);
    public static final Op LXOR = new Op(Reducers.LOGICAL_XOR);
    public static final Op BAND = new Op(Reducers.AND);
    public static final Op BOR = new Op(Reducers.OR);
    public static final Op BXOR = new Op(Reducers.XOR);
    public static final Op MINLOC = new Op(Reducers.MIN_LOCATION);
    public static final Op MAXLOC = new Op(Reducers.MAX_LOCATION);
    /** For windows only: stores what is passed. */
    public static final Op REPLACE = new Op("REPLACE");
    /** For windows only: stores nothing. */
    public static final Op NO_OP = new Op("NO_OP");
    public static final Op OP_NULL = new Op((UserFunction)null, false);

    public static final Errhandler ERRORS_ARE_FATAL = new Errhandler("ERRORS_ARE_FATAL");
    public static final Errhandler ERRORS_RETURN = new Errhandler("ERRORS_RETURN");
    public static final Info INFO_NULL = new Info();
    public static final Group GROUP_EMPTY = new Group();
    public static final Group GROUP_NULL = new Group();
    public static final Request REQUEST_NULL = new Request(null, null, false);

    /** All ranks; to be used between Init and Finalize. */
    public static final Intracomm COMM_WORLD = new Intracomm();
    /** This rank alone; to be used between Init and Finalize. */
    public static final Intracomm COMM_SELF = new Intracomm();
    public static final Intracomm COMM_NULL = new Intracomm();

    private static volatile boolean isRunning;
    private static volatile boolean isEnded;

    static
    {
        MpiJavaConstants.COMM_SELF = COMM_SELF;
        MpiJavaConstants.COMM_NULL = COMM_NULL;
    }

    private MPI()
    {
    }

    static boolean isRunning()
    {
        return isRunning;
    }

    /** Whether Finalize was called, and no Init behind it. */
    static boolean isOver()
    {
        return isEnded;
    }

    /** Makes this process a rank. May be called again behind Finalize. */
    public static synchronized String[] Init(final String[] arguments) throws MPIException
    {
        if (isRunning)
        {
            throw new MPIException(ERR_OTHER, "MPI.Init was called before: call Finalize first");
        }
        final World world = World.init();
        if (COMM_WORLD.world() == null)
        {
            COMM_WORLD.bind(world, 0, Group.first(world.size()));
            COMM_SELF.bind(world, Channels.CONTEXTS, new Group(world.rank()));
            COMM_WORLD.name("MPI_COMM_WORLD");
            COMM_SELF.name("MPI_COMM_SELF");
        }
        isRunning = true;
        isEnded = false;
        COMM_WORLD.barrier();
        return arguments;
    }

    /** As Init; any thread may make calls, whatever is asked for. */
    public static int InitThread(final String[] arguments, final int required) throws MPIException
    {
        Init(arguments);
        return queryThread();
    }

    /** Waits for all ranks, and for what is under way. */
    public static void Finalize() throws MPIException
    {
        final World world = World.current();
        world.enter();
        try
        {
            world.finish();
            COMM_WORLD.part();
            isRunning = false;
            isEnded = true;
        }
        finally
        {
            world.exit();
        }
    }

    public static int queryThread() throws MPIException
    {
        return THREAD_MULTIPLE;
    }

    public static boolean isThreadMain() throws MPIException
    {
        return isMainThread();
    }

    public static boolean isInitialized() throws MPIException
    {
        return isRunning || isEnded;
    }

    public static boolean isFinalized() throws MPIException
    {
        return isEnded;
    }

    /** Seconds since some time in the past; not the same at all ranks. */
    public static double wtime() throws MPIException
    {
        return System.nanoTime() * 1e-9;
    }

    public static double wtick() throws MPIException
    {
        return 1e-9;
    }

    public static Version getVersion()
    {
        return new Version(3, 1);
    }

    public static String getLibVersion()
    {
        return "Tallypost";
    }

    public static String getProcessorName() throws MPIException
    {
        try
        {
            return InetAddress.getLocalHost().getHostName();
        }
        catch (final UnknownHostException ex)
        {
            return "localhost";
        }
    }

    /** Gives buffered sends their memory: a direct buffer, or one of an array of bytes. */
    public static void attachBuffer(final ByteBuffer buffer) throws MPIException
    {
        World.current().attach(buffer);
    }

    /** Waits until all that is in the buffer has gone, and gives it back. */
    public static ByteBuffer detachBuffer() throws MPIException
    {
        return World.current().detach();
    }

    /** A hint for tools that measure; there are none. */
    public static void pControl(final int level, final Object object)
    {
        // nothing to tell
    }

    /**
     * A direct buffer in the machine's byte order. Between Init and Finalize the other ranks of the node map its memory too, as
     * far as there is room for it: what is done with windows on it, or on a part of it, takes no messages there, and long
     * messages from it are copied once.
     */
    public static ByteBuffer newByteBuffer(final int capacity)
    {
        try
        {
            final ByteBuffer mapped = isRunning ? COMM_WORLD.world().newMapped(capacity) : null;
            return mapped == null ? ByteBuffer.allocateDirect(capacity).order(ByteOrder.nativeOrder()) : mapped;
        }
        catch (final MPIException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    public static CharBuffer newCharBuffer(final int capacity)
    {
        return newByteBuffer(Math.multiplyExact(capacity, 2)).asCharBuffer();
    }

    public static ShortBuffer newShortBuffer(final int capacity)
    {
        return newByteBuffer(Math.multiplyExact(capacity, 2)).asShortBuffer();
    }

    public static IntBuffer newIntBuffer(final int capacity)
    {
        return newByteBuffer(Math.multiplyExact(capacity, 4)).asIntBuffer();
    }

    public static LongBuffer newLongBuffer(final int capacity)
    {
        return newByteBuffer(Math.multiplyExact(capacity, 8)).asLongBuffer();
    }

    public static FloatBuffer newFloatBuffer(final int capacity)
    {
        return newByteBuffer(Math.multiplyExact(capacity, 4)).asFloatBuffer();
    }

    public static DoubleBuffer newDoubleBuffer(final int capacity)
    {
        return newByteBuffer(Math.multiplyExact(capacity, 8)).asDoubleBuffer();
    }

    public static ByteBuffer slice(final ByteBuffer buffer, final int offset)
    {
        return buffer.duplicate().clear().position(offset).slice().order(buffer.order());
    }

    public static CharBuffer slice(final CharBuffer buffer, final int offset)
    {
        return buffer.duplicate().clear().position(offset).slice();
    }

    public static CharBuffer slice(final char[] buffer, final int offset)
    {
        return CharBuffer.wrap(buffer, offset, buffer.length - offset).slice();
    }

    public static ShortBuffer slice(final ShortBuffer buffer, final int offset)
    {
        return buffer.duplicate().clear().position(offset).slice();
    }

    public static ShortBuffer slice(final short[] buffer, final int offset)
    {
        return ShortBuffer.wrap(buffer, offset, buffer.length - offset).slice();
    }

    public static IntBuffer slice(final IntBuffer buffer, final int offset)
    {
        return buffer.duplicate().clear().position(offset).slice();
    }

    public static IntBuffer slice(final int[] buffer, final int offset)
    {
        return IntBuffer.wrap(buffer, offset, buffer.length - offset).slice();
    }

    public static LongBuffer slice(final LongBuffer buffer, final int offset)
    {
        return buffer.duplicate().clear().position(offset).slice();
    }

    public static LongBuffer slice(final long[] buffer, final int offset)
    {
        return LongBuffer.wrap(buffer, offset, buffer.length - offset).slice();
    }

    public static FloatBuffer slice(final FloatBuffer buffer, final int offset)
    {
        return buffer.duplicate().clear().position(offset).slice();
    }

    public static FloatBuffer slice(final float[] buffer, final int offset)
    {
        return FloatBuffer.wrap(buffer, offset, buffer.length - offset).slice();
    }

    public static DoubleBuffer slice(final DoubleBuffer buffer, final int offset)
    {
        return buffer.duplicate().clear().position(offset).slice();
    }

    public static DoubleBuffer slice(final double[] buffer, final int offset)
    {
        return DoubleBuffer.wrap(buffer, offset, buffer.length - offset).slice();
    }

    // mpiJava

    public static double Wtime() throws MPIException
    {
        return wtime();
    }

    public static double Wtick() throws MPIException
    {
        return wtick();
    }

    public static boolean Initialized() throws MPIException
    {
        return isRunning;
    }

    public static boolean Finalized() throws MPIException
    {
        return isEnded;
    }

    public static String Get_processor_name() throws MPIException
    {
        return getProcessorName();
    }

    public static void Buffer_attach(final ByteBuffer buffer) throws MPIException
    {
        attachBuffer(buffer);
    }

    public static void Buffer_detach() throws MPIException
    {
        detachBuffer();
    }

    public static boolean isMainThread()
    {
        return COMM_WORLD.world() != null && COMM_WORLD.world().isMain();
    }

    public static void Errorhandler_set(final Errhandler handler) throws MPIException
    {
        COMM_WORLD.setErrhandler(handler);
    }

    public static Errhandler Errorhandler_get() throws MPIException
    {
        return COMM_WORLD.getErrhandler();
    }
}

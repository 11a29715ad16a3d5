// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.collectives.ElementType;

/**
 * A reduction under way at one rank: what has been reduced so far, and room for what is next. The library's reductions work on
 * packed items; those of a program on arrays or buffers of the sort that the program has passed.
 */
final class Fold
{
    private final Op op;
    private final Datatype type;
    private final int count;
    private final boolean isPacked;
    private Object done;
    private Object next;

    Fold(final Op op, final Datatype type, final int count, final Object like) throws MPIException
    {
        check(op, type);
        this.op = op;
        this.type = type;
        this.count = count;
        if (count < 0)
        {
            throw new MPIException(MPI.ERR_COUNT, "no such count: found=" + count + ", expected at least 0");
        }
        isPacked = op.reducer() != null;
        done = room(like);
        next = room(like);
    }

    private Object room(final Object like) throws MPIException
    {
        if (isPacked || count == 0)
        {
            return new byte[Math.multiplyExact(count, type.size())];
        }
        if (type.trueBegin() < 0 || type.extent() < 0)
        {
            throw new MPIException(MPI.ERR_TYPE, "a reduction needs a type that begins at 0: found=" + type);
        }
        return type.room(like, count);
    }

    /** Checks that a reduction has a meaning for a type; ranks that do not reduce do so as well, and fail like the others. */
    static void check(final Op op, final Datatype type) throws MPIException
    {
        if (op == null || type == null)
        {
            throw new MPIException(op == null ? MPI.ERR_OP : MPI.ERR_TYPE, "no " + (op == null ? "reduction" : "datatype") +
                ": found=null");
        }
        type.check();
        if (op.checkNoneOfWindows().reducer() == null)
        {
            return;
        }
        final Kind kind = type.map().kind();
        final boolean isComplex = type == MPI.FLOAT_COMPLEX || type == MPI.DOUBLE_COMPLEX;
        final boolean isMeant = isLocated(op) ? type.map().runs() <= 2 && kind != Kind.OBJECT && kind != Kind.PACKED :
            kind != null && kind.elementType() != null && op.reducer().supports(kind.elementType()) &&
            !(isComplex && op != MPI.SUM && op != MPI.PROD);
        if (!isMeant)
        {
            throw new MPIException(MPI.ERR_OP, "the reduction has no meaning for the type: found=" + op.reducer().name() +
                " and " + type);
        }
    }

    private static boolean isLocated(final Op op)
    {
        return op == MPI.MINLOC || op == MPI.MAXLOC;
    }

    /** Where the own items go first, and the result is. */
    Items done()
    {
        return isPacked ? Items.of(done, 0, ((byte[])done).length, MPI.BYTE) : Items.of(done, 0, count, type);
    }

    /** Where the items of the next rank go. */
    Items next()
    {
        return isPacked ? Items.of(next, 0, ((byte[])next).length, MPI.BYTE) : Items.of(next, 0, count, type);
    }

    /** The next items become what was reduced so far. */
    void first()
    {
        final Object before = done;
        done = next;
        next = before;
    }

    /** Reduces what was reduced so far, as the left operand, with the next items. */
    void take() throws MPIException
    {
        if (count == 0)
        {
            return;
        }
        if (!isPacked)
        {
            op.call(done, next, count, type);
            first();
            return;
        }
        final UnsafeBuffer left = new UnsafeBuffer((byte[])done);
        final UnsafeBuffer right = new UnsafeBuffer((byte[])next);
        final Kind kind = type.map().kind();
        if (isLocated(op))
        {
            Locations.take(op == MPI.MINLOC, type.map().kind(0), kind == null ? type.map().kind(1) : kind, left, right);
        }
        else if (op == MPI.PROD && (type == MPI.FLOAT_COMPLEX || type == MPI.DOUBLE_COMPLEX))
        {
            multiply(type == MPI.FLOAT_COMPLEX, left, right);
        }
        else
        {
            final ElementType elements = kind.elementType();
            op.reducer().reduce(elements, left, 0, right, 0, left.capacity() / elements.length());
        }
    }

    private static void multiply(final boolean isFloat, final UnsafeBuffer left, final UnsafeBuffer right)
    {
        final int size = isFloat ? Float.BYTES : Double.BYTES;
        for (int at = 0; at < left.capacity(); at += 2 * size)
        {
            final double a = isFloat ? left.getFloat(at) : left.getDouble(at);
            final double b = isFloat ? left.getFloat(at + size) : left.getDouble(at + size);
            final double c = isFloat ? right.getFloat(at) : right.getDouble(at);
            final double d = isFloat ? right.getFloat(at + size) : right.getDouble(at + size);
            if (isFloat)
            {
                left.putFloat(at, (float)(a * c - b * d));
                left.putFloat(at + size, (float)(a * d + b * c));
            }
            else
            {
                left.putDouble(at, a * c - b * d);
                left.putDouble(at + size, a * d + b * c);
            }
        }
    }
}

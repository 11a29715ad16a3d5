// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;

/**
 * Objects as bytes, by Java's serialization. The system property {@value #FILTER} says which classes may come, as a pattern of
 * {@link ObjectInputFilter.Config#createFilter}; the JVM's own filter counts as ever.
 */
final class SerializedObjects
{
    static final String FILTER = "tallypost.mpi.objectFilter";

    private SerializedObjects()
    {
    }

    /** Finds classes as the program does. */
    private static final class ProgramInputStream extends ObjectInputStream
    {
        private final ClassLoader loader = Thread.currentThread().getContextClassLoader();

        ProgramInputStream(final InputStream in) throws IOException
        {
            super(in);
            final String pattern = System.getProperty(FILTER);
            if (pattern != null)
            {
                final ObjectInputFilter own = ObjectInputFilter.Config.createFilter(pattern);
                final ObjectInputFilter given = getObjectInputFilter();
                setObjectInputFilter(given == null ? own : (info) -> bothAllow(given, own, info));
            }
        }

        /** What one of the filters rejects is rejected. */
        private static ObjectInputFilter.Status bothAllow(
            final ObjectInputFilter one, final ObjectInputFilter other, final ObjectInputFilter.FilterInfo info)
        {
            final ObjectInputFilter.Status first = one.checkInput(info);
            final ObjectInputFilter.Status second = other.checkInput(info);
            return first == ObjectInputFilter.Status.REJECTED || second == ObjectInputFilter.Status.UNDECIDED ? first : second;
        }

        @Override
        protected Class<?> resolveClass(final ObjectStreamClass description) throws IOException, ClassNotFoundException
        {
            try
            {
                return Class.forName(description.getName(), false, loader);
            }
            catch (final ClassNotFoundException ex)
            {
                return super.resolveClass(description);
            }
        }
    }

    /** The objects of some items as bytes. */
    static byte[] write(final Place place, final Datatype type, final int count) throws MPIException
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes))
        {
            final TypeMap map = type.map();
            for (int item = 0; item < count; item++)
            {
                for (int run = 0; run < map.runs(); run++)
                {
                    for (int i = 0; i < map.count(run); i++)
                    {
                        out.writeObject(place.object(item * type.extent() + map.begin(run) + i));
                    }
                }
            }
        }
        catch (final IOException ex)
        {
            throw new MPIException(MPI.ERR_TYPE, ex);
        }
        return bytes.toByteArray();
    }

    /** Reads so many objects into the first items. */
    static void read(
        final byte[] bytes, final int at, final int length, final int objects, final Place place, final Datatype type)
        throws MPIException
    {
        try (ObjectInputStream in = new ProgramInputStream(new ByteArrayInputStream(bytes, at, length)))
        {
            final TypeMap map = type.map();
            int left = objects;
            for (long item = 0; left > 0; item++)
            {
                for (int run = 0; run < map.runs(); run++)
                {
                    for (int i = 0; i < map.count(run) && left > 0; i++, left--)
                    {
                        place.object(item * type.extent() + map.begin(run) + i, in.readObject());
                    }
                }
            }
        }
        catch (final IOException | ClassNotFoundException | IllegalArgumentException ex)
        {
            throw new MPIException(MPI.ERR_TYPE, ex);
        }
    }
}

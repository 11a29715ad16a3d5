// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import java.io.File;
import java.io.IOException;
import java.util.Arrays;

/**
 * From which length on which way of a message within a node is the fastest on a machine. {@code tallypost calibrate bulk}
 * measures it and writes it to a file; messengers choose by it. Immutable; any thread.
 */
public final class MessageProfile
{
    /** The first line of a file. */
    public static final String HEADING = "# tallypost message profile 1";
    /** The property of the JVM with the file of the profile. A context that has a profile wins. */
    public static final String FILE_PROPERTY = "tallypost.message.profile";
    /** As the length from which on a way is the fastest: it never is. More than the longest message that is measured. */
    public static final int NEVER = Endpoint.MAX_MESSAGE_LENGTH + 1;

    private static final String[] NAMES = {"eagerLimit", "regionLength", "crossLength"};
    private static final ProfileFile FORM =
        new ProfileFile(HEADING, "message profile", "tallypost calibrate bulk --out FILE", NAMES);
    private static final MessageProfile USUAL =
        new MessageProfile(Endpoint.MAX_RUN_LENGTH, Endpoint.MAX_RUN_LENGTH + 1, 65_536);

    private final int eagerLimit;
    private final int regionLength;
    private final int crossLength;

    private MessageProfile(final int eagerLimit, final int regionLength, final int crossLength)
    {
        this.eagerLimit = eagerLimit;
        this.regionLength = regionLength;
        this.crossLength = crossLength;
    }

    /**
     * A profile with what was measured.
     *
     * @param eagerLimit   {@link #eagerLimit()}, 0 to {@link Endpoint#MAX_RUN_LENGTH}.
     * @param regionLength {@link #regionLength()}, 0 to {@link #NEVER}.
     * @param crossLength  {@link #crossLength()}, 0 to {@link #NEVER}.
     * @return the profile.
     * @throws IllegalArgumentException if a value is out of range.
     */
    public static MessageProfile of(final int eagerLimit, final int regionLength, final int crossLength)
    {
        return of(new double[]{eagerLimit, regionLength, crossLength});
    }

    private static MessageProfile of(final double[] values)
    {
        final int[] most = {Endpoint.MAX_RUN_LENGTH, NEVER, NEVER};
        for (int i = 0; i < NAMES.length; i++)
        {
            if (!(values[i] >= 0 && values[i] <= most[i] && values[i] == (int)values[i]))
            {
                throw new IllegalArgumentException(
                    NAMES[i] + " out of range: found=" + values[i] + ", expected a whole number from 0 to " + most[i]);
            }
        }
        final int[] lengths = Arrays.stream(values).mapToInt((value) -> (int)value).toArray();
        return new MessageProfile(lengths[0], lengths[1], lengths[2]);
    }

    /**
     * The profile that is used if there is no other one: messages up to {@link Endpoint#MAX_RUN_LENGTH} go with their bytes,
     * longer ones are read in a region if they lie there, and in private memory from 64 KiB on.
     *
     * @return the profile.
     */
    public static MessageProfile usual()
    {
        return USUAL;
    }

    /**
     * Reads what {@link #write} has written on this machine.
     *
     * @param file with the profile.
     * @return the profile.
     * @throws IllegalArgumentException if the file cannot be read, is no profile, is damaged, or is of another machine; the
     *         message says which, found and expected.
     */
    public static MessageProfile read(final File file)
    {
        return FORM.read(file, MessageProfile::of);
    }

    /**
     * The profile in the file that {@value #FILE_PROPERTY} names.
     *
     * @return the profile; {@link #usual()} if the property is not set.
     * @throws IllegalArgumentException as {@link #read}.
     */
    static MessageProfile ofProperty()
    {
        final String file = System.getProperty(FILE_PROPERTY);
        return file == null ? USUAL : read(new File(file));
    }

    /**
     * Writes it to a file, which {@link #read} reads.
     *
     * @param file to be made, or replaced.
     * @throws IOException if that fails.
     */
    public void write(final File file) throws IOException
    {
        ProfileFile.write(file, toText());
    }

    /**
     * It as the text of a file.
     *
     * @return lines that end in a line feed.
     */
    public String toText()
    {
        return FORM.text(Integer.toString(eagerLimit), Integer.toString(regionLength), Integer.toString(crossLength));
    }

    /**
     * Longest message out of private memory that is faster with its bytes than announced.
     *
     * @return in bytes.
     */
    public int eagerLimit()
    {
        return eagerLimit;
    }

    /**
     * From this length on a message that lies in a region is the fastest if its receiver reads it there.
     *
     * @return in bytes; {@link #NEVER} if it is not at any length.
     */
    public int regionLength()
    {
        return regionLength;
    }

    /**
     * From this length on a message out of private memory is the fastest if its receiver reads it there by a system call.
     *
     * @return in bytes; {@link #NEVER} if it is not at any length.
     */
    public int crossLength()
    {
        return crossLength;
    }

    /** All values. */
    @Override
    public String toString()
    {
        return "MessageProfile{eagerLimit=" + eagerLimit + ", regionLength=" + regionLength + ", crossLength=" + crossLength +
            "}";
    }
}

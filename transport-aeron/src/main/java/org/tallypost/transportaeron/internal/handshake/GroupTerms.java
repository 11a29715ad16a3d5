// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.handshake;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.tallypost.transportaeron.internal.wire.HandshakeDescriptor;

/**
 * What two nodes have to agree on, as names and values: they travel as lines of text, so that also versions that know
 * other names can say what differs.
 */
public final class GroupTerms
{
    /** Longest text that is read, in bytes. */
    public static final int MAX_LENGTH = HandshakeDescriptor.MAX_TEXT_LENGTH;

    private final Map<String, String> values = new LinkedHashMap<>();

    /** Terms without any value. */
    public GroupTerms()
    {
    }

    /**
     * Adds a value.
     *
     * @param name  of the value.
     * @param value of which the text counts; its control characters become blanks.
     * @return this.
     */
    public GroupTerms with(final String name, final Object value)
    {
        values.put(name, value.toString().replaceAll("\\p{Cntrl}", " "));
        return this;
    }

    public byte[] encode()
    {
        final StringBuilder text = new StringBuilder();
        values.forEach((name, value) -> text.append(name).append('=').append(value).append('\n'));
        final byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        if (bytes.length > MAX_LENGTH)
        {
            throw new IllegalStateException("terms of the group are too long: found=" + bytes.length + " bytes, expected at " +
                "most " + MAX_LENGTH);
        }
        return bytes;
    }

    /**
     * Reads what another node wrote.
     *
     * @param bytes from the network.
     * @return the terms, null if they are none.
     */
    public static GroupTerms decode(final byte[] bytes)
    {
        // every line of ours ends with a line feed; without the last one the text would grow beyond its limit below
        if (bytes.length > MAX_LENGTH || bytes.length == 0 || bytes[bytes.length - 1] != '\n')
        {
            return null;
        }
        final GroupTerms terms = new GroupTerms();
        try
        {
            final String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            for (final String line : text.split("\n"))
            {
                final int equals = line.indexOf('=');
                if (equals <= 0)
                {
                    return null;
                }
                terms.with(line.substring(0, equals), line.substring(equals + 1));
            }
            // one text for the same terms, or their digests would differ
            return Arrays.equals(terms.encode(), bytes) ? terms : null;
        }
        catch (final CharacterCodingException ex)
        {
            return null;
        }
    }

    /**
     * Compares with what another node has.
     *
     * @param theirs from the network.
     * @return null if all is the same; else the first difference with both values.
     */
    String firstDifference(final GroupTerms theirs)
    {
        for (final Map.Entry<String, String> mine : values.entrySet())
        {
            final String found = theirs.values.get(mine.getKey());
            if (!mine.getValue().equals(found))
            {
                return mine.getKey() + ": found=" + (found == null ? "none" : found) + ", expected=" + mine.getValue();
            }
        }
        for (final Map.Entry<String, String> other : theirs.values.entrySet())
        {
            if (!values.containsKey(other.getKey()))
            {
                return other.getKey() + ": found=" + other.getValue() + ", expected=none";
            }
        }
        return null;
    }

    /** SHA-256 of the text. */
    byte[] digest()
    {
        try
        {
            return MessageDigest.getInstance("SHA-256").digest(encode());
        }
        catch (final NoSuchAlgorithmException ex)
        {
            throw new IllegalStateException("every Java platform has SHA-256", ex);
        }
    }

    /** First bytes of the digest: tells groups apart that meet by mistake; proves nothing. */
    public int hash()
    {
        return ByteBuffer.wrap(digest()).getInt();
    }

    @Override
    public String toString()
    {
        return values.toString();
    }
}

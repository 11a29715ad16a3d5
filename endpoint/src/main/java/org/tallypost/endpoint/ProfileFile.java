// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import java.io.File;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * The form of a file with what was measured on a machine: a heading, the machine, then one value a line. A file of another
 * machine, another kind or another version is refused, and so is one that is damaged. Immutable; any thread.
 */
public final class ProfileFile
{
    private static final long MAX_FILE_LENGTH = 256 * 1024;

    private final String heading;
    private final String kind;
    private final String command;
    private final String[] names;

    /**
     * A form.
     *
     * @param heading first line of a file, with the version.
     * @param kind    what the file holds, for messages.
     * @param command that measures anew, for messages.
     * @param names   of the values, in their order.
     */
    public ProfileFile(final String heading, final String kind, final String command, final String... names)
    {
        this.heading = heading;
        this.kind = kind;
        this.command = command;
        this.names = names.clone();
    }

    /**
     * Reads a file that was written on this machine.
     *
     * @param file  with the values.
     * @param maker gets the values in their order, and throws an {@link IllegalArgumentException} if one is out of range.
     * @param <T>   what is made of them.
     * @return what was made.
     * @throws IllegalArgumentException if the file cannot be read, is of another kind, is damaged, or is of another machine; the
     *         message says which, found and expected.
     */
    public <T> T read(final File file, final Function<double[], T> maker)
    {
        return read(file, (values, others) -> maker.apply(values));
    }

    /**
     * The same for a file that has lines beside those of the form.
     *
     * @param file  with the values.
     * @param maker gets the values in their order, and the other lines by their keys; it throws an
     *              {@link IllegalArgumentException} if one is out of range.
     * @param <T>   what is made of them.
     * @return what was made.
     * @throws IllegalArgumentException as above.
     */
    public <T> T read(final File file, final BiFunction<double[], SortedMap<String, String>, T> maker)
    {
        final Properties properties = properties(file);
        require(file, properties, "machine", machine());
        require(file, properties, "processors", Integer.toString(Runtime.getRuntime().availableProcessors()));
        final double[] values = new double[names.length];
        for (int i = 0; i < names.length; i++)
        {
            final String found = properties.getProperty(names[i]);
            try
            {
                values[i] = Double.parseDouble(String.valueOf(found));
            }
            catch (final NumberFormatException e)
            {
                throw refused(file, names[i] + "=" + found, "a number");
            }
        }
        try
        {
            return maker.apply(values, others(properties));
        }
        catch (final IllegalArgumentException e)
        {
            throw new IllegalArgumentException(kind + " is damaged: file=" + file + ": " + e.getMessage(), e);
        }
    }

    private SortedMap<String, String> others(final Properties properties)
    {
        final SortedMap<String, String> others = new TreeMap<>();
        properties.stringPropertyNames().forEach((key) -> others.put(key, properties.getProperty(key)));
        others.keySet().removeAll(List.of(names));
        return others;
    }

    private Properties properties(final File file)
    {
        if (file.length() > MAX_FILE_LENGTH)
        {
            throw refused(file, "length=" + file.length(), "at most " + MAX_FILE_LENGTH + " bytes");
        }
        final Properties properties = new Properties();
        String text = "";
        try
        {
            text = Files.readString(file.toPath(), StandardCharsets.ISO_8859_1);
            properties.load(new StringReader(text));
        }
        catch (final IOException | IllegalArgumentException e)
        {
            // the latter for an escape that is none
            throw new IllegalArgumentException(kind + " cannot be read: file=" + file + ": " + e, e);
        }
        if (!text.startsWith(heading + "\n"))
        {
            throw refused(file, "another first line", "\"" + heading + "\"");
        }
        return properties;
    }

    private void require(final File file, final Properties properties, final String name, final String expected)
    {
        final String found = properties.getProperty(name);
        if (!expected.equals(found))
        {
            throw refused(file, name + "=" + found, name + "=" + expected);
        }
    }

    private IllegalArgumentException refused(final File file, final String found, final String expected)
    {
        return new IllegalArgumentException("no " + kind + " of this machine: file=" + file + ", found " + found + ", expected " +
            expected + "; measure anew: " + command);
    }

    /**
     * The text of a file of this machine.
     *
     * @param values as many as there are names, in their order.
     * @return lines that end in a line feed.
     */
    public String text(final String... values)
    {
        final StringBuilder text = new StringBuilder(heading + "\nmachine=" + machine() + "\nprocessors=" +
            Runtime.getRuntime().availableProcessors() + "\n");
        for (int i = 0; i < names.length; i++)
        {
            text.append(names[i]).append('=').append(values[i]).append('\n');
        }
        return text.toString();
    }

    /**
     * Writes a file.
     *
     * @param file to be made, or replaced.
     * @param text of it, as {@link #text} makes it.
     * @throws IOException if that fails.
     */
    public static void write(final File file, final String text) throws IOException
    {
        Files.writeString(file.toPath(), text, StandardCharsets.ISO_8859_1);
    }

    /** What makes figures incomparable: kind of processor, JDK. */
    private static String machine()
    {
        return System.getProperty("os.arch") + " " + model() + ", JDK " + Runtime.version().feature();
    }

    private static String model()
    {
        try
        {
            for (final String line : Files.readAllLines(new File("/proc/cpuinfo").toPath(), StandardCharsets.ISO_8859_1))
            {
                if (line.startsWith("model name") || line.startsWith("CPU part"))
                {
                    return line.substring(line.indexOf(':') + 1).trim();
                }
            }
        }
        catch (final IOException e)
        {
            return "unknown";
        }
        return "unknown";
    }
}

// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.regex.Pattern;

/**
 * Another build of the project that takes part in a comparison.
 *
 * @param name      in reports.
 * @param classPath of its processes: a jar with all that it needs, or several elements.
 */
record OtherBuild(String name, String classPath)
{
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._+-]*");
    private static final String EXPECTED = "benchmarks/target/tallypost.jar of another commit, or a class path";

    /**
     * Reads and checks an option's value.
     *
     * @param text as on the command line.
     * @return the build.
     * @throws IllegalArgumentException that names what was found and what is expected.
     */
    static OtherBuild parse(final String text)
    {
        final int end = text.indexOf('=');
        if (end < 0)
        {
            throw new IllegalArgumentException("found '" + text + "', expected NAME=JAR");
        }
        final String name = text.substring(0, end);
        if (!NAME.matcher(name).matches())
        {
            throw new IllegalArgumentException("found the name '" + name + "' in '" + text +
                "', expected letters and digits, and behind the first of them also ., _, + and -");
        }
        final OtherBuild build = new OtherBuild(name, text.substring(end + 1));
        build.check();
        return build;
    }

    private void check()
    {
        final String[] elements = classPath.split(Pattern.quote(File.pathSeparator), -1);
        final URL[] places = new URL[elements.length];
        for (int i = 0; i < elements.length; i++)
        {
            final File file = new File(elements[i]);
            final String problem = elements[i].isEmpty() ? "no file is named" : !file.exists() ? "there is no such file" :
                !file.canRead() ? "it cannot be read" : null;
            if (problem != null)
            {
                throw refusal(elements[i], problem);
            }
            places[i] = url(file);
        }
        final String main = TransportProcess.class.getName();
        if (!has(places, main.replace('.', '/') + ".class"))
        {
            throw refusal(classPath, "no class " + main + " is in it");
        }
    }

    private IllegalArgumentException refusal(final String found, final String problem)
    {
        return new IllegalArgumentException("found '" + found + "' for " + name + " (" + problem + "), expected " + EXPECTED);
    }

    private static URL url(final File file)
    {
        try
        {
            return file.toURI().toURL();
        }
        catch (final MalformedURLException ex)
        {
            throw new IllegalArgumentException("found '" + file + "', expected " + EXPECTED, ex);
        }
    }

    /** Looks only into what was given, and follows the class paths of manifests as a JVM does. */
    private static boolean has(final URL[] places, final String resource)
    {
        try (URLClassLoader loader = new URLClassLoader(places, ClassLoader.getPlatformClassLoader()))
        {
            return loader.findResource(resource) != null;
        }
        catch (final IOException ignore)
        {
            // it could not be closed
            return false;
        }
    }
}

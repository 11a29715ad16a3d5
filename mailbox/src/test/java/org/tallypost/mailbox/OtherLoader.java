// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;

/** Another copy of all classes in this JVM, as each application in a container has one. */
public final class OtherLoader
{
    private OtherLoader()
    {
    }

    /**
     * A class loader with the class path of this one, and nothing in common with it but the JDK.
     *
     * @return to be closed by the caller.
     */
    public static URLClassLoader create()
    {
        final String[] path = System.getProperty("java.class.path").split(File.pathSeparator);
        return new URLClassLoader(Arrays.stream(path).map(OtherLoader::url).toArray(URL[]::new),
            ClassLoader.getPlatformClassLoader());
    }

    private static URL url(final String element)
    {
        try
        {
            return new File(element).toURI().toURL();
        }
        catch (final MalformedURLException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    /** Calls a static method of a file and something to do. */
    public static Object call(final Class<?> of, final String name, final Class<?> kind, final File file, final Object action)
    {
        try
        {
            return of.getMethod(name, File.class, kind).invoke(null, file, action);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new IllegalStateException(ex);
        }
    }
}

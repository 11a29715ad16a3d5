// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.wake;

import java.io.File;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The path of a doorbell's socket, short enough for an address. In a directory with a longer path it leads by a symbolic link in
 * the system's place for temporary files, which is there until this is closed: only to bind and to connect needs the address.
 */
final class SocketPath implements AutoCloseable
{
    /** What fits the address of a Unix domain socket everywhere, in bytes. */
    static final int MAX_LENGTH = 100;

    private final Path path;
    private final Path link;

    private SocketPath(final Path path, final Path link)
    {
        this.path = path;
        this.link = link;
    }

    /**
     * The path of a socket.
     *
     * @param file of the socket.
     * @return a path that leads there.
     * @throws IOException if there can be no link.
     * @throws UnsupportedOperationException if the path is too long by a link too.
     */
    static SocketPath of(final File file) throws IOException
    {
        if (length(file.toPath()) <= MAX_LENGTH)
        {
            return new SocketPath(file.toPath(), null);
        }
        return linked(file, Files.createTempDirectory("tallypost-"));
    }

    /** By a link in a directory, which is the link's own. */
    static SocketPath linked(final File file, final Path place) throws IOException
    {
        final Path link = place.resolve("node");
        final SocketPath found = new SocketPath(link.resolve(file.getName()), link);
        try
        {
            Files.createSymbolicLink(link, file.getAbsoluteFile().getParentFile().toPath());
            if (length(found.path) > MAX_LENGTH)
            {
                throw new UnsupportedOperationException("path too long for a Unix domain socket: found=" + length(file.toPath()) +
                    " bytes, by a link " + length(found.path) + ", expected at most " + MAX_LENGTH +
                    "; choose a directory with a shorter path, for the node or by -Djava.io.tmpdir");
            }
            return found;
        }
        catch (final IOException | RuntimeException ex)
        {
            found.close();
            throw ex;
        }
    }

    private static int length(final Path of)
    {
        return of.toString().getBytes(StandardCharsets.UTF_8).length;
    }

    UnixDomainSocketAddress address()
    {
        return UnixDomainSocketAddress.of(path);
    }

    /** Takes the link away. What is bound or connected stays so. */
    @Override
    public void close() throws IOException
    {
        if (link != null)
        {
            Files.deleteIfExists(link);
            Files.deleteIfExists(link.getParent());
        }
    }
}

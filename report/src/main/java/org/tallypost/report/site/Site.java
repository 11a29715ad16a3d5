// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.report.site;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Makes the site out of a source tree: the documents at its top and in {@code docs}, and the files that they link to. A page has
 * the place of its document, so that links stay as they are but for the ending. The order of the pages, and the navigation, are
 * those of {@code docs/README.md} and of the index beside a page.
 */
public final class Site
{
    private static final String STYLE = "site.css";
    private static final String INDEX = "docs/README.md";

    private final Path root;
    private final Map<Path, Document> documents = new TreeMap<>();
    private final TreeSet<Path> files = new TreeSet<>();

    private Site(final Path root)
    {
        this.root = root;
    }

    /**
     * Writes the site. Files of an earlier site stay, unless a page takes their place.
     *
     * @param args the top of the source tree, and the directory of the site, which is made.
     * @throws IOException           if a document cannot be read or a page not written.
     * @throws IllegalStateException if a link leads to nothing; the message has all of them.
     */
    public static void main(final String[] args) throws IOException
    {
        if (args.length != 2)
        {
            throw new IllegalArgumentException("expected the source tree and the directory of the site, found: " + List.of(args));
        }
        final Path target = Path.of(args[1]).toAbsolutePath().normalize();
        final Site site = new Site(Path.of(args[0]).toAbsolutePath().normalize());
        site.read();
        site.write(target);
        System.out.println("site: " + site.documents.size() + " pages; open " + target.resolve("index.html"));
    }

    private void read() throws IOException
    {
        final List<Path> found = new ArrayList<>();
        try (Stream<Path> top = Files.list(root); Stream<Path> below = Files.walk(root.resolve("docs")))
        {
            Stream.concat(top, below).filter((file) -> file.toString().endsWith(".md")).forEach(found::add);
        }
        for (final Path file : found)
        {
            final Path name = root.relativize(file);
            documents.put(name, new Document(name, Files.readString(file)));
        }
        final List<String> broken = new ArrayList<>();
        for (final Document document : documents.values())
        {
            for (final String link : document.links())
            {
                if (!leadsSomewhere(document, link))
                {
                    broken.add(document.name() + " -> " + link);
                }
            }
        }
        if (!documents.containsKey(Path.of(INDEX)) || !documents.containsKey(Path.of("README.md")))
        {
            throw new IllegalStateException("no source tree: " + root + " has no README.md or no " + INDEX);
        }
        if (!broken.isEmpty())
        {
            throw new IllegalStateException("links that lead to nothing: " + broken);
        }
    }

    private boolean leadsSomewhere(final Document document, final String link)
    {
        if (Document.isForeign(link))
        {
            return true;
        }
        final Path name = document.target(link);
        final int anchor = link.indexOf('#');
        final Document other = documents.get(name);
        if (other != null)
        {
            return anchor < 0 || other.anchors().contains(link.substring(anchor + 1));
        }
        if (anchor >= 0 || name.startsWith("..") || !Files.exists(root.resolve(name)))
        {
            return false;
        }
        files.add(name);
        return true;
    }

    private void write(final Path target) throws IOException
    {
        final Navigation navigation = new Navigation(documents);
        for (final Document document : documents.values())
        {
            write(target.resolve(Document.page(document.name())), navigation.html(document));
        }
        for (final Path name : files)
        {
            final Path file = root.resolve(name);
            if (Files.isDirectory(file))
            {
                final Map<String, String> texts = texts(file);
                write(target.resolve(Document.page(name)), navigation.html(name, texts));
            }
            else
            {
                write(target.resolve(Document.page(name)), navigation.html(name, Map.of("", Files.readString(file))));
            }
        }
        write(target.resolve(STYLE), resource(STYLE));
    }

    private static Map<String, String> texts(final Path directory) throws IOException
    {
        final Map<String, String> texts = new LinkedHashMap<>();
        try (Stream<Path> files = Files.walk(directory))
        {
            files.filter(Files::isRegularFile).sorted().forEach((file) ->
            {
                try
                {
                    texts.put(directory.relativize(file).toString(), Files.readString(file));
                }
                catch (final IOException e)
                {
                    throw new UncheckedIOException(e);
                }
            });
        }
        return texts;
    }

    private static void write(final Path file, final String text) throws IOException
    {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private static String resource(final String name) throws IOException
    {
        try (InputStream stream = Site.class.getResourceAsStream(name))
        {
            if (stream == null)
            {
                throw new IOException("missing resource: " + name);
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}

// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.messaging.rma.CrossMemory;
import org.tallypost.messaging.rma.Loan;
import org.tallypost.messaging.rma.LoanedMessage;
import org.tallypost.messaging.rma.Region;
import org.tallypost.messaging.rma.RegionKey;
import org.tallypost.messaging.rma.RegionMemory;
import org.tallypost.messaging.rma.RegionResult;
import org.tallypost.messaging.rma.RemoteRegion;

/**
 * Each argument of the type int, or array of int, of each public method of the module: a value that cannot be is refused, and the
 * message says what was found and what was expected. A method that is not in the table fails the test.
 */
class ArgumentsTest extends MessengerFixture
{
    private static final int CAPACITY = 100;
    private static final int MIN = Integer.MIN_VALUE;
    private static final int MAX = Integer.MAX_VALUE;

    private final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(CAPACITY));
    private final RegionKey key = new RegionKey();
    private final Set<String> tried = new HashSet<>();
    private final Map<String, Integer> triedCounts = new TreeMap<>();
    private RegionMemory memory;
    private Messenger messenger;
    private Communicator world;

    /** Something that is done with a value. */
    private interface Attempt
    {
        void with(int value) throws IOException;
    }

    /** Tries values that cannot be for an argument of a method. */
    private void refuse(final String method, final String argument, final Attempt attempt, final int... values)
    {
        note(method, argument);
        for (final int value : values)
        {
            final Throwable thrown = assertThrows(RuntimeException.class, () -> attempt.with(value),
                () -> method + ": " + argument + "=" + value);
            final String said = method + ": " + argument + "=" + value + ": " + thrown;
            assertTrue(thrown instanceof IllegalArgumentException || thrown instanceof IndexOutOfBoundsException, said);
            assertTrue(thrown.getMessage() != null && thrown.getMessage().contains("found") &&
                thrown.getMessage().contains(String.valueOf(value)) && thrown.getMessage().contains("expected"), said);
        }
    }

    /** An argument that may have any value. */
    private void admit(final String method, final String argument, final Attempt attempt) throws IOException
    {
        note(method, argument);
        for (final int value : new int[]{MIN, -1, 0, 1, MAX})
        {
            attempt.with(value);
        }
    }

    private void note(final String method, final String argument)
    {
        assertTrue(tried.add(method + " " + argument), "twice in the table: " + method + " " + argument);
        triedCounts.merge(method.substring(0, (method + " ").indexOf(' ')), 1, Integer::sum);
    }

    @Test
    void shouldRefuseWhatCannotBe() throws IOException
    {
        launch(2);
        messenger = messengers[0];
        world = messenger.world();
        memory = RegionMemory.open(node, endpoints[0]);
        tryContext();
        tryCommunicators();
        trySends();
        tryReceives();
        tryRegions();
        tryBytesOfRegions();
        tryCrossMemory();
        memory.close();
        assertEquals(declared(), triedCounts);
    }

    private void tryContext()
    {
        refuse("MessengerContext.rankCount", "value", (value) -> again().rankCount(value).conclude(), MIN, -1, 0, 1, 3, MAX);
        refuse("MessengerContext.firstChannel", "value", (value) -> again().firstChannel(value).conclude(), MIN, -1, 0, 241, MAX);
        refuse("MessengerContext.maxRequests", "value",
            (value) -> again().maxRequests(value).conclude(), MIN, -1, 0, (1 << 24) + 1, MAX);
        refuse("MessengerContext.eagerLimit", "value",
            (value) -> again().eagerLimit(value).conclude(), MIN, -1, Endpoint.MAX_RUN_LENGTH + 1, MAX);
        refuse("MessengerContext.eagerLimit of a rank", "rank", (value) -> again().eagerLimit(value, 0), MIN, -1, 2, MAX);
        refuse("MessengerContext.eagerLimit of a rank", "value",
            (value) -> again().eagerLimit(0, value), MIN, -1, Endpoint.MAX_RUN_LENGTH + 1, MAX);
        refuse("MessengerContext.eagerLimitOf", "rank", (value) -> messenger.context().eagerLimitOf(value), MIN, -1, 2, MAX);
        refuse("MessengerContext.eagerWindow", "value",
            (value) -> again().eagerWindow(value).conclude(), MIN, -1, 0, 4_095, (1 << 30) + 1, MAX);
        refuse("MessengerContext.announcements", "value",
            (value) -> again().announcements(value).conclude(), MIN, -1, 15, (1 << 24) + 1, MAX);
        refuse("MessengerContext.pollLimit", "value", (value) -> again().pollLimit(value).conclude(), MIN, -1, 0);
        refuse("MessengerContext.bulkLength", "value", (value) -> again().bulkLength(value).conclude(), MIN, -1, 0);
        refuse("MessengerContext.bulkLength of a rank", "rank", (value) -> again().bulkLength(value, 1), MIN, -1, 2, MAX);
        refuse("MessengerContext.bulkLength of a rank", "value", (value) -> again().bulkLength(0, value), MIN, -1, 0);
        refuse("MessengerContext.bulkLengthOf", "rank", (value) -> messenger.context().bulkLengthOf(value), MIN, -1, 2, MAX);
        refuse("MessengerContext.stagingLength", "value",
            (value) -> again().stagingLength(value).conclude(), MIN, -1, 1, 65_535, (1 << 30) + 1, MAX);
        refuse("MessengerContext.copyRoom", "value", (value) -> again().copyRoom(value).conclude(), MIN, -1, (1 << 30) + 1, MAX);
    }

    private MessengerContext again()
    {
        return new MessengerContext().endpoint(endpoints[0]).rankCount(2);
    }

    private void tryCommunicators() throws IOException
    {
        final Communicator five = messenger.communicator(5, 0, 1);
        refuse("Messenger.communicator", "context", (value) -> messenger.communicator(value, 0, 1), MIN, -1, 0, 5);
        refuse("Messenger.communicator", "ranks", (value) -> messenger.communicator(6, 0, value), MIN, -1, 0, 2, MAX);
        refuse("Messenger.duplicate", "context", (value) -> messenger.duplicate(world, value), MIN, -1, 0, 5);
        refuse("Communicator.endpointRank", "rank", five::endpointRank, MIN, -1, 2, MAX);
        admit("Communicator.rankOf", "endpointRank",
            (value) -> assertEquals(value >> 1 == 0 ? value : -1, five.rankOf(value) & world.rankOf(value)));
        final ReceiveRequest[] requests = {new ReceiveRequest(), new ReceiveRequest()};
        refuse("Requests.someDone", "indexes", (value) -> Requests.someDone(new int[value], requests), 0, 1);
        refuse("Requests.awaitSome", "indexes", (value) -> Requests.awaitSome(messenger, 0, new int[value], requests), 0, 1);
    }

    private void trySends()
    {
        final SendRequest request = new SendRequest();
        trySend("SendRequest.prepare",
            (dest, part) -> request.prepare(SendMode.STANDARD, world, dest, part[0], buffer, part[1], part[2]));
        trySend("Messenger.send", (dest, part) -> messenger.send(request, world, dest, part[0], buffer, part[1], part[2]));
        trySend("Messenger.sendSynchronous",
            (dest, part) -> messenger.sendSynchronous(request, world, dest, part[0], buffer, part[1], part[2]));
        trySend("Messenger.trySend", (dest, part) -> messenger.trySend(world, dest, part[0], buffer, part[1], part[2]));
        messenger.attachBuffer(new UnsafeBuffer(new byte[CAPACITY]), 0, CAPACITY);
        trySend("Messenger.sendBuffered",
            (dest, part) -> messenger.sendBuffered(world, dest, part[0], buffer, part[1], part[2]));
        assertTrue(messenger.detachBuffer());
        refuse("Messenger.attachBuffer", "offset", (value) -> messenger.attachBuffer(buffer, value, 1), MIN, -1, CAPACITY, MAX);
        refuse("Messenger.attachBuffer", "length",
            (value) -> messenger.attachBuffer(buffer, 1, value), MIN, -1, CAPACITY, MAX);
        final Loan loan = new Loan();
        assertEquals(10, memory.tryLoan(10, loan));
        refuse("SendRequest.prepare of a loan", "dest", (value) -> request.prepare(world, value, 0, loan), MIN, -1, 2, MAX);
        refuse("SendRequest.prepare of a loan", "messageTag", (value) -> request.prepare(world, 0, value, loan), MIN, -1);
        refuse("Messenger.send of a loan", "dest", (value) -> messenger.send(request, world, value, 0, loan), MIN, -1, 2, MAX);
        refuse("Messenger.send of a loan", "tag", (value) -> messenger.send(request, world, 0, value, loan), MIN, -1);
        refuse("Loan.lend", "dest", loan::lend, MIN, -1, 2, MAX);
        loan.cancel();
        assertEquals(0, world.activeCount);
    }

    /** The attempt gets the destination, and tag, offset and length. */
    private void trySend(final String method, final BiConsumer<Integer, int[]> attempt)
    {
        refuse(method, "dest", (value) -> attempt.accept(value, new int[]{1, 0, 8}), MIN, -1, 2, MAX);
        refuse(method, "tag", (value) -> attempt.accept(1, new int[]{value, 0, 8}), MIN, -1);
        refuse(method, "offset", (value) -> attempt.accept(1, new int[]{1, value, 8}), MIN, -1, CAPACITY - 7, MAX);
        refuse(method, "length", (value) -> attempt.accept(1, new int[]{1, 8, value}), MIN, -1, CAPACITY - 7, MAX);
    }

    private void tryReceives()
    {
        final ReceiveRequest request = new ReceiveRequest();
        tryReceive("ReceiveRequest.prepare",
            (source, part) -> request.prepare(world, source, part[0], buffer, part[1], part[2]));
        tryReceive("Messenger.receive",
            (source, part) -> messenger.receive(request, world, source, part[0], buffer, part[1], part[2]));
        final LoanedMessage loaned = new LoanedMessage();
        trySource("ReceiveRequest.prepareLoaned", (source, tag) -> request.prepareLoaned(world, source, tag, loaned));
        trySource("Messenger.receiveLoaned", (source, tag) -> messenger.receiveLoaned(request, world, source, tag, loaned));
        final MatchedMessage held = new MatchedMessage();
        trySource("Messenger.probe", (source, tag) -> messenger.probe(world, source, tag, new Envelope()));
        trySource("Messenger.matchedProbe", (source, tag) -> messenger.matchedProbe(world, source, tag, held));
        trySource("Messenger.awaitProbe", (source, tag) -> messenger.awaitProbe(world, source, tag, new Envelope(), 0));
        messenger.send(new SendRequest(), world, 0, 1, buffer, 0, 8);
        assertTrue(messenger.matchedProbe(world, 0, 1, held));
        refuse("Messenger.receive of what is held", "offset",
            (value) -> messenger.receive(request, held, buffer, value, 8), MIN, -1, CAPACITY - 7, MAX);
        refuse("Messenger.receive of what is held", "capacity",
            (value) -> messenger.receive(request, held, buffer, 8, value), MIN, -1, CAPACITY - 7, MAX);
        assertTrue(messenger.receive(request, held, buffer, 0, 8));
        assertEquals(0, world.activeCount);
    }

    /** The attempt gets the source, and tag, offset and capacity. */
    private void tryReceive(final String method, final BiConsumer<Integer, int[]> attempt)
    {
        trySource(method, (source, tag) -> attempt.accept(source, new int[]{tag, 0, 8}));
        refuse(method, "offset", (value) -> attempt.accept(1, new int[]{1, value, 8}), MIN, -1, CAPACITY - 7, MAX);
        refuse(method, "capacity", (value) -> attempt.accept(1, new int[]{1, 8, value}), MIN, -1, CAPACITY - 7, MAX);
    }

    private void trySource(final String method, final BiConsumer<Integer, Integer> attempt)
    {
        refuse(method, "source", (value) -> attempt.accept(value, 1), MIN, -2, 2, MAX);
        refuse(method, "tag", (value) -> attempt.accept(1, value), MIN, -2);
    }

    private void tryRegions() throws IOException
    {
        refuse("RegionMemory.open", "maxLength", (value) -> RegionMemory.open(node, endpoints[1], value, 8, 8), MIN, -1, 0, 1_023,
            (1 << 30) + 1, MAX);
        refuse("RegionMemory.open", "maxEntries", (value) -> RegionMemory.open(node, endpoints[1], 1 << 20, value, 8), MIN, -1, 0,
            RegionMemory.MAX_ENTRIES + 1, MAX);
        refuse("RegionMemory.open", "maxLoans", (value) -> RegionMemory.open(node, endpoints[1], 1 << 20, 8, value), MIN, -1, 0);
        refuse("RegionMemory.register", "length", (value) -> memory.register(value, Region.ALL), MIN, -1, 0, (1 << 30) + 1, MAX);
        refuse("RegionMemory.register", "rights", (value) -> memory.register(8, value), MIN, -1, Region.ALL + 1, MAX);
        final File file = new File(directory.toFile(), "file");
        Files.write(file.toPath(), new byte[8]);
        refuse("RegionMemory.load", "rights", (value) -> memory.load(file, value), MIN, -1, Region.ALL + 1, MAX);
        refuse("RegionMemory.tryLoan", "length", (value) -> memory.tryLoan(value, new Loan()), MIN, -1, 0, (1 << 30) + 1, MAX);
        refuse("RegionMemory.loanCount", "borrower", memory::loanCount, MIN, -1, 2, MAX);
        refuse("RegionMemory.isReachable", "rank", memory::isReachable, MIN, -1, 2, MAX);
        assertEquals(0, memory.usedLength());
    }

    private void tryBytesOfRegions()
    {
        tryBytes("RegionMemory.find", (offset, length) -> memory.find(buffer, offset, length, key));
        final RemoteRegion remote = new RemoteRegion();
        final Region region = memory.register(CAPACITY, Region.ALL);
        assertEquals(0, remote.attach(memory, region.key(key)));
        refuse("RemoteRegion.attachKnown", "knownLength",
            (value) -> remote.attachKnown(memory, key, value, Region.ALL), MIN, -1, 0, (1 << 30) + 1, MAX);
        refuse("RemoteRegion.attachKnown", "knownRights",
            (value) -> remote.attachKnown(memory, key, CAPACITY, value), MIN, -1, Region.ALL + 1, MAX);
        tryBytes("RemoteRegion.put", (offset, length) -> remote.put(0, buffer, offset, length));
        tryBytes("RemoteRegion.get", (offset, length) -> remote.get(0, buffer, offset, length));
        tryBytes("RemoteRegion.putNotify", (offset, length) -> remote.putNotify(0, buffer, offset, length, 0));
        refuse("RegionKey.encode", "offset", (value) -> key.encode(buffer, value), MIN, -1, CAPACITY - 15, MAX);
        refuse("RegionKey.decode", "offset", (value) -> key.decode(buffer, value), MIN, -1, CAPACITY - 15, MAX);
        remote.detach();
        region.close();
        assertEquals(RegionResult.UNKNOWN_KEY, memory.find(buffer, 0, CAPACITY, key));
    }

    private void tryBytes(final String method, final BiConsumer<Integer, Integer> attempt)
    {
        refuse(method, "offset", (value) -> attempt.accept(value, 8), MIN, -1, CAPACITY - 7, MAX);
        refuse(method, "length", (value) -> attempt.accept(8, value), MIN, -1, CAPACITY - 7, MAX);
    }

    /** That there is such memory needs Java 22: elsewhere the method cannot be called. */
    private void tryCrossMemory() throws IOException
    {
        final boolean isThere = CrossMemory.whyNot() == null;
        final CrossMemory cross = isThere ? CrossMemory.open() : null;
        final long address = buffer.addressOffset();
        final int[] ofOffset = isThere ? new int[]{MIN, -1, CAPACITY - 7, MAX} : new int[0];
        final int[] ofLength = isThere ? new int[]{MIN, -1, 0, CAPACITY - 7, CrossMemory.MAX_LENGTH + 1, MAX} : new int[0];
        refuse("CrossMemory.read", "offset", (value) -> cross.read(1, address, 1, address, buffer, value, 8), ofOffset);
        refuse("CrossMemory.read", "length", (value) -> cross.read(1, address, 1, address, buffer, 8, value), ofLength);
        admit("CrossMemory.read", "pid", (value) -> assertTrue(!isThere || value >= 0 ||
            cross.read(value, address, 1, address, buffer, 0, 8) == CrossMemory.UNREADABLE));
    }

    /** How many such arguments the public methods have, by name. What a program implements gets them, and refuses none. */
    private static Map<String, Integer> declared()
    {
        final Map<String, Integer> counts = new TreeMap<>();
        for (final Class<?> type : publicClasses())
        {
            for (final Method method : type.getDeclaredMethods())
            {
                final int count = (int)List.of(method.getParameterTypes()).stream()
                    .filter((parameter) -> parameter == int.class || parameter == int[].class).count();
                final boolean isListener = type.isAnnotationPresent(FunctionalInterface.class);
                if (Modifier.isPublic(method.getModifiers()) && !method.isSynthetic() && !isListener && count > 0)
                {
                    counts.merge(type.getSimpleName() + "." + method.getName(), count, Integer::sum);
                }
            }
        }
        return counts;
    }

    private static List<Class<?>> publicClasses()
    {
        final List<Class<?>> found = new ArrayList<>();
        for (final Class<?> root : new Class<?>[]{Messenger.class, RegionMemory.class})
        {
            final String packageName = root.getPackageName();
            final File[] files = new File(root.getProtectionDomain().getCodeSource().getLocation().getPath(),
                packageName.replace('.', '/')).listFiles((directory, name) -> name.endsWith(".class"));
            for (final File file : files)
            {
                try
                {
                    final Class<?> type =
                        Class.forName(packageName + "." + file.getName().replace(".class", ""), false, root.getClassLoader());
                    if (Modifier.isPublic(type.getModifiers()))
                    {
                        found.add(type);
                    }
                }
                catch (final ClassNotFoundException ex)
                {
                    throw new AssertionError(ex);
                }
            }
        }
        assertTrue(found.size() > 15, () -> "classes: " + found);
        return found;
    }
}

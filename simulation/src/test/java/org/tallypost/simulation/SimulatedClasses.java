// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.simulation;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Set;
import java.util.function.LongFunction;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.Remapper;

/**
 * Loads the product's own classes with what ties them to the machine turned round: clocks, random numbers, the identity of
 * processes and threads, and Aeron's client go to {@link Seams} and its neighbours; before each access to shared memory and each
 * change of a file the simulation is asked what happens. So the product has no hooks, and what runs here is all of it.
 *
 * <p>Each loader has its own copy of everything static. A method can be left out, to see whether the simulation finds it.
 */
final class SimulatedClasses extends ClassLoader
{
    private static final String ROOT = "org.tallypost.";
    private static final String SEAMS = "org/tallypost/simulation/Seams";
    private static final Set<String> MEMORY = Set.of("org/agrona/concurrent/UnsafeBuffer", "org/agrona/UnsafeApi");
    private static final String AERON = "org/tallypost/simulation/";
    /** Classes of Aeron's client, and one of ours, each replaced by a simulated one. */
    private static final Map<String, String> REPLACED = Map.of(
        "io/aeron/Aeron", AERON + "SimulatedAeron",
        "io/aeron/ExclusivePublication", AERON + "SimulatedPublication",
        "io/aeron/Subscription", AERON + "SimulatedSubscription",
        "io/aeron/Image", AERON + "SimulatedImage",
        "io/aeron/AvailableImageHandler", AERON + "SimulatedImageHandlers$Available",
        "io/aeron/UnavailableImageHandler", AERON + "SimulatedImageHandlers$Unavailable",
        "io/aeron/logbuffer/FragmentHandler", AERON + "SimulatedHandler",
        "io/aeron/logbuffer/ControlledFragmentHandler", AERON + "SimulatedControlledHandler",
        "io/aeron/logbuffer/Header", AERON + "SimulatedHeader",
        "org/tallypost/transportaeron/internal/driver/AeronConnection", AERON + "SimulatedConnection");
    /** Calls that go to a method of the same name in {@link Seams}; instance methods take their object as first argument. */
    private static final Set<String> TURNED = Set.of(
        "java/lang/System.nanoTime", "java/lang/System.currentTimeMillis", "java/lang/Thread.currentThread",
        "java/lang/Thread.yield", "java/lang/Thread.onSpinWait", "java/lang/Thread.isAlive", "java/lang/ThreadLocal.get",
        "java/util/concurrent/ThreadLocalRandom.nextInt", "java/util/concurrent/ThreadLocalRandom.nextLong",
        "java/security/SecureRandom.nextBytes",
        "java/nio/channels/FileChannel.write", "org/tallypost/mailbox/process/ProcessIdentity.current",
        "org/tallypost/mailbox/process/ProcessIdentity.probe", "org/tallypost/mailbox/process/NodeLock.locked",
        "org/tallypost/mailbox/process/NodeLock.founding", "org/tallypost/mailbox/process/NodeLock.tryLocked");
    private static final Set<String> FILE_CHANGES = Set.of(
        "java/io/File.delete", "java/nio/file/Files.createTempFile", "java/nio/file/Files.move",
        "java/nio/file/Files.deleteIfExists");

    static
    {
        registerAsParallelCapable();
    }

    private final String leftOut;

    /**
     * A world of its own.
     *
     * @param leftOut class and method, as in "org/tallypost/endpoint/internal/send/Peer.add", which does nothing and returns 0
     *                here; null for the product as it is.
     */
    SimulatedClasses(final String leftOut)
    {
        super(SimulatedClasses.class.getClassLoader());
        this.leftOut = leftOut;
    }

    /**
     * A simulation in a world of its own.
     *
     * @param leftOut   as that of the constructor.
     * @param kind      what programs do.
     * @return the simulation, a function of the seed.
     */
    @SuppressWarnings("unchecked")
    static LongFunction<Map<String, Long>> simulation(final String leftOut, final SimulationKind kind)
    {
        try
        {
            return (LongFunction<Map<String, Long>>)new SimulatedClasses(leftOut)
                .loadClass("org.tallypost.simulation.Simulation").getConstructor(String.class).newInstance(kind.name());
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new AssertionError(ex);
        }
    }

    @Override
    protected Class<?> loadClass(final String name, final boolean resolve) throws ClassNotFoundException
    {
        if (!name.startsWith(ROOT))
        {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name))
        {
            final Class<?> known = findLoadedClass(name);
            return known == null ? define(name) : known;
        }
    }

    private Class<?> define(final String name) throws ClassNotFoundException
    {
        try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class"))
        {
            if (in == null)
            {
                throw new ClassNotFoundException(name);
            }
            final byte[] bytes = in.readAllBytes();
            final byte[] turned = isOfSimulation(name) ? bytes : turn(name, bytes);
            return defineClass(name, turned, 0, turned.length);
        }
        catch (final IOException ex)
        {
            throw new ClassNotFoundException(name, ex);
        }
    }

    private static boolean isOfSimulation(final String name)
    {
        return name.startsWith("org.tallypost.simulation.") || name.contains(".Simulated");
    }

    private byte[] turn(final String name, final byte[] bytes)
    {
        final ClassWriter writer = new ClassWriter(0);
        final boolean isShared = !name.startsWith("org.tallypost.transportaeron.") && !name.endsWith(".Doorbell");
        new ClassReader(bytes).accept(new Turn(new ClassRemapper(writer, new Replace()), isShared), 0);
        return writer.toByteArray();
    }

    private static final class Replace extends Remapper
    {
        Replace()
        {
            super(Opcodes.ASM9);
        }

        @Override
        public String map(final String name)
        {
            return REPLACED.getOrDefault(name, name);
        }
    }

    private final class Turn extends ClassVisitor
    {
        private final boolean isShared;
        private String owner;

        Turn(final ClassVisitor next, final boolean isShared)
        {
            super(Opcodes.ASM9, next);
            this.isShared = isShared;
        }

        @Override
        public void visit(
            final int version, final int access, final String name, final String signature, final String superName,
            final String[] interfaces)
        {
            owner = name;
            super.visit(version, access, name, signature, superName, interfaces);
        }

        @Override
        public MethodVisitor visitMethod(
            final int access, final String name, final String descriptor, final String signature, final String[] exceptions)
        {
            final MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
            if ((owner + "." + name).equals(leftOut))
            {
                leaveOut(next, descriptor);
                return null;
            }
            return new Calls(next, isShared);
        }

        private void leaveOut(final MethodVisitor to, final String descriptor)
        {
            to.visitCode();
            final Type type = Type.getReturnType(descriptor);
            if (type == Type.VOID_TYPE)
            {
                to.visitInsn(Opcodes.RETURN);
            }
            else
            {
                final boolean isLong = type == Type.LONG_TYPE;
                to.visitInsn(isLong ? Opcodes.LCONST_0 : Opcodes.ICONST_0);
                to.visitInsn(isLong ? Opcodes.LRETURN : Opcodes.IRETURN);
            }
            // more than any method that is left out has
            to.visitMaxs(2, 16);
            to.visitEnd();
        }
    }

    private static final class Calls extends MethodVisitor
    {
        private final boolean isShared;

        Calls(final MethodVisitor next, final boolean isShared)
        {
            super(Opcodes.ASM9, next);
            this.isShared = isShared;
        }

        @Override
        public void visitMethodInsn(
            final int opcode, final String owner, final String name, final String descriptor, final boolean isInterface)
        {
            final String method = owner + "." + name;
            if (TURNED.contains(method))
            {
                final String whole = opcode == Opcodes.INVOKESTATIC ? descriptor : "(L" + owner + ";" + descriptor.substring(1);
                super.visitMethodInsn(Opcodes.INVOKESTATIC, SEAMS, name, whole, false);
                return;
            }
            if (isShared && MEMORY.contains(owner) && isAccess(name))
            {
                final boolean isRead = name.startsWith("get") && !name.startsWith("getAnd");
                super.visitMethodInsn(Opcodes.INVOKESTATIC, SEAMS, isRead ? "read" : "write", "()V", false);
            }
            else if (FILE_CHANGES.contains(method))
            {
                super.visitMethodInsn(Opcodes.INVOKESTATIC, SEAMS, "write", "()V", false);
            }
            super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
        }

        private static boolean isAccess(final String name)
        {
            return name.startsWith("get") || name.startsWith("put") || name.startsWith("compareAndSet") ||
                name.equals("setMemory");
        }
    }
}

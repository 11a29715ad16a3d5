// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi.programs;

import java.util.Arrays;
import mpi.CartComm;
import mpi.Cartcomm;
import mpi.Comm;
import mpi.Datatype;
import mpi.GraphComm;
import mpi.Group;
import mpi.Info;
import mpi.Intercomm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Request;
import mpi.ShiftParms;

/** Communicators, groups and topologies in both dialects. For 4 ranks; with an argument they are on two nodes. */
public final class Communicators
{
    private static Intracomm world;
    private static int rank;
    private static int size;
    private static int nodes;

    private Communicators()
    {
    }

    public static void main(final String[] arguments) throws Exception
    {
        MPI.Init(arguments);
        world = MPI.COMM_WORLD;
        rank = world.getRank();
        size = world.getSize();
        nodes = 1 + arguments.length;
        Checks.equal(4, size, "ranks of this program");
        groups();
        duplicates();
        splits();
        created();
        attributes();
        betweenGroups();
        ports();
        grids();
        graphs();
        Checks.complete();
        MPI.Finalize();
    }

    private static void groups() throws Exception
    {
        final Group all = world.getGroup();
        final Group even = all.incl(new int[]{ 2, 0 });
        final Group odd = all.excl(new int[]{ 0, 2 });
        Checks.equal(rank == 2 ? 0 : rank == 0 ? 1 : MPI.UNDEFINED, even.getRank(), "rank in a group");
        Checks.equal(MPI.SIMILAR, Group.compare(even, all.rangeIncl(new int[][]{ { 0, 3, 2 } })), "similar");
        Checks.equal(MPI.IDENT, Group.compare(odd, all.rangeExcl(new int[][]{ { 0, 3, 2 } })), "identical");
        Checks.equal(MPI.UNEQUAL, Group.compare(even, odd), "unequal");
        Checks.equal(4, Group.union(even, odd).getSize(), "union");
        Checks.equal(0, Group.intersection(even, odd).getSize(), "intersection");
        Checks.equal(MPI.IDENT, Group.compare(odd, Group.difference(all, even)), "difference");
        Checks.equal(new int[]{ 1, MPI.UNDEFINED }, Group.translateRanks(all, new int[]{ 0, 1 }, even), "translated");
        Checks.fails(MPI.ERR_RANK, () -> all.incl(new int[]{ 4 }), "no such rank");
        Checks.fails(MPI.ERR_RANK, () -> all.incl(new int[]{ 1, 1 }), "a rank twice");
        even.free();
        Checks.equal(true, even.isNull(), "freed");
        Checks.fails(MPI.ERR_GROUP, () -> even.getSize(), "a freed group");
    }

    /** Messages of one communicator do not match receives of the other. */
    private static void duplicates() throws Exception
    {
        final Intracomm copy = world.clone();
        Checks.equal(MPI.CONGRUENT, Comm.compare(world, copy), "congruent");
        Checks.equal(MPI.IDENT, Comm.compare(world, world), "identical");
        final int next = (rank + 1) % size;
        final int before = (rank + size - 1) % size;
        world.send(new int[]{ 1 }, 1, MPI.INT, next, 5);
        copy.send(new int[]{ 2 }, 1, MPI.INT, next, 5);
        final int[] got = new int[1];
        copy.recv(got, 1, MPI.INT, before, 5);
        Checks.equal(2, got[0], "message of the copy");
        world.recv(got, 1, MPI.INT, before, 5);
        Checks.equal(1, got[0], "message of the world");
        copy.free();
        Checks.equal(true, copy.isNull(), "freed");
        Checks.fails(MPI.ERR_COMM, () -> copy.barrier(), "a freed communicator");
        Checks.fails(MPI.ERR_COMM, () -> world.free(), "the world");
        final int[] self = { rank };
        MPI.COMM_SELF.allReduce(self, 1, MPI.INT, MPI.SUM);
        Checks.equal(rank, self[0], "this rank alone");
        final Info info = new Info();
        info.set("key", "value");
        Checks.equal("value", world.dupWithInfo(info).getInfo().get("key"), "info");
    }

    private static void splits() throws Exception
    {
        final Intracomm half = world.split(rank % 2, -rank);
        Checks.equal(2, half.getSize(), "size of a half");
        Checks.equal(rank < 2 ? 1 : 0, half.getRank(), "order of keys");
        final int[] sum = { rank };
        half.allReduce(sum, 1, MPI.INT, MPI.SUM);
        Checks.equal(rank % 2 == 0 ? 2 : 4, sum[0], "sum of a half");
        final Intracomm some = world.split(rank == 0 ? MPI.UNDEFINED : 0, 0);
        Checks.equal(rank == 0, some.isNull(), "left out");
        Checks.equal(rank == 0, world.Split(rank == 0 ? MPI.UNDEFINED : 0, 0) == null, "left out, in mpiJava");
        Checks.equal(size / nodes, world.splitType(MPI.COMM_TYPE_SHARED, 0, MPI.INFO_NULL).getSize(), "ranks of this node");
        Checks.fails(MPI.ERR_ARG, () -> world.split(-5, 0), "no such color");
    }

    private static void created() throws Exception
    {
        final Group last = world.getGroup().incl(new int[]{ 3, 1 });
        final Intracomm both = world.create(last);
        Checks.equal(rank % 2 == 0, both.isNull(), "created of a group");
        if (rank % 2 == 1)
        {
            Checks.equal(rank == 3 ? 0 : 1, both.getRank(), "order of the group");
            final Intracomm again = world.createGroup(last, 7);
            final int[] sum = { rank };
            again.allReduce(sum, 1, MPI.INT, MPI.SUM);
            Checks.equal(4, sum[0], "sum of the group");
        }
        Checks.equal(rank % 2 == 0, world.Create(last) == null, "created of a group, in mpiJava");
    }

    private static void attributes() throws Exception
    {
        final int key = Comm.createKeyval();
        world.setAttr(key, "value");
        Checks.equal("value", world.getAttr(key), "attribute");
        Checks.equal("value", world.dup().getAttr(key), "attribute of a duplicate");
        world.deleteAttr(key);
        Checks.equal(true, world.getAttr(key) == null, "deleted");
        Checks.equal(Integer.MAX_VALUE, world.getAttr(MPI.TAG_UB), "greatest tag");
        Checks.fails(MPI.ERR_KEYVAL, () -> world.getAttr(MPI.KEYVAL_INVALID), "no key");
        world.setErrhandler(MPI.ERRORS_RETURN);
        Checks.equal(true, world.getErrhandler() == MPI.ERRORS_RETURN, "error handler");
    }

    private static Intercomm halves() throws Exception
    {
        final Intracomm half = world.split(rank / 2, rank);
        return world.createIntercomm(half, 0, rank < 2 ? 2 : 0, 11);
    }

    private static void betweenGroups() throws Exception
    {
        final Intercomm inter = halves();
        final int own = rank % 2;
        Checks.equal(true, inter.isInter(), "between groups");
        Checks.equal(own, inter.getRank(), "own rank");
        Checks.equal(2, inter.getSize(), "own size");
        Checks.equal(2, inter.getRemoteSize(), "size of the others");
        Checks.equal((rank + 2) % 4, exchange(inter, own), "message across");
        final int[] sum = new int[1];
        inter.allReduce(new int[]{ rank }, sum, 1, MPI.INT, MPI.SUM);
        Checks.equal(rank < 2 ? 5 : 1, sum[0], "sum of the others");
        final int[] all = new int[2];
        inter.allGather(new int[]{ rank }, 1, MPI.INT, all, 1, MPI.INT);
        Checks.equal(rank < 2 ? new int[]{ 2, 3 } : new int[]{ 0, 1 }, all, "gathered across");
        final int[] text = { rank == 1 ? 42 : 0 };
        inter.bcast(text, 1, MPI.INT, rank == 1 ? MPI.ROOT : rank == 0 ? MPI.PROC_NULL : 1);
        Checks.equal(rank == 0 ? 0 : 42, text[0], "broadcast across");
        final int[] reduced = new int[2];
        inter.reduce(new int[]{ rank, 1 }, reduced, 2, MPI.INT, MPI.SUM, rank == 3 ? MPI.ROOT : rank == 2 ? MPI.PROC_NULL : 1);
        Checks.equal(rank == 3 ? new int[]{ 1, 2 } : new int[2], reduced, "reduced across");
        final int[] to = { 10 * rank, 10 * rank + 1 };
        inter.allToAll(to, 1, MPI.INT, all, 1, MPI.INT);
        Checks.equal(rank < 2 ? new int[]{ 20 + own, 30 + own } : new int[]{ own, 10 + own }, all, "all to all across");
        final int[] spread = new int[1];
        inter.reduceScatter(new int[]{ rank, rank + 1 }, spread, new int[]{ 1, 1 }, MPI.INT, MPI.SUM);
        Checks.equal((rank < 2 ? 5 : 1) + 2 * own, spread[0], "reduced and spread across");
        inter.barrier();
        final Intracomm merged = inter.merge(rank < 2);
        Checks.equal((rank + 2) % 4, merged.getRank(), "the others first");
        Checks.equal((rank + 2) % 4, exchange(inter.clone(), own), "message of a duplicate");
        Checks.equal(MPI.CONGRUENT, Comm.compare(inter, inter.dup()), "congruent");
        inter.free();
    }

    private static int exchange(final Comm inter, final int peer) throws Exception
    {
        final int[] got = new int[1];
        inter.sendRecv(new int[]{ rank }, 1, MPI.INT, peer, 3, got, 1, MPI.INT, peer, 3);
        return got[0];
    }

    private static void ports() throws Exception
    {
        final Intracomm half = world.split(rank / 2, rank);
        final char[] name = new char[MPI.MAX_PORT_NAME];
        final Intercomm inter;
        if (rank < 2)
        {
            final String port = rank == 0 ? half.openPort() : "";
            if (rank == 0)
            {
                world.send(port.toCharArray(), port.length(), MPI.CHAR, 2, 9);
            }
            inter = half.accept(port, 0);
            if (rank == 0)
            {
                half.closePort(port);
                Checks.fails(MPI.ERR_PORT, () -> half.closePort(port), "a closed port");
            }
        }
        else
        {
            final int length = rank == 2 ? world.recv(name, name.length, MPI.CHAR, 0, 9).getCount(MPI.CHAR) : 0;
            inter = half.connect(new String(name, 0, length), 0);
        }
        Checks.equal((rank + 2) % 4, exchange(inter, rank % 2), "message by a port");
        inter.disconnect();
        Checks.fails(MPI.ERR_PORT, () -> MPI.COMM_SELF.connect("no port", 0), "no port");
    }

    private static void grids() throws Exception
    {
        final int[] dims = new int[2];
        CartComm.createDims(12, dims);
        Checks.equal(new int[]{ 4, 3 }, dims, "even dimensions");
        final int[] fixed = { 0, 6, 0 };
        Cartcomm.Dims_create(24, fixed);
        Checks.equal(new int[]{ 2, 6, 2 }, fixed, "dimensions beside one that is fixed");
        final CartComm grid = world.createCart(new int[]{ 2, 2 }, new boolean[]{ true, false }, false);
        Checks.equal(MPI.CART, grid.getTopology(), "topology");
        Checks.equal(new int[]{ rank / 2, rank % 2 }, grid.getCoords(rank), "coordinates");
        Checks.equal(rank, grid.getRank(grid.getCoords(rank)), "rank at coordinates");
        final ShiftParms ring = grid.shift(0, 1);
        Checks.equal((rank + 2) % 4, ring.getRankDest(), "round the ring");
        final ShiftParms line = grid.shift(1, 1);
        Checks.equal(rank % 2 == 1 ? MPI.PROC_NULL : rank + 1, line.getRankDest(), "to the end of the line");
        final int[] got = { -1 };
        grid.sendRecv(new int[]{ rank }, 1, MPI.INT, line.getRankDest(), 1, got, 1, MPI.INT, line.getRankSource(), 1);
        Checks.equal(rank % 2 == 0 ? -1 : rank - 1, got[0], "from the line");
        final CartComm rows = grid.sub(new boolean[]{ false, true });
        Checks.equal(2, rows.getSize(), "row");
        Checks.equal(rank % 2, rows.getTopo().getCoord(0), "place in the row");
        final Cartcomm three = world.Create_cart(new int[]{ 3 }, new boolean[]{ true }, false);
        Checks.equal(rank == 3, three == null, "outside of the grid");
        if (rank < 3)
        {
            Checks.equal((rank + 2) % 3, three.Shift(0, 1).rank_source, "source of a shift");
        }
        Checks.fails(MPI.ERR_DIMS, () -> CartComm.createDims(7, new int[]{ 2, 0 }), "no such grid");
    }

    private static void graphs() throws Exception
    {
        final GraphComm graph = world.createGraph(new int[]{ 2, 3, 4, 6 }, new int[]{ 1, 3, 0, 3, 0, 2 }, false);
        Checks.equal(MPI.GRAPH, graph.getTopology(), "topology");
        Checks.equal(new int[]{ 0, 2 }, graph.getNeighbors(3), "neighbors");
        Checks.equal(6, graph.getDims().getEdgeCount(), "edges");
        Checks.fails(MPI.ERR_ARG, () -> world.createGraph(new int[]{ 1 }, new int[]{ 5 }, false), "no such node");
        final Datatype pair = Datatype.createContiguous(2, MPI.INT);
        final int[] pairs = new int[2 * size];
        final Request gathered = graph.iAllGather(
            MPI.newIntBuffer(2).put(0, rank), 1, pair, java.nio.IntBuffer.wrap(pairs), 1, pair);
        gathered.waitFor();
        Checks.equal("[0, 0, 1, 0, 2, 0, 3, 0]", Arrays.toString(pairs), "pairs of all");
    }
}

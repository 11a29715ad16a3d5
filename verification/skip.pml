/* Copyright 2026 The Tallypost authors */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Claims of dead senders: marks, write position, headers, and the consumer that skips what will never be published, one load
 * or store at a time (MailboxPoller.recover, Registry.findClaim and nextClaim). Memory is sequentially consistent here.
 *
 * Settings, all with -D:
 *   SENDERS  threads that send                ATTEMPTS  claims of each, some of them given up for want of credits
 *   POSITIONS slots that are claimed at most: the ring is as long
 *   BATCH    a claim of two slots may also be for two runs
 *   WRONG    1: headers are looked at before marks; 2: a mark without a position does not count
 */
#ifndef SENDERS
#define SENDERS 2
#endif
#ifndef ATTEMPTS
#define ATTEMPTS 2
#endif
#ifndef POSITIONS
#define POSITIONS 4
#endif
#ifndef WRONG
#define WRONG 0
#endif

#define NEVER 255

/* shared */
byte claimWord[SENDERS];          /* slots about to be claimed, or being claimed; 0: none */
byte placeWord[SENDERS];          /* place + 1 if it is known; else 100 + number of the attempt */
byte header[POSITIONS];           /* slots of the run that is published there, or 0 */
byte write;
bool isAlive[SENDERS];

/* what only the checks know */
byte owner[POSITIONS];            /* sender that claimed a slot, + 1 */
bool isDone[SENDERS];
#define isOver(s) (isDone[s] || !isAlive[s])
#if SENDERS > 2
#define over (isOver(0) && isOver(1) && isOver(2))
#else
#define over (isOver(0) && isOver(1))
#endif
bool hasLooked;                   /* in vain, since no sender sends any more */

byte position;                    /* the consumer's */

#define here (position < POSITIONS -> position : 0)
#define isKnown(word) (word > 0 && word < 100)

proctype Sender(byte s)
{
    byte attempt, slots, place;
    bool isBatch;

    {
        do
        :: attempt < ATTEMPTS ->
            attempt++;
            /* a run of one slot or two, or a batch of two runs */
            if
            :: slots = 1
            :: slots = 2
#ifdef BATCH
            :: slots = 2; isBatch = true
#endif
            fi;
            placeWord[s] = 100 + attempt;
            claimWord[s] = slots;
            if
            :: atomic { write + slots <= POSITIONS ->
                place = write;
                owner[place] = s + 1;
                if
                :: slots == 2 -> owner[place + 1] = s + 1
                :: else
                fi;
                write = write + slots }
                placeWord[s] = place + 1;
                if
                :: isBatch ->
                    header[place] = 1;
                    header[place + 1] = 1
                :: else -> header[place] = slots
                fi
            :: skip     /* no credits */
            fi;
            claimWord[s] = 0;
            atomic { slots = 0; isBatch = false; place = 0 }
        :: attempt >= ATTEMPTS -> break
        od;
        isDone[s] = true
    }
    unless
    {
        !isAlive[s]
    }
}

/* Dies, wherever it is, and is known to be dead from then on. */
proctype Death(byte s)
{
    if
    :: isAlive[s] = false
    :: skip
    fi
}

proctype Consumer()
{
    byte limit, m, claim, place, dead, next, stop;
    bool first, isCovered, isOpen;
    byte holePosition = NEVER;
    byte holeLimit;
    byte seen[SENDERS];               /* attempts */

look:
    /* nothing of what it finds out outlives a look, but for what is shared above */
    atomic { limit = 0; m = 0; claim = 0; place = 0; dead = 0; next = 0; stop = 0; first = false; isCovered = false;
        isOpen = false };
end:
    if
    :: atomic { position < POSITIONS && header[here] > 0 ->
        position = position + header[position];
        hasLooked = false }
        goto look
    :: atomic { (position >= POSITIONS || header[here] == 0) && write > position -> limit = write }
    fi;
    atomic
    {
        first = position != holePosition;
        if
        :: first -> holePosition = position; holeLimit = limit
        :: else
        fi;
        limit = (limit < holeLimit -> limit : holeLimit);
        /* the dead are not waited for: when all are done, one look suffices */
        if
        :: over -> assert(!hasLooked); hasLooked = true
        :: else
        fi
    };

#if WRONG == 1
    stop = position + 1;
    do
    :: atomic { stop < limit && header[stop] == 0 -> stop++ }
    :: atomic { stop >= limit || header[stop] != 0 -> break }
    od;
#endif

    /* findClaim */
    do
    :: m < SENDERS ->
        atomic
        {
            claim = claimWord[m];
            if
            :: claim == 0 -> seen[m] = NEVER; m++
            :: else
            fi
        };
        if
        :: claim == 0
        :: atomic { claim != 0 ->
            place = placeWord[m];
            if
            :: !isAlive[m] ->
                /* read again: only now its stores are final */
                seen[m] = NEVER;
                claim = claimWord[m];
                if
                :: claim != 0 && isKnown(place) && place - 1 <= position && position < place - 1 + claim ->
                    dead = (place - 1 + claim - position > dead -> place - 1 + claim - position : dead)
                :: else
                fi
            :: isAlive[m] && isKnown(place) ->
                seen[m] = NEVER;
                isCovered = isCovered || position >= place - 1 && position < place - 1 + claim
#if WRONG != 2
            :: isAlive[m] && !isKnown(place) && (first || seen[m] == place) -> seen[m] = place; isOpen = true
#endif
            :: else -> seen[m] = NEVER
            fi;
            m++;
            claim = 0;
            place = 0 }
        fi
    :: m == SENDERS -> m = 0; break
    od;
    if
    :: isCovered || isOpen && dead == 0 -> goto look
    :: else
    fi;

    /* holeEnd */
    if
    :: header[position] > 0 -> goto look
    :: else
    fi;
    if
    :: dead > 0 -> stop = (limit < position + dead -> limit : position + dead)
    :: else ->
        /* nextClaim */
        next = limit;
        do
        :: m < SENDERS ->
            claim = claimWord[m];
            if
            :: claim > 0 ->
                place = placeWord[m];
                if
                :: isKnown(place) && place - 1 > position && place - 1 < next -> next = place - 1
                :: else
                fi
            :: else
            fi;
            atomic { m++; claim = 0; place = 0 }
        :: m == SENDERS -> m = 0; break
        od;
#if WRONG == 1
        stop = (stop < next -> stop : next);
#else
        stop = position + 1;
        do
        :: atomic { stop < next && header[stop] == 0 -> stop++ }
        :: atomic { stop >= next || header[stop] != 0 -> break }
        od
#endif
    fi;
    skip;

    /* skipTo */
    d_step
    {
        do
        :: position < stop ->
            /* what is skipped was claimed by the dead, and never published */
            assert(owner[position] > 0);
            assert(!isAlive[owner[position] - 1]);
            assert(header[position] == 0);
            position++
        :: else -> break
        od;
        hasLooked = false
    };
    goto look
}

init
{
    atomic
    {
        byte s;
        for (s : 0 .. SENDERS - 1)
        {
            isAlive[s] = true;
            run Sender(s)
        }
        for (s : 0 .. SENDERS - 1)
        {
            run Death(s)
        }
        s = 0;
        run Consumer()
    }
}

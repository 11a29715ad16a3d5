// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/** The arena: the shared memory in which the members of a team meet. Used by this module alone. */
package org.tallypost.collectives.internal;

// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Messages that are matched to receives by context, source and tag, as MPI does it, over an endpoint. A receiver's memory for
 * messages that nobody has asked for yet is bounded, and nothing is allocated after the start.
 */
package org.tallypost.messaging;

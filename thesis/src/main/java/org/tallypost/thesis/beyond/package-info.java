// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Where the published protocol is weak, and what this project's own does there, at the same bytes of mailboxes.
 */
package org.tallypost.thesis.beyond;

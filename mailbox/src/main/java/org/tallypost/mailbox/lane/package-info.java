// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Express lanes: a small ring of one sending thread beside the mailbox. Begin with Lane and LanePoller.
 */
package org.tallypost.mailbox.lane;

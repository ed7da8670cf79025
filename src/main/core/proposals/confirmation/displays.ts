import type { Clock } from '#core/platform/clock.ts';
import type { Ids } from '#core/platform/ids.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { StoredProposal, AppStore, ListedProposal } from '#core/store/app/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { armingDelayMs, type Decision, type Seen } from '#shared/host-api/index.ts';
import { isSameSecret } from '#core/platform/credentials.ts';
import { isUndecided } from '#shared/proposals/states.ts';

/** A display of a proposal to a person. Never stored, because a display does not survive a restart. */
export interface OpenDisplay {
  displayId: string;
  /** 256 random bits, known only to the window that shows it. */
  nonce: string;
  proposalId: string;
  fingerprint: string;
  recorded: boolean;
  /** When the proposal became visible, changed, or regained the focus, by the monotonic clock. Null until then. */
  seenAtMs: number | null;
  hidden: boolean;
}

interface DisplaysOptions {
  clock: Clock;
  ids: Ids;
  logger: Logger;
  hide(displayId: string): void;
}

export const rememberedMs = 60_000;
const maxUndoable = 50;

export type Displays = ReturnType<typeof createDisplays>;

export function createDisplays({ clock, ids, logger, hide }: DisplaysOptions) {
  const byId = new Map<string, OpenDisplay>();
  const byProposal = new Map<string, OpenDisplay>();
  const undoable = new Map<string, OpenDisplay>();

  function hideOnce(display: OpenDisplay): void {
    if (display.hidden) return;
    display.hidden = true;
    try {
      hide(display.displayId);
    } catch (failure) {
      // A host that cannot hide its window must not keep a decision from being executed.
      logger.error({ failure }, 'A confirmation could not be hidden');
    }
  }

  function forget({ displayId, proposalId }: OpenDisplay): void {
    byId.delete(displayId);
    if (byProposal.get(proposalId)?.displayId === displayId) byProposal.delete(proposalId);
  }

  function end(proposalId: string): void {
    const display = byProposal.get(proposalId);
    if (display !== undefined) drop(display);
  }

  function drop(display: OpenDisplay): void {
    hideOnce(display);
    forget(display);
  }

  return {
    open({ id: proposalId, fingerprint }: StoredProposal): OpenDisplay {
      end(proposalId);
      const display = {
        displayId: ids.id(),
        nonce: ids.secret(),
        proposalId,
        fingerprint,
        recorded: false,
        seenAtMs: null,
        hidden: false,
      };
      byId.set(display.displayId, display);
      byProposal.set(proposalId, display);
      return display;
    },
    /** Fails with `display_unknown` for an unknown id, a wrong nonce, and a display that was decided, replaced or ended. */
    require: (seen: Seen): OpenDisplay => requireIn(byId, seen),
    requireUndo: (seen: Seen): Pick<OpenDisplay, 'proposalId'> => requireIn(undoable, seen),
    /** Lets the window of an ended confirmation ask for an undo, once. Must run after the read-back. */
    offerUndo(display: OpenDisplay): void {
      undoable.set(display.displayId, display);
      const [oldest] = undoable.keys();
      if (undoable.size > maxUndoable && oldest !== undefined) undoable.delete(oldest);
    },
    endUndo: (displayId: string): void => void undoable.delete(displayId),
    has: (proposalId: string): boolean => byProposal.get(proposalId)?.hidden === false,
    hide(proposalId: string): void {
      const display = byProposal.get(proposalId);
      if (display === undefined || display.hidden) return;
      hideOnce(display);
      clock.after(rememberedMs, () => forget(display));
    },
    end,
    drop,
    /** Requires every proposal to be seen again before it can be approved. */
    disarm(): void {
      for (const display of byId.values()) display.seenAtMs = null;
    },
  };
}

function requireIn(known: ReadonlyMap<string, OpenDisplay>, { displayId, nonce }: Seen): OpenDisplay {
  const display = known.get(displayId);
  if (display === undefined || !isSameSecret(display.nonce, nonce)) throw new AppError('display_unknown');
  return display;
}

/** Fails with `fingerprint_mismatch` unless the decision is on the shown change. */
export function assertSameChange(display: OpenDisplay, decision: Decision): void {
  if (!isSameSecret(display.fingerprint, decision.fingerprint)) throw new AppError('fingerprint_mismatch');
}

/** Fails with `confirmation_too_early` before the buttons are armed, by the core's own monotonic clock. */
export function assertArmed({ seenAtMs }: OpenDisplay, monotonicMs: number): void {
  if (seenAtMs === null || monotonicMs - seenAtMs < armingDelayMs) {
    throw new AppError('confirmation_too_early');
  }
}

/**
 * Shows proposals of agents and schedules one at a time, so that a flood of proposals opens one window. The user's own
 * proposals are shown on request.
 */
export function createAnnouncing({
  proposals,
  isShown,
  announce,
}: {
  proposals: Pick<AppStore['proposals'], 'findListed' | 'undecided' | 'openBatchOf'>;
  isShown(id: string): boolean;
  announce(id: string): boolean;
}) {
  // Proposals from before the start are not announced.
  let passed = new Set(proposals.undecided().map(({ id }) => id));
  let currentId: string | null = null;
  let due: NodeJS.Immediate | null = null;
  let isOver = false;

  const waits = (id: string): boolean => {
    const proposal = proposals.findListed(id);
    return proposal !== null && isUndecided(proposal.state);
  };

  function bringNext(): void {
    due = null;
    if (currentId !== null && waits(currentId)) return;
    currentId = null;
    const waiting = proposals.undecided();
    passed = new Set(waiting.flatMap(({ id }) => (passed.has(id) ? [id] : [])));
    for (const { id } of newcomers(waiting, passed)) {
      if (proposals.openBatchOf(id) !== null) continue;
      passed.add(id);
      if (!isShown(id) && !announce(id)) continue;
      currentId = id;
      return;
    }
  }

  return {
    look(): void {
      // Checks once per burst of changes, and never inside a transaction.
      if (!isOver) due ??= setImmediate(bringNext);
    },
    postpone(): void {
      currentId = null;
      for (const { id } of proposals.undecided()) passed.add(id);
    },
    dispose(): void {
      isOver = true;
      if (due !== null) clearImmediate(due);
    },
  };
}

function newcomers(
  waiting: readonly ListedProposal[],
  passed: ReadonlySet<string>,
): readonly ListedProposal[] {
  return waiting.filter(
    ({ id, proposedBy, rebase }) => proposedBy.kind !== 'person' && rebase === null && !passed.has(id),
  );
}

import type { Clock } from '#core/platform/clock.ts';
import type { Ids } from '#core/platform/ids.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { StoredProposal, AppStore, ListedProposal } from '#core/store/app/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { armingDelayMs, type Decision, type Seen } from '#shared/host-api/index.ts';
import { isSameSecret } from '#core/platform/credentials.ts';
import { isUndecided } from '#shared/proposals/states.ts';

/** A display of a proposal to a person. Never stored, because a showing does not survive a restart. */
export interface LivingShowing {
  showingId: string;
  /** 256 random bits, known only to the window that shows it. */
  nonce: string;
  proposalId: string;
  fingerprint: string;
  recorded: boolean;
  /** When the proposal became visible, changed, or regained the focus, by the monotonic clock. Null until then. */
  seenAtMs: number | null;
  hidden: boolean;
}

interface ShowingsOptions {
  clock: Clock;
  ids: Ids;
  logger: Logger;
  hide(showingId: string): void;
}

export const rememberedMs = 60_000;
const maxUndoable = 50;

export type Showings = ReturnType<typeof createShowings>;

export function createShowings({ clock, ids, logger, hide }: ShowingsOptions) {
  const byId = new Map<string, LivingShowing>();
  const byProposal = new Map<string, LivingShowing>();
  const undoable = new Map<string, LivingShowing>();

  function hideOnce(showing: LivingShowing): void {
    if (showing.hidden) return;
    showing.hidden = true;
    try {
      hide(showing.showingId);
    } catch (failure) {
      // A host that cannot hide its window must not keep a decision from being executed.
      logger.error({ failure }, 'A confirmation could not be hidden');
    }
  }

  function forget({ showingId, proposalId }: LivingShowing): void {
    byId.delete(showingId);
    if (byProposal.get(proposalId)?.showingId === showingId) byProposal.delete(proposalId);
  }

  function end(proposalId: string): void {
    const showing = byProposal.get(proposalId);
    if (showing !== undefined) drop(showing);
  }

  function drop(showing: LivingShowing): void {
    hideOnce(showing);
    forget(showing);
  }

  return {
    open({ id: proposalId, fingerprint }: StoredProposal): LivingShowing {
      end(proposalId);
      const showing = {
        showingId: ids.id(),
        nonce: ids.secret(),
        proposalId,
        fingerprint,
        recorded: false,
        seenAtMs: null,
        hidden: false,
      };
      byId.set(showing.showingId, showing);
      byProposal.set(proposalId, showing);
      return showing;
    },
    /** Fails with `showing_unknown` for an unknown id, a wrong nonce, and a showing that was decided, replaced or ended. */
    require: (seen: Seen): LivingShowing => requireIn(byId, seen),
    requireUndo: (seen: Seen): Pick<LivingShowing, 'proposalId'> => requireIn(undoable, seen),
    /** Lets the window of an ended confirmation ask for an undo, once. Must run after the read-back. */
    offerUndo(showing: LivingShowing): void {
      undoable.set(showing.showingId, showing);
      const [oldest] = undoable.keys();
      if (undoable.size > maxUndoable && oldest !== undefined) undoable.delete(oldest);
    },
    endUndo: (showingId: string): void => void undoable.delete(showingId),
    has: (proposalId: string): boolean => byProposal.get(proposalId)?.hidden === false,
    hide(proposalId: string): void {
      const showing = byProposal.get(proposalId);
      if (showing === undefined || showing.hidden) return;
      hideOnce(showing);
      clock.after(rememberedMs, () => forget(showing));
    },
    end,
    drop,
    /** Requires every proposal to be seen again before it can be approved. */
    disarm(): void {
      for (const showing of byId.values()) showing.seenAtMs = null;
    },
  };
}

function requireIn(known: ReadonlyMap<string, LivingShowing>, { showingId, nonce }: Seen): LivingShowing {
  const showing = known.get(showingId);
  if (showing === undefined || !isSameSecret(showing.nonce, nonce)) throw new AppError('showing_unknown');
  return showing;
}

/** Fails with `fingerprint_mismatch` unless the decision is on the shown change. */
export function assertSameChange(showing: LivingShowing, decision: Decision): void {
  if (!isSameSecret(showing.fingerprint, decision.fingerprint)) throw new AppError('fingerprint_mismatch');
}

/** Fails with `confirmation_too_early` before the buttons are armed, by the core's own monotonic clock. */
export function assertArmed({ seenAtMs }: LivingShowing, monotonicMs: number): void {
  if (seenAtMs === null || monotonicMs - seenAtMs < armingDelayMs) {
    throw new AppError('confirmation_too_early');
  }
}

/**
 * Shows proposals of agents and schedules, one at a time, so that a
 * flood opens one window. A user reviews own proposals on request.
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

import type { HostedCore } from '#headless/browser-host/app-origin.ts';
import { appApi, type AppEvent, type AppHandlers, handlersBy } from '#shared/app-api/index.ts';
import { isUndecided, type ProposalState } from '#shared/proposals/states.ts';
import { AppError } from '#shared/errors/index.ts';
import type { Confirmer, Decision, Seen, Display } from '#shared/host-api/index.ts';
import { exampleProposal, exampleReview, exampleDisplay } from '#test/fixtures/proposal.ts';
import { defaultShownFormats } from '#shared/lib/formats.ts';

export interface FakeCore extends HostedCore {
  emit(event: AppEvent): void;
  /** Lets the time of this confirmation's change end: the next request for it ends it. */
  expire(displayId: string): void;
  /** Every decision that reached the core. */
  decisions: Decision[];
  listeners: number;
}

/** The picture of every confirmation of the fake core. */
export const fakePicture = {
  url: 'https://pictures.example/icon.png',
  loaded: { type: 'image/png', width: 1, height: 1, base64: 'AAAA' } as const,
};

/**
 * A core that only has confirmations. `proposals.review` shows `id` as the confirmation with this name. A decision with the
 * reason `again` is answered with another confirmation, a decision with `review` belongs to a review that continues, and
 * `session.status` is a bug.
 */
export function createFakeCore(confirmer: Confirmer): FakeCore {
  const listeners = new Set<(event: AppEvent) => void>();
  const living = new Map<string, Display>();
  /** Ended confirmations whose change can be undone. */
  const verified = new Set<string>();
  const expiring = new Set<string>();
  const decisions: Decision[] = [];
  /** Confirmations that were decided, or left within a review that continues. */
  const left = new Set<string>();

  const find = ({ displayId, nonce }: Seen): Display => {
    const display = living.get(displayId);
    if (display === undefined || display.nonce !== nonce) throw new AppError('display_unknown');
    return display;
  };
  const end = (id: string, state: ProposalState): void => {
    const display = living.get(id);
    const proposal = exampleProposal({ id, state });
    if (display !== undefined) living.set(id, { ...display, proposal, review: exampleReview() });
    confirmer.hide(id);
  };
  const handlers: AppHandlers = {
    ...handlersBy(appApi, () => Promise.reject(new AppError('service_unreachable'))),
    'session.get': async () => ({
      version: '0.0.0',
      host: 'browser',
      profile: exampleProposal().profile,
      formats: defaultShownFormats,
    }),
    'session.status': async () => {
      throw new Error('a bug that names a secret');
    },
    'proposals.review': async ({ id }) => {
      const display = exampleDisplay({}, id);
      living.set(id, display);
      return confirmer.show(display);
    },
    'proposals.withdraw': async ({ id }) => {
      end(id, 'withdrawn');
      return exampleProposal({ id, state: 'withdrawn' });
    },
  };
  return {
    handlers,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    confirmation: {
      seen: (seen) => void find(seen),
      look(seen) {
        const { displayId } = find(seen);
        if (expiring.delete(displayId)) end(displayId, 'expired');
        return find(seen);
      },
      postpone: (seen) => void living.delete(find(seen).displayId),
      async prepareAgain(seen) {
        const { displayId } = find(seen);
        living.delete(displayId);
        confirmer.hide(displayId);
        const again = exampleDisplay({}, `${displayId}-prepared`);
        living.set(again.displayId, again);
        return again;
      },
      async undo(seen) {
        if (!verified.delete(seen.displayId)) throw new AppError('display_unknown');
        const again = exampleDisplay({}, `${seen.displayId}-undo`);
        living.set(again.displayId, again);
        return again;
      },
      async step(step) {
        const { displayId } = step;
        if (!left.has(displayId)) living.delete(find(step).displayId);
        confirmer.hide(displayId);
        const next = step.to === 'next' ? exampleDisplay({}, `${displayId}-next`) : null;
        if (next === null) left.add(displayId);
        else living.set(next.displayId, next);
        return { display: next, review: exampleReview() };
      },
      progress(seen) {
        if (!left.has(seen.displayId)) throw new AppError('display_unknown');
        return exampleReview();
      },
      targets: () => ({ targets: [] }),
      async picture(ask) {
        find(ask);
        if (ask.url !== fakePicture.url) throw new AppError('picture_unknown');
        return fakePicture.loaded;
      },
      async decide(decision) {
        const { proposal, displayId } = find(decision);
        if (!isUndecided(proposal.state)) throw new AppError('proposal_not_waiting');
        decisions.push(decision);
        living.delete(displayId);
        confirmer.hide(displayId);
        if (decision.reason === 'undoable') {
          verified.add(displayId);
          return {
            proposal: { ...proposal, undo: { undoes: null, undoneBy: null, canUndo: true } },
            again: null,
          };
        }
        if (decision.reason === 'review') {
          left.add(displayId);
          const result = { proposal, again: null, review: exampleReview() };
          if (decision.continueReview !== true) return result;
          const next = exampleDisplay({}, `${displayId}-next`);
          living.set(next.displayId, next);
          return { ...result, next: { display: next, review: exampleReview() } };
        }
        if (decision.reason !== 'again') return { proposal, again: null };
        const again = exampleDisplay({}, `${displayId}-again`);
        living.set(again.displayId, again);
        return { proposal, again };
      },
    },
    emit: (event) => listeners.forEach((hear) => hear(event)),
    expire: (displayId) => void expiring.add(displayId),
    decisions,
    get listeners() {
      return listeners.size;
    },
  };
}

import type { HostedCore } from '#headless/browser-host/app-origin.ts';
import { appApi, type AppEvent, type AppHandlers, handlersBy } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { Confirmer, Decision, Seen, Showing } from '#shared/host-api/index.ts';
import { exampleProposal, exampleReview, exampleShowing } from '#test/fixtures/proposal.ts';
import { usualShownFormats } from '#shared/lib/formats.ts';

export interface FakeCore extends HostedCore {
  emit(event: AppEvent): void;
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
  const living = new Map<string, Showing>();
  /** Ended confirmations whose change can be undone. */
  const verified = new Set<string>();
  const decisions: Decision[] = [];
  /** Confirmations that were decided, or left within a review that continues. */
  const left = new Set<string>();

  const find = ({ showingId, nonce }: Seen): Showing => {
    const showing = living.get(showingId);
    if (showing === undefined || showing.nonce !== nonce) throw new AppError('showing_unknown');
    return showing;
  };
  const handlers: AppHandlers = {
    ...handlersBy(appApi, () => Promise.reject(new AppError('service_unreachable'))),
    'session.get': async () => ({
      version: '0.0.0',
      host: 'browser',
      profile: exampleProposal().profile,
      formats: usualShownFormats,
    }),
    'session.status': async () => {
      throw new Error('a bug that names a secret');
    },
    'proposals.review': async ({ id }) => {
      const showing = exampleShowing({}, id);
      living.set(id, showing);
      return confirmer.show(showing);
    },
    'proposals.withdraw': async ({ id }) => {
      living.delete(id);
      confirmer.hide(id);
      return exampleProposal({ id });
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
      look: find,
      postpone: (seen) => void living.delete(find(seen).showingId),
      async prepareAgain(seen) {
        const { showingId } = find(seen);
        living.delete(showingId);
        confirmer.hide(showingId);
        const again = exampleShowing({}, `${showingId}-prepared`);
        living.set(again.showingId, again);
        return again;
      },
      async undo(seen) {
        if (!verified.delete(seen.showingId)) throw new AppError('showing_unknown');
        const again = exampleShowing({}, `${seen.showingId}-undo`);
        living.set(again.showingId, again);
        return again;
      },
      async turn(turn) {
        const { showingId } = turn;
        if (!left.has(showingId)) living.delete(find(turn).showingId);
        confirmer.hide(showingId);
        const next = turn.to === 'next' ? exampleShowing({}, `${showingId}-next`) : null;
        if (next === null) left.add(showingId);
        else living.set(next.showingId, next);
        return { showing: next, review: exampleReview() };
      },
      progress(seen) {
        if (!left.has(seen.showingId)) throw new AppError('showing_unknown');
        return exampleReview();
      },
      targets: () => ({ targets: [] }),
      async picture(ask) {
        find(ask);
        if (ask.url !== fakePicture.url) throw new AppError('picture_unknown');
        return fakePicture.loaded;
      },
      async decide(decision) {
        const { proposal, showingId } = find(decision);
        decisions.push(decision);
        living.delete(showingId);
        confirmer.hide(showingId);
        if (decision.reason === 'undoable') {
          verified.add(showingId);
          return {
            proposal: { ...proposal, undo: { undoes: null, undoneBy: null, canUndo: true } },
            again: null,
          };
        }
        if (decision.reason === 'review') {
          left.add(showingId);
          const result = { proposal, again: null, review: exampleReview() };
          if (decision.continueReview !== true) return result;
          const next = exampleShowing({}, `${showingId}-next`);
          living.set(next.showingId, next);
          return { ...result, next: { showing: next, review: exampleReview() } };
        }
        if (decision.reason !== 'again') return { proposal, again: null };
        const again = exampleShowing({}, `${showingId}-again`);
        living.set(again.showingId, again);
        return { proposal, again };
      },
    },
    emit: (event) => listeners.forEach((hear) => hear(event)),
    decisions,
    get listeners() {
      return listeners.size;
    },
  };
}

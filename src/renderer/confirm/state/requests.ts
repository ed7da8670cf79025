import type { LoadedPicture, TargetPage } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { Seen, Turn } from '#shared/host-api/index.ts';
import type { FlowEvent } from './flow.ts';
import type { Choice } from './gesture.ts';
import { canTurn, type PageEnvironment, type Page } from './confirmation-state.ts';

/** The failure as the page shows it: a bug is `internal`. */
export const asAppError = (error: unknown): AppError =>
  error instanceof AppError ? error : new AppError('internal', { cause: error });

/** Identifies a showing to the host. */
export const seenOf = ({ showingId, nonce }: Seen): Seen => ({ showingId, nonce });

/** Requests to the host, each with the step of the flow that its answer makes. */
export function createRequests(page: Page, surroundings: PageEnvironment) {
  const { bridge } = surroundings;
  let openings = 0;

  /** Only the latest opening counts: the window may be reused before an earlier one was answered. */
  async function open(): Promise<void> {
    const opening = (openings += 1);
    const arrive = (event: FlowEvent): void => {
      if (opening === openings) page.advance(event);
    };
    await bridge.open({}).then(
      (showing) => arrive({ kind: 'opened', showing }),
      (error: unknown) => arrive({ kind: 'openFailed', error: asAppError(error) }),
    );
  }

  function decide(choice: Choice): void {
    const { flow, typed, reason } = page.state();
    if (flow.kind !== 'asking') return;
    const { showingId, nonce, fingerprint, proposal } = flow.showing;
    page.advance({ kind: 'chosen', choice });
    const given = {
      reason: choice === 'deny' && reason.trim() !== '' ? reason.trim() : null,
      typed: choice === 'approve' && proposal.typeToConfirm ? typed.trim() : null,
    };
    void bridge.decide({ showingId, nonce, fingerprint, decision: choice, ...given }).then(
      (result) => page.advance({ kind: 'decided', showingId, ...result }),
      (error: unknown) => page.advance({ kind: 'decisionFailed', showingId, error: asAppError(error) }),
    );
  }

  function turn(to: Turn['to']): void {
    const state = page.state();
    const { flow } = state;
    if (!canTurn(state, to, surroundings.monotonicMs())) return;
    const from = flow.kind === 'asking' ? flow.showing : 'after' in flow ? flow.after?.from : undefined;
    if (from === undefined) return;
    const { showingId } = from;
    page.set({ turning: true });
    const arrive = (event: FlowEvent): void => {
      if (event.kind === 'turned') page.set({ typed: '', reason: '' });
      page.advance(event);
      page.set({ turning: false });
    };
    void bridge.turn({ ...seenOf(from), to }).then(
      (turned) => arrive({ kind: 'turned', showingId, ...turned }),
      (error: unknown) => arrive({ kind: 'turnFailed', showingId, error: asAppError(error) }),
    );
  }

  return {
    open,
    decide,
    prepareAgain(): void {
      const { flow } = page.state();
      if (flow.kind !== 'asking') return;
      const { showing } = flow;
      const { showingId } = showing;
      page.advance({ kind: 'prepareAsked' });
      void bridge.prepareAgain(seenOf(showing)).then(
        (again) => page.advance({ kind: 'prepared', showingId, showing: again }),
        (error: unknown) => page.advance({ kind: 'prepareFailed', showingId, error: asAppError(error) }),
      );
    },
    undo(): void {
      const { flow } = page.state();
      if (flow.kind !== 'rested' || flow.undo === undefined || flow.undo.isPreparing) return;
      const { showing } = flow.undo;
      const { showingId } = showing;
      page.advance({ kind: 'undoAsked' });
      page.set({ reason: '' });
      void bridge.undo(seenOf(showing)).then(
        (again) => page.advance({ kind: 'undoProposed', showingId, showing: again }),
        (error: unknown) => page.advance({ kind: 'undoFailed', showingId, error: asAppError(error) }),
      );
    },
    turn,
    async picture(url: string): Promise<LoadedPicture> {
      const { flow } = page.state();
      if (flow.kind !== 'asking' && flow.kind !== 'deciding') throw new AppError('showing_unknown');
      return bridge.picture({ ...seenOf(flow.showing), url });
    },
    async targets(from: number): Promise<TargetPage['targets'] | null> {
      const { flow } = page.state();
      if (flow.kind !== 'asking' && flow.kind !== 'deciding') return null;
      try {
        return (await bridge.targets({ ...seenOf(flow.showing), from })).targets;
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        return null;
      }
    },
  };
}

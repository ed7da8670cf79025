import { loadedPictureSchema, targetPageSchema } from '#shared/app-api/index.ts';
import { AppError, type InputSchema } from '#shared/errors/index.ts';
import {
  answerableCodes,
  type ConfirmCalls,
  confirmChannel,
  type ConfirmRequest,
  type Decision,
  type DecisionResult,
  decisionResultSchema,
  decisionSchema,
  desktopOrigins,
  emptyInputSchema,
  originNames,
  type PagePlace,
  pictureAskSchema,
  type Seen,
  seenSchema,
  type Showing,
  showingSchema,
  targetsAskSchema,
  type Turn,
  type Turned,
  turnedSchema,
  turnSchema,
} from '#shared/host-api/index.ts';
import type { CoreSupervisor } from '../core-link/index.ts';
import type { Ipc } from '../ipc/index.ts';
import type { ActiveShowing, Stage } from './confirmation-state.ts';
import { type ConfirmationController, showingRef, type ControllerWindow } from './controller.ts';

export interface PagePortOptions {
  controller: ConfirmationController;
  window: Pick<ControllerWindow, 'isVisible' | 'reportWaiting' | 'nameProfile'>;
  core: Pick<CoreSupervisor, 'ask'>;
}

/** Binds the page to the controller and to the core, which checks showing, nonce, fingerprint and arming again. */
export function createPagePort({ controller, window, core }: PagePortOptions): ConfirmCalls {
  /** Returns the current showing. Fails with `showing_unknown` unless it has this id and is in one of these stages. */
  function requireActive(showingId: string, ...stages: Stage[]): ActiveShowing {
    const active = controller.active();
    if (active?.showing.showingId !== showingId || !stages.includes(active.stage)) {
      throw new AppError('showing_unknown');
    }
    return active;
  }

  async function lookAt(seen: Seen): Promise<Showing> {
    return showingSchema.parse(await core.ask('confirmation', 'look', seen));
  }

  /** A window that the person cannot see decides nothing; one that does not have the focus approves nothing. */
  function assertAttended({ decision }: Decision): void {
    const attended = decision === 'approve' ? controller.isArmed() : window.isVisible();
    if (!attended) throw new AppError('confirmation_too_early');
  }

  async function decideAtCore(decision: Decision): Promise<DecisionResult> {
    const { showingId } = decision;
    try {
      return decisionResultSchema.parse(await core.ask('confirmation', 'decide', decision));
    } catch (failure) {
      const answerable = failure instanceof AppError && answerableCodes.has(failure.code);
      controller.take({ kind: 'failed', showingId, answerable });
      throw failure;
    }
  }

  async function turnAtCore(turn: Turn): Promise<Turned> {
    return turnedSchema.parse(await core.ask('confirmation', 'turn', turn));
  }

  async function turnFromQuestion(turn: Turn): Promise<Turned> {
    const { showingId } = turn;
    controller.take({ kind: 'chosen', showingId });
    try {
      const turned = await turnAtCore(turn);
      controller.take({ kind: 'decided', showingId, again: turned.showing && showingRef(turned.showing) });
      return turned;
    } catch (failure) {
      // Nothing was decided: the same question stands.
      controller.take({ kind: 'failed', showingId, answerable: true });
      throw failure;
    }
  }

  async function turnFromOutcome(turn: Turn): Promise<Turned> {
    const turned = await turnAtCore(turn);
    if (turned.showing !== null) await goOn(turn, turned.showing);
    return turned;
  }

  /** Goes on from an outcome. Fails with `showing_unknown` if that was closed meanwhile: the change waits in the list. */
  async function goOn({ showingId }: Seen, showing: Showing): Promise<void> {
    const to = showingRef(showing);
    controller.take({ kind: 'turned', showingId, to });
    if (controller.active()?.showing.showingId === to.showingId) return;
    await core.ask('confirmation', 'putAway', { showingId: to.showingId, nonce: to.nonce });
    throw new AppError('showing_unknown');
  }

  return {
    async open() {
      const active = controller.active();
      if (active?.stage !== 'asking') throw new AppError('showing_unknown');
      const { showingId, nonce } = active.showing;
      window.reportWaiting(controller.waiting());
      const showing = await lookAt({ showingId, nonce });
      requireActive(showingId, 'asking', 'ended');
      window.nameProfile(showing.proposal.profile);
      return showing;
    },
    async look(seen) {
      // A batch is followed member by member while it is executed.
      requireActive(seen.showingId, 'asking', 'deciding', 'ended');
      return lookAt(seen);
    },
    async seen(seen) {
      requireActive(seen.showingId, 'asking');
      // The page has drawn the showing, so the window may come up while the core records it.
      controller.drawn(seen.showingId);
      await core.ask('confirmation', 'seen', seen);
      return null;
    },
    async picture(ask) {
      requireActive(ask.showingId, 'asking', 'deciding', 'ended');
      return loadedPictureSchema.parse(await core.ask('confirmation', 'picture', ask));
    },
    async targets(ask) {
      requireActive(ask.showingId, 'asking', 'deciding', 'ended');
      return targetPageSchema.parse(await core.ask('confirmation', 'targets', ask));
    },
    async prepareAgain(seen) {
      const { showingId } = seen;
      requireActive(showingId, 'asking');
      controller.take({ kind: 'chosen', showingId });
      try {
        const again = showingSchema.parse(await core.ask('confirmation', 'prepareAgain', seen));
        controller.take({ kind: 'decided', showingId, again: showingRef(again) });
        return again;
      } catch (failure) {
        // Nothing was decided: the same question stands.
        controller.take({ kind: 'failed', showingId, answerable: true });
        throw failure;
      }
    },
    async undo(seen) {
      requireActive(seen.showingId, 'settled');
      const again = showingSchema.parse(await core.ask('confirmation', 'undo', seen));
      await goOn(seen, again);
      return again;
    },
    async turn(turn) {
      const { stage } = requireActive(turn.showingId, 'asking', 'settled');
      return stage === 'asking' ? turnFromQuestion(turn) : turnFromOutcome(turn);
    },
    async decide(decision) {
      const { showingId } = decision;
      requireActive(showingId, 'asking');
      assertAttended(decision);
      controller.take({ kind: 'chosen', showingId });
      const result = await decideAtCore(decision);
      controller.take({ kind: 'decided', showingId, again: result.again && showingRef(result.again) });
      return result;
    },
    async close() {
      controller.take({ kind: 'finished' });
      return null;
    },
  };
}

export interface ConfirmIpcOptions {
  ipc: Ipc;
  place: PagePlace;
  /** The contents of the confirmation's window, compared by identity; null while there is none. */
  webContents(): object | null;
  port: ConfirmCalls;
}

/** Serves the confirmation's own page only. Returns the unsubscribe function. */
export function setUpConfirmIpc({ ipc, place, webContents, port }: ConfirmIpcOptions): () => void {
  const origin = desktopOrigins[originNames[place].confirm];
  const from = { webContents, origin };
  const serve = <T>(name: ConfirmRequest, schema: InputSchema<T>, run: (input: T) => unknown): (() => void) =>
    ipc.handle({ channel: confirmChannel(place, name), from, schema, run });
  const stops = [
    serve('open', emptyInputSchema, () => port.open()),
    serve('look', seenSchema, (input) => port.look(input)),
    serve('seen', seenSchema, (input) => port.seen(input)),
    serve('picture', pictureAskSchema, (input) => port.picture(input)),
    serve('targets', targetsAskSchema, (input) => port.targets(input)),
    serve('prepareAgain', seenSchema, (input) => port.prepareAgain(input)),
    serve('undo', seenSchema, (input) => port.undo(input)),
    serve('turn', turnSchema, (input) => port.turn(input)),
    serve('decide', decisionSchema, (input) => port.decide(input)),
    serve('close', emptyInputSchema, () => port.close()),
  ];
  return () => stops.forEach((stop) => stop());
}

import { type AskFor, callHandler, type HandlersOf, type OutputOf } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import {
  answerableCodes,
  confirmApi,
  type ConfirmApi,
  confirmationApi,
  type Decision,
  type DecisionResult,
  desktopOrigins,
  originNames,
  type PagePlace,
  type Seen,
  type Showing,
  type Turn,
  type Turned,
} from '#shared/host-api/index.ts';
import type { CoreSupervisor } from '../core-link/supervisor.ts';
import type { Ipc } from '../ipc/registrar.ts';
import type { ActiveShowing, Stage } from './confirmation-state.ts';
import { type ConfirmationController, showingRef, type ControllerWindow } from './controller.ts';

export interface PagePortOptions {
  controller: ConfirmationController;
  window: Pick<ControllerWindow, 'isVisible' | 'reportWaiting' | 'nameProfile'>;
  core: Pick<CoreSupervisor, 'ask'>;
}

export type PagePort = HandlersOf<ConfirmApi>;

export function createPagePort({ controller, window, core }: PagePortOptions): PagePort {
  const askCore: AskFor<typeof confirmationApi> = async (name, input) => {
    const output: unknown = confirmationApi[name].output.parse(await core.ask('confirmation', name, input));
    return output as OutputOf<typeof confirmationApi, typeof name>;
  };

  function requireActive(showingId: string, ...stages: Stage[]): ActiveShowing {
    const active = controller.active();
    if (active?.showing.showingId !== showingId || !stages.includes(active.stage)) {
      throw new AppError('showing_unknown');
    }
    return active;
  }

  /** A window that the person cannot see may not decide, and a window without the focus may not approve. */
  function assertAttended({ decision }: Decision): void {
    const attended = decision === 'approve' ? controller.isArmed() : window.isVisible();
    if (!attended) throw new AppError('confirmation_too_early');
  }

  async function decideAtCore(decision: Decision): Promise<DecisionResult> {
    const { showingId } = decision;
    try {
      return await askCore('decide', decision);
    } catch (failure) {
      const answerable = failure instanceof AppError && answerableCodes.has(failure.code);
      controller.take({ kind: 'failed', showingId, answerable });
      throw failure;
    }
  }

  async function replaceQuestion<T>(
    { showingId }: Seen,
    replace: () => Promise<T>,
    next: (output: T) => Showing | null,
  ): Promise<T> {
    controller.take({ kind: 'chosen', showingId });
    try {
      const output = await replace();
      const showing = next(output);
      controller.take({ kind: 'decided', showingId, again: showing && showingRef(showing) });
      return output;
    } catch (failure) {
      controller.take({ kind: 'failed', showingId, answerable: true });
      throw failure;
    }
  }

  async function turnFromOutcome(turn: Turn): Promise<Turned> {
    const turned = await askCore('turn', turn);
    if (turned.showing !== null) await showNext(turn, turned.showing);
    return turned;
  }

  async function showNext({ showingId }: Seen, showing: Showing): Promise<void> {
    const to = showingRef(showing);
    controller.take({ kind: 'turned', showingId, to });
    if (controller.active()?.showing.showingId === to.showingId) return;
    await askCore('postpone', { showingId: to.showingId, nonce: to.nonce });
    throw new AppError('showing_unknown');
  }

  return {
    async open() {
      const active = controller.active();
      if (active?.stage !== 'asking') throw new AppError('showing_unknown');
      const { showingId, nonce } = active.showing;
      window.reportWaiting(controller.waiting());
      const showing = await askCore('look', { showingId, nonce });
      requireActive(showingId, 'asking', 'ended');
      window.nameProfile(showing.proposal.profile);
      return showing;
    },
    async look(seen) {
      requireActive(seen.showingId, 'asking', 'deciding', 'ended');
      return askCore('look', seen);
    },
    async seen(seen) {
      requireActive(seen.showingId, 'asking');
      controller.drawn(seen.showingId);
      await askCore('seen', seen);
    },
    async picture(ask) {
      requireActive(ask.showingId, 'asking', 'deciding', 'ended');
      return askCore('picture', ask);
    },
    async targets(ask) {
      requireActive(ask.showingId, 'asking', 'deciding', 'ended');
      return askCore('targets', ask);
    },
    async prepareAgain(seen) {
      requireActive(seen.showingId, 'asking');
      return replaceQuestion(
        seen,
        () => askCore('prepareAgain', seen),
        (again) => again,
      );
    },
    async undo(seen) {
      requireActive(seen.showingId, 'settled');
      const again = await askCore('undo', seen);
      await showNext(seen, again);
      return again;
    },
    async turn(turn) {
      const { stage } = requireActive(turn.showingId, 'asking', 'settled');
      if (stage !== 'asking') return turnFromOutcome(turn);
      return replaceQuestion(
        turn,
        () => askCore('turn', turn),
        ({ showing }) => showing,
      );
    },
    async decide(decision) {
      const { showingId } = decision;
      requireActive(showingId, 'asking');
      assertAttended(decision);
      controller.take({ kind: 'chosen', showingId });
      const result = await decideAtCore(decision);
      controller.take({ kind: 'decided', showingId, again: result.again && showingRef(result.again) });
      const next = result.next?.showing ?? null;
      if (next !== null) await showNext(decision, next);
      return result;
    },
    async progress(seen) {
      requireActive(seen.showingId, 'settled');
      return askCore('progress', seen);
    },
    async close() {
      controller.take({ kind: 'finished' });
    },
  };
}

export interface ConfirmIpcOptions {
  ipc: Ipc;
  place: PagePlace;
  webContents(): object | null;
  port: PagePort;
}

export function setUpConfirmIpc({ ipc, place, webContents, port }: ConfirmIpcOptions): () => void {
  return ipc.handle({
    surface: 'confirm',
    from: { webContents, origin: desktopOrigins[originNames[place].confirm] },
    requests: confirmApi,
    answer: (name, input) => callHandler(port, name, input),
  });
}

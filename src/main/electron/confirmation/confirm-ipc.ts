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
  endedCodes,
  originNames,
  type PagePlace,
  type Seen,
  type Display,
  type Step,
  type Stepped,
} from '#shared/host-api/index.ts';
import type { CoreSupervisor } from '../core-link/supervisor.ts';
import type { Ipc } from '../ipc/registrar.ts';
import type { ActiveDisplay, Stage } from './confirmation-state.ts';
import { type ConfirmationController, displayRef, type ControllerWindow } from './controller.ts';

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

  function requireActive(displayId: string, ...stages: Stage[]): ActiveDisplay {
    const active = controller.active();
    if (active?.display.displayId !== displayId || !stages.includes(active.stage)) {
      throw new AppError('display_unknown');
    }
    return active;
  }

  /** A window that the person cannot see may not decide, and a window without the focus may not approve. */
  function assertAttended({ decision }: Decision): void {
    const attended = decision === 'approve' ? controller.isArmed() : window.isVisible();
    if (!attended) throw new AppError('confirmation_too_early');
  }

  async function decideAtCore(decision: Decision): Promise<DecisionResult> {
    const { displayId } = decision;
    try {
      return await askCore('decide', decision);
    } catch (failure) {
      controller.take({ kind: 'failed', displayId, to: stageAfter(failure) });
      throw failure;
    }
  }

  async function replaceQuestion<T>(
    { displayId }: Seen,
    replace: () => Promise<T>,
    next: (output: T) => Display | null,
  ): Promise<T> {
    controller.take({ kind: 'chosen', displayId });
    try {
      const output = await replace();
      const display = next(output);
      controller.take({ kind: 'decided', displayId, again: display && displayRef(display) });
      return output;
    } catch (failure) {
      controller.take({ kind: 'failed', displayId, to: 'asking' });
      throw failure;
    }
  }

  async function stepFromOutcome(step: Step): Promise<Stepped> {
    const stepped = await askCore('step', step);
    if (stepped.display !== null) await showNext(step, stepped.display);
    return stepped;
  }

  async function showNext({ displayId }: Seen, display: Display): Promise<void> {
    const to = displayRef(display);
    controller.take({ kind: 'stepped', displayId, to });
    if (controller.active()?.display.displayId === to.displayId) return;
    await askCore('postpone', { displayId: to.displayId, nonce: to.nonce });
    throw new AppError('display_unknown');
  }

  return {
    async open() {
      const active = controller.active();
      if (active?.stage !== 'asking') throw new AppError('display_unknown');
      const { displayId, nonce } = active.display;
      window.reportWaiting(controller.waiting());
      const display = await askCore('look', { displayId, nonce });
      requireActive(displayId, 'asking', 'ended');
      window.nameProfile(display.proposal.profile);
      return display;
    },
    async look(seen) {
      requireActive(seen.displayId, 'asking', 'deciding', 'ended');
      return askCore('look', seen);
    },
    async seen(seen) {
      requireActive(seen.displayId, 'asking');
      controller.drawn(seen.displayId);
      await askCore('seen', seen);
    },
    async picture(ask) {
      requireActive(ask.displayId, 'asking', 'deciding', 'ended');
      return askCore('picture', ask);
    },
    async targets(ask) {
      requireActive(ask.displayId, 'asking', 'deciding', 'ended');
      return askCore('targets', ask);
    },
    async prepareAgain(seen) {
      requireActive(seen.displayId, 'asking');
      return replaceQuestion(
        seen,
        () => askCore('prepareAgain', seen),
        (again) => again,
      );
    },
    async undo(seen) {
      requireActive(seen.displayId, 'settled');
      const again = await askCore('undo', seen);
      await showNext(seen, again);
      return again;
    },
    async step(step) {
      const { stage } = requireActive(step.displayId, 'asking', 'settled', 'ended');
      if (stage !== 'asking') return stepFromOutcome(step);
      return replaceQuestion(
        step,
        () => askCore('step', step),
        ({ display }) => display,
      );
    },
    async decide(decision) {
      const { displayId } = decision;
      requireActive(displayId, 'asking');
      assertAttended(decision);
      controller.take({ kind: 'chosen', displayId });
      const result = await decideAtCore(decision);
      controller.take({ kind: 'decided', displayId, again: result.again && displayRef(result.again) });
      const next = result.next?.display ?? null;
      if (next !== null) await showNext(decision, next);
      return result;
    },
    async progress(seen) {
      requireActive(seen.displayId, 'settled');
      return askCore('progress', seen);
    },
    async close() {
      controller.take({ kind: 'finished' });
    },
  };
}

function stageAfter(failure: unknown): 'asking' | 'ended' | 'settled' {
  if (!(failure instanceof AppError)) return 'settled';
  if (endedCodes.has(failure.code)) return 'ended';
  return answerableCodes.has(failure.code) ? 'asking' : 'settled';
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

import { createConfirmIpc } from './sender.ts';
import {
  createConfirmationController,
  displayRef,
  type ConfirmationController,
  type ControllerWindow,
} from '#electron/confirmation/controller.ts';
import { createPagePort } from '#electron/confirmation/confirm-ipc.ts';
import { AppError } from '#shared/errors/index.ts';
import type { DecisionResult, Display, Stepped } from '#shared/host-api/index.ts';
import { createManualClock, type ManualClock } from '#test/servers/manual-clock.ts';
import { exampleProposal, exampleReview, exampleDisplay } from '#test/fixtures/proposal.ts';

/** A fake window that executes commands at once and records them. */
export interface FakeWindow extends ControllerWindow {
  visible: boolean;
  focused: boolean;
  /** The profiles that the window's frame has named. */
  named: string[];
  /** Commands that the window received, oldest first: `show`, `show with focus`, `hide`, `attract`, `reopen`, `waiting 2`. */
  reported: string[];
}

export interface AskedOfCore {
  surface: string;
  name: string;
  input: unknown;
}

/** The controller with a fake window and a core whose answers the test sets. */
export interface Scene {
  clock: ManualClock;
  window: FakeWindow;
  controller: ConfirmationController;
  /** Requests that reached the core, oldest first. */
  asked: AskedOfCore[];
  /** Answers the next decisions; the default answer is `verified`. */
  answerDecisions(answer: () => Promise<DecisionResult>): void;
  /** Answers the next requests to prepare a change again. */
  answerPreparing(answer: () => Promise<Display>): void;
  /** Answers the next requests to undo a write. */
  answerUndo(answer: () => Promise<Display>): void;
  /** Answers the next requests to go to another change of the review. */
  answerSteps(answer: () => Promise<Stepped>): void;
  /** Sends a confirmation from the core, each for a different proposal. */
  show(displayId: string): Display;
  focus(): void;
  blur(): void;
  ipc: ReturnType<typeof createConfirmIpc>;
}

/** The picture that the core returns for every address. */
export const scenePicture = { type: 'image/png', width: 1, height: 1, base64: 'AAAA' };

export function createScene(): Scene {
  const clock = createManualClock();
  const asked: AskedOfCore[] = [];
  const living = new Map<string, Display>();
  let decide = async (): Promise<DecisionResult> => ({
    proposal: exampleProposal({ state: 'verified' }),
    again: null,
  });

  let undo = (): Promise<Display> => Promise.reject(new AppError('undo_impossible'));
  let prepareAgain = (): Promise<Display> => Promise.reject(new AppError('prepare_again_impossible'));

  let step = (): Promise<Stepped> => Promise.reject(new AppError('proposal_not_waiting'));

  const window: FakeWindow = {
    visible: false,
    focused: false,
    named: [],
    reported: [],
    isVisible: () => window.visible,
    isFocused: () => window.focused,
    show(focus) {
      window.reported.push(focus ? 'show with focus' : 'show');
      window.visible = true;
      if (focus) scene.focus();
    },
    hide() {
      window.reported.push('hide');
      window.visible = false;
      if (window.focused) scene.blur();
    },
    attract: () => void window.reported.push('attract'),
    reopen: () => void window.reported.push('reopen'),
    nameProfile: ({ name }) => void window.named.push(name),
    reportWaiting: (count) => void window.reported.push(`waiting ${count}`),
  };
  const controller = createConfirmationController({
    window,
    monotonicMs: () => clock.monotonicMs(),
    after: clock.after,
  });
  const core = {
    async ask(surface: string, name: string, input: unknown): Promise<unknown> {
      asked.push({ surface, name, input });
      const { displayId, nonce } = input as { displayId: string; nonce: string };
      const display = living.get(displayId);
      if (name === 'step') return step();
      if (name === 'progress') return exampleReview();
      if (display?.nonce !== nonce) throw new AppError('display_unknown');
      if (name === 'decide') return decide();
      if (name === 'prepareAgain') return prepareAgain();
      if (name === 'undo') return undo();
      if (name === 'picture') return scenePicture;
      if (name === 'targets') return { targets: [] };
      return name === 'look' ? display : null;
    },
  };
  const scene: Scene = {
    clock,
    window,
    controller,
    asked,
    answerDecisions: (answer) => void (decide = answer),
    answerPreparing: (answer) => void (prepareAgain = answer),
    answerUndo: (answer) => void (undo = answer),
    answerSteps: (answer) => void (step = answer),
    show(displayId) {
      const display = exampleDisplay({ id: `proposal of ${displayId}` }, displayId);
      living.set(displayId, display);
      controller.take({ kind: 'shown', display: displayRef(display), focused: window.focused });
      return display;
    },
    focus() {
      window.focused = true;
      controller.attended(true);
    },
    blur() {
      window.focused = false;
      controller.attended(false);
    },
    ipc: createConfirmIpc(createPagePort({ controller, window, core })),
  };
  return scene;
}

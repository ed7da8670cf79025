import type { ProfileView } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { armingDelayMs, type Display } from '#shared/host-api/index.ts';
import type { CoreSupervisor } from '../core-link/supervisor.ts';
import {
  type ConfirmationEffect,
  type ConfirmationEvent,
  type DisplayRef,
  emptyConfirmation,
  type ActiveDisplay,
  activeOf,
  stepConfirmation,
} from './confirmation-state.ts';

export interface ControllerWindow {
  isVisible(): boolean;
  isFocused(): boolean;
  show(focus: boolean): void;
  hide(): void;
  attract(): void;
  reopen(): void;
  nameProfile(profile: ProfileView): void;
  reportWaiting(count: number): void;
}

export interface ConfirmationController {
  active(): ActiveDisplay | null;
  waiting(): number;
  take(event: ConfirmationEvent): void;
  drawn(displayId: string): void;
  attended(focused: boolean): void;
  /** True if the current display has been visible and focused, without interruption, for the arming time. */
  isArmed(): boolean;
  /** While quiet, the window opens only if a person asks for it. A withheld display opens when the quiet time ends. */
  setQuiet(quiet: boolean): void;
  dispose(): void;
}

export interface ControllerOptions {
  window: ControllerWindow;
  monotonicMs(): number;
  after(delayMs: number, call: () => void): () => void;
}

export const drawingLimitMs = 1200;

export const lingerMs = 3000;

export const displayRef = ({ displayId, nonce, proposal }: Display): DisplayRef => ({
  displayId,
  nonce,
  proposalId: proposal.id,
});

export function createConfirmationController({
  window,
  monotonicMs,
  after,
}: ControllerOptions): ConfirmationController {
  let state = emptyConfirmation;
  let coming: { focus: boolean; attract: boolean; cancel: () => void } | null = null;
  let stopLingering: (() => void) | null = null;
  let isQuiet = false;
  let isHeldBack = false;
  let drawnId: string | null = null;
  let attendedSinceMs: number | null = null;

  function attend(focused: boolean): void {
    attendedSinceMs = focused ? monotonicMs() : null;
  }

  function comeUp(): void {
    if (coming === null) return;
    const { focus, attract, cancel } = coming;
    coming = null;
    cancel();
    window.show(focus);
    if (attract) window.attract();
  }

  function notComing(): void {
    coming?.cancel();
    coming = null;
  }

  /** Updates a visible window immediately. A hidden window waits for its page, so that the previous display does not flash up. */
  function show(focus: boolean): void {
    if (isQuiet && !focus && coming?.focus !== true) {
      isHeldBack = true;
      return;
    }
    const isReady = isHeldBack && drawnId === state.active?.display.displayId;
    isHeldBack = false;
    if (isReady || window.isVisible()) {
      notComing();
      if (focus || !window.isFocused()) window.show(focus);
      return;
    }
    const wanted = focus || coming?.focus === true;
    const attract = coming?.attract === true;
    notComing();
    coming = { focus: wanted, attract, cancel: after(drawingLimitMs, comeUp) };
  }

  function attract(): void {
    if (isQuiet) return;
    if (coming === null) window.attract();
    else coming.attract = true;
  }

  function linger(): void {
    stopLingering?.();
    stopLingering = after(lingerMs, () => {
      if (!window.isFocused()) take({ kind: 'unattended' });
    });
  }

  function run(effect: ConfirmationEffect): void {
    switch (effect.kind) {
      case 'reopen':
        return window.reopen();
      case 'show':
        return show(effect.focus);
      case 'hide':
        isHeldBack = false;
        notComing();
        return window.hide();
      case 'attract':
        return attract();
      case 'linger':
        return linger();
    }
  }

  function take(event: ConfirmationEvent): void {
    const before = state;
    const step = stepConfirmation(state, event);
    state = step.state;
    if (state.active?.display.displayId !== before.active?.display.displayId) attend(window.isFocused());
    if (state.queue.length !== before.queue.length) window.reportWaiting(state.queue.length);
    for (const effect of step.effects) run(effect);
  }

  return {
    active: () => state.active,
    waiting: () => state.queue.length,
    take,
    drawn(displayId) {
      if (!activeOf(state, displayId)) return;
      drawnId = displayId;
      comeUp();
    },
    attended(focused) {
      attend(focused);
      if (!focused) take({ kind: 'unattended' });
    },
    isArmed() {
      const heldMs = attendedSinceMs === null ? 0 : monotonicMs() - attendedSinceMs;
      return window.isVisible() && window.isFocused() && heldMs >= armingDelayMs;
    },
    setQuiet(quiet) {
      isQuiet = quiet;
      if (quiet && coming?.focus === false) {
        notComing();
        isHeldBack = true;
      }
      if (quiet || !isHeldBack) return;
      show(false);
      attract();
    },
    dispose() {
      notComing();
      stopLingering?.();
    },
  };
}

/** Closes the window. If a question was open, sends `postpone` to the core, so that no other display follows immediately. */
export function dismiss(parts: {
  controller: ConfirmationController;
  core: Pick<CoreSupervisor, 'ask'>;
}): void {
  const { controller, core } = parts;
  const active = controller.active();
  controller.take({ kind: 'dismissed' });
  if (active?.stage !== 'asking') return;
  const { displayId, nonce } = active.display;
  void core.ask('confirmation', 'postpone', { displayId, nonce }).catch((failure: unknown) => {
    // The display or the core ended in the meantime.
    if (!(failure instanceof AppError)) throw failure;
  });
}

import { beforeEach, describe, expect, test } from 'vitest';
import { AppError, catalogue, type ErrorCode } from '#shared/errors/index.ts';
import {
  armingDelayMs,
  confirmApi,
  type HostAnswer,
  type Decision,
  type Display,
} from '#shared/host-api/index.ts';
import { exampleProposal, exampleReview, exampleDisplay } from '#test/fixtures/proposal.ts';
import { createScene, scenePicture, type Scene } from './scene.ts';
import type { ConfirmRequest } from '#shared/host-api/index.ts';
import type { SenderName } from './sender.ts';

let scene: Scene;
beforeEach(() => {
  scene = createScene();
});

const seen = ({ displayId, nonce }: Display) => ({ displayId, nonce });
const decision = (display: Display, choice: Decision['decision'] = 'approve'): Decision => ({
  ...seen(display),
  fingerprint: display.fingerprint,
  decision: choice,
  reason: null,
  typed: null,
});

/** Shows a confirmation with the focus and armed buttons. */
async function askArmed(displayId = 'display-1'): Promise<Display> {
  const display = scene.show(displayId);
  await scene.ipc.send('seen', seen(display));
  scene.focus();
  scene.clock.advance(armingDelayMs);
  return display;
}

const codeOf = (answer: HostAnswer): ErrorCode | null => ('error' in answer ? answer.error.code : null);
const decisionsAsked = (): number => scene.asked.filter(({ name }) => name === 'decide').length;

test('a decision of the current page, visible and in focus, reaches the core', async () => {
  const display = await askArmed();
  const answer = await scene.ipc.send('decide', decision(display));
  expect(answer).toMatchObject({ output: { proposal: { state: 'verified' }, again: null } });
  expect(scene.asked.at(-1)).toEqual({ surface: 'confirmation', name: 'decide', input: decision(display) });
  expect(scene.controller.active()).toMatchObject({ stage: 'settled' });
});

describe('only the page of the confirmation window', () => {
  const others: SenderName[] = ['other window', 'other window of our origin', 'sub-frame', 'no frame'];
  const requests = Object.keys(confirmApi) as ConfirmRequest[];

  test.each(others.flatMap((sender) => requests.map((request) => [request, sender] as const)))(
    'may request %s: %s is refused and nothing reaches the core',
    async (request, sender) => {
      const display = await askArmed();
      const before = scene.asked.length;
      const answer = await scene.ipc.send(request, decision(display), sender);
      expect(codeOf(answer)).toBe('sender_refused');
      expect(JSON.stringify(answer)).not.toContain(display.nonce);
      expect(scene.asked).toHaveLength(before);
      expect(scene.controller.active()).toMatchObject({ stage: 'asking' });
    },
  );

  test.each(['countersign://app', 'https://example.test', 'null'])(
    'may decide, and not even its own window from the origin %s',
    async (origin) => {
      const display = await askArmed();
      scene.ipc.strayTo(origin);
      expect(codeOf(await scene.ipc.send('decide', decision(display)))).toBe('sender_refused');
      expect(decisionsAsked()).toBe(0);
    },
  );

  test('knows its nonce, which is not in the log', async () => {
    const display = await askArmed();
    await scene.ipc.send('decide', decision(display), 'other window');
    await scene.ipc.send('decide', { ...decision(display), fingerprint: 7 });
    await scene.ipc.send('decide', decision(exampleDisplay({}, 'never shown')));
    expect(scene.ipc.logged).not.toHaveLength(0);
    expect(JSON.stringify(scene.ipc.logged)).not.toContain('nonce of');
  });
});

describe('nothing is approved', () => {
  const expectRefused = async (display: Display, code: ErrorCode): Promise<void> => {
    expect(codeOf(await scene.ipc.send('decide', decision(display)))).toBe(code);
    expect(decisionsAsked()).toBe(0);
  };

  test('on a display that waits behind the current display', async () => {
    await askArmed();
    await expectRefused(scene.show('display-2'), 'display_unknown');
  });

  test('in a window that is hidden', async () => {
    const display = await askArmed();
    scene.window.visible = false;
    await expectRefused(display, 'confirmation_too_early');
    expect(codeOf(await scene.ipc.send('decide', decision(display, 'deny')))).toBe('confirmation_too_early');
  });

  test('in a window without the focus, where it can be denied', async () => {
    const display = await askArmed();
    scene.blur();
    await expectRefused(display, 'confirmation_too_early');
    expect(codeOf(await scene.ipc.send('decide', decision(display, 'deny')))).toBeNull();
  });

  test('in a window that regained the focus less than half a second ago', async () => {
    const display = await askArmed();
    scene.blur();
    scene.focus();
    scene.clock.advance(armingDelayMs - 1);
    await expectRefused(display, 'confirmation_too_early');
    scene.clock.advance(1);
    expect(codeOf(await scene.ipc.send('decide', decision(display)))).toBeNull();
  });

  test('on the next display before it is armed', async () => {
    const first = await askArmed();
    const second = scene.show('display-2');
    await scene.ipc.send('decide', decision(first, 'deny'));
    await scene.ipc.send('close', {});
    expect(codeOf(await scene.ipc.send('decide', decision(second)))).toBe('confirmation_too_early');
    scene.clock.advance(armingDelayMs - 1);
    expect(codeOf(await scene.ipc.send('decide', decision(second)))).toBe('confirmation_too_early');
    expect(decisionsAsked()).toBe(1);
    scene.clock.advance(1);
    expect(codeOf(await scene.ipc.send('decide', decision(second)))).toBeNull();
  });

  test('twice by one display, during or after the first decision', async () => {
    const display = await askArmed();
    let rest = (): void => {};
    scene.answerDecisions(
      () =>
        new Promise((resolve) => {
          rest = () => resolve({ proposal: exampleProposal({ state: 'verified' }), again: null });
        }),
    );
    const first = scene.ipc.send('decide', decision(display));
    expect(codeOf(await scene.ipc.send('decide', decision(display)))).toBe('display_unknown');
    rest();
    expect(codeOf(await first)).toBeNull();
    expect(codeOf(await scene.ipc.send('decide', decision(display)))).toBe('display_unknown');
    expect(decisionsAsked()).toBe(1);
  });

  test('with the nonce of an earlier display', async () => {
    const display = await askArmed();
    const replayed = { ...decision(display), nonce: 'nonce of display-0' };
    expect(codeOf(await scene.ipc.send('decide', replayed))).toBe('display_unknown');
    expect(scene.controller.active()).toMatchObject({ stage: 'settled' });
  });

  test('after the core ended the display', async () => {
    const display = await askArmed();
    scene.controller.take({ kind: 'hidden', displayId: display.displayId, focused: true });
    await expectRefused(display, 'display_unknown');
  });

  test('after the core itself has ended', async () => {
    const display = await askArmed();
    scene.controller.take({ kind: 'coreGone' });
    await expectRefused(display, 'display_unknown');
  });

  test.each([
    ['nothing', undefined],
    ['a decision that does not exist', { decision: 'maybe' }],
    ['a fingerprint that is not a text', { fingerprint: 7 }],
    ['a reason that is a book', { reason: 'x'.repeat(501) }],
  ])('with %s', async (_what, change) => {
    const display = await askArmed();
    const input = change && { ...decision(display), ...change };
    expect(codeOf(await scene.ipc.send('decide', input))).toBe('bad_input');
    expect(decisionsAsked()).toBe(0);
  });
});

describe('a decision that failed', () => {
  test.each(Object.keys(catalogue) as ErrorCode[])('with %s keeps the page in its state', async (code) => {
    const display = await askArmed();
    scene.answerDecisions(async () => Promise.reject(new AppError(code)));
    expect(codeOf(await scene.ipc.send('decide', decision(display)))).toBe(code);
    const answerable = [
      'confirmation_too_early',
      'typed_value_wrong',
      'campaign_locked',
      'approval_ended',
      'storage_failed',
      'disk_full',
      'disk_read_only',
    ].includes(code);
    const hasEnded = ['proposal_expired', 'proposal_not_waiting'].includes(code);
    const stage = hasEnded ? 'ended' : answerable ? 'asking' : 'settled';
    expect(scene.controller.active()).toMatchObject({ stage });
  });
});

describe('an outdated change', () => {
  test('is shown again in its place and has to be armed again', async () => {
    const display = await askArmed();
    const again = exampleDisplay({ id: 'proposal-2' }, 'display-again');
    scene.answerDecisions(async () => ({ proposal: exampleProposal({ state: 'stale' }), again }));
    const { length } = scene.window.reported;
    await scene.ipc.send('decide', decision(display));
    expect(scene.controller.active()).toMatchObject({
      stage: 'asking',
      display: { displayId: 'display-again' },
    });
    expect(scene.window.reported.slice(length)).toEqual([]);
    expect(codeOf(await scene.ipc.send('decide', decision(again)))).toBe('confirmation_too_early');
  });
});

describe('a change that is prepared again', () => {
  test('replaces the earlier display and has to be armed again', async () => {
    const display = await askArmed();
    const again = exampleDisplay({ id: 'proposal-2' }, 'display-again');
    scene.answerPreparing(async () => again);
    const { length } = scene.window.reported;
    expect(await scene.ipc.send('prepareAgain', seen(display))).toEqual({ output: again });
    expect(scene.controller.active()).toMatchObject({
      stage: 'asking',
      display: { displayId: 'display-again' },
    });
    expect(scene.window.reported.slice(length)).toEqual([]);
    expect(codeOf(await scene.ipc.send('decide', decision(again)))).toBe('confirmation_too_early');
    expect(decisionsAsked()).toBe(0);
  });

  test('and fails leaves the earlier display unchanged', async () => {
    const display = await askArmed();
    scene.answerPreparing(async () => Promise.reject(new AppError('tool_refused')));
    expect(codeOf(await scene.ipc.send('prepareAgain', seen(display)))).toBe('tool_refused');
    expect(scene.controller.active()).toMatchObject({
      stage: 'asking',
      display: { displayId: display.displayId },
    });
  });

  test('cannot be decided meanwhile', async () => {
    const display = await askArmed();
    const preparing = Promise.withResolvers<Display>();
    scene.answerPreparing(() => preparing.promise);
    const prepared = scene.ipc.send('prepareAgain', seen(display));
    expect(codeOf(await scene.ipc.send('decide', decision(display)))).toBe('display_unknown');
    expect(codeOf(await scene.ipc.send('prepareAgain', seen(display)))).toBe('display_unknown');
    preparing.resolve(exampleDisplay({}, 'display-again'));
    expect(codeOf(await prepared)).toBeNull();
    expect(decisionsAsked()).toBe(0);
  });
});

describe('the undo of a sent change', () => {
  async function verified(): Promise<Display> {
    const display = await askArmed();
    await scene.ipc.send('decide', decision(display));
    return display;
  }

  test('replaces the outcome and has to be armed again', async () => {
    const display = await verified();
    const again = exampleDisplay({ id: 'proposal-2' }, 'display-undo');
    scene.answerUndo(async () => again);
    expect(await scene.ipc.send('undo', seen(display))).toEqual({ output: again });
    expect(scene.controller.active()).toMatchObject({
      stage: 'asking',
      display: { displayId: 'display-undo' },
    });
    expect(codeOf(await scene.ipc.send('decide', decision(again)))).toBe('confirmation_too_early');
  });

  test('cannot be requested while the change is undecided', async () => {
    const display = await askArmed();
    expect(codeOf(await scene.ipc.send('undo', seen(display)))).toBe('display_unknown');
    expect(scene.asked.filter(({ name }) => name === 'undo')).toEqual([]);
  });

  test('that cannot be prepared leaves the outcome unchanged', async () => {
    const display = await verified();
    expect(codeOf(await scene.ipc.send('undo', seen(display)))).toBe('undo_impossible');
    expect(scene.controller.active()).toMatchObject({
      stage: 'settled',
      display: { displayId: display.displayId },
    });
  });

  test('waits in Proposals if the window was closed meanwhile', async () => {
    const display = await verified();
    const preparing = Promise.withResolvers<Display>();
    scene.answerUndo(() => preparing.promise);
    const asked = scene.ipc.send('undo', seen(display));
    scene.controller.take({ kind: 'finished' });
    preparing.resolve(exampleDisplay({}, 'display-undo'));
    await asked;
    expect(scene.controller.active()).toBeNull();
  });
});

describe('the page of the confirmation', () => {
  test('opens the current display and gets the number of waiting ones', async () => {
    const display = await askArmed();
    scene.show('display-2');
    scene.window.reported.length = 0;
    expect(await scene.ipc.send('open', {})).toEqual({ output: display });
    expect(scene.window.reported).toEqual(['waiting 1']);
  });

  test('has nothing to open when nothing waits', async () => {
    expect(codeOf(await scene.ipc.send('open', {}))).toBe('display_unknown');
    expect(scene.asked).toEqual([]);
  });

  test('does not get a display that was replaced before the core answered', async () => {
    await askArmed();
    scene.show('display-2');
    const opening = scene.ipc.send('open', {});
    scene.controller.take({ kind: 'reviewed', proposalId: 'proposal of display-2' });
    expect(codeOf(await opening)).toBe('display_unknown');
  });

  test('follows a decision and cannot decide again', async () => {
    const display = await askArmed();
    let end = (): void => {};
    const proposal = exampleProposal({ state: 'done' });
    scene.answerDecisions(() => new Promise((resolve) => (end = () => resolve({ proposal, again: null }))));
    const deciding = scene.ipc.send('decide', decision(display));
    expect(codeOf(await scene.ipc.send('look', seen(display)))).toBeNull();
    expect(codeOf(await scene.ipc.send('decide', decision(display)))).toBe('display_unknown');
    end();
    expect(codeOf(await deciding)).toBeNull();
  });

  test('can look at an ended display to learn the reason, and at no other', async () => {
    const display = await askArmed();
    const waiting = scene.show('display-2');
    scene.controller.take({ kind: 'hidden', displayId: display.displayId, focused: true });
    expect(codeOf(await scene.ipc.send('look', seen(display)))).toBeNull();
    expect(codeOf(await scene.ipc.send('look', seen(waiting)))).toBe('display_unknown');
    expect(codeOf(await scene.ipc.send('seen', seen(waiting)))).toBe('display_unknown');
  });

  test('gets pictures of the current display only', async () => {
    const display = await askArmed();
    const waiting = scene.show('display-2');
    const url = 'https://pictures.example/icon.png';
    expect(await scene.ipc.send('picture', { ...seen(display), url })).toEqual({ output: scenePicture });
    expect(scene.asked.at(-1)).toEqual({
      surface: 'confirmation',
      name: 'picture',
      input: { ...seen(display), url },
    });
    const before = scene.asked.length;
    expect(codeOf(await scene.ipc.send('picture', { ...seen(waiting), url }))).toBe('display_unknown');
    expect(codeOf(await scene.ipc.send('picture', { ...seen(display), url: 7 }))).toBe('bad_input');
    expect(scene.asked).toHaveLength(before);
  });
});

test('gets pages of campaigns of the current display only', async () => {
  const display = await askArmed();
  const waiting = scene.show('display-2');
  expect(await scene.ipc.send('targets', { ...seen(display), from: 200 })).toEqual({
    output: { targets: [] },
  });
  const before = scene.asked.length;
  expect(codeOf(await scene.ipc.send('targets', { ...seen(waiting), from: 0 }))).toBe('display_unknown');
  expect(codeOf(await scene.ipc.send('targets', { ...seen(display), from: -1 }))).toBe('bad_input');
  expect(scene.asked).toHaveLength(before);
});

describe('a step to another change', () => {
  const next = exampleDisplay({ id: 'proposal of next' }, 'next');
  const end = { display: null, review: exampleReview() };

  test('replaces the current display and has to be armed again', async () => {
    const display = await askArmed();
    scene.answerSteps(async () => ({ ...end, display: next }));
    const answer = await scene.ipc.send('step', { ...seen(display), to: 'next' });
    expect(answer).toMatchObject({ output: { display: { displayId: 'next' } } });
    expect(scene.controller.active()).toMatchObject({ display: { displayId: 'next' }, stage: 'asking' });
    expect(scene.controller.isArmed()).toBe(false);
    expect(decisionsAsked()).toBe(0);
  });

  test('continues from a change that the core ended, which cannot be decided', async () => {
    const display = await askArmed();
    scene.controller.take({ kind: 'hidden', displayId: display.displayId, focused: true });
    scene.answerSteps(async () => ({ ...end, display: next }));
    expect(codeOf(await scene.ipc.send('decide', decision(display)))).toBe('display_unknown');
    await scene.ipc.send('step', { ...seen(display), to: 'next' });
    expect(scene.controller.active()).toMatchObject({ display: { displayId: 'next' }, stage: 'asking' });
  });

  test.each(['proposal_expired', 'proposal_not_waiting'] as const)(
    'continues from a change that ended at its press: %s',
    async (code) => {
      const display = await askArmed();
      scene.answerDecisions(() => {
        scene.controller.take({ kind: 'hidden', displayId: display.displayId, focused: true });
        return Promise.reject(new AppError(code));
      });
      scene.answerSteps(async () => ({ ...end, display: next }));
      expect(codeOf(await scene.ipc.send('decide', decision(display)))).toBe(code);
      expect(codeOf(await scene.ipc.send('decide', decision(display)))).toBe('display_unknown');
      expect(codeOf(await scene.ipc.send('look', seen(display)))).toBeNull();
      await scene.ipc.send('step', { ...seen(display), to: 'next' });
      expect(scene.controller.active()).toMatchObject({ display: { displayId: 'next' }, stage: 'asking' });
    },
  );

  test('continues from an outcome and can end the review', async () => {
    const display = await askArmed();
    await scene.ipc.send('decide', decision(display));
    scene.answerSteps(async () => end);
    const step = { ...seen(display), to: 'next' };
    expect(await scene.ipc.send('step', step)).toEqual({ output: end });
    expect(scene.controller.active()).toMatchObject({ stage: 'settled' });
    scene.answerSteps(async () => ({ ...end, display: next }));
    await scene.ipc.send('step', step);
    expect(scene.controller.active()).toMatchObject({ display: { displayId: 'next' }, stage: 'asking' });
  });

  test('that comes with the decision replaces its display while it is sent and has to be armed again', async () => {
    const display = await askArmed();
    const review = exampleReview();
    scene.answerDecisions(async () => ({
      proposal: exampleProposal({ state: 'approved' }),
      again: null,
      review,
      next: { display: next, review },
    }));
    const deciding = scene.ipc.send('decide', { ...decision(display), continueReview: true });
    for (const to of ['next', 'previous', 'later', 'together', 'singly'])
      expect(codeOf(await scene.ipc.send('step', { ...seen(display), to }))).toBe('display_unknown');
    expect(codeOf(await deciding)).toBeNull();
    expect(scene.controller.active()).toMatchObject({ display: { displayId: 'next' }, stage: 'asking' });
    expect(codeOf(await scene.ipc.send('decide', decision(next)))).toBe('confirmation_too_early');
    for (const name of ['decide', 'undo', 'look', 'progress'] as const) {
      const input = { ...decision(display), continueReview: true };
      expect(codeOf(await scene.ipc.send(name, input)), name).toBe('display_unknown');
    }
    expect(codeOf(await scene.ipc.send('step', { ...seen(display), to: 'next' }))).toBe('display_unknown');
    expect(decisionsAsked()).toBe(1);
  });

  test('that comes with the decision is put off if the window was closed meanwhile', async () => {
    const display = await askArmed();
    const review = exampleReview();
    scene.answerDecisions(async () => {
      scene.controller.take({ kind: 'dismissed' });
      return {
        proposal: exampleProposal({ state: 'approved' }),
        again: null,
        review,
        next: { display: next, review },
      };
    });
    await scene.ipc.send('decide', { ...decision(display), continueReview: true });
    expect(scene.controller.active()).toBeNull();
    expect(scene.asked.at(-1)).toMatchObject({ name: 'postpone', input: { displayId: 'next' } });
  });

  test('can be followed at the end of the review only', async () => {
    const display = await askArmed();
    expect(codeOf(await scene.ipc.send('progress', seen(display)))).toBe('display_unknown');
    await scene.ipc.send('decide', decision(display));
    expect(await scene.ipc.send('progress', seen(display))).toEqual({ output: exampleReview() });
  });

  test('that the core refuses leaves the current display unchanged', async () => {
    const display = await askArmed();
    const answer = await scene.ipc.send('step', { ...seen(display), to: 'previous' });
    expect(codeOf(answer)).toBe('proposal_not_waiting');
    expect(scene.controller.active()).toMatchObject({ display: { displayId: 'display-1' }, stage: 'asking' });
  });

  test('is refused during a decision, and the next change is put off if the outcome was closed meanwhile', async () => {
    const display = await askArmed();
    const step = { ...seen(display), to: 'next' };
    let settle = (): void => {};
    scene.answerDecisions(
      () =>
        new Promise((resolve) => {
          settle = () => resolve({ proposal: exampleProposal({ state: 'verified' }), again: null });
        }),
    );
    const deciding = scene.ipc.send('decide', decision(display));
    expect(codeOf(await scene.ipc.send('step', step))).toBe('display_unknown');
    settle();
    await deciding;
    scene.answerSteps(async () => {
      scene.controller.take({ kind: 'dismissed' });
      return { ...end, display: next };
    });
    await scene.ipc.send('step', step);
    expect(scene.controller.active()).toBeNull();
    expect(scene.asked.at(-1)).toMatchObject({ name: 'postpone', input: { displayId: 'next' } });
  });
});

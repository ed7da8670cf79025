import { beforeEach, describe, expect, test } from 'vitest';
import { AppError, catalogue, type ErrorCode } from '#shared/errors/index.ts';
import {
  armingDelayMs,
  confirmApi,
  type HostAnswer,
  type Decision,
  type Showing,
} from '#shared/host-api/index.ts';
import { exampleProposal, exampleReview, exampleShowing } from '#test/fixtures/proposal.ts';
import { createScene, scenePicture, type Scene } from './scene.ts';
import type { ConfirmRequest } from '#shared/host-api/index.ts';
import type { SenderName } from './sender.ts';

let scene: Scene;
beforeEach(() => {
  scene = createScene();
});

const seen = ({ showingId, nonce }: Showing) => ({ showingId, nonce });
const decision = (showing: Showing, choice: Decision['decision'] = 'approve'): Decision => ({
  ...seen(showing),
  fingerprint: showing.fingerprint,
  decision: choice,
  reason: null,
  typed: null,
});

/** Shows a confirmation with the focus and armed buttons. */
async function askArmed(showingId = 'showing-1'): Promise<Showing> {
  const showing = scene.show(showingId);
  await scene.ipc.send('seen', seen(showing));
  scene.focus();
  scene.clock.advance(armingDelayMs);
  return showing;
}

const codeOf = (answer: HostAnswer): ErrorCode | null => ('error' in answer ? answer.error.code : null);
const decisionsAsked = (): number => scene.asked.filter(({ name }) => name === 'decide').length;

test('a decision of the current page, on screen and in focus, reaches the core as a confirmation', async () => {
  const showing = await askArmed();
  const answer = await scene.ipc.send('decide', decision(showing));
  expect(answer).toMatchObject({ output: { proposal: { state: 'verified' }, again: null } });
  expect(scene.asked.at(-1)).toEqual({ surface: 'confirmation', name: 'decide', input: decision(showing) });
  expect(scene.controller.active()).toMatchObject({ stage: 'settled' });
});

describe('only the page of the confirmation window', () => {
  const others: SenderName[] = ['other window', 'other window of our origin', 'sub-frame', 'no frame'];
  const requests = Object.keys(confirmApi) as ConfirmRequest[];

  test.each(others.flatMap((sender) => requests.map((request) => [request, sender] as const)))(
    'may ask to %s: %s is refused, and nothing reaches the core',
    async (request, sender) => {
      const showing = await askArmed();
      const before = scene.asked.length;
      const answer = await scene.ipc.send(request, decision(showing), sender);
      expect(codeOf(answer)).toBe('sender_refused');
      expect(JSON.stringify(answer)).not.toContain(showing.nonce);
      expect(scene.asked).toHaveLength(before);
      expect(scene.controller.active()).toMatchObject({ stage: 'asking' });
    },
  );

  test.each(['countersign://app', 'https://example.test', 'null'])(
    'may decide: not even its own window from the origin %s',
    async (origin) => {
      const showing = await askArmed();
      scene.ipc.strayTo(origin);
      expect(codeOf(await scene.ipc.send('decide', decision(showing)))).toBe('sender_refused');
      expect(decisionsAsked()).toBe(0);
    },
  );

  test('learns a nonce from the log', async () => {
    const showing = await askArmed();
    await scene.ipc.send('decide', decision(showing), 'other window');
    await scene.ipc.send('decide', { ...decision(showing), fingerprint: 7 });
    await scene.ipc.send('decide', decision(exampleShowing({}, 'never shown')));
    expect(scene.ipc.logged).not.toHaveLength(0);
    expect(JSON.stringify(scene.ipc.logged)).not.toContain('nonce of');
  });
});

describe('nothing is approved', () => {
  const expectRefused = async (showing: Showing, code: ErrorCode): Promise<void> => {
    expect(codeOf(await scene.ipc.send('decide', decision(showing)))).toBe(code);
    expect(decisionsAsked()).toBe(0);
  };

  test('on a showing that waits behind the current one', async () => {
    await askArmed();
    await expectRefused(scene.show('showing-2'), 'showing_unknown');
  });

  test('in a window that is hidden', async () => {
    const showing = await askArmed();
    scene.window.visible = false;
    await expectRefused(showing, 'confirmation_too_early');
    expect(codeOf(await scene.ipc.send('decide', decision(showing, 'deny')))).toBe('confirmation_too_early');
  });

  test('in a window without the focus, though it can be denied there', async () => {
    const showing = await askArmed();
    scene.blur();
    await expectRefused(showing, 'confirmation_too_early');
    expect(codeOf(await scene.ipc.send('decide', decision(showing, 'deny')))).toBeNull();
  });

  test('in a window that regained the focus less than half a second ago', async () => {
    const showing = await askArmed();
    scene.blur();
    scene.focus();
    scene.clock.advance(armingDelayMs - 1);
    await expectRefused(showing, 'confirmation_too_early');
    scene.clock.advance(1);
    expect(codeOf(await scene.ipc.send('decide', decision(showing)))).toBeNull();
  });

  test('on the next in the queue before it has armed', async () => {
    const first = await askArmed();
    const second = scene.show('showing-2');
    await scene.ipc.send('decide', decision(first, 'deny'));
    await scene.ipc.send('close', {});
    expect(codeOf(await scene.ipc.send('decide', decision(second)))).toBe('confirmation_too_early');
    scene.clock.advance(armingDelayMs - 1);
    expect(codeOf(await scene.ipc.send('decide', decision(second)))).toBe('confirmation_too_early');
    expect(decisionsAsked()).toBe(1);
    scene.clock.advance(1);
    expect(codeOf(await scene.ipc.send('decide', decision(second)))).toBeNull();
  });

  test('twice by one showing, while the first decision is under way and after it', async () => {
    const showing = await askArmed();
    let rest = (): void => {};
    scene.answerDecisions(
      () =>
        new Promise((resolve) => {
          rest = () => resolve({ proposal: exampleProposal({ state: 'verified' }), again: null });
        }),
    );
    const first = scene.ipc.send('decide', decision(showing));
    expect(codeOf(await scene.ipc.send('decide', decision(showing)))).toBe('showing_unknown');
    rest();
    expect(codeOf(await first)).toBeNull();
    expect(codeOf(await scene.ipc.send('decide', decision(showing)))).toBe('showing_unknown');
    expect(decisionsAsked()).toBe(1);
  });

  test('by the nonce of an earlier showing', async () => {
    const showing = await askArmed();
    const replayed = { ...decision(showing), nonce: 'nonce of showing-0' };
    expect(codeOf(await scene.ipc.send('decide', replayed))).toBe('showing_unknown');
    expect(scene.controller.active()).toMatchObject({ stage: 'settled' });
  });

  test('after the core ended the showing', async () => {
    const showing = await askArmed();
    scene.controller.take({ kind: 'hidden', showingId: showing.showingId, focused: true });
    await expectRefused(showing, 'showing_unknown');
  });

  test('after the core itself has ended', async () => {
    const showing = await askArmed();
    scene.controller.take({ kind: 'coreGone' });
    await expectRefused(showing, 'showing_unknown');
  });

  test.each([
    ['nothing', undefined],
    ['a decision of another word', { decision: 'maybe' }],
    ['a fingerprint that is no text', { fingerprint: 7 }],
    ['a reason that is a book', { reason: 'x'.repeat(501) }],
  ])('by %s', async (_what, change) => {
    const showing = await askArmed();
    const input = change && { ...decision(showing), ...change };
    expect(codeOf(await scene.ipc.send('decide', input))).toBe('bad_input');
    expect(decisionsAsked()).toBe(0);
  });
});

describe('a decision that failed', () => {
  test.each(Object.keys(catalogue) as ErrorCode[])(
    'with %s leaves the page where the page knows it is',
    async (code) => {
      const showing = await askArmed();
      scene.answerDecisions(async () => Promise.reject(new AppError(code)));
      expect(codeOf(await scene.ipc.send('decide', decision(showing)))).toBe(code);
      const answerable = [
        'confirmation_too_early',
        'typed_value_wrong',
        'campaign_locked',
        'approval_ended',
        'storage_failed',
        'disk_full',
        'disk_read_only',
      ].includes(code);
      expect(scene.controller.active()).toMatchObject({ stage: answerable ? 'asking' : 'settled' });
    },
  );
});

describe('an outdated change', () => {
  test('asks again in its place, and arms again before it can be approved', async () => {
    const showing = await askArmed();
    const again = exampleShowing({ id: 'proposal-2' }, 'showing-again');
    scene.answerDecisions(async () => ({ proposal: exampleProposal({ state: 'stale' }), again }));
    const { length } = scene.window.reported;
    await scene.ipc.send('decide', decision(showing));
    expect(scene.controller.active()).toMatchObject({
      stage: 'asking',
      showing: { showingId: 'showing-again' },
    });
    expect(scene.window.reported.slice(length)).toEqual([]);
    expect(codeOf(await scene.ipc.send('decide', decision(again)))).toBe('confirmation_too_early');
  });
});

describe('a change that is prepared again', () => {
  test('takes the place of the one before, and arms again before it can be approved', async () => {
    const showing = await askArmed();
    const again = exampleShowing({ id: 'proposal-2' }, 'showing-again');
    scene.answerPreparing(async () => again);
    const { length } = scene.window.reported;
    expect(await scene.ipc.send('prepareAgain', seen(showing))).toEqual({ output: again });
    expect(scene.controller.active()).toMatchObject({
      stage: 'asking',
      showing: { showingId: 'showing-again' },
    });
    expect(scene.window.reported.slice(length)).toEqual([]);
    expect(codeOf(await scene.ipc.send('decide', decision(again)))).toBe('confirmation_too_early');
    expect(decisionsAsked()).toBe(0);
  });

  test('and cannot be leaves the question as it was', async () => {
    const showing = await askArmed();
    scene.answerPreparing(async () => Promise.reject(new AppError('tool_refused')));
    expect(codeOf(await scene.ipc.send('prepareAgain', seen(showing)))).toBe('tool_refused');
    expect(scene.controller.active()).toMatchObject({
      stage: 'asking',
      showing: { showingId: showing.showingId },
    });
  });

  test('is not decided on meanwhile', async () => {
    const showing = await askArmed();
    const preparing = Promise.withResolvers<Showing>();
    scene.answerPreparing(() => preparing.promise);
    const prepared = scene.ipc.send('prepareAgain', seen(showing));
    expect(codeOf(await scene.ipc.send('decide', decision(showing)))).toBe('showing_unknown');
    expect(codeOf(await scene.ipc.send('prepareAgain', seen(showing)))).toBe('showing_unknown');
    preparing.resolve(exampleShowing({}, 'showing-again'));
    expect(codeOf(await prepared)).toBeNull();
    expect(decisionsAsked()).toBe(0);
  });
});

describe('the undo of what was written', () => {
  async function verified(): Promise<Showing> {
    const showing = await askArmed();
    await scene.ipc.send('decide', decision(showing));
    return showing;
  }

  test('takes the place of the outcome, and arms again before it can be approved', async () => {
    const showing = await verified();
    const again = exampleShowing({ id: 'proposal-2' }, 'showing-undo');
    scene.answerUndo(async () => again);
    expect(await scene.ipc.send('undo', seen(showing))).toEqual({ output: again });
    expect(scene.controller.active()).toMatchObject({
      stage: 'asking',
      showing: { showingId: 'showing-undo' },
    });
    expect(codeOf(await scene.ipc.send('decide', decision(again)))).toBe('confirmation_too_early');
  });

  test('cannot be asked for while the change is undecided', async () => {
    const showing = await askArmed();
    expect(codeOf(await scene.ipc.send('undo', seen(showing)))).toBe('showing_unknown');
    expect(scene.asked.filter(({ name }) => name === 'undo')).toEqual([]);
  });

  test('and that cannot be prepared leaves the outcome as it was', async () => {
    const showing = await verified();
    expect(codeOf(await scene.ipc.send('undo', seen(showing)))).toBe('undo_impossible');
    expect(scene.controller.active()).toMatchObject({
      stage: 'settled',
      showing: { showingId: showing.showingId },
    });
  });

  test('comes too late for a window that was closed meanwhile, and waits in Proposals', async () => {
    const showing = await verified();
    const preparing = Promise.withResolvers<Showing>();
    scene.answerUndo(() => preparing.promise);
    const asked = scene.ipc.send('undo', seen(showing));
    scene.controller.take({ kind: 'finished' });
    preparing.resolve(exampleShowing({}, 'showing-undo'));
    await asked;
    expect(scene.controller.active()).toBeNull();
  });
});

describe('the page', () => {
  test('opens the current showing, and gets the number of waiting ones', async () => {
    const showing = await askArmed();
    scene.show('showing-2');
    scene.window.reported.length = 0;
    expect(await scene.ipc.send('open', {})).toEqual({ output: showing });
    expect(scene.window.reported).toEqual(['waiting 1']);
  });

  test('has nothing to open when nothing waits', async () => {
    expect(codeOf(await scene.ipc.send('open', {}))).toBe('showing_unknown');
    expect(scene.asked).toEqual([]);
  });

  test('does not get a showing that gave way before the core had answered', async () => {
    await askArmed();
    scene.show('showing-2');
    const opening = scene.ipc.send('open', {});
    scene.controller.take({ kind: 'reviewed', proposalId: 'proposal of showing-2' });
    expect(codeOf(await opening)).toBe('showing_unknown');
  });

  test('follows what is being decided, and can decide nothing on it again', async () => {
    const showing = await askArmed();
    let end = (): void => {};
    const proposal = exampleProposal({ state: 'done' });
    scene.answerDecisions(() => new Promise((resolve) => (end = () => resolve({ proposal, again: null }))));
    const deciding = scene.ipc.send('decide', decision(showing));
    expect(codeOf(await scene.ipc.send('look', seen(showing)))).toBeNull();
    expect(codeOf(await scene.ipc.send('decide', decision(showing)))).toBe('showing_unknown');
    end();
    expect(codeOf(await deciding)).toBeNull();
  });

  test('looks at what is over to learn why, and at nothing else', async () => {
    const showing = await askArmed();
    const waiting = scene.show('showing-2');
    scene.controller.take({ kind: 'hidden', showingId: showing.showingId, focused: true });
    expect(codeOf(await scene.ipc.send('look', seen(showing)))).toBeNull();
    expect(codeOf(await scene.ipc.send('look', seen(waiting)))).toBe('showing_unknown');
    expect(codeOf(await scene.ipc.send('seen', seen(waiting)))).toBe('showing_unknown');
  });

  test('gets pictures of the showing in front, and of no other', async () => {
    const showing = await askArmed();
    const waiting = scene.show('showing-2');
    const url = 'https://pictures.example/icon.png';
    expect(await scene.ipc.send('picture', { ...seen(showing), url })).toEqual({ output: scenePicture });
    expect(scene.asked.at(-1)).toEqual({
      surface: 'confirmation',
      name: 'picture',
      input: { ...seen(showing), url },
    });
    const before = scene.asked.length;
    expect(codeOf(await scene.ipc.send('picture', { ...seen(waiting), url }))).toBe('showing_unknown');
    expect(codeOf(await scene.ipc.send('picture', { ...seen(showing), url: 7 }))).toBe('bad_input');
    expect(scene.asked).toHaveLength(before);
  });
});

test('pages of campaigns are those of the showing in front, and of no other', async () => {
  const showing = await askArmed();
  const waiting = scene.show('showing-2');
  expect(await scene.ipc.send('targets', { ...seen(showing), from: 200 })).toEqual({
    output: { targets: [] },
  });
  const before = scene.asked.length;
  expect(codeOf(await scene.ipc.send('targets', { ...seen(waiting), from: 0 }))).toBe('showing_unknown');
  expect(codeOf(await scene.ipc.send('targets', { ...seen(showing), from: -1 }))).toBe('bad_input');
  expect(scene.asked).toHaveLength(before);
});

describe('a turn to another change', () => {
  const next = exampleShowing({ id: 'proposal of next' }, 'next');
  const end = { showing: null, review: exampleReview() };

  test('takes the place of the question, and arms anew', async () => {
    const showing = await askArmed();
    scene.answerTurns(async () => ({ ...end, showing: next }));
    const answer = await scene.ipc.send('turn', { ...seen(showing), to: 'next' });
    expect(answer).toMatchObject({ output: { showing: { showingId: 'next' } } });
    expect(scene.controller.active()).toMatchObject({ showing: { showingId: 'next' }, stage: 'asking' });
    expect(scene.controller.isArmed()).toBe(false);
    expect(decisionsAsked()).toBe(0);
  });

  test('goes on from an outcome, and ends the review there', async () => {
    const showing = await askArmed();
    await scene.ipc.send('decide', decision(showing));
    scene.answerTurns(async () => end);
    const turn = { ...seen(showing), to: 'next' };
    expect(await scene.ipc.send('turn', turn)).toEqual({ output: end });
    expect(scene.controller.active()).toMatchObject({ stage: 'settled' });
    scene.answerTurns(async () => ({ ...end, showing: next }));
    await scene.ipc.send('turn', turn);
    expect(scene.controller.active()).toMatchObject({ showing: { showingId: 'next' }, stage: 'asking' });
  });

  test('that comes with the decision takes its place while it is sent, and arms anew', async () => {
    const showing = await askArmed();
    const review = exampleReview();
    scene.answerDecisions(async () => ({
      proposal: exampleProposal({ state: 'approved' }),
      again: null,
      review,
      next: { showing: next, review },
    }));
    const deciding = scene.ipc.send('decide', { ...decision(showing), continueReview: true });
    for (const to of ['next', 'previous', 'later', 'together', 'singly'])
      expect(codeOf(await scene.ipc.send('turn', { ...seen(showing), to }))).toBe('showing_unknown');
    expect(codeOf(await deciding)).toBeNull();
    expect(scene.controller.active()).toMatchObject({ showing: { showingId: 'next' }, stage: 'asking' });
    expect(codeOf(await scene.ipc.send('decide', decision(next)))).toBe('confirmation_too_early');
    for (const name of ['decide', 'undo', 'look', 'progress'] as const) {
      const input = { ...decision(showing), continueReview: true };
      expect(codeOf(await scene.ipc.send(name, input)), name).toBe('showing_unknown');
    }
    expect(codeOf(await scene.ipc.send('turn', { ...seen(showing), to: 'next' }))).toBe('showing_unknown');
    expect(decisionsAsked()).toBe(1);
  });

  test('that comes with the decision is put away if the window was closed meanwhile', async () => {
    const showing = await askArmed();
    const review = exampleReview();
    scene.answerDecisions(async () => {
      scene.controller.take({ kind: 'dismissed' });
      return {
        proposal: exampleProposal({ state: 'approved' }),
        again: null,
        review,
        next: { showing: next, review },
      };
    });
    await scene.ipc.send('decide', { ...decision(showing), continueReview: true });
    expect(scene.controller.active()).toBeNull();
    expect(scene.asked.at(-1)).toMatchObject({ name: 'postpone', input: { showingId: 'next' } });
  });

  test('is followed at the end of the review, and nowhere else', async () => {
    const showing = await askArmed();
    expect(codeOf(await scene.ipc.send('progress', seen(showing)))).toBe('showing_unknown');
    await scene.ipc.send('decide', decision(showing));
    expect(await scene.ipc.send('progress', seen(showing))).toEqual({ output: exampleReview() });
  });

  test('that the core refuses leaves the question as it was', async () => {
    const showing = await askArmed();
    const answer = await scene.ipc.send('turn', { ...seen(showing), to: 'previous' });
    expect(codeOf(answer)).toBe('proposal_not_waiting');
    expect(scene.controller.active()).toMatchObject({ showing: { showingId: 'showing-1' }, stage: 'asking' });
  });

  test('is refused during a decision, and the change is put away if its outcome was closed meanwhile', async () => {
    const showing = await askArmed();
    const turn = { ...seen(showing), to: 'next' };
    let settle = (): void => {};
    scene.answerDecisions(
      () =>
        new Promise((resolve) => {
          settle = () => resolve({ proposal: exampleProposal({ state: 'verified' }), again: null });
        }),
    );
    const deciding = scene.ipc.send('decide', decision(showing));
    expect(codeOf(await scene.ipc.send('turn', turn))).toBe('showing_unknown');
    settle();
    await deciding;
    scene.answerTurns(async () => {
      scene.controller.take({ kind: 'dismissed' });
      return { ...end, showing: next };
    });
    await scene.ipc.send('turn', turn);
    expect(scene.controller.active()).toBeNull();
    expect(scene.asked.at(-1)).toMatchObject({ name: 'postpone', input: { showingId: 'next' } });
  });
});

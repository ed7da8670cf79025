import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type ConfirmationState,
  type ConfirmationEffect,
  type ConfirmationEvent,
  type DisplayRef,
  emptyConfirmation,
  queueLimit,
  type Stage,
  stepConfirmation,
} from '#electron/confirmation/confirmation-state.ts';
import { runs } from '#test/setup/property-runs.ts';

/** The confirmation `a1` is the first of proposal `a`. */
const display = (displayId: string): DisplayRef => ({
  displayId,
  nonce: `nonce of ${displayId}`,
  proposalId: displayId.slice(0, 1),
});
const state = (stage: Stage, active: string, ...queue: string[]): ConfirmationState => ({
  active: { display: display(active), stage },
  queue: queue.map(display),
  away: false,
});
const away = (state: ConfirmationState): ConfirmationState => ({ ...state, away: true });
const shown = (displayId: string, focused = false): ConfirmationEvent => ({
  kind: 'shown',
  display: display(displayId),
  focused,
});
const hidden = (displayId: string, focused = false): ConfirmationEvent => ({
  kind: 'hidden',
  displayId,
  focused,
});
const reviewed = (proposalId: string): ConfirmationEvent => ({ kind: 'reviewed', proposalId });
const chosen = (displayId: string): ConfirmationEvent => ({ kind: 'chosen', displayId });
const decided = (displayId: string, again: string | null = null): ConfirmationEvent => ({
  kind: 'decided',
  displayId,
  again: again === null ? null : display(again),
});
const failed = (displayId: string, answerable: boolean): ConfirmationEvent => ({
  kind: 'failed',
  displayId,
  answerable,
});
const finished: ConfirmationEvent = { kind: 'finished' };
const dismissed: ConfirmationEvent = { kind: 'dismissed' };
const unattended: ConfirmationEvent = { kind: 'unattended' };
const coreGone: ConfirmationEvent = { kind: 'coreGone' };

const reopen: ConfirmationEffect = { kind: 'reopen' };
const showQuietly: ConfirmationEffect = { kind: 'show', focus: false };
const showFocused: ConfirmationEffect = { kind: 'show', focus: true };
const hide: ConfirmationEffect = { kind: 'hide' };
const attract: ConfirmationEffect = { kind: 'attract' };
const linger: ConfirmationEffect = { kind: 'linger' };

type Case = [
  title: string,
  before: ConfirmationState,
  event: ConfirmationEvent,
  after: ConfirmationState,
  ...effects: ConfirmationEffect[],
];

const nothing = emptyConfirmation;
const asking = state('asking', 'a1', 'b1');
const deciding = state('deciding', 'a1', 'b1');
const settled = state('settled', 'a1', 'b1');
const ended = state('ended', 'a1', 'b1');
/** Returns the state after the core has ended the active confirmation. */
const over = (before: ConfirmationState): ConfirmationState => ({
  ...before,
  active: before.active && { ...before.active, isOver: true },
});

describe('a display from the core', () => {
  test.each<Case>([
    [
      'comes up quietly when nothing is in front',
      nothing,
      shown('a1'),
      state('asking', 'a1'),
      reopen,
      showQuietly,
      attract,
    ],
    ['waits behind a question', state('asking', 'a1'), shown('b1'), asking, attract],
    ['waits behind a decision under way', state('deciding', 'a1'), shown('b1'), deciding, attract],
    ['waits behind an outcome', state('settled', 'a1'), shown('b1', true), settled, attract],
    [
      'waits while a person reads that the one before is over',
      state('ended', 'a1'),
      shown('b1', true),
      ended,
      attract,
    ],
    [
      'takes the place of one that is over in an unused window',
      state('ended', 'a1'),
      shown('b1'),
      state('asking', 'b1'),
      reopen,
      showQuietly,
      attract,
    ],
    [
      'replaces the earlier one of its proposal in front',
      asking,
      shown('a2'),
      state('asking', 'a2', 'b1'),
      reopen,
      showQuietly,
      attract,
    ],
    [
      'replaces an ended one of its proposal in front, though the window has the focus',
      ended,
      shown('a2', true),
      state('asking', 'a2', 'b1'),
      reopen,
      showQuietly,
      attract,
    ],
    [
      'replaces the earlier one of its proposal at its place in the queue',
      state('asking', 'a1', 'b1', 'c1'),
      shown('b2'),
      state('asking', 'a1', 'b2', 'c1'),
      attract,
    ],
  ])('%s', check);

  test('stays when the queue is full: the latest before it waits in Proposals', () => {
    const full: ConfirmationState = {
      ...state('asking', 'a1'),
      queue: Array.from({ length: queueLimit }, (_, index) => ({
        ...display('b1'),
        proposalId: `b${index}`,
      })),
    };
    const { queue } = stepConfirmation(full, shown('c1')).state;
    expect(queue).toHaveLength(queueLimit);
    expect(queue.at(-1)).toEqual(display('c1'));
    expect(queue.slice(0, -1)).toEqual(full.queue.slice(0, -1));
  });
});

describe('a display that the core ended', () => {
  test.each<Case>([
    ['leaves the queue', asking, hidden('b1'), state('asking', 'a1')],
    ['stays in front to say so while the window has the focus', asking, hidden('a1', true), ended],
    ['stays in front for a moment in an unused window', asking, hidden('a1'), ended, linger],
    [
      'makes room for the next after that moment',
      ended,
      unattended,
      state('asking', 'b1'),
      reopen,
      showQuietly,
    ],
    ['goes with its window when nothing else waits', state('ended', 'a1'), unattended, nothing, hide, reopen],
    ['does not end a decision under way, which ends its own display', deciding, hidden('a1'), over(deciding)],
    ['does not touch an outcome', settled, hidden('a1'), settled],
    ['is not in front any more: nothing happens', asking, hidden('x1'), asking],
  ])('%s', check);

  test.each([asking, deciding, settled])(
    'a window that loses the focus keeps the current display (%#)',
    (before) => {
      expect(stepConfirmation(before, unattended)).toEqual({ state: before, effects: [] });
    },
  );
});

describe('pressing Review', () => {
  test.each<Case>([
    [
      'gets that question, and the one before waits first',
      state('asking', 'a1', 'b1', 'c1'),
      reviewed('c'),
      state('asking', 'c1', 'a1', 'b1'),
      reopen,
      showFocused,
    ],
    ['gets the window in focus when it is in front already', asking, reviewed('a'), asking, showFocused],
    [
      'gets it after the decision under way',
      state('deciding', 'a1', 'b1', 'c1'),
      reviewed('c'),
      state('deciding', 'a1', 'c1', 'b1'),
      showFocused,
    ],
    ['sees the decision under way again', away(deciding), reviewed('b'), deciding, showFocused],
    ['gets it in place of an outcome', settled, reviewed('b'), state('asking', 'b1'), reopen, showFocused],
    [
      'gets it in place of one that is over',
      ended,
      reviewed('b'),
      state('asking', 'b1'),
      reopen,
      showFocused,
    ],
    [
      'gets the fresh display of a change whose first one failed',
      state('settled', 'a1', 'b1', 'a2'),
      reviewed('a'),
      state('asking', 'a2', 'b1'),
      reopen,
      showFocused,
    ],
    ['of something that the core does not show: nothing happens', asking, reviewed('x'), asking],
    ['when nothing is shown: nothing happens', nothing, reviewed('a'), nothing],
  ])('%s', check);
});

describe('a decision', () => {
  test.each<Case>([
    ['keeps its place while it is under way', asking, chosen('a1'), deciding],
    ['is not taken for what waits', asking, chosen('b1'), asking],
    ['is not taken twice', deciding, chosen('a1'), deciding],
    ['is not taken on an outcome', settled, chosen('a1'), settled],
    ['is not taken on what is over', ended, chosen('a1'), ended],
    ['ends in its outcome, which stays', deciding, decided('a1'), settled],
    ['that asks again does so in its place', deciding, decided('a1', 'd1'), state('asking', 'd1', 'b1')],
    ['can be given again after a failure that decided nothing', deciding, failed('a1', true), asking],
    [
      'cannot be given again on what has ended meanwhile',
      over(deciding),
      failed('a1', true),
      state('ended', 'a1', 'b1'),
    ],
    ['has its outcome though its display has ended', over(deciding), decided('a1'), settled],
    [
      'that failed for good stays to say so, though its display has ended',
      over(deciding),
      failed('a1', false),
      settled,
    ],
    [
      'that failed while its change was shown anew gives way to the fresh display',
      state('deciding', 'a1', 'b1', 'a2'),
      failed('a1', true),
      state('asking', 'a2', 'b1'),
      reopen,
    ],
    ['that failed for good stays to say so', deciding, failed('a1', false), settled],
    [
      'in a window that was closed ends without a word',
      away(state('deciding', 'a1')),
      decided('a1'),
      nothing,
      hide,
      reopen,
    ],
    [
      'in a window that was closed makes room for what came since',
      away(deciding),
      decided('a1'),
      state('asking', 'b1'),
      reopen,
      showQuietly,
    ],
    [
      'in a window that was closed comes up to ask again',
      away(state('deciding', 'a1')),
      decided('a1', 'd1'),
      state('asking', 'd1'),
      showQuietly,
      attract,
    ],
    [
      'that failed in a window that was closed waits in Proposals',
      away(state('deciding', 'a1')),
      failed('a1', true),
      nothing,
      hide,
      reopen,
    ],
    ['about another display: nothing happens', deciding, decided('b1'), deciding],
  ])('%s', check);
});

describe('closing the window', () => {
  test.each<Case>([
    ['the window with a question puts away everything that waits', asking, dismissed, nothing, hide, reopen],
    [
      'the window during a decision puts away the rest',
      deciding,
      dismissed,
      away(state('deciding', 'a1')),
      hide,
    ],
    [
      'the window with an outcome gets the next',
      settled,
      dismissed,
      state('asking', 'b1'),
      reopen,
      showQuietly,
    ],
    [
      'the window that says that it is over gets the next',
      ended,
      dismissed,
      state('asking', 'b1'),
      reopen,
      showQuietly,
    ],
    ['the last outcome has done', state('settled', 'a1'), finished, nothing, hide, reopen],
    ['an outcome in the page gets the next', settled, finished, state('asking', 'b1'), reopen, showQuietly],
    [
      'a question that expired on screen gets the next',
      asking,
      finished,
      state('asking', 'b1'),
      reopen,
      showQuietly,
    ],
    ['the page cannot close a decision under way', deciding, finished, deciding],
    ['nothing when nothing is in front', nothing, finished, nothing],
    ['an empty window hides it', nothing, dismissed, nothing, hide],
  ])('%s', check);
});

describe('when the core is gone', () => {
  test.each<Case>([
    ['no display lives: the one in front says so', asking, coreGone, state('ended', 'a1')],
    ['a decision under way hears of it by its own answer', deciding, coreGone, over(state('deciding', 'a1'))],
    ['an outcome stays', settled, coreGone, state('settled', 'a1')],
    ['nothing changes where nothing waits', nothing, coreGone, nothing],
  ])('%s', check);
});

function check(
  _title: string,
  before: ConfirmationState,
  event: ConfirmationEvent,
  after: ConfirmationState,
  ...effects: ConfirmationEffect[]
): void {
  expect(stepConfirmation(before, event)).toEqual({ state: after, effects });
}

/** Events in arbitrary order. They concern few proposals, so that they collide. */
const anyDisplayId = fc
  .tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.nat(3))
  .map(([name, step]) => `${name}${step}`);
const anyEvent: fc.Arbitrary<ConfirmationEvent> = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(anyDisplayId, fc.boolean()).map(([id, focused]) => shown(id, focused)) },
  { weight: 2, arbitrary: fc.tuple(anyDisplayId, fc.boolean()).map(([id, focused]) => hidden(id, focused)) },
  { weight: 2, arbitrary: fc.constantFrom('a', 'b', 'c', 'd').map(reviewed) },
  { weight: 4, arbitrary: anyDisplayId.map(chosen) },
  {
    weight: 3,
    arbitrary: fc.tuple(anyDisplayId, fc.option(anyDisplayId)).map(([id, again]) => decided(id, again)),
  },
  { weight: 1, arbitrary: fc.tuple(anyDisplayId, fc.boolean()).map(([id, can]) => failed(id, can)) },
  fc.constantFrom(finished, dismissed, unattended, coreGone),
);

/** Histories in which no confirmation id is used twice, as the core guarantees. */
const anyHistory = fc.array(anyEvent, { maxLength: 60 }).map((events) => {
  const used = new Set<string>();
  return events.filter((event) => {
    const fresh =
      event.kind === 'shown'
        ? event.display.displayId
        : event.kind === 'decided'
          ? event.again?.displayId
          : undefined;
    if (fresh === undefined) return true;
    if (used.has(fresh)) return false;
    used.add(fresh);
    return true;
  });
});

describe('whatever happens in whatever order', () => {
  test('each proposal stands once, and what is dead is never asked', () => {
    fc.assert(
      fc.property(anyHistory, (events) => {
        const dead = new Set<string>();
        let state = emptyConfirmation;
        for (const event of events) {
          if (event.kind === 'hidden') dead.add(event.displayId);
          if (event.kind === 'coreGone') displaysOf(state).forEach(({ displayId }) => dead.add(displayId));
          state = stepConfirmation(state, event).state;
          const asked = displaysOf(state).filter(
            (item) => item !== state.active?.display || state.active.stage === 'asking',
          );
          // The core may only send confirmations that have not ended.
          if (event.kind === 'shown') dead.delete(event.display.displayId);
          if (event.kind === 'decided' && event.again) dead.delete(event.again.displayId);
          expect(asked.filter(({ displayId }) => dead.has(displayId))).toEqual([]);
          const open = state.active?.stage === 'asking' || state.active?.stage === 'ended';
          const proposals = (open ? displaysOf(state) : state.queue).map(({ proposalId }) => proposalId);
          expect(new Set(proposals).size).toBe(proposals.length);
          if (state.active === null) expect(state).toEqual(emptyConfirmation);
          if (state.away) expect(state.active?.stage).toBe('deciding');
        }
      }),
      runs(2000),
    );
  });

  test('a display is decided at most once, unless the first time decided nothing', () => {
    fc.assert(
      fc.property(anyHistory, (events) => {
        const spent = new Set<string>();
        let state = emptyConfirmation;
        for (const event of events) {
          const before = state;
          state = stepConfirmation(state, event).state;
          const left = before.active?.stage === 'asking' && state.active?.stage === 'deciding';
          if (left && state.active) {
            expect(spent).not.toContain(state.active.display.displayId);
            spent.add(state.active.display.displayId);
          }
          if (event.kind === 'failed' && event.answerable && before.active?.stage === 'deciding')
            spent.delete(event.displayId);
        }
      }),
      runs(2000),
    );
  });

  test('a decision under way keeps its place until it is answered', () => {
    fc.assert(
      fc.property(anyHistory, (events) => {
        let state = emptyConfirmation;
        for (const event of events) {
          const before = state.active;
          state = stepConfirmation(state, event).state;
          if (before?.stage !== 'deciding' || event.kind === 'decided' || event.kind === 'failed') continue;
          expect(state.active).toEqual({ ...state.active, display: before.display, stage: 'deciding' });
        }
      }),
      runs(2000),
    );
  });

  test('the page is notified of every new current display except one that its own decision brought, and the window follows', () => {
    fc.assert(
      fc.property(anyHistory, (events) => {
        let state = emptyConfirmation;
        for (const event of events) {
          const before = state;
          const { state: after, effects } = stepConfirmation(state, event);
          state = after;
          const kinds = effects.map(({ kind }) => kind);
          const changed = before.active?.display.displayId !== after.active?.display.displayId;
          const again = event.kind === 'decided' && event.again !== null;
          expect(kinds.includes('reopen')).toBe(changed && !again);
          if (before.active === null && after.active !== null) expect(kinds).toContain('show');
          if (before.active !== null && after.active === null) expect(kinds).toContain('hide');
          if (effects.some((effect) => effect.kind === 'show' && effect.focus))
            expect(event.kind).toBe('reviewed');
        }
      }),
      runs(2000),
    );
  });
});

function displaysOf({ active, queue }: ConfirmationState): DisplayRef[] {
  return active === null ? [...queue] : [active.display, ...queue];
}

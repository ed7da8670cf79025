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
  isDismissed: false,
});
const away = (state: ConfirmationState): ConfirmationState => ({ ...state, isDismissed: true });
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
const failed = (displayId: string, to: 'asking' | 'ended' | 'settled'): ConfirmationEvent => ({
  kind: 'failed',
  displayId,
  to,
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
  active: before.active && { ...before.active, endedByCore: true },
});

describe('a display from the core', () => {
  test.each<Case>([
    [
      'opens without the focus when no display is shown',
      nothing,
      shown('a1'),
      state('asking', 'a1'),
      reopen,
      showQuietly,
      attract,
    ],
    ['waits behind a question', state('asking', 'a1'), shown('b1'), asking, attract],
    ['waits behind a decision', state('deciding', 'a1'), shown('b1'), deciding, attract],
    ['waits behind an outcome', state('settled', 'a1'), shown('b1', true), settled, attract],
    [
      'waits while a person reads that the earlier display has ended',
      state('ended', 'a1'),
      shown('b1', true),
      ended,
      attract,
    ],
    [
      'replaces an ended display in an unused window',
      state('ended', 'a1'),
      shown('b1'),
      state('asking', 'b1'),
      reopen,
      showQuietly,
      attract,
    ],
    [
      'replaces the shown earlier display of its proposal',
      asking,
      shown('a2'),
      state('asking', 'a2', 'b1'),
      reopen,
      showQuietly,
      attract,
    ],
    [
      'replaces an ended display of its proposal even if the window has the focus',
      ended,
      shown('a2', true),
      state('asking', 'a2', 'b1'),
      reopen,
      showQuietly,
      attract,
    ],
    [
      'replaces the earlier display of its proposal at its place in the queue',
      state('asking', 'a1', 'b1', 'c1'),
      shown('b2'),
      state('asking', 'a1', 'b2', 'c1'),
      attract,
    ],
  ])('%s', check);

  test('enters a full queue by moving the latest waiting display back to Proposals', () => {
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
    ['stays visible with the reason while the window has the focus', asking, hidden('a1', true), ended],
    ['stays visible for a moment in an unused window', asking, hidden('a1'), ended, linger],
    [
      'is replaced by the next after that moment',
      ended,
      unattended,
      state('asking', 'b1'),
      reopen,
      showQuietly,
    ],
    ['closes its window if nothing else waits', state('ended', 'a1'), unattended, nothing, hide, reopen],
    ['does not end a running decision, which ends its own display', deciding, hidden('a1'), over(deciding)],
    ['does not touch an outcome', settled, hidden('a1'), settled],
    ['is no longer shown, and nothing happens', asking, hidden('x1'), asking],
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
      'shows that display, and the earlier one waits first',
      state('asking', 'a1', 'b1', 'c1'),
      reviewed('c'),
      state('asking', 'c1', 'a1', 'b1'),
      reopen,
      showFocused,
    ],
    [
      'gives the window the focus if it already shows the display',
      asking,
      reviewed('a'),
      asking,
      showFocused,
    ],
    [
      'shows the display after the running decision',
      state('deciding', 'a1', 'b1', 'c1'),
      reviewed('c'),
      state('deciding', 'a1', 'c1', 'b1'),
      showFocused,
    ],
    ['shows the running decision again', away(deciding), reviewed('b'), deciding, showFocused],
    ['replaces an outcome', settled, reviewed('b'), state('asking', 'b1'), reopen, showFocused],
    ['replaces an ended display', ended, reviewed('b'), state('asking', 'b1'), reopen, showFocused],
    [
      'shows the fresh display of a change whose first display failed',
      state('settled', 'a1', 'b1', 'a2'),
      reviewed('a'),
      state('asking', 'a2', 'b1'),
      reopen,
      showFocused,
    ],
    ['on a proposal that the core does not show does nothing', asking, reviewed('x'), asking],
    ['does nothing if nothing is shown', nothing, reviewed('a'), nothing],
  ])('%s', check);
});

describe('a decision', () => {
  test.each<Case>([
    ['keeps its display while it runs', asking, chosen('a1'), deciding],
    ['is refused on a waiting display', asking, chosen('b1'), asking],
    ['is not taken twice', deciding, chosen('a1'), deciding],
    ['is not taken on an outcome', settled, chosen('a1'), settled],
    ['is refused on an ended display', ended, chosen('a1'), ended],
    ['ends with its outcome, which stays', deciding, decided('a1'), settled],
    [
      'that needs another display shows it in its place',
      deciding,
      decided('a1', 'd1'),
      state('asking', 'd1', 'b1'),
    ],
    ['can be repeated after a failure that decided nothing', deciding, failed('a1', 'asking'), asking],
    [
      'cannot be repeated on a display that has ended meanwhile',
      over(deciding),
      failed('a1', 'asking'),
      state('ended', 'a1', 'b1'),
    ],
    ['has its outcome even if its display has ended', over(deciding), decided('a1'), settled],
    [
      'that failed permanently stays visible even if its display has ended',
      over(deciding),
      failed('a1', 'settled'),
      settled,
    ],
    [
      'that failed while its change was shown again is replaced by the fresh display',
      state('deciding', 'a1', 'b1', 'a2'),
      failed('a1', 'asking'),
      state('asking', 'a2', 'b1'),
      reopen,
    ],
    ['that failed permanently stays visible', deciding, failed('a1', 'settled'), settled],
    ['on a change that had ended shows that end', over(deciding), failed('a1', 'ended'), ended],
    [
      'ends silently in a window that was closed',
      away(state('deciding', 'a1')),
      decided('a1'),
      nothing,
      hide,
      reopen,
    ],
    [
      'in a closed window makes room for displays that arrived meanwhile',
      away(deciding),
      decided('a1'),
      state('asking', 'b1'),
      reopen,
      showQuietly,
    ],
    [
      'in a closed window opens it for the next display',
      away(state('deciding', 'a1')),
      decided('a1', 'd1'),
      state('asking', 'd1'),
      showQuietly,
      attract,
    ],
    [
      'that failed in a closed window waits in Proposals',
      away(state('deciding', 'a1')),
      failed('a1', 'asking'),
      nothing,
      hide,
      reopen,
    ],
    ['about another display does nothing', deciding, decided('b1'), deciding],
  ])('%s', check);
});

describe('closing the window', () => {
  test.each<Case>([
    ['the window with a question puts off everything that waits', asking, dismissed, nothing, hide, reopen],
    [
      'the window during a decision puts off the others',
      deciding,
      dismissed,
      away(state('deciding', 'a1')),
      hide,
    ],
    [
      'the window with an outcome shows the next display',
      settled,
      dismissed,
      state('asking', 'b1'),
      reopen,
      showQuietly,
    ],
    [
      'the window with an ended display shows the next display',
      ended,
      dismissed,
      state('asking', 'b1'),
      reopen,
      showQuietly,
    ],
    ['the last outcome ends the confirmation', state('settled', 'a1'), finished, nothing, hide, reopen],
    [
      'an outcome in the page shows the next display',
      settled,
      finished,
      state('asking', 'b1'),
      reopen,
      showQuietly,
    ],
    [
      'an expired question shows the next display',
      asking,
      finished,
      state('asking', 'b1'),
      reopen,
      showQuietly,
    ],
    ['the page during a decision is not possible', deciding, finished, deciding],
    ['does nothing if nothing is shown', nothing, finished, nothing],
    ['an empty window hides it', nothing, dismissed, nothing, hide],
  ])('%s', check);
});

describe('when the core has ended', () => {
  test.each<Case>([
    ['every display ends, and the shown one says so', asking, coreGone, state('ended', 'a1')],
    ['a running decision learns of it by its own answer', deciding, coreGone, over(state('deciding', 'a1'))],
    ['an outcome stays', settled, coreGone, state('settled', 'a1')],
    ['nothing changes if nothing waits', nothing, coreGone, nothing],
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
  {
    weight: 1,
    arbitrary: fc
      .tuple(anyDisplayId, fc.constantFrom('asking', 'ended', 'settled'))
      .map(([id, to]) => failed(id, to)),
  },
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

describe('in any order of events', () => {
  test('each proposal has one display, and an ended display is never shown as a question', () => {
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
          if (state.isDismissed) expect(state.active?.stage).toBe('deciding');
        }
      }),
      runs(2000),
    );
  });

  test('a display is decided at most once, unless the first attempt decided nothing', () => {
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
          if (event.kind === 'failed' && event.to === 'asking' && before.active?.stage === 'deciding')
            spent.delete(event.displayId);
        }
      }),
      runs(2000),
    );
  });

  test('a running decision keeps its display until it is answered', () => {
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

  test('the page is notified of every new display except one that its own decision brought, and the window follows', () => {
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

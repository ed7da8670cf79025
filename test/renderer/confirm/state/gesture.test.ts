import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import {
  initialGesture,
  isArmed,
  stepGesture,
  type Choice,
  type Gesture,
  type GestureEvent,
} from '#renderer/confirm/state/gesture.ts';
import { runs } from '#test/setup/property-runs.ts';

const appeared: GestureEvent = { kind: 'appeared', attentive: true };
const acknowledged = (appearance: number, atMs: number): GestureEvent => ({
  kind: 'acknowledged',
  appearance,
  atMs,
});
const pressed = (choice: Choice, by: 'pointer' | 'space', atMs: number): GestureEvent => ({
  kind: 'pressed',
  choice,
  by,
  trusted: true,
  repeated: false,
  atMs,
});
const released = (choice: Choice, by: 'pointer' | 'space', atMs: number): GestureEvent => ({
  kind: 'released',
  choice,
  by,
  trusted: true,
  atMs,
});
const entered = (choice: Choice, atMs: number): GestureEvent => ({
  kind: 'entered',
  choice,
  trusted: true,
  repeated: false,
  atMs,
});

function play(events: GestureEvent[], from: Gesture = initialGesture): { gesture: Gesture; made: Choice[] } {
  let gesture = from;
  const made: Choice[] = [];
  for (const event of events) {
    const step = stepGesture(gesture, event);
    gesture = step.gesture;
    if (step.made !== null) made.push(step.made);
  }
  return { gesture, made };
}

const armed = play([appeared, acknowledged(1, 1000)]).gesture;

describe('arming', () => {
  test('the buttons arm half a second after the core has acknowledged the appearance, not before', () => {
    expect(isArmed(armed, 1499)).toBe(false);
    expect(isArmed(armed, 1500)).toBe(true);
  });

  test('an appearance that the core has not acknowledged never arms', () => {
    expect(isArmed(play([appeared]).gesture, 1_000_000)).toBe(false);
  });

  test('the acknowledgement of an earlier appearance arms nothing', () => {
    const { gesture } = play([appeared, appeared, acknowledged(1, 1000)]);
    expect(isArmed(gesture, 9000)).toBe(false);
  });

  test('the delay starts again when the page regains the focus', () => {
    const { gesture } = play([appeared, acknowledged(2, 5000)], armed);
    expect(isArmed(gesture, 5499)).toBe(false);
    expect(isArmed(gesture, 5500)).toBe(true);
  });

  test('a page that is hidden or has no focus is not armed', () => {
    expect(isArmed(play([{ kind: 'left' }], armed).gesture, 9000)).toBe(false);
    const unfocused = play([{ kind: 'appeared', attentive: false }, acknowledged(1, 1000)]).gesture;
    expect(isArmed(unfocused, 9000)).toBe(false);
  });
});

describe('events that decide', () => {
  test.each([
    [
      'a click on Approve',
      [pressed('approve', 'pointer', 2000), released('approve', 'pointer', 2010)],
      ['approve'],
    ],
    [
      'a fresh Space on Approve',
      [pressed('approve', 'space', 2000), released('approve', 'space', 2010)],
      ['approve'],
    ],
    ['a click on Deny', [pressed('deny', 'pointer', 2000), released('deny', 'pointer', 2010)], ['deny']],
    ['a fresh Space on Deny', [pressed('deny', 'space', 2000), released('deny', 'space', 2010)], ['deny']],
    ['a fresh Enter on Deny', [entered('deny', 2000)], ['deny']],
    [
      'assistive technology on Approve',
      [{ kind: 'assisted', choice: 'approve', trusted: true, atMs: 2000 }],
      ['approve'],
    ],
    [
      'a click on Approve while Deny loses the focus to it approves',
      [
        pressed('approve', 'pointer', 2000),
        { kind: 'abandoned', choice: 'deny' },
        released('approve', 'pointer', 2010),
      ],
      ['approve'],
    ],
  ] satisfies [string, GestureEvent[], Choice[]][])('%s, once armed', (_name, events, expected) => {
    expect(play(events, armed).made).toEqual(expected);
  });
});

describe('events that decide nothing', () => {
  const press = (over: { trusted?: boolean; repeated?: boolean }): GestureEvent => ({
    kind: 'pressed',
    choice: 'approve',
    by: 'space',
    trusted: true,
    repeated: false,
    atMs: 2000,
    ...over,
  });
  test.each([
    ['Enter on Approve', [entered('approve', 2000)]],
    ['a held Enter on Deny', [{ ...entered('deny', 2000), repeated: true } as GestureEvent]],
    [
      'a press that began before the buttons armed',
      [pressed('approve', 'space', 1400), released('approve', 'space', 1600)],
    ],
    [
      'a click that began before the buttons armed',
      [pressed('approve', 'pointer', 1499), released('approve', 'pointer', 1501)],
    ],
    ['a held Space', [press({ repeated: true }), released('approve', 'space', 2010)]],
    [
      'a key that was held since before arming',
      [pressed('approve', 'space', 1200), press({ repeated: true }), released('approve', 'space', 2010)],
    ],
    ['an event made by a script', [press({ trusted: false }), released('approve', 'space', 2010)]],
    [
      'a release made by a script',
      [
        pressed('approve', 'space', 2000),
        { ...released('approve', 'space', 2010), trusted: false } as GestureEvent,
      ],
    ],
    ['a click made by a script', [{ kind: 'assisted', choice: 'approve', trusted: false, atMs: 2000 }]],
    [
      'a click of assistive technology before arming',
      [{ kind: 'assisted', choice: 'approve', trusted: true, atMs: 1499 }],
    ],
    ['a release without a press', [released('approve', 'pointer', 2000)]],
    [
      'a press on Deny that ends on Approve',
      [pressed('deny', 'pointer', 2000), released('approve', 'pointer', 2010)],
    ],
    [
      'a pointer press that ends as a key',
      [pressed('approve', 'pointer', 2000), released('approve', 'space', 2010)],
    ],
    [
      'a press across a change of what is shown',
      [
        pressed('approve', 'space', 2000),
        appeared,
        acknowledged(2, 2001),
        released('approve', 'space', 9000),
      ],
    ],
    [
      'a press across a loss of focus',
      [pressed('approve', 'space', 2000), { kind: 'left' }, released('approve', 'space', 2010)],
    ],
    [
      'a press that was abandoned',
      [
        pressed('approve', 'pointer', 2000),
        { kind: 'abandoned', choice: 'approve' },
        released('approve', 'pointer', 2010),
      ],
    ],
  ] satisfies [string, GestureEvent[]][])('%s', (_name, events) => {
    expect(play(events, armed).made).toEqual([]);
  });
});

const choice = fc.constantFrom<Choice>('approve', 'deny');
const by = fc.constantFrom<'pointer' | 'space'>('pointer', 'space');
const anyEvent: fc.Arbitrary<(atMs: number, appearance: number) => GestureEvent> = fc.oneof(
  fc.boolean().map((attentive) => () => ({ kind: 'appeared', attentive }) as const),
  fc.constant(() => ({ kind: 'left' }) as const),
  fc.nat(1).map((back) => (atMs: number, appearance: number) => acknowledged(appearance - back, atMs)),
  fc.tuple(choice, by, fc.boolean(), fc.boolean()).map(
    ([on, how, trusted, repeated]) =>
      (atMs: number): GestureEvent =>
        ({
          ...pressed(on, how, atMs),
          trusted,
          repeated,
        }) as GestureEvent,
  ),
  fc.tuple(choice, by, fc.boolean()).map(
    ([on, how, trusted]) =>
      (atMs: number): GestureEvent =>
        ({ ...released(on, how, atMs), trusted }) as GestureEvent,
  ),
  fc.tuple(choice, fc.boolean(), fc.boolean()).map(
    ([on, trusted, repeated]) =>
      (atMs: number): GestureEvent =>
        ({ ...entered(on, atMs), trusted, repeated }) as GestureEvent,
  ),
);

test('no sequence of events approves within half a second of an appearance or by a single event', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(anyEvent, fc.nat(400)), { maxLength: 60 }), (script) => {
      let gesture = initialGesture;
      let nowMs = 0;
      let appearedAtMs = 0;
      for (const [make, pauseMs] of script) {
        nowMs += pauseMs;
        const event = make(nowMs, gesture.appearance);
        if (event.kind === 'appeared') appearedAtMs = nowMs;
        const step = stepGesture(gesture, event);
        gesture = step.gesture;
        if (step.made === 'approve') {
          expect(event.kind).toBe('released');
          expect(nowMs - appearedAtMs).toBeGreaterThanOrEqual(500);
        }
      }
    }),
    runs(500),
  );
});

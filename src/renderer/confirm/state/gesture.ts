import { armingDelayMs } from '#shared/host-api/index.ts';
import { assertNever } from '#shared/lib/assert-never.ts';

export type Choice = 'approve' | 'deny';

/** A press that has begun. It counts only if it ends before `appearance` changes. */
interface Press {
  choice: Choice;
  by: 'pointer' | 'space';
}

/** The state of the gesture. All times are milliseconds of one monotonic clock. */
export interface Gesture {
  /** Incremented whenever the page appears, changes or regains the focus. */
  appearance: number;
  attentive: boolean;
  armsAtMs: number | null;
  press: Press | null;
}

/** Events of the page. `trusted` is false for events made by a script, `repeated` is true for a held key. */
export type GestureEvent =
  | { kind: 'appeared'; attentive: boolean }
  | { kind: 'left' }
  | { kind: 'acknowledged'; appearance: number; atMs: number }
  | { kind: 'pressed'; choice: Choice; by: Press['by']; trusted: boolean; repeated: boolean; atMs: number }
  | { kind: 'released'; choice: Choice; by: Press['by']; trusted: boolean; atMs: number }
  | { kind: 'abandoned'; choice: Choice }
  | { kind: 'entered'; choice: Choice; trusted: boolean; repeated: boolean; atMs: number }
  | { kind: 'assisted'; choice: Choice; trusted: boolean; atMs: number };

export interface GestureStep {
  gesture: Gesture;
  made: Choice | null;
}

export const initialGesture: Gesture = { appearance: 0, attentive: false, armsAtMs: null, press: null };

export function isArmed(gesture: Gesture, nowMs: number): boolean {
  return gesture.attentive && gesture.armsAtMs !== null && nowMs >= gesture.armsAtMs;
}

const stay = (gesture: Gesture): GestureStep => ({ gesture, made: null });
const withoutPress = (gesture: Gesture, made: Choice | null): GestureStep => ({
  gesture: { ...gesture, press: null },
  made,
});

/**
 * The rules of the one gesture (docs/write-path.md, "The gesture"):
 * - a press counts only when it began and ended on the same button while armed;
 * - arming starts over whenever the page appears, changes or regains the focus, and waits for the core's acknowledgement;
 * - Enter never approves, and denies only as a fresh key press; held keys and events made by scripts do nothing.
 */
export function stepGesture(gesture: Gesture, event: GestureEvent): GestureStep {
  switch (event.kind) {
    case 'appeared':
      return stay({
        appearance: gesture.appearance + 1,
        attentive: event.attentive,
        armsAtMs: null,
        press: null,
      });
    case 'left':
      return stay({ ...gesture, attentive: false, armsAtMs: null, press: null });
    case 'acknowledged':
      if (event.appearance !== gesture.appearance || !gesture.attentive) return stay(gesture);
      return stay({ ...gesture, armsAtMs: event.atMs + armingDelayMs });
    case 'pressed':
      if (!event.trusted || event.repeated) return stay(gesture);
      if (!isArmed(gesture, event.atMs)) return withoutPress(gesture, null);
      return stay({ ...gesture, press: { choice: event.choice, by: event.by } });
    case 'released': {
      const { press } = gesture;
      const ended = event.trusted && press?.choice === event.choice && press.by === event.by;
      return withoutPress(gesture, ended && isArmed(gesture, event.atMs) ? event.choice : null);
    }
    case 'abandoned':
      // If another button loses the focus to the pressed one, only a press of that other button is cancelled.
      return gesture.press?.choice === event.choice ? withoutPress(gesture, null) : stay(gesture);
    case 'entered':
      if (event.choice === 'approve' || !event.trusted || event.repeated) return stay(gesture);
      return withoutPress(gesture, isArmed(gesture, event.atMs) ? 'deny' : null);
    case 'assisted':
      return withoutPress(gesture, event.trusted && isArmed(gesture, event.atMs) ? event.choice : null);
    default:
      return assertNever(event);
  }
}

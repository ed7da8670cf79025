import { counted } from '#shared/lib/counted.ts';
import type { PillTone } from '../display/pill.tsx';
import { stateWords, type StateName } from './state-words.ts';

/** How a member of a batch stands. */
export interface MemberState {
  state: StateName;
}

const waits = ({ state }: MemberState): boolean => state === 'proposed' || state === 'shown';
const isUnderWay = ({ state }: MemberState): boolean =>
  state === 'approved' || state === 'intent' || state === 'sent';

const changes = (count: number): string => counted(count, 'change');

/** `49 changes`, and of those that no longer wait how many: `47 of 49 changes wait`. */
export function batchAside(members: readonly MemberState[]): string {
  const waiting = members.filter(waits).length;
  const isPartly = waiting > 0 && waiting < members.length;
  return isPartly ? `${waiting} of ${changes(members.length)} wait` : changes(members.length);
}

/** What the button approves: those of the listed changes that wait. */
export function approveBatchWords(members: readonly MemberState[]): string {
  const waiting = members.filter(waits).length;
  return waiting === members.length
    ? `Approve ${changes(waiting)}`
    : `Approve ${waiting} of ${changes(members.length)}`;
}

/** How far a batch has been carried out: `12 of 49 have their result`. */
export function batchProgress(members: readonly MemberState[]): string {
  const rested = members.filter((member) => !waits(member) && !isUnderWay(member)).length;
  return `${rested} of ${counted(members.length, 'has its result', 'have their result')}`;
}

/** The tone of the worst result among the members: good only when every one of them is. */
export function batchTone(members: readonly MemberState[]): PillTone {
  const tones = new Set(members.map(({ state }) => stateWords[state].tone));
  const worst = (['bad', 'waiting', 'busy', 'neutral', 'good'] as const).find((tone) => tones.has(tone));
  return worst ?? 'neutral';
}

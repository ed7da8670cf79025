import type { PanicSet } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { counted } from '#shared/lib/counted.ts';
import { quoted } from '#shared/lib/inert-text.ts';
import type { PreparedPause } from './pause.ts';

/** Whom an emergency stop reaches: agents everywhere, campaigns of one profile. */
export interface Reach {
  /** The profile in front. */
  profile: string;
  /** Other profiles that agents are let into. */
  elsewhere: string[];
}

/** What a person has to know of an emergency stop besides the confirmation of its pause; null when there is nothing. */
export function panicWords(
  { profile, elsewhere }: Reach,
  set: PanicSet,
  { id, locked }: PreparedPause,
): string | null {
  const sentences = [
    ...(id === null && locked.length === 0 ? [nothingRuns(profile, set)] : []),
    ...(locked.length > 0 ? [lockedWords(locked.length)] : []),
    ...(elsewhere.length > 0 ? [elsewhereWords({ profile, elsewhere }, id)] : []),
  ];
  return sentences.length === 0 ? null : ['Agents are frozen everywhere.', ...sentences].join(' ');
}

function nothingRuns(profile: string, { kind }: PanicSet): string {
  const what = kind === 'running' ? 'Nothing' : 'Nothing of the chosen campaigns';
  return `${what} runs in ${quoted(profile)}, so there is nothing to pause.`;
}

function lockedWords(count: number): string {
  return count === 1
    ? 'One campaign that runs has a change under way: its pause is asked for as soon as that is settled.'
    : `${counted(count, 'campaign')} that run have a change under way: their pause is asked for as soon as that is settled.`;
}

function elsewhereWords({ profile, elsewhere }: Reach, id: string | null): string {
  const names = elsewhere.map(quoted);
  const switches = `switch to ${names.join(' or ')} to pause there.`;
  return id === null
    ? `Campaigns of other profiles run on: ${switches}`
    : `The pause is for ${quoted(profile)}; ${switches}`;
}

/** The same failure, in words that say that the freeze stands, and what to do. */
export function frozenStill(failure: AppError): AppError {
  const { code, message, fields, data } = failure;
  return new AppError(code, {
    message: `All agents are frozen. The pause of campaigns was not prepared: ${message} Press Emergency stop again once that is over, or pause them at the service itself.`,
    fields,
    data,
    cause: failure,
  });
}

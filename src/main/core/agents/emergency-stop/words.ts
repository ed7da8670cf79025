import type { NewEntry } from '#core/ledger/index.ts';
import type { CampaignsToPause } from '#shared/app-api/index.ts';
import { AppError, type ErrorCode } from '#shared/errors/index.ts';
import { quoted } from '#shared/lib/inert-text.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';

/** A pause that awaits confirmation; `id` is null if nothing runs besides what is locked. */
export interface PreparedPause {
  id: string | null;
  /** False if a pause of all of it waited already. */
  isNew: boolean;
  campaigns: number;
  /** Campaigns that run, or may run soon, and have a change under way: they are not in it. */
  locked: readonly number[];
}

/** The reach of an emergency stop: agents everywhere, campaigns of one profile. */
export interface Reach {
  /** The active profile. */
  profile: string;
  /** Other profiles that agents may use. */
  elsewhere: string[];
}

/** The message about an emergency stop besides the confirmation of its pause; null if there is none. */
export function emergencyStopWords(
  { profile, elsewhere }: Reach,
  set: CampaignsToPause,
  { id, locked }: PreparedPause,
  formats: Formats,
): string | null {
  const sentences = [
    ...(id === null && locked.length === 0 ? [nothingRuns(profile, set)] : []),
    ...(locked.length > 0 ? [lockedWords(locked.length, formats)] : []),
    ...(elsewhere.length > 0 ? [elsewhereWords({ profile, elsewhere }, id)] : []),
  ];
  return sentences.length === 0 ? null : ['Agents are frozen everywhere.', ...sentences].join(' ');
}

function nothingRuns(profile: string, { kind }: CampaignsToPause): string {
  const what = kind === 'running' ? 'Nothing' : 'None of the chosen campaigns';
  return `${what} runs in ${quoted(profile)}, so there is nothing to pause.`;
}

function lockedWords(count: number, formats: Formats): string {
  return count === 1
    ? 'One campaign has a change in progress: if it runs when that settles, its pause will be proposed.'
    : `${formats.counted(count, 'campaign')} have a change in progress: a pause of those that run when it settles will be proposed.`;
}

function elsewhereWords({ profile, elsewhere }: Reach, id: string | null): string {
  const names = elsewhere.map(quoted);
  const switches = `switch to ${names.join(' or ')} to pause there.`;
  return id === null
    ? `Campaigns of other profiles keep running: ${switches}`
    : `The pause is for ${quoted(profile)}; ${switches}`;
}

/** The same failure, in words that say that the freeze stands, and what to do. */
export function frozenStill(failure: AppError): AppError {
  const { code, message, fields, data } = failure;
  return new AppError(code, {
    message: sentence`All agents are frozen. The pause of campaigns was not prepared: ${ownWords(message)} Press Emergency stop again once that is over, or pause them at the service itself.`,
    fields,
    data,
    cause: failure,
  });
}

/** The outcome of preparing the pause: it waits, no campaign ran, or it could not be prepared. */
export type PauseResult = { kind: 'prepared'; pause: PreparedPause } | { kind: 'failed'; code: ErrorCode };

/** The ledger row of an emergency stop; the freeze before it has a row of its own. */
export function emergencyStopEntry(
  from: { profileId: string; set: CampaignsToPause },
  result: PauseResult,
  formats: Formats,
): NewEntry {
  const body = { profile: from.profileId, set: from.set };
  const entry = { kind: 'emergency-stop.started', proposalId: null, actor: 'You', via: null };
  if (result.kind === 'failed') {
    const summary = sentence`Emergency stop: agents are frozen, the pause of campaigns was not prepared`;
    return { ...entry, summary, body: { ...body, failure: result.code } };
  }
  const { id, campaigns, locked } = result.pause;
  return {
    ...entry,
    proposalId: id,
    summary: sentence`Emergency stop: agents are frozen, ${ownWords(id === null ? without(locked.length, formats) : `a pause of ${formats.counted(campaigns, 'campaign')} waits`)}`,
    body: { ...body, campaigns, skipped: locked.length },
  };
}

/** The row of a pause of what an emergency stop had left out, because a change of it was under way. */
export function followUpEntry(
  profileId: string,
  { id, campaigns }: PreparedPause,
  formats: Formats,
): NewEntry {
  return {
    kind: 'emergency-stop.started',
    proposalId: id,
    actor: 'Countersign',
    via: null,
    summary: sentence`Emergency stop: a pause of ${ownWords(formats.counted(campaigns, 'campaign'))} waits, whose change was under way before`,
    body: { profile: profileId, campaigns },
  };
}

function without(locked: number, formats: Formats): string {
  return locked === 0
    ? 'nothing was left to pause'
    : `${formats.counted(locked, 'campaign')} could not be paused yet: a change is under way`;
}

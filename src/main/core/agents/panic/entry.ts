import type { NewEntry } from '#core/ledger/index.ts';
import type { PanicSet } from '#shared/app-api/index.ts';
import type { ErrorCode } from '#shared/errors/index.ts';
import { counted } from '#shared/lib/counted.ts';
import type { PreparedPause } from './pause.ts';

/** What became of the pause: it waits, nothing ran, or it could not be prepared. */
export type PanicResult = { kind: 'prepared'; pause: PreparedPause } | { kind: 'failed'; code: ErrorCode };

/** The ledger row of an emergency stop; the freeze before it has a row of its own. */
export function panicEntry(from: { profileId: string; set: PanicSet }, result: PanicResult): NewEntry {
  const body = { profile: from.profileId, set: from.set };
  const entry = { kind: 'panic.started', proposalId: null, actor: 'You', via: null };
  if (result.kind === 'failed') {
    const summary = 'Emergency stop: agents are frozen, the pause of campaigns was not prepared';
    return { ...entry, summary, body: { ...body, failure: result.code } };
  }
  const { id, campaigns, locked } = result.pause;
  return {
    ...entry,
    proposalId: id,
    summary: `Emergency stop: agents are frozen, ${id === null ? without(locked.length) : `a pause of ${counted(campaigns, 'campaign')} waits`}`,
    body: { ...body, campaigns, skipped: locked.length },
  };
}

/** The row of a pause of what an emergency stop had left out, because a change of it was under way. */
export function followUpEntry(profileId: string, { id, campaigns }: PreparedPause): NewEntry {
  return {
    kind: 'panic.started',
    proposalId: id,
    actor: 'Countersign',
    via: null,
    summary: `Emergency stop: a pause of ${counted(campaigns, 'campaign')} waits, whose change was under way before`,
    body: { profile: profileId, campaigns },
  };
}

function without(locked: number): string {
  return locked === 0
    ? 'nothing was left to pause'
    : `${counted(locked, 'campaign')} could not be paused yet: a change is under way`;
}

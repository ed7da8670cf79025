import type { AppError, ErrorCode } from '#shared/errors/index.ts';

const askThePerson = 'Ask the person who runs Countersign: the app says what to do about it.';
const later = 'Try again later.';

/** What an agent can do next where the catalogue speaks to a person in front of the app. */
const forAgents: Readonly<Partial<Record<ErrorCode, string>>> = {
  agent_ended: 'Connect again, and prepare the change again if it is still wanted.',
  agent_unknown: askThePerson,
  credential_missing: askThePerson,
  disk_full: askThePerson,
  disk_read_only: askThePerson,
  internal: askThePerson,
  ledger_broken: askThePerson,
  live_on_desktop_only: askThePerson,
  profile_unknown: askThePerson,
  profile_changed: 'Read the current state, and call it again if it is still wanted.',
  proposal_not_found: 'Check the id: only your own proposals can be asked for.',
  protocol_failed: askThePerson,
  scope_needed: askThePerson,
  service_unavailable: later,
  service_unreachable: later,
  sign_in_needed: askThePerson,
  storage_failed: askThePerson,
  too_many_waiting: 'Wait until a person has decided on some of them; do not repeat the call at once.',
  unauthenticated: askThePerson,
  wrong_host: askThePerson,
};

/** What an agent can do next after this failure, in a sentence. */
export function nextForAgent({ code, next }: Pick<AppError, 'code' | 'next'>): string {
  return forAgents[code] ?? next;
}

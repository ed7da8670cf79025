import type { NewEntry } from '#core/ledger/index.ts';
import type { Admission } from '#core/proposals/index.ts';
import type { AgentEnd, StoredAgent } from '#core/store/app/index.ts';
import type { AgentView, ProfileView } from '#shared/app-api/index.ts';
import { assertNever } from '#shared/lib/assert-never.ts';
import { ownWords, quotedUpTo, sentence } from '#shared/lib/sentence.ts';

/** The stored agent that an admission becomes. */
export function agentOf(
  admission: Admission,
  { profileId, atMs }: { profileId: string; atMs: number },
): StoredAgent {
  const { agentId, clientId, name, redirectHost, scopes } = admission;
  return {
    id: agentId,
    clientId,
    name,
    redirectHost,
    profileId,
    scopes,
    admittedAtMs: atMs,
    grantId: null,
    lastSeenAtMs: null,
    endedAtMs: null,
    endedBecause: null,
  };
}

/** A stored agent as the Agents page shows it. */
export function agentView(
  agent: StoredAgent,
  profile: ProfileView | null,
): Omit<AgentView, 'connected' | 'repeatedRefreshes' | 'tally'> {
  const { id, name, redirectHost, scopes, admittedAtMs, lastSeenAtMs, endedAtMs, endedBecause } = agent;
  return {
    id,
    name,
    redirectHost,
    profile,
    scopes: [...scopes],
    sinceMs: admittedAtMs,
    lastSeenMs: lastSeenAtMs,
    ended: endedAtMs === null || endedBecause === null ? null : { atMs: endedAtMs, because: endedBecause },
  };
}

/** Maximum length of an agent's name in a row, in code points. */
const maxNameLength = 300;

/** The ledger row of an agent that the user has admitted. The decision itself is in the rows of its proposal. */
export function admittedEntry(agent: StoredAgent): NewEntry {
  return {
    kind: 'agent.admitted',
    proposalId: null,
    actor: 'You',
    via: null,
    summary: sentence`Admitted: ${quotedUpTo(agent.name, maxNameLength)}`,
    body: facts(agent),
  };
}

/** The ledger row of an agent that is no longer admitted. */
export function endedEntry(agent: StoredAgent, because: AgentEnd): NewEntry {
  return {
    kind: 'agent.ended',
    proposalId: null,
    actor: because === 'revoked' ? 'You' : 'Countersign',
    via: null,
    summary: sentence`Access ended: ${quotedUpTo(agent.name, maxNameLength)}, ${ownWords(becauseInWords(because))}`,
    body: { ...facts(agent), because },
  };
}

/** The agent's identity and rights; no token, no code. */
function facts({ id, clientId, name, redirectHost, profileId, scopes }: StoredAgent): NewEntry['body'] {
  return { agent: id, client: clientId, name, redirectHost, profile: profileId, scopes: [...scopes] };
}

function becauseInWords(because: AgentEnd): string {
  switch (because) {
    case 'revoked':
      return 'because you revoked it';
    case 'replaced':
      return 'because it was admitted again';
    case 'signed-out':
      return 'because its grant ended';
    case 'restored':
      return 'because a backup was restored';
    case 'profile-removed':
      return 'because its profile is gone or has other addresses';
    default:
      return assertNever(because);
  }
}

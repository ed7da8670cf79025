import { expect, test } from 'vitest';
import { createAgents, type Agents } from '#core/agents/index.ts';
import { createIds } from '#core/platform/ids.ts';
import { silentLogger } from '#core/platform/logger.ts';
import { openAppStore, type AppStore } from '#core/store/app/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { NewEntry } from '#core/ledger/index.ts';
import { onTestFinished } from 'vitest';
import { createManualClock } from '#test/servers/manual-clock.ts';
import { proposalStates } from '#shared/app-api/index.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { exampleStored } from '../store/app/stored-proposal.ts';

const demo = { id: 'demo', name: 'Northwind Media', kind: 'demo', account: '1', zone: 'UTC' } as const;

function openAgents() {
  const clock = createManualClock(1_000_000);
  const store = openAppStore({ folder: tempFolder(), clock, logger: silentLogger });
  onTestFinished(() => store.dispose());
  const entries: NewEntry[] = [];
  const profiles = new Set(['demo', 'live-1']);
  let takesRows = true;
  const ids = createIds(clock.nowMs);
  const agents = createAgents({
    store,
    ledger: {
      append(entry) {
        if (!takesRows) throw new AppError('ledger_broken');
        entries.push(entry);
        return { seq: entries.length, hash: '' };
      },
    },
    profiles: {
      get(id) {
        if (!profiles.has(id)) throw new AppError('profile_unknown');
        const addresses = { baseUrl: '', apiUrl: '', mcpUrl: '' };
        return { ...demo, id, addresses, remoteAccess: 'oauth' };
      },
    },
    clock,
    logger: silentLogger,
    onChange: () => {},
  });
  const ended: string[] = [];
  agents.onEnded(({ id }) => void ended.push(id));
  return {
    agents,
    store,
    clock,
    entries,
    ended,
    profiles,
    breakLedger: () => void (takesRows = false),
    admit(clientId = 'client', profileId = 'demo') {
      const agentId = ids.id();
      clock.advance(1);
      agents.admissions.admit(admissionOf(agentId, clientId), profileId);
      return agentId;
    },
  };
}

const admissionOf = (agentId: string, clientId: string) => ({
  agentId,
  clientId,
  name: 'Codex',
  redirectHost: 'localhost',
  scopes: ['svc:read'],
  renews: true,
  words: 'brisk otter',
});

const endsOf = (agents: Agents) => agents.list(new Set()).map(({ ended }) => ended?.because ?? null);
const grantOf = (store: AppStore, id: string) => store.agents.find(id)?.grantId;

test('an agent is admitted once, with one ledger row', () => {
  const { agents, admit, entries } = openAgents();
  const id = admit();
  agents.admissions.admit(admissionOf(id, 'client'), 'demo');
  expect(agents.admissions.isAdmitted(id)).toBe(true);
  expect(agents.living(id)).toMatchObject({ name: 'Codex', profileId: 'demo', grantId: null });
  expect(entries.map(({ kind }) => kind)).toEqual(['agent.admitted']);
  expect(entries[0]?.body).toMatchObject({ agent: id, profile: 'demo', scopes: ['svc:read'] });
});

test('an agent is listed as admitted until it ends', () => {
  const { agents, admit } = openAgents();
  const id = admit();
  expect(agents.admissions.allowed()).toMatchObject([{ clientId: 'client', name: 'Codex' }]);
  agents.end(id, 'revoked');
  expect(agents.admissions.allowed()).toEqual([]);
});

test('each request of an agent is counted once, by its result', () => {
  const { admit, store } = openAgents();
  const agentId = admit();
  const proposedBy = { kind: 'agent', name: 'Agent', sinceMs: null, agentId } as const;
  for (const [at, state] of proposalStates.entries())
    store.proposals.insert(exampleStored({ id: `p${at}`, state, nonce: `n${at}`, proposedBy }));
  const { asked, ...outcomes } = store.agents.tally(agentId);
  expect(asked).toBe(proposalStates.length);
  expect(outcomes).toMatchObject({ denied: 1, withdrawn: 1, outdated: 1, waiting: 2 });
  expect(Object.values(outcomes).reduce((sum, count) => sum + count, 0)).toBe(asked);
});

test('an agent that cannot be recorded is not admitted', () => {
  const { agents, admit, breakLedger } = openAgents();
  breakLedger();
  expect(() => admit()).toThrow(AppError);
  expect(agents.list(new Set())).toEqual([]);
});

test('a client is one agent within a profile and another agent in another profile', () => {
  const { agents, admit, ended } = openAgents();
  const first = admit();
  const elsewhere = admit('client', 'live-1');
  const other = admit('other client');
  const second = admit();
  expect(ended).toEqual([first]);
  expect(agents.list(new Set([second])).map(({ id, connected }) => [id, connected])).toEqual([
    [second, true],
    [other, false],
    [elsewhere, false],
    [first, false],
  ]);
});

test('an agent counts as connected while it has an open connection and for five minutes after a call', () => {
  const { agents, admit, clock } = openAgents();
  const id = admit();
  expect([...agents.connected(new Set())]).toEqual([]);
  agents.seen(id, 'grant');
  clock.advance(5 * 60_000 - 1);
  expect([...agents.connected(new Set())]).toEqual([id]);
  clock.advance(1);
  expect([...agents.connected(new Set())]).toEqual([]);
  expect([...agents.connected(new Set([id, 'another']))]).toEqual([id]);
  agents.end(id, 'revoked');
  expect([...agents.connected(new Set([id]))]).toEqual([]);
});

test('an agent’s calls are recorded once a minute, and a call with another grant immediately', () => {
  const { agents, admit, store, clock } = openAgents();
  const id = admit();
  const lastSeen = () => store.agents.find(id)?.lastSeenAtMs;
  agents.seen(id, 'grant 1');
  const first = lastSeen();
  clock.advance(59_000);
  agents.seen(id, 'grant 1');
  expect(lastSeen()).toBe(first);
  clock.advance(1_000);
  agents.seen(id, 'grant 1');
  expect(lastSeen()).toBe((first ?? 0) + 60_000);
  agents.seen(id, 'grant 2');
  expect(grantOf(store, id)).toBe('grant 2');
});

test('an agent ends only once, and listeners are notified after the ledger row', () => {
  const { agents, admit, entries, ended } = openAgents();
  const id = admit();
  agents.seen(id, 'grant');
  agents.endOfGrant('another grant');
  expect(agents.living(id)).not.toBeNull();
  agents.endOfGrant('grant');
  agents.end(id, 'revoked');
  agents.endOfGrant('grant');
  expect(agents.living(id)).toBeNull();
  expect(ended).toEqual([id]);
  expect(entries.map(({ kind, actor }) => `${kind} ${actor}`)).toEqual([
    'agent.admitted You',
    'agent.ended Countersign',
  ]);
  expect(() => agents.end('nobody', 'revoked')).toThrow(AppError);
});

test('the agents of a profile end with the profile, and an agent without a profile has no access', () => {
  const { agents, admit, profiles } = openAgents();
  const here = admit();
  const there = admit('client', 'live-1');
  profiles.delete('live-1');
  expect(agents.living(there)).toBeNull();
  expect(agents.list(new Set()).find(({ id }) => id === there)?.profile).toBeNull();
  agents.endOfProfile('live-1');
  expect(endsOf(agents)).toEqual([null, 'profile-removed']);
  expect(agents.living(here)).not.toBeNull();
});

test('an admitted agent that never fetched its grant is ended, and an agent that fetched it stays', () => {
  const { agents, admit } = openAgents();
  const came = admit();
  admit('other client');
  agents.seen(came, 'grant');
  agents.endUnclaimed();
  expect(endsOf(agents)).toEqual([null, 'signed-out']);
});

test('every agent has to be admitted again when the endpoint moves to another address', () => {
  const { agents, admit } = openAgents();
  admit();
  admit('other client');
  agents.endAll();
  expect(endsOf(agents)).toEqual(['signed-out', 'signed-out']);
});

import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#core/platform/clock.ts';
import { silentLogger } from '#core/platform/logger.ts';
import { openAppStore, type AgentCall, type AppStore } from '#core/store/app/index.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { exampleStored } from './stored-proposal.ts';

const example = exampleStored();
const call: AgentCall = {
  proposalId: example.id,
  agentId: 'agent-1',
  sessionId: 'session-1',
  idempotencyKey: 'key',
  requestHash: 'hash',
  receiptAtMs: null,
  answer: null,
};

function open(folder = tempFolder()): AppStore {
  const store = openAppStore({ folder, clock: systemClock, logger: silentLogger });
  onTestFinished(() => store.dispose());
  store.proposals.insert(example);
  return store;
}

test('a stored call is read back unchanged, with its first receipt and its answer', () => {
  const { agentCalls } = open();
  agentCalls.insert(call);
  expect(agentCalls.find(example.id)).toEqual(call);
  agentCalls.giveReceipt(example.id, 5);
  agentCalls.giveReceipt(example.id, 9);
  agentCalls.answer(example.id, '{"content":[]}');
  const reported = { ...call, receiptAtMs: 5, answer: '{"content":[]}' };
  expect(agentCalls.find(example.id)).toEqual(reported);
  expect(agentCalls.byKey('agent-1', 'key')).toEqual(reported);
  expect(agentCalls.find('nobody')).toBeNull();
});

test('an answer stored as JSON text by an earlier build can be read', () => {
  const folder = tempFolder();
  const { agentCalls } = open(folder);
  agentCalls.insert(call);
  const db = new BetterSqlite3(join(folder, 'countersign.sqlite'));
  db.prepare('UPDATE agent_call SET answer = ?').run('{"content":[]}');
  db.close();
  expect(agentCalls.find(example.id)?.answer).toBe('{"content":[]}');
});

test('a key belongs to one call of one agent, and calls without a key are unlimited', () => {
  const { agentCalls, proposals } = open();
  const others = ['01x', '01y', '01z'].map((id) => ({ ...example, id, fingerprint: id }));
  for (const other of others) proposals.insert(other);
  agentCalls.insert(call);
  expect(() => agentCalls.insert({ ...call, proposalId: '01x' })).toThrow(/UNIQUE/);
  agentCalls.insert({ ...call, proposalId: '01x', agentId: 'agent-2' });
  agentCalls.insert({ ...call, proposalId: '01y', idempotencyKey: null });
  agentCalls.insert({ ...call, proposalId: '01z', idempotencyKey: null });
  expect(agentCalls.byKey('agent-2', 'key')?.proposalId).toBe('01x');
  expect(agentCalls.byKey('agent-3', 'key')).toBeNull();
});

test('only calls whose proposals are undecided count as undecided', () => {
  const { agentCalls, proposals } = open();
  agentCalls.insert(call);
  expect(agentCalls.undecided()).toEqual([call]);
  proposals.update({ ...example, state: 'withdrawn' }, example.state);
  expect(agentCalls.undecided()).toEqual([]);
});

test('a prepared change is visible to its own agent only, and is deleted once expired', () => {
  const { agentCalls } = open();
  const change = { agentId: 'agent-1', approvalId: 'a', tool: 'svc_prepare_x', body: '{}', expiresAtMs: 100 };
  agentCalls.savePrepared(change, 50);
  expect(agentCalls.prepared('agent-1', 'a')).toEqual(change);
  expect(agentCalls.prepared('agent-2', 'a')).toBeNull();
  agentCalls.savePrepared({ ...change, approvalId: 'b', expiresAtMs: 200 }, 100);
  expect(agentCalls.prepared('agent-1', 'a')).toBeNull();
  expect(agentCalls.prepared('agent-1', 'b')).not.toBeNull();
});

test('of more than two hundred prepared changes of an agent, those that expire first are deleted', () => {
  const { agentCalls } = open();
  const change = { agentId: 'agent-1', tool: 'svc_prepare_x', body: '{}' };
  agentCalls.savePrepared({ ...change, agentId: 'agent-2', approvalId: 'other', expiresAtMs: 100 }, 50);
  for (let n = 1; n <= 201; n += 1) {
    agentCalls.savePrepared({ ...change, approvalId: `a${n}`, expiresAtMs: 1_000 - n }, 50);
  }
  expect(agentCalls.prepared('agent-1', 'a201')).not.toBeNull();
  expect(agentCalls.prepared('agent-1', 'a200')).toBeNull();
  expect(agentCalls.prepared('agent-1', 'a199')).not.toBeNull();
  expect(agentCalls.prepared('agent-2', 'other')).not.toBeNull();
});

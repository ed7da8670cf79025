import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { createAnnouncing } from '#core/proposals/confirmation/displays.ts';
import type { StoredProposal } from '#core/store/app/index.ts';
import { exampleStored } from '#test/core/store/app/stored-proposal.ts';

let waiting: StoredProposal[];
let announced: string[];
let shown: Set<string>;
let refused: Set<string>;
let batched: Set<string>;
let announcing: ReturnType<typeof createAnnouncing>;

function begin(): void {
  announcing = createAnnouncing({
    proposals: {
      findListed: (id) => waiting.find((proposal) => proposal.id === id) ?? null,
      undecided: () => waiting,
      openBatchOf: (id) => (batched.has(id) ? 'batch' : null),
    },
    isShown: (id) => shown.has(id),
    announce(id) {
      if (refused.has(id)) return false;
      announced.push(id);
      return true;
    },
  });
  onTestFinished(() => announcing.dispose());
}

beforeEach(() => {
  waiting = [];
  announced = [];
  shown = new Set();
  refused = new Set();
  batched = new Set();
  begin();
});

const agent = { kind: 'agent', name: 'Claude Code', sinceMs: 1, agentId: 'a1' } as const;
const person = { kind: 'person', name: 'You', sinceMs: null, agentId: null } as const;

/** Adds new proposals and gives the core time to react. */
async function arrive(...proposals: (Partial<StoredProposal> & { id: string })[]): Promise<void> {
  for (const change of proposals) {
    waiting.push(exampleStored({ proposedBy: agent, rebase: null, ...change }));
    announcing.look();
  }
  await moment();
}

async function decide(id: string): Promise<void> {
  waiting = waiting.filter((proposal) => proposal.id !== id);
  announcing.look();
  await moment();
}

const moment = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

test('proposals of agents are announced one at a time, oldest first', async () => {
  await arrive({ id: 'p1' }, { id: 'p2' });
  await arrive({ id: 'p3' });
  expect(announced).toEqual(['p1']);
  await decide('p1');
  expect(announced).toEqual(['p1', 'p2']);
  await decide('p3');
  await decide('p2');
  expect(announced).toEqual(['p1', 'p2']);
});

test('two hundred proposals that arrive at once open one confirmation', async () => {
  await arrive(...Array.from({ length: 200 }, (_, index) => ({ id: `p${index}` })));
  expect(announced).toEqual(['p0']);
});

test('proposals of a person, and outdated changes, are not announced', async () => {
  const rebase = { of: 'p0', round: 1, moved: [], volatile: [] };
  await arrive({ id: 'p1', proposedBy: person }, { id: 'p2', rebase });
  expect(announced).toEqual([]);
});

test('the admission of an unknown agent is announced', async () => {
  await arrive({ id: 'p1', operation: 'agent.admit', proposedBy: { ...agent, agentId: null } });
  expect(announced).toEqual(['p1']);
});

test('a proposal that a person already looks at is not shown again, and the next proposal waits for it', async () => {
  shown.add('p1');
  await arrive({ id: 'p1' }, { id: 'p2' });
  expect(announced).toEqual([]);
  await decide('p1');
  expect(announced).toEqual(['p2']);
});

test('a dismissed proposal stays in the list and a new proposal is announced', async () => {
  await arrive({ id: 'p1' }, { id: 'p2' });
  announcing.postpone();
  announcing.look();
  await moment();
  expect(announced).toEqual(['p1']);
  await arrive({ id: 'p3' });
  expect(announced).toEqual(['p1', 'p3']);
});

test('a proposal that waited before the start is not announced', async () => {
  await arrive({ id: 'p1' });
  begin();
  announced = [];
  await arrive({ id: 'p2' });
  expect(announced).toEqual(['p2']);
});

test('a member of a batch is announced only when the batch has ended undecided', async () => {
  batched.add('p1');
  await arrive({ id: 'p1' });
  expect(announced).toEqual([]);
  batched.clear();
  announcing.look();
  await moment();
  expect(announced).toEqual(['p1']);
});

test('a proposal that cannot be shown does not keep the next proposal from being announced', async () => {
  refused.add('p1');
  await arrive({ id: 'p1' }, { id: 'p2' });
  expect(announced).toEqual(['p2']);
});

test('nothing is announced after the announcer was disposed', async () => {
  waiting.push(exampleStored({ id: 'p1', proposedBy: agent, rebase: null }));
  announcing.look();
  announcing.dispose();
  announcing.look();
  await moment();
  expect(announced).toEqual([]);
});

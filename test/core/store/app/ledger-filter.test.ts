import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock as clock } from '#core/platform/clock.ts';
import { silentLogger as logger } from '#core/platform/logger.ts';
import { openAppStore, type AppStore, type LedgerRow } from '#core/store/app/index.ts';
import { conditionOf } from '#core/store/app/ledger-rows.ts';
import { everyRow, type LedgerFilter } from '#shared/app-api/index.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { exampleStored } from './stored-proposal.ts';

function openStore(folder = tempFolder()): AppStore {
  const store = openAppStore({ folder, clock, logger });
  onTestFinished(() => store.dispose());
  return store;
}

const row = (seq: number, rest: Partial<LedgerRow>): LedgerRow => ({
  seq,
  atMs: seq * 1_000,
  kind: 'proposal.proposed',
  proposalId: null,
  actor: 'You',
  via: null,
  summary: `Row ${seq}`,
  body: '{}',
  previousHash: `hash ${seq - 1}`,
  hash: `hash ${seq}`,
  keyId: 'key',
  signature: 'signature',
  ...rest,
});

/** Two proposals of an agent and one of a person, the agent's admission and end, a key, and an edited row. */
const rows: LedgerRow[] = [
  row(1, { kind: 'key.introduced' }),
  row(2, { kind: 'agent.admitted', body: '{"agent":"a1"}' }),
  row(3, { proposalId: 'p1', body: '{"agent":"a1"}' }),
  row(4, { proposalId: 'p2' }),
  row(5, { kind: 'write.verified', proposalId: 'p1', body: '{"agent":"a1"}' }),
  row(6, { proposalId: 'p3', body: '{"agent":"a1"}' }),
  row(7, { kind: 'agent.revoked', body: '{"agent":"a2"}' }),
  row(8, { kind: 'write.verified', proposalId: 'p2' }),
  row(9, { kind: 'agents', body: 'no JSON {' }),
];

function filledStore(folder?: string): AppStore {
  const store = openStore(folder);
  store.proposals.insert(exampleStored({ id: 'p1', targets: [1042, 1043] }));
  store.proposals.insert(exampleStored({ id: 'p2', targets: [1043] }));
  store.proposals.insert(exampleStored({ id: 'p3', targets: [7] }));
  for (const one of rows) store.ledger.append(one);
  return store;
}

describe('the ledger can be read', () => {
  test.each<[string, Partial<LedgerFilter>, number[]]>([
    ['whole', {}, [9, 8, 7, 6, 5, 4, 3, 2, 1]],
    ['for one proposal', { proposalId: 'p1' }, [5, 3]],
    ['for one agent and its proposals', { agentId: 'a1' }, [6, 5, 3, 2]],
    ['for an agent that only disconnected', { agentId: 'a2' }, [7]],
    ['for an unknown agent', { agentId: 'a3' }, []],
    ['for sent writes', { about: 'write' }, [8, 5]],
    ['for agents as a subject', { about: 'agent' }, [7, 2]],
    ['for no subject by half of its name', { about: 'writ' }, []],
    ['for one campaign', { cid: 1043 }, [8, 5, 4, 3]],
    ['for a campaign without rows', { cid: 1044 }, []],
    ['from a moment on', { fromMs: 8_000 }, [9, 8]],
    ['until a moment, excluding that moment', { untilMs: 3_000 }, [2, 1]],
    ['between two moments', { fromMs: 3_000, untilMs: 5_000 }, [4, 3]],
    ['for one agent’s writes to one campaign', { agentId: 'a1', about: 'write', cid: 1042 }, [5]],
    [
      'with every filter at once',
      { proposalId: 'p1', agentId: 'a1', about: 'proposal', cid: 1043, fromMs: 1, untilMs: 9_000 },
      [3],
    ],
    ['for a text that looks like SQL', { agentId: "a1' OR '1'='1", about: '%' }, []],
  ])('%s', (_, filter, seqs) => {
    const { ledger } = filledStore();
    const query = { filter: { ...everyRow, ...filter }, limit: 100 };
    const page = ledger.page({ ...query, beforeSeq: null });
    expect(page.rows.map(({ seq }) => seq)).toEqual(seqs);
    expect(page.total).toBe(seqs.length);
    expect(ledger.page({ ...query, beforeSeq: 5 })).toMatchObject({
      rows: rows.filter(({ seq }) => seq < 5 && seqs.includes(seq)).toReversed(),
      total: seqs.length,
    });
    const part = ledger.part({ ...query, afterSeq: 2, untilSeq: 6 }).map(({ seq }) => seq);
    expect(part).toEqual(seqs.toReversed().filter((seq) => seq > 2 && seq <= 6));
    expect(ledger.countUntil(6, query.filter)).toBe(seqs.filter((seq) => seq <= 6).length);
  });

  test('page by page', () => {
    const { ledger } = filledStore();
    const page = (beforeSeq: number | null) =>
      ledger.page({ beforeSeq, limit: 2, filter: { ...everyRow, agentId: 'a1' } });
    expect(page(null).rows.map(({ seq }) => seq)).toEqual([6, 5]);
    expect(page(5).rows.map(({ seq }) => seq)).toEqual([3, 2]);
    expect(page(2).rows).toEqual([]);
  });

  test('through indexes, without reading every row', () => {
    const folder = tempFolder();
    filledStore(folder);
    const file = new BetterSqlite3(join(folder, 'countersign.sqlite'), { readonly: true });
    onTestFinished(() => void file.close());
    const filters = [{ proposalId: 'p' }, { agentId: 'a' }, { about: 'write' }, { cid: 7 }, { fromMs: 7 }];
    for (const filter of filters) {
      const { where, values } = conditionOf({ ...everyRow, ...filter }, {});
      const plan = file.prepare<[typeof values], { detail: string }>(
        `EXPLAIN QUERY PLAN SELECT count(*) FROM ledger ${where}`,
      );
      const details = plan.all(values).map(({ detail }) => detail);
      expect(details, JSON.stringify(filter)).toContainEqual(expect.stringContaining('SEARCH ledger USING'));
    }
  });
});

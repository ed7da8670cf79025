import fc from 'fast-check';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { systemClock as clock } from '#core/platform/clock.ts';
import { silentLogger as logger } from '#core/platform/logger.ts';
import { latestId, successorsOf } from '#core/proposals/operations/stored-proposals.ts';
import { type AppStore, openAppStore, type StoredProposal } from '#core/store/app/index.ts';
import { changeFile } from '#test/servers/stored-rows.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { runs } from '#test/setup/property-runs.ts';
import { exampleStored } from './stored-proposal.ts';

const undoes = (id: string): StoredProposal['undoes'] => ({ id, skipped: [] });

function batchOf(id: string, members: readonly string[], state: StoredProposal['state']): StoredProposal {
  const payload = JSON.stringify({
    equally: 'Pause',
    members: members.map((member) => ({ id: member, fingerprint: 'f' })),
    skipped: [],
  });
  return exampleStored({ id, operation: 'batch', payload, state });
}

const ended = (id: string, more: Partial<StoredProposal>): StoredProposal =>
  exampleStored({ id, state: 'expired', ...more });

async function folderWith(proposals: readonly StoredProposal[]): Promise<string> {
  const folder = tempFolder();
  const store = openAppStore({ folder, clock, logger });
  store.transaction(() => proposals.forEach((proposal) => store.proposals.insert(proposal)));
  await store.dispose();
  return folder;
}

describe('a start is refused with the ids and number of the contradicting rows if', () => {
  test.each<[string, StoredProposal[], string]>([
    [
      'two proposals replace each other',
      [ended('a', { replacedBy: 'b' }), ended('b', { replacedBy: 'a' })],
      '1 time: the proposals “a” and “b” replace each other',
    ],
    ['a proposal replaces itself', [ended('a', { replacedBy: 'a' })], '1 time: the proposals “a” and “a”'],
    [
      'a chain of successors leads into two circles',
      [
        ...['1a', 'ab', 'bc', 'ca'].map(([id = '', to = '']) => ended(id, { replacedBy: to })),
        ...['2x', 'xy', 'yx'].map(([id = '', to = '']) => ended(id, { replacedBy: to })),
      ],
      '2 times: ',
    ],
    [
      'two proposals undo each other',
      [ended('a', { undoes: undoes('b') }), ended('b', { undoes: undoes('a') })],
      'the proposals “a” and “b” undo each other',
    ],
    [
      'a replaced proposal is open',
      [exampleStored({ id: 'a', state: 'approved', replacedBy: 'b' }), ended('b', {})],
      'the proposal “a” is open, and “b” replaces it',
    ],
    ['a batch contains itself', [batchOf('a', ['a'], 'denied')], 'the batch “a” lists the batch “a”'],
    [
      'two batches contain each other',
      [batchOf('a', ['b'], 'done'), batchOf('b', ['a'], 'done')],
      '2 times: the batch',
    ],
    [
      'two open batches contain one proposal',
      [exampleStored({ id: 'a' }), batchOf('b', ['a'], 'proposed'), batchOf('c', ['a'], 'shown')],
      'the proposal “a” is in the open batch “b” and in another one',
    ],
    [
      'ids look like words',
      [ended('a” Approved', { replacedBy: 'a” Approved' })],
      `“a" Approved” replace each other`,
    ],
  ])('%s', async (_what, proposals, words) => {
    const folder = await folderWith(proposals);
    const refusal: unknown = expect.objectContaining({
      code: 'rows_contradict',
      message: expect.stringContaining(words) as unknown,
    });
    expect(() => openAppStore({ folder, clock, logger })).toThrow(refusal);
  });

  test('a row refers to a missing row', async () => {
    const folder = await folderWith([exampleStored({ id: 'a' })]);
    changeFile(join(folder, 'countersign.sqlite'), (db) => {
      db.pragma('foreign_keys = OFF');
      db.exec("DELETE FROM proposal WHERE id = 'a'");
    });
    expect(() => openAppStore({ folder, clock, logger })).toThrow(
      'a row of proposal_target names a row of proposal that is absent',
    );
  });
});

test('consistent rows are accepted: chains of successors, undos of undos, ended batches, and unreadable rows', async () => {
  const folder = await folderWith([
    ended('a', { replacedBy: 'b' }),
    exampleStored({ id: 'b', state: 'stale', replacedBy: 'c' }),
    exampleStored({ id: 'c', undoes: undoes('a') }),
    exampleStored({ id: 'd', state: 'denied', undoes: undoes('c') }),
    batchOf('e', ['b'], 'done'),
    batchOf('f', ['b', 'c'], 'proposed'),
    ended('g', {}),
    batchOf('h', ['c'], 'expired'),
  ]);
  changeFile(
    join(folder, 'countersign.sqlite'),
    "UPDATE proposal SET progress = '{' WHERE id = 'g'; UPDATE proposal SET payload = '{' WHERE id = 'h'",
  );
  const store = openAppStore({ folder, clock, logger });
  expect(latestId(store, 'a')).toBe('c');
  await store.dispose();
});

test('following successors always ends, whatever the links', () => {
  const id = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  const links = fc.dictionary(id, fc.option(id, { nil: null }));
  fc.assert(
    fc.property(links, id, (replacedBy, start) => {
      const findListed = (one: string) =>
        Object.hasOwn(replacedBy, one) ? ended(one, { replacedBy: replacedBy[one] ?? null }) : null;
      const store = { proposals: { findListed } } as unknown as AppStore;
      let met = 0;
      const walk = (): string => {
        for (const _one of successorsOf(store, start)) met += 1;
        return latestId(store, start);
      };
      try {
        const latest = walk();
        expect(findListed(latest)?.replacedBy ?? null).toBeNull();
      } catch (failure) {
        expect(failure).toMatchObject({ code: 'rows_contradict' });
      }
      expect(met).toBeLessThanOrEqual(5);
    }),
    runs(500),
  );
});

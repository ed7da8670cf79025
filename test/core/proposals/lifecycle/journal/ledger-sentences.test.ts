import { describe, expect, test } from 'vitest';
import { everyRow, type LedgerEntry } from '#shared/app-api/index.ts';
import { admitAgent } from '../../admit.ts';
import { changeElsewhere, createWorld, proposeBid, type World } from '../../world.ts';

async function rowsOf({ core }: World, proposalId: string): Promise<LedgerEntry[]> {
  const filter = { ...everyRow, proposalId };
  const { items } = await core.handlers['ledger.list']({ beforeSeq: null, limit: 50, filter });
  return items.toReversed();
}

function verbsOf(rows: readonly LedgerEntry[]): string[] {
  const verbs = rows.map(({ summary }) => summary.slice(0, summary.indexOf(':')));
  // Guards against code identifiers in sentences: a rename of code once reached a sentence.
  expect(verbs.filter((verb) => /\p{Ll}\p{Lu}/u.test(verb))).toEqual([]);
  return verbs;
}

describe('the ledger records what happened', () => {
  test('to a change of a person', async () => {
    const world = await createWorld();
    const { proposal } = await proposeBid(world);
    await world.approve(await world.look(proposal.id));
    expect(verbsOf(await rowsOf(world, proposal.id))).toEqual([
      'Proposed',
      'Shown',
      'Approved',
      'About to send',
      'Sent',
      'Saved and verified',
    ]);
  });

  test('to an admission, which sends nothing', async () => {
    const world = await createWorld();
    await admitAgent(world);
    const { items } = await world.core.handlers['proposals.list']({ which: 'past', before: null, limit: 1 });
    expect(items[0]?.operation).toBe('agent.admit');
    const rows = await rowsOf(world, items[0]?.id ?? '');
    expect(verbsOf(rows)).toEqual(['Asked', 'Shown', 'Approved', 'About to admit', 'Admitting', 'Admitted']);
  });

  test('to a change that Countersign proposes again, without naming a person as its proposer', async () => {
    const world = await createWorld();
    const { proposal, cid } = await proposeBid(world);
    const display = await world.look(proposal.id);
    await changeElsewhere(world, cid, { name: 'Renamed elsewhere' });
    const { again } = await world.approve(display);
    const [first] = await rowsOf(world, again?.proposal.id ?? '');
    expect(first).toMatchObject({
      actor: 'Countersign',
      summary: expect.stringMatching(/^Proposed again on the campaign as it is now: Raise the bid/) as string,
    });
    expect(verbsOf(await rowsOf(world, proposal.id)).at(-1)).toBe('Stopped, because the campaign changed');
  });
});

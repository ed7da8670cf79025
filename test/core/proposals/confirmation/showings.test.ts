import { expect, test } from 'vitest';
import { createShowings, rememberedMs, type Showings } from '#core/proposals/confirmation/showings.ts';
import { createIds } from '#core/platform/ids.ts';
import { silentLogger } from '#core/platform/logger.ts';
import type { StoredProposal } from '#core/store/app/index.ts';
import { createManualClock } from '#test/servers/manual-clock.ts';

const proposal = { id: 'one', fingerprint: 'f'.repeat(64) } as StoredProposal;

test('a hidden showing still says why nothing can be decided, and is forgotten after a minute', () => {
  const clock = createManualClock();
  const hidden: string[] = [];
  const showings: Showings = createShowings({
    clock,
    ids: createIds(clock.nowMs),
    logger: silentLogger,
    hide: (id) => void hidden.push(id),
  });
  const showing = showings.open(proposal);
  showings.hide(proposal.id);
  showings.hide(proposal.id);
  expect(hidden).toEqual([showing.showingId]);
  clock.advance(rememberedMs - 1);
  expect(showings.require(showing)).toBe(showing);

  const next = showings.open(proposal);
  expect(hidden).toEqual([showing.showingId]);
  expect(() => showings.require(showing)).toThrow(expect.objectContaining({ code: 'showing_unknown' }));
  clock.advance(1);
  expect(showings.require(next)).toBe(next);

  showings.hide(proposal.id);
  clock.advance(rememberedMs);
  expect(() => showings.require(next)).toThrow(expect.objectContaining({ code: 'showing_unknown' }));
});

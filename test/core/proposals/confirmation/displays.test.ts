import { expect, test } from 'vitest';
import { createDisplays, rememberedMs, type Displays } from '#core/proposals/confirmation/displays.ts';
import { createIds } from '#core/platform/ids.ts';
import { silentLogger } from '#core/platform/logger.ts';
import type { StoredProposal } from '#core/store/app/index.ts';
import { createManualClock } from '#test/servers/manual-clock.ts';

const proposal = { id: 'one', fingerprint: 'f'.repeat(64) } as StoredProposal;

test('a hidden display still explains why nothing can be decided, and is forgotten after a minute', () => {
  const clock = createManualClock();
  const hidden: string[] = [];
  const displays: Displays = createDisplays({
    clock,
    ids: createIds(clock.nowMs),
    logger: silentLogger,
    hide: (id) => void hidden.push(id),
  });
  const display = displays.open(proposal);
  displays.hide(proposal.id);
  displays.hide(proposal.id);
  expect(hidden).toEqual([display.displayId]);
  clock.advance(rememberedMs - 1);
  expect(displays.require(display)).toBe(display);

  const next = displays.open(proposal);
  expect(hidden).toEqual([display.displayId]);
  expect(() => displays.require(display)).toThrow(expect.objectContaining({ code: 'display_unknown' }));
  clock.advance(1);
  expect(displays.require(next)).toBe(next);

  displays.hide(proposal.id);
  clock.advance(rememberedMs);
  expect(() => displays.require(next)).toThrow(expect.objectContaining({ code: 'display_unknown' }));
});

import { describe, expect, test } from 'vitest';
import { assessUpdate, diffCampaigns, exposureOf } from '#shared/campaign/index.ts';
import { exampleContext } from '#test/fixtures/campaign.ts';
import { harmlessChanges, type PlantedChange, plantedFaults } from '#test/fixtures/planted-changes.ts';

const today = { date: '2026-11-20', time: '14:00', zone: 'Europe/Berlin' };

function assess({ before, after }: PlantedChange) {
  return assessUpdate({
    before,
    after,
    changes: diffCampaigns(before, after),
    context: exampleContext(),
    today,
    exposureBefore: exposureOf(before, today),
    exposureAfter: exposureOf(after, today),
  });
}

describe('a fault that lies in one change is the largest thing on the page', () => {
  test.each(plantedFaults)('$name', (fault) => {
    const { headline } = assess(fault);
    const shown =
      headline === null
        ? 'money'
        : [headline.before, headline.after, ...(headline.delta === undefined ? [] : [headline.delta])];
    expect(shown).toEqual(fault.headline);
  });
});

describe('an ordinary change shows no danger and asks for nothing', () => {
  test.each(harmlessChanges)('$name', (change) => {
    const { warnings, typeToConfirm } = assess(change);
    expect(warnings.filter(({ severity }) => severity === 'danger')).toEqual([]);
    expect(typeToConfirm).toBeNull();
  });
});

test('a value is typed where there is a danger, and nowhere else', () => {
  for (const change of [...plantedFaults, ...harmlessChanges]) {
    const { warnings, typeToConfirm } = assess(change);
    expect(typeToConfirm !== null, change.name).toBe(warnings.some(({ severity }) => severity === 'danger'));
  }
});

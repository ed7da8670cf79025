import { describe, expect, test } from 'vitest';
import { validateCampaign } from '#shared/campaign/index.ts';
import { isJsonObject, type JsonObject } from '#shared/lib/json/json-value.ts';
import { createRandom } from '#shared/lib/random.ts';
import { harmlessChanges, plantedFaults } from '#shared/training/corpus/index.ts';
import { createPool } from '#shared/training/plan/subject.ts';
import { goodVariations } from '#shared/training/plan/variations/good.ts';
import { plantedVariations } from '#shared/training/plan/variations/planted.ts';
import type { Varied } from '#shared/training/plan/variations/variation.ts';
import { trainingWords, wordsOfWrite } from '#core/training/lesson-figure.ts';
import { isSoak } from '../../../scripts/lib/test-settings.ts';
import { trainingWorkspace, workspaceNowMs } from '#test/fixtures/training-workspace.ts';
import { usualFormats } from '#shared/lib/formats.ts';

const seeds = Array.from({ length: isSoak ? 60 : 6 }, (_each, seed) => seed);
const { context, day, campaigns } = trainingWorkspace;
const cids = campaigns.map(({ cid }) => Number(cid));
const statuses = { active: 1, paused: 3 } as const;

/** One variant with the campaign before and after it, and the words that a person reads of it. */
function variantOf<T extends Varied>(
  { fits, vary }: { fits?(candidate: never): boolean; vary(scene: never): T },
  seed: number,
) {
  const random = createRandom(`variation ${seed}`);
  const pool = createPool(trainingWorkspace, random);
  const subject = pool.take(fits as never);
  const varied = vary({ subject, random, day, cids } as never);
  const before: JsonObject = { ...subject.campaign, ...varied.before };
  const { change } = varied;
  const after = {
    ...before,
    ...('status' in change ? { status: statuses[change.status] } : change.fields),
  };
  const beside = 'status' in change ? undefined : change.beside;
  const words = wordsOfWrite(
    { before, after },
    { context, createdAtMs: workspaceNowMs, ...(beside && { beside }) },
    usualFormats,
  );
  return { subject, varied, before, after, words };
}

/** The warnings of a case of the corpus, the heaviest first. */
function codesOf(words: { warnings: readonly { code: string; severity: string }[] }): string[] {
  return words.warnings.map(({ code, severity }) => `${severity} ${code}`);
}

/** The label of the largest figure; any block list is one of them. */
function labelOf({ risk }: { risk: { headline?: { label: string } | undefined } }): string | undefined {
  return risk.headline?.label.replace('domains', 'IP addresses');
}

/** The service refuses a daily budget of 0 while budgets are on, so a mission switches them off. */
const otherCode: Readonly<Record<string, string>> = { 'no daily limit while paused': 'danger budgets_off' };

/** Situations have plans of their own. */
const situations = ['outlier in fifty', 'words against the change'];

test('every case of the corpus has a variation, but for those that are missions of their own', () => {
  const names = plantedFaults.map(({ name }) => name).filter((name) => !situations.includes(name));
  expect(Object.keys(plantedVariations).toSorted()).toEqual(names.toSorted());
  expect(Object.keys(goodVariations).toSorted()).toEqual(harmlessChanges.map(({ name }) => name).toSorted());
});

describe('a varied planted fault keeps the warning that tells it', () => {
  const cases = plantedFaults.filter(({ name }) => !situations.includes(name));
  test.each(cases)('$name', ({ name, write, telltale }) => {
    const [heaviest] = codesOf(trainingWords(write, usualFormats).words);
    const variation = plantedVariations[name];
    if (variation === undefined) throw new Error(`${name} has no variation`);
    for (const seed of seeds) {
      const { words, varied, before, after } = variantOf(variation, seed);
      expect(validateCampaign(before, context, before, usualFormats)).toEqual([]);
      expect(validateCampaign(after, context, before, usualFormats)).toEqual([]);
      if (heaviest !== undefined && name !== 'padded call')
        expect(codesOf(words)).toContain(otherCode[name] ?? heaviest);
      if (name === 'padded call') expect(codesOf(words)).toContain('danger tool_argument_undeclared');
      if ('after' in telltale && !(name in otherCode))
        expect(labelOf(words)).toBe(labelOf(trainingWords(write, usualFormats).words));
      const { costPerDayMicros } = varied.wrong;
      if (costPerDayMicros !== null) expect(costPerDayMicros).toBeGreaterThan(0);
      expect(costPerDayMicros === null || Number.isSafeInteger(costPerDayMicros)).toBe(true);
    }
  });
});

describe('a varied ordinary change shows no danger and asks for nothing', () => {
  test.each(Object.entries(goodVariations))('%s', (_name, variation) => {
    for (const seed of seeds) {
      const { words, before, after } = variantOf(variation, seed);
      expect(validateCampaign(before, context, before, usualFormats)).toEqual([]);
      expect(validateCampaign(after, context, before, usualFormats)).toEqual([]);
      expect(codesOf(words).filter((code) => code.startsWith('danger'))).toEqual([]);
      expect(words.typeToConfirm).toBeNull();
      expect(words.effects).not.toEqual([]);
    }
  });
});

test('a campaign of a mission differs from the workspace in the fields that it names', () => {
  for (const seed of seeds) {
    const { subject } = variantOf(goodVariations['a pause'] as never, seed);
    const stored = campaigns.find(({ cid }) => cid === subject.cid);
    expect(isJsonObject(stored) && { ...stored, ...subject.fields }).toEqual(subject.campaign);
  }
});

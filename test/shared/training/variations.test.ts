import { describe, expect, test } from 'vitest';
import { validateCampaign } from '#shared/campaign/index.ts';
import { isJsonObject } from '#shared/lib/json/json-value.ts';
import { createRandom } from '#shared/lib/random.ts';
import { harmlessChanges, plantedFaults } from '#shared/training/corpus/index.ts';
import { goodCases } from '#shared/training/plan/good-cases.ts';
import { plantedCases } from '#shared/training/plan/planted-cases.ts';
import { draftOf, type GoodCase, type PlantedCase } from '#shared/training/plan/steps.ts';
import { createPool } from '#shared/training/plan/subjects.ts';
import { trainingWords } from '#core/training/lesson-figure.ts';
import { isSoak } from '../../../scripts/lib/test-settings.ts';
import { trainingWorkspace, workspaceWords } from '#test/fixtures/training-workspace.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

const seeds = Array.from({ length: isSoak ? 60 : 6 }, (_each, seed) => seed);
const { context, day, campaigns } = trainingWorkspace;
const cids = campaigns.map(({ cid }) => Number(cid));
const statuses = { active: 1, paused: 3 } as const;

/** Returns a step of a case with its campaign before and after the step, and the words that a person reads. */
function variantOf(made: GoodCase | PlantedCase, seed: number) {
  const random = createRandom(`variation ${seed}`);
  const pool = createPool(trainingWorkspace, random);
  const { subjects, write, fault } = draftOf(made, { pool, random, day, cids });
  const [subject] = subjects;
  if (subject === undefined) throw new Error('The step has no campaign');
  const before = subject.campaign;
  const fields = write.kind === 'status' ? { status: statuses[write.status] } : write.fields;
  const after = { ...before, ...fields };
  const beside = write.kind === 'status' ? undefined : write.beside;
  const words = workspaceWords({ before, after }, beside);
  return { subject, fault, before, after, words };
}

/** Returns the warnings of a case, the most severe first. */
function codesOf(words: { warnings: readonly { code: string; severity: string }[] }): string[] {
  return words.warnings.map(({ code, severity }) => `${severity} ${code}`);
}

/** Returns the label of the largest figure. All block lists share one label. */
function labelOf({ risk }: { risk: { headline?: { label: string } | undefined } }): string | undefined {
  return risk.headline?.label.replace('domains', 'IP addresses');
}

/** The service refuses a daily budget of 0 while budgets are on, so a mission switches budgets off instead. */
const otherCode: Readonly<Record<string, string>> = { 'no daily limit while paused': 'danger budgets_off' };

/** These situations have plans of their own. */
const situations = ['outlier in fifty', 'words against the change'];

test('every case of the corpus has a variation, except those with their own mission', () => {
  const names = plantedFaults.map(({ name }) => name).filter((name) => !situations.includes(name));
  expect(Object.keys(plantedCases).toSorted()).toEqual(names.toSorted());
  expect(Object.keys(goodCases).toSorted()).toEqual(harmlessChanges.map(({ name }) => name).toSorted());
});

describe('a varied planted fault keeps its warning:', () => {
  const cases = plantedFaults.filter(({ name }) => !situations.includes(name));
  test.each(cases)('$name', ({ name, write, telltale }) => {
    const [heaviest] = codesOf(trainingWords(write, defaultFormats).words);
    const planted = Object.entries(plantedCases).find(([key]) => key === name)?.[1];
    if (planted === undefined) throw new Error(`${name} has no variation`);
    for (const seed of seeds) {
      const { words, fault, before, after } = variantOf(planted, seed);
      expect(validateCampaign(before, context, before, defaultFormats)).toEqual([]);
      expect(validateCampaign(after, context, before, defaultFormats)).toEqual([]);
      if (heaviest !== undefined && name !== 'padded call')
        expect(codesOf(words)).toContain(otherCode[name] ?? heaviest);
      if (name === 'padded call') expect(codesOf(words)).toContain('danger tool_argument_undeclared');
      if ('after' in telltale && !(name in otherCode))
        expect(labelOf(words)).toBe(labelOf(trainingWords(write, defaultFormats).words));
      const costPerDayMicros = fault?.costPerDayMicros ?? null;
      if (costPerDayMicros !== null) expect(costPerDayMicros).toBeGreaterThan(0);
      expect(costPerDayMicros === null || Number.isSafeInteger(costPerDayMicros)).toBe(true);
    }
  });
});

describe('a varied ordinary change shows no danger and no value to type:', () => {
  test.each(Object.entries(goodCases))('%s', (_name, variation) => {
    for (const seed of seeds) {
      const { words, before, after } = variantOf(variation, seed);
      expect(validateCampaign(before, context, before, defaultFormats)).toEqual([]);
      expect(validateCampaign(after, context, before, defaultFormats)).toEqual([]);
      expect(codesOf(words).filter((code) => code.startsWith('danger'))).toEqual([]);
      expect(words.typeToConfirm).toBeNull();
      expect(words.effects).not.toEqual([]);
    }
  });
});

test('a campaign of a mission differs from the workspace only in the named fields', () => {
  for (const seed of seeds) {
    const { subject } = variantOf(goodCases['a pause'], seed);
    const stored = campaigns.find(({ cid }) => cid === subject.cid);
    expect(isJsonObject(stored) && { ...stored, ...subject.fields }).toEqual(subject.campaign);
  }
});

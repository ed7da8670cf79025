import { describe, expect, test } from 'vitest';
import { commonOperand } from '#core/proposals/operations/batch/common-operand.ts';
import { harmlessChanges, plantedFaults, type TrainingWrite } from '#shared/training/corpus/index.ts';
import { trainingWords, wordsOfChange } from '#core/training/lesson-figure.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

test('the corpus has 23 planted faults and 20 harmless changes with unique names', () => {
  expect(new Set(plantedFaults.map(({ name }) => name)).size).toBe(23);
  expect(new Set(harmlessChanges.map(({ name }) => name)).size).toBe(20);
});

describe('the headline shows the planted fault of', () => {
  test.each(plantedFaults)('$name', ({ write, telltale }) => {
    const { headline } = trainingWords(write, defaultFormats).words.risk;
    if ('money' in telltale) return expect(headline).toBeUndefined();
    const { label: _label, isQuiet: _isQuiet, ...figure } = headline ?? { label: '' };
    expect(figure).toEqual(telltale);
  });
});

describe('the confirmation shows no danger and no value to type for the harmless change', () => {
  test.each(harmlessChanges)('$name', ({ write }) => {
    const { warnings, typeToConfirm } = trainingWords(write, defaultFormats).words;
    expect(warnings.filter(({ severity }) => severity === 'danger')).toEqual([]);
    expect(typeToConfirm).toBeNull();
  });
});

test('a value has to be typed exactly when there is a danger', () => {
  for (const { name, write } of [...plantedFaults, ...harmlessChanges]) {
    const { warnings, typeToConfirm } = trainingWords(write, defaultFormats).words;
    expect(typeToConfirm !== null, name).toBe(warnings.some(({ severity }) => severity === 'danger'));
  }
});

test('an outlier is never in the batch of the changes around it, and those form one batch', () => {
  const isSeveral = (write: TrainingWrite) => write.kind === 'changes';
  const several = plantedFaults.map(({ write }) => write).filter(isSeveral);
  expect(several).toHaveLength(1);
  for (const { changes, odd } of several) {
    const compared = changes.map((change) => wordsOfChange(change, defaultFormats).words.comparable);
    expect(changes).toHaveLength(50);
    expect(compared[odd]).toBeNull();
    expect(commonOperand(compared)).toBeNull();
    expect(commonOperand(compared.toSpliced(odd, 1))).not.toBeNull();
  }
});

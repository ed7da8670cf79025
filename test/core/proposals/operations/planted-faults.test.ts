import { describe, expect, test } from 'vitest';
import { commonOperand } from '#core/proposals/operations/batch/common-operand.ts';
import { harmlessChanges, plantedFaults, type TrainingWrite } from '#shared/training/corpus/index.ts';
import { trainingWords, wordsOfChange } from '#core/training/lesson-figure.ts';
import { usualFormats } from '#shared/lib/formats.ts';

test('the corpus has twenty faults of the list and three more, and twenty harmless changes, each once', () => {
  expect(new Set(plantedFaults.map(({ name }) => name)).size).toBe(23);
  expect(new Set(harmlessChanges.map(({ name }) => name)).size).toBe(20);
});

describe('a planted fault is the figure that is drawn largest', () => {
  test.each(plantedFaults)('$name', ({ write, telltale }) => {
    const { headline } = trainingWords(write, usualFormats).words.risk;
    if ('money' in telltale) return expect(headline).toBeUndefined();
    const { label: _label, isQuiet: _isQuiet, ...figure } = headline ?? { label: '' };
    expect(figure).toEqual(telltale);
  });
});

describe('an ordinary change shows no danger and asks for nothing', () => {
  test.each(harmlessChanges)('$name', ({ write }) => {
    const { warnings, typeToConfirm } = trainingWords(write, usualFormats).words;
    expect(warnings.filter(({ severity }) => severity === 'danger')).toEqual([]);
    expect(typeToConfirm).toBeNull();
  });
});

test('a value is typed where there is a danger, and nowhere else', () => {
  for (const { name, write } of [...plantedFaults, ...harmlessChanges]) {
    const { warnings, typeToConfirm } = trainingWords(write, usualFormats).words;
    expect(typeToConfirm !== null, name).toBe(warnings.some(({ severity }) => severity === 'danger'));
  }
});

test('an outlier is never decided with the changes that it hides among, and they are decided together', () => {
  const isSeveral = (write: TrainingWrite) => write.kind === 'changes';
  const several = plantedFaults.map(({ write }) => write).filter(isSeveral);
  expect(several).toHaveLength(1);
  for (const { changes, odd } of several) {
    const compared = changes.map((change) => wordsOfChange(change, usualFormats).words.comparable);
    expect(changes).toHaveLength(50);
    expect(compared[odd]).toBeNull();
    expect(commonOperand(compared)).toBeNull();
    expect(commonOperand(compared.toSpliced(odd, 1))).not.toBeNull();
  }
});

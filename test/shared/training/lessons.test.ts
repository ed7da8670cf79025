import { describe, expect, test } from 'vitest';
import { faultKinds, faultWords, lessonIds, missionIds, missionWords } from '#shared/training/index.ts';
import { harmlessChanges, plantedFaults } from '#shared/training/corpus/index.ts';
import { lessons } from '#shared/training/lessons/index.ts';

const cases = new Set([...plantedFaults, ...harmlessChanges].map(({ name }) => name));

/** A lesson of two minutes at 200 words a minute, with the time to look at pictures and to answer. */
const maxWords = 400;

describe.each(lessonIds)('lesson %s', (id) => {
  const { title, summary, steps, questions } = lessons[id];

  test('has four to six steps that can be read in two minutes', () => {
    expect(steps.length).toBeGreaterThanOrEqual(4);
    expect(steps.length).toBeLessThanOrEqual(6);
    const words = steps
      .flatMap(({ paragraphs }) => paragraphs)
      .join(' ')
      .split(/\s+/);
    expect(words.length).toBeLessThanOrEqual(maxWords);
    for (const paragraph of [summary, ...steps.flatMap(({ paragraphs }) => paragraphs)])
      expect(paragraph).toMatch(/[.?]$/);
    for (const heading of [title, ...steps.map((step) => step.title)]) expect(heading).not.toMatch(/\.$/);
  });

  test('shows cases of the corpus', () => {
    const figures = steps.flatMap(({ figure }) => figure ?? []);
    expect(figures.length).toBeGreaterThanOrEqual(1);
    for (const { caseName, caption } of figures) {
      expect(cases).toContain(caseName);
      expect(caption).toMatch(/[.?]$/);
    }
  });

  test('asks two questions, each with one right answer and a comment on every answer', () => {
    expect(questions).toHaveLength(2);
    for (const { question, answers } of questions) {
      expect(question).toMatch(/\?$/);
      expect(answers.length).toBeGreaterThanOrEqual(2);
      expect(answers.filter(({ isRight }) => isRight)).toHaveLength(1);
      expect(new Set(answers.map(({ text }) => text)).size).toBe(answers.length);
      for (const { feedback } of answers) expect(feedback).toMatch(/\.$/);
    }
  });
});

test('a case named after a percentage changes by exactly that percentage', () => {
  const named = harmlessChanges.flatMap(({ name, write }) => {
    const percent = Number(/(\d+) ?% higher$/.exec(name)?.[1]);
    if (Number.isNaN(percent) || write.kind !== 'change') return [];
    const { before, after } = write.change;
    const [field = ''] = Object.keys(after).filter((one) => after[one] !== before[one]);
    return [[name, Number(after[field]) / Number(before[field]), 1 + percent / 100] as const];
  });
  expect(named).toHaveLength(2);
  for (const [name, factor, said] of named) expect(factor, name).toBeCloseTo(said, 6);
});

test('the right answers are not always in the same position', () => {
  const places = lessonIds.flatMap((id) =>
    lessons[id].questions.map(({ answers }) => answers.findIndex(({ isRight }) => isRight)),
  );
  expect(new Set(places).size).toBeGreaterThan(1);
});

test('every mission and every kind of fault has its own text', () => {
  for (const words of [missionWords, faultWords]) {
    const titles = Object.values(words).map(({ title }) => title);
    expect(new Set(titles).size).toBe(titles.length);
  }
  for (const id of missionIds) expect(missionWords[id].summary).toMatch(/^[A-Z].*\.$/);
  for (const kind of faultKinds) expect(faultWords[kind].hint).toMatch(/^[A-Z].*\.$/);
});

import { describe, expect, it } from 'vitest';
import { searchReportRowSchema, xmlDayRowSchema } from '#shared/contract/index.ts';
import {
  isRatio,
  keyFigures,
  metricOf,
  recomputedColumns,
  reportDimensions,
  reportMetrics,
} from '#shared/reports/index.ts';

const contractFields = {
  xml: Object.keys(xmlDayRowSchema.shape),
  search: Object.keys(searchReportRowSchema.shape),
};

describe.each(['xml', 'search'] as const)('the %s report', (kind) => {
  const metrics = reportMetrics[kind];

  it('has every field of the contract as a sum, a dimension, or a computed ratio', () => {
    const sums = metrics.filter((metric) => !isRatio(metric)).map(({ id }) => id);
    const placed = [...sums, ...reportDimensions[kind], ...recomputedColumns];
    expect(contractFields[kind].filter((field) => !placed.includes(field))).toEqual([]);
    expect(sums.filter((id) => !contractFields[kind].includes(id))).toEqual([]);
  });

  it('computes every ratio from two of its sums', () => {
    for (const metric of metrics.filter(isRatio))
      for (const id of [metric.over, metric.under])
        expect(metricOf(kind, id)).toMatchObject({ kind: expect.stringMatching(/^(count|money)$/) });
  });

  it('names each column once and shows existing figures', () => {
    expect(new Set(metrics.map(({ id }) => id)).size).toBe(metrics.length);
    for (const id of keyFigures[kind]) expect(metricOf(kind, id)).toBeDefined();
  });
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assessUpdate, changeInWords, readBackVerdicts, titles } from '#shared/wording/index.ts';
import { diffCampaigns, exposureOf } from '#shared/campaign/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { exampleCampaign, exampleContext } from '#test/fixtures/campaign.ts';
import { runs } from '#test/setup/property-runs.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

const today = { date: '2026-11-20', time: '14:00', zone: 'Europe/Berlin' };
const fields = fc.constantFrom(...Object.keys(exampleCampaign('push')), 'unheard_of');
const edits = fc.dictionary(fields, fc.jsonValue(), { maxKeys: 6 }) as fc.Arbitrary<JsonObject>;

test('the words for a change distinguish both sides for any two campaigns in JSON', () => {
  const context = exampleContext();
  fc.assert(
    fc.property(edits, edits, (first, second) => {
      const before = { ...exampleCampaign('push'), ...first };
      const after = { ...exampleCampaign('push'), ...second };
      const changes = diffCampaigns(before, after);
      const views = changes.map((change) => changeInWords(change, context, defaultFormats));
      for (const view of views) {
        expect(view.after).not.toBe(view.before);
        expect(`${view.label}${view.before}${view.after}`).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      }
      expect(titles.update(before, changes, context, defaultFormats)).not.toMatch(
        /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u,
      );
      const exposures = {
        exposureBefore: exposureOf(before, today),
        exposureAfter: exposureOf(after, today),
      };
      expect(
        assessUpdate({ before, after, changes, context, today, ...exposures }, defaultFormats).notes,
      ).not.toHaveLength(0);
      expect(readBackVerdicts(before, after, context, defaultFormats)).toHaveLength(
        Object.keys(before).length,
      );
    }),
    runs(500),
  );
});

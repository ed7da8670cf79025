import { describe, expect, test } from 'vitest';
import { typeChange } from '#shared/campaign/index.ts';
import { exampleContext } from '#test/fixtures/campaign.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

describe('a change of the type', () => {
  const context = {
    ...exampleContext(),
    types: {
      '1': { name: 'Push', pricing: 'CPC', minBid: 0.01, maxBid: 2.5 },
      '2': { name: 'Popunder Premium', pricing: 'CPM', minBid: 0.25, maxBid: 25 },
    },
  };

  test('lists the fields that begin and cease to apply, and the limits of the bid', () => {
    expect(typeChange(context, 1, 2, defaultFormats)).toEqual({
      applies: ['website', 'categories', 'lang', 'exchanges'],
      ceases: ['clickurl', 'title', 'description', 'icon', 'image', 'bidControl'],
      bid: { before: '$0.010 – $2.500', after: '$0.250 – $25.000' },
      pricing: { before: 'CPC', after: 'CPM' },
    });
  });

  test('is unknown if the tenant does not offer the type', () => {
    expect(typeChange(context, 1, 9, defaultFormats)).toBeNull();
  });
});

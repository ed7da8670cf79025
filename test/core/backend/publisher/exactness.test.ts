import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  fixedDecimal,
  plainDecimal,
  quotientMicros,
  xmlRowJson,
} from '#core/backend/publisher/send-report.ts';
import type { XmlTraffic } from '#core/store/backend/index.ts';
import { besideIt, startPublisher, type RunningPublisher } from './open-publisher.ts';
import { runs } from '#test/setup/property-runs.ts';

function microsOf(text: string): bigint {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d{1,6}))?$/.exec(text) ?? [];
  if (whole === '') throw new Error(`Not a decimal: ${text}`);
  return BigInt(`${sign}${whole}${fraction.padEnd(6, '0')}`);
}

describe('a decimal number as text', () => {
  const anyMicros = fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n });

  test('equals exactly the micros that it was made from', () => {
    fc.assert(
      fc.property(anyMicros, (micros) => {
        expect(microsOf(fixedDecimal(micros))).toBe(micros);
        expect(microsOf(plainDecimal(micros))).toBe(micros);
        expect(plainDecimal(micros)).not.toMatch(/\.\d*0$|\.$|^-?0\d/);
      }),
    );
    expect([0n, 10_000_000n, -1n, 1_500_000n].map(plainDecimal)).toEqual(['0', '10', '-0.000001', '1.5']);
    expect(plainDecimal(100_000_000n)).toBe('100');
  });

  test('of a quotient is rounded to the nearest micro, and half away from zero', () => {
    fc.assert(
      fc.property(anyMicros, fc.bigInt({ min: 1n, max: 10n ** 12n }), (over, under) => {
        const error = quotientMicros(over, under) * under - over;
        expect(2n * (error < 0n ? -error : error)).toBeLessThanOrEqual(under);
        expect(quotientMicros(-over, under)).toBe(-quotientMicros(over, under));
      }),
    );
    expect([quotientMicros(1n, 2n), quotientMicros(-1n, 2n), quotientMicros(7n, 0n)]).toEqual([1n, -1n, 0n]);
  });
});

test('of a row equals the JSON number for the tools, up to 4.5 billion', () => {
  const counts = {
    grossRequests: 1,
    grossClicks: 1,
    grossValid: 1,
    grossInvalid: 0,
    netRequests: 1,
    netClicks: 1,
  };
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 52n - 1n }), (micros) => {
      const row = { group: 'DE', ...counts, grossRevenueMicros: micros, netRevenueMicros: micros };
      expect(JSON.stringify(xmlRowJson(row, 'geo'))).toContain(`"net_revenue":${jsonDigits(micros)}}`);
    }),
  );
});

/** Returns the number as JavaScript writes it: very small numbers have an exponent. */
function jsonDigits(micros: bigint): string {
  const text = plainDecimal(micros);
  return Number(text) < 1e-6 && micros > 0n ? String(Number(text)) : text;
}

describe('sums over many rows', () => {
  let publisher: RunningPublisher;
  beforeAll(async () => {
    publisher = await startPublisher({ days: 1 });
  });
  afterAll(() => publisher.dispose());

  test('lose no micro between the rows and the answer, beyond what a double could hold', async () => {
    const { uid } = publisher.service.credentials.accounts.publisher;
    let tid = 500_000;
    const amount = fc.bigInt({ min: 0n, max: 10n ** 17n });
    const place = fc.record({
      day: fc.constantFrom('2021-05-01', '2021-05-02', '2021-05-03'),
      geo: fc.constantFrom('DE', 'US', 'BR'),
      subid: fc.constantFrom('', 'a', 'b', 'c', '=d'),
      gross: amount,
      net: amount,
    });
    const keyOf = ({ day, geo, subid }: { day: string; geo: string; subid: string }) =>
      `${day} ${geo} ${subid}`;
    const traffic = fc.uniqueArray(place, { minLength: 1, maxLength: 45, selector: keyOf });
    await fc.assert(
      fc.asyncProperty(traffic, async (spots) => {
        tid += 1;
        await besideIt(publisher.service, (store) => {
          store.statistics.write.addSources(uid, { tids: [tid], feeds: [] });
          for (const [day, rows] of Map.groupBy(spots, (spot) => spot.day)) {
            store.statistics.write.addXmlDay(tid, day, rows.map(rowOf));
          }
        });
        for (const [groupBy, name] of [
          ['day', 'day'],
          ['geo', 'geo'],
          ['subid', 'subid'],
        ] as const) {
          const wanted = [...Map.groupBy(spots, (spot) => spot[name])]
            .map(([group, members]) => [group, sumOf(members, 'gross'), sumOf(members, 'net')])
            .toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1));
          const range = { tid, groupBy, date_from: '2021-05-01', date_to: '2021-05-03' };
          const { text } = await publisher.report('xml', range);
          // Compares the digits in the text, because a JSON parser would round them.
          const found = [
            ...text.matchAll(
              /\{"(?:date|geo|subid)":"([^"]*)".*?"gross_revenue":([\d.]+).*?"net_revenue":([\d.]+)/g,
            ),
          ].map(([, group = '', gross = '', net = '']) => [group, microsOf(gross), microsOf(net)]);
          expect(found).toEqual(wanted);
        }
      }),
      runs(25),
    );
  });
});

function rowOf({
  geo,
  subid,
  gross,
  net,
}: {
  geo: string;
  subid: string;
  gross: bigint;
  net: bigint;
}): XmlTraffic {
  return {
    geo,
    subid,
    grossRequests: 10,
    grossClicks: 5,
    grossValid: 4,
    grossInvalid: 1,
    grossRevenueMicros: gross,
    netRequests: 9,
    netClicks: 3,
    netRevenueMicros: net,
  };
}

function sumOf(members: readonly { gross: bigint; net: bigint }[], name: 'gross' | 'net'): bigint {
  return members.reduce((sum, member) => sum + member[name], 0n);
}

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readArguments } from '#core/mcp-server/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { openSurface, refusalOf } from '#test/core/backend/mcp/open-surface.ts';
import type { OpenSurface } from '#test/core/backend/mcp/open-surface.ts';

let open: OpenSurface;
beforeAll(async () => {
  open = await openSurface();
});
afterAll(() => open.dispose());

const days = { date_from: '2026-01-01', date_to: '2026-01-31' };

describe('invalid arguments are refused by name with a remedy', () => {
  const cases: [string, JsonObject, [field: string, code: string, remedy: string][]][] = [
    ['svc_whoami', { verbose: true }, [['verbose', 'unknown_field', 'No arguments are taken.']]],
    ['svc_list_campaigns', { status: 'Active' }, [['status', 'not_allowed', '"pending", "active"']]],
    ['svc_list_campaigns', { status: 1 }, [['status', 'not_allowed', '"0", "1"']]],
    ['svc_list_campaigns', { status: '5' }, [['status', 'not_allowed', 'must be one of']]],
    ['svc_list_campaigns', { orderBy: 'secret' }, [['orderBy', 'not_allowed', '"cid"']]],
    ['svc_list_campaigns', { order: 'ASC' }, [['order', 'not_allowed', 'one of "asc", "desc"']]],
    ['svc_list_campaigns', { detailLevel: 'all' }, [['detailLevel', 'not_allowed', '"summary", "full"']]],
    ['svc_list_campaigns', { limit: 0 }, [['limit', 'out_of_range', 'at least 1']]],
    ['svc_list_campaigns', { limit: 201 }, [['limit', 'out_of_range', 'at most 200']]],
    ['svc_list_campaigns', { limit: '20' }, [['limit', 'wrong_type', 'a number']]],
    ['svc_list_campaigns', { limit: 1.5 }, [['limit', 'wrong_type', 'a whole number']]],
    ['svc_list_campaigns', { limit: null }, [['limit', 'wrong_type', 'a number']]],
    ['svc_list_campaigns', { offset: -1 }, [['offset', 'out_of_range', 'at least 0']]],
    ['svc_list_campaigns', { offset: 1e300 }, [['offset', 'out_of_range', 'at most']]],
    [
      'svc_list_campaigns',
      { limit: 0, order: 'up', uid: 20_422 },
      [
        ['order', 'not_allowed', 'one of'],
        ['limit', 'out_of_range', 'at least 1'],
        ['uid', 'unknown_field', 'Taken are status, orderBy'],
      ],
    ],
    ['svc_get_campaign', {}, [['cid', 'required', 'Give “cid”: a number.']]],
    ['svc_get_campaign', { cid: '104201' }, [['cid', 'wrong_type', 'a number']]],
    ['svc_get_campaign', { cid: 0 }, [['cid', 'out_of_range', 'at least 1']]],
    ['svc_get_campaign', { cid: [104_201] }, [['cid', 'wrong_type', 'a number']]],
    [
      'svc_xml_stats',
      {},
      [
        ['tid', 'required', 'Give “tid”'],
        ['date_from', 'required', 'Give “date_from”: a text.'],
        ['date_to', 'required', 'Give “date_to”'],
      ],
    ],
    [
      'svc_xml_stats',
      { tid: 7001, ...days, date_to: '2025-12-31' },
      [['date_to', 'out_of_range', 'before date_from']],
    ],
    [
      'svc_xml_stats',
      { tid: 7001, ...days, date_to: '2026-02-30' },
      [['date_to', 'wrong_format', 'YYYY-MM-DD']],
    ],
    [
      'svc_xml_stats',
      { tid: 7001, ...days, date_from: '1/1/26' },
      [['date_from', 'wrong_format', 'YYYY-MM-DD']],
    ],
    [
      'svc_xml_stats',
      { tid: 7001, ...days, groupBy: 'hour' },
      [['groupBy', 'not_allowed', '"day", "geo", "subid"']],
    ],
    ['svc_search_report', { ...days, sid: -1 }, [['sid', 'out_of_range', 'at least 1']]],
    ['svc_search_report', { ...days, limit: 1_001 }, [['limit', 'out_of_range', 'at most 1000']]],
    ['svc_xml_stats', { tid: 7001, ...days, limit: 1_001 }, [['limit', 'out_of_range', 'at most 1000']]],
    [
      'svc_get_campaign',
      { cid: 1, id: 1 },
      [['id', 'unknown_field', 'Leave out “id”. Perhaps cid is meant. Taken are cid.']],
    ],
  ];
  test.each(cases)('for %s: %j', async (tool, args, expected) => {
    const refusal = refusalOf(await open.call(tool, args));
    expect(refusal).toMatchObject({ code: 'arguments_invalid', statusCode: 400 });
    expect(refusal.errors?.map(({ field, code }) => [field, code])).toEqual(
      expected.map(([field, code]) => [field, code]),
    );
    for (const [at, [, , remedy]] of expected.entries()) {
      expect(refusal.errors?.[at]?.message).toContain(remedy);
    }
    expect(refusal.message).toContain(refusal.errors?.[0]?.message);
  });

  test('invented argument names are shortened and made harmless', async () => {
    const { errors } = refusalOf(await open.call('svc_whoami', { [`\u202e${'x'.repeat(500)}`]: 1 }));
    expect(errors?.[0]?.field.startsWith('⟨U+202E⟩xxx')).toBe(true);
    expect(errors?.[0]?.field.length).toBeLessThan(100);
  });

  test('a refusal names only some of many errors', async () => {
    const args = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`a${at}`, at]));
    expect(refusalOf(await open.call('svc_whoami', args)).errors).toHaveLength(100);
  });
});

describe('nested arguments are refused by path', () => {
  const input = z.strictObject({
    ids: z.array(z.int()).min(1).optional(),
    schedule: z
      .discriminatedUnion('type', [
        z.strictObject({ type: z.literal('once'), at: z.string() }),
        z.strictObject({ type: z.literal('daily'), time: z.string() }),
      ])
      .optional(),
    confirmed: z.literal(true).optional(),
    value: z.union([z.int(), z.strictObject({ code: z.int() })]).optional(),
  });
  const cases: [JsonObject, string, string, string][] = [
    [{ ids: [1, 'x'] }, 'ids[1]', 'wrong_type', '“ids[1]” must be a number.'],
    [{ ids: [] }, 'ids', 'out_of_range', '“ids” must have at least 1 item.'],
    [{ schedule: { type: 'daily' } }, 'schedule.time', 'required', 'Give “schedule.time”: a text.'],
    [
      { schedule: { type: 'once', at: 'x', zone: 'y' } },
      'schedule.zone',
      'unknown_field',
      'Leave out “schedule.zone”.',
    ],
    [{ schedule: { type: 'hourly' } }, 'schedule.type', 'not_allowed', '"once", "daily"'],
    [{ schedule: {} }, 'schedule.type', 'required', '"once", "daily"'],
    [{ confirmed: 'yes' }, 'confirmed', 'not_allowed', '“confirmed” must be true.'],
    [{ value: { code: 'x' } }, 'value.code', 'wrong_type', '“value.code” must be a number.'],
  ];
  test.each(cases)('%j', (args, field, code, message) => {
    let failure: unknown;
    try {
      readArguments(input, args);
    } catch (thrown) {
      failure = thrown;
    }
    const [first] = failure instanceof AppError ? failure.fields : [];
    expect(first).toMatchObject({ field, code });
    expect(first?.message).toContain(message);
  });
});

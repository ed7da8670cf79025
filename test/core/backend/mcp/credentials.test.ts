import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { textsOf } from '#core/platform/credentials.ts';
import { createIds } from '#core/platform/ids.ts';
import { shapeIn } from '#shared/lib/credential-shapes.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { credentials, letters } from '#test/fixtures/credentials.ts';
import { dataOf, openSurface, type OpenSurface, refusalOf } from './open-surface.ts';

const ids = createIds(() => Date.now());

let open: OpenSurface;
beforeAll(async () => {
  open = await openSurface({ campaigns: 400 });
});
afterAll(() => open.dispose());

describe('the detection of credentials', () => {
  test.each(credentials)('finds %s', (_name, text) => {
    expect(shapeIn(textsOf(text))).not.toBeNull();
  });

  const everydayTexts: [string, string][] = [
    [
      'a click URL with macros',
      'https://go.x.example/lp?cid={click_id}&zone={zone_id}&cost={cost}&geo={country}',
    ],
    ['a click URL with a macro as its token', 'https://go.x.example/lp?token={token}&pub={{publisher.id}}'],
    [
      'a token macro in another notation',
      'https://go.x.example/?token=${TOKEN}&secret=[SECRET]&api_key=%KEY%&pwd=__PWD__',
    ],
    [
      'parameters of trackers',
      'https://t.example/c/abc?key=4f9d8e7a6b5c4d3e2f1a&sig=9b2e&code=SUMMER26&gclid=Cj0KCQiA&fbclid=IwAR0',
    ],
    [
      'parameters of Matomo',
      'https://x.example/?pk_campaign=summer-2026-with-a-rather-long-name-of-a-campaign&pk_kwd=vpn',
    ],
    ['a long random click id', `https://x.example/?clickid=${ids.secret()}`],
    ['a random word as long as a token', ids.secret()],
    ['a hash', createHash('sha256').update('x').digest('hex')],
    ['a slug in Slovak', ['https://x.example/sk', 'nova-kolekcia-jar-leto-2026-zlavy'].join('-')],
    ['three words with dots', 'eastern-europe.tracker-domain.example'],
    ['a host name that begins with e', 'https://events-and-offers.example.com/landing.page.html'],
    ['a bearer of bonds', 'Bearer bonds, bearer of news'],
    ['words about tokens', 'Win a token: password managers, secret santa & API keys'],
    ['a short token', 'https://x.example/?token=de'],
    ['a short token followed by other parameters', 'https://x.example/?token=de;aa=1234567890?bb=1234567890'],
    [
      'a macro in an address inside another address',
      `https://go.example/?to=${encodeURIComponent('https://x.example/?token={token}&aa=1')}`,
    ],
    ['a port and an at sign', 'https://x.example:8443/@user/lists'],
    ['a mail address', 'mailto:ads@x.example'],
    ['a version', 'v1.2.3-rc.4+build.5'],
    ['a picture', `data:image/png;base64,${Buffer.from(letters(120).repeat(30)).toString('base64')}`],
    [
      'a tenant’s postback',
      'https://postback.northwind.example/conversion?click_id={click_id}&payout={payout}',
    ],
  ];
  test.each(everydayTexts)('ignores %s', (_name, text) => {
    expect(shapeIn(textsOf(text))).toBeNull();
  });

  test('finds nothing in the campaigns of the demo data', () => {
    const { read } = open.service.store;
    const { uid } = open.accounts.buyer;
    const { rows } = read.list({
      uid,
      match: { kind: 'all' },
      status: null,
      types: [],
      sort: 'cid',
      order: 'asc',
      offset: 0,
      limit: 1_000,
    });
    expect(rows).toHaveLength(400);
    for (const row of rows) {
      const { cid } = JSON.parse(row) as { cid: number };
      expect(shapeIn(read.payload(uid, cid) ?? '')).toBeNull();
    }
  });

  test('is fast for any text', () => {
    const size = 300_000;
    const nasty = [
      'ey',
      'eyJ.',
      'bearer ',
      'pk_',
      'https://a:',
      '?token=',
      ';aa=',
      '?aa=',
      '%2525',
      '&',
      '-----BEGIN ',
      'sk-',
      'SG.aaaaaaaaaaaaaaaa',
      '{',
      '%',
    ];
    // A pattern that backtracks would need minutes.
    const texts = nasty.map((seed) => `${seed.repeat(size / seed.length)}!`);
    const values = texts.map((text) => `?token=${text}`);
    expect([...texts, ...values].map((text) => shapeIn(textsOf(text)))).toHaveLength(2 * nasty.length);
  });
});

describe('a call with a credential in its arguments', () => {
  const key = `pk_${ids.secret()}`;
  const places: [string, string, JsonObject, string][] = [
    ['in an argument', 'svc_list_campaigns', { status: key }, 'status'],
    ['deep in an argument', 'svc_list_campaigns', { status: { a: [{ b: key }] } }, 'status'],
    ['in a member name', 'svc_list_campaigns', { order: { [key]: 1 } }, 'order'],
    ['in an unknown argument', 'svc_whoami', { note: `see ${key}` }, 'note'],
    ['in an argument name', 'svc_whoami', { [key]: true }, 'arguments'],
  ];
  test.each(places)('is refused with 403 before anything runs: %s', async (_name, tool, args, field) => {
    const result = await open.call(tool, args);
    expect(refusalOf(result)).toMatchObject({ code: 'dlp_denied', statusCode: 403, errors: [{ field }] });
    expect(JSON.stringify(result)).not.toContain(key);
  });

  test('is refused for a prompt, a resource address and a completion as well', async () => {
    const who = open.principal();
    const { surface } = open;
    const context = {} as never;
    const asked: (() => Promise<unknown>)[] = [
      () => surface.getPrompt(who, { name: 'review_campaign', args: { cid: key } }, context),
      () => surface.readResource(who, `svc://campaigns/${key}`, context),
      () =>
        surface.complete!(who, {
          ref: { type: 'ref/prompt', name: 'review_campaign' },
          argument: { name: 'cid', value: key },
        }),
    ];
    for (const ask of asked) await expect(ask()).rejects.toMatchObject({ code: 'dlp_denied' });
  });

  test('is refused if the credential is next to a file, which is not searched', async () => {
    const file = Buffer.alloc(600_000, 'picture').toString('base64');
    const codeFor = async (note: string) => refusalOf(await open.call('svc_whoami', { file, note })).code;
    expect(await codeFor('a fine picture')).toBe('arguments_invalid');
    expect(await codeFor(key)).toBe('dlp_denied');
  });

  test('is refused with a shortened name of its place', async () => {
    const { errors } = refusalOf(await open.call('svc_whoami', { ['n'.repeat(10_000)]: key }));
    expect(errors?.[0]?.field).toBe('n'.repeat(80));
  });

  test('is refused if it contains a token that this service issued and that has not expired', async () => {
    const { oauth } = open.service.store;
    const nowMs = Date.now();
    const token = {
      living: ids.secret(),
      refresh: ids.secret(),
      expired: ids.secret(),
      unknown: ids.secret(),
    };
    const keep = (model: string, id: string, expiresAtMs: number) =>
      oauth.upsert({
        model,
        idHash: createHash('sha256').update(id).digest('hex'),
        payload: '{}',
        grantId: 'g',
        expiresAtMs,
      });
    keep('AccessToken', token.living, nowMs + 60_000);
    keep('RefreshToken', token.refresh, nowMs + 60_000);
    keep('AccessToken', token.expired, nowMs - 60_000);
    const codeFor = async (text: string) =>
      refusalOf(await open.call('svc_whoami', { note: `<${text}>` })).code;
    expect(await codeFor(token.living)).toBe('dlp_denied');
    expect(await codeFor(token.refresh)).toBe('dlp_denied');
    expect(await codeFor(token.expired)).toBe('arguments_invalid');
    expect(await codeFor(token.unknown)).toBe('arguments_invalid');
  });

  test('with very many words that might be tokens is refused without delaying other callers', async () => {
    const words = Array.from({ length: 20_000 }, (_none, at) => String(at).padStart(43, 'a'));
    const { code, errors } = refusalOf(await open.call('svc_whoami', { words }));
    expect([code, errors?.[0]?.message]).toEqual([
      'dlp_denied',
      'It looks like a list of tokens. Leave it out.',
    ]);
  });

  test('may contain every complete campaign of the account', async () => {
    const campaigns: JsonObject[] = dataOf(
      await open.call('svc_list_campaigns', { detailLevel: 'full', limit: 200 }),
    );
    expect(campaigns.length).toBeGreaterThan(50);
    for (const campaign of campaigns) {
      expect(refusalOf(await open.call('svc_whoami', { campaign })).code).toBe('arguments_invalid');
    }
  });
});

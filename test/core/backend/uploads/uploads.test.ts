import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { startBackend } from '../open-backend.ts';
import { openWorld } from '../operations/world.ts';
import type { World } from '../operations/world.ts';
import { png, samples } from './pictures.ts';

const tool = 'svc_prepare_upload';

function upload(content: Buffer, more: JsonObject = {}): JsonObject {
  const data = content.toString('base64');
  return { kind: 'icon', fileName: 'icon.png', contentType: 'image/png', data, ...more };
}

/** Returns another base64 spelling of the same bytes: the unused bits of the last letter differ. */
function looseBits(content: Buffer): string {
  const text = content.toString('base64');
  const [last = ''] = /.(?==+$)/.exec(text) ?? [];
  return text.replace(/.(=+)$/, `${String.fromCharCode(last.charCodeAt(0) + 1)}$1`);
}

interface Image extends JsonObject {
  url: string;
}

async function publish(world: World, args: JsonObject): Promise<Image> {
  const who = world.principal();
  const committed = await world.commit(who, await world.prepare(who, tool, args));
  expect(committed.status).toBe('completed');
  return committed.verification['image'] as Image;
}

describe('an upload', () => {
  test('is described when it is prepared, and becomes an image object when it is committed', async () => {
    const world = openWorld({ campaigns: 2 });
    const who = world.principal();
    const content = png(192, 192);
    const prepared = await world.prepare(who, tool, upload(content));
    expect(prepared.payload).toMatchObject({ kind: 'icon', bytes: content.length, width: 192, height: 192 });
    expect(JSON.stringify(prepared)).not.toContain(content.toString('base64'));
    const sha256 = String(prepared.payload['sha256']);
    expect(world.service.store.pictures.content(sha256)).toBeNull();
    const { verification } = await world.commit(who, prepared);
    expect(verification['image']).toEqual({
      id: expect.any(Number) as number,
      url: `http://127.0.0.1:4000/uploads/${sha256}.png`,
      width: 192,
      height: 192,
      mime: 'image/png',
      bytes: content.length,
    });
    expect(world.service.store.pictures.content(sha256)?.content).toEqual(content);
  });

  test('can become the icon of a Push campaign', async () => {
    const world = openWorld();
    const icon = await publish(world, upload(png(96, 96)));
    const image = await publish(world, {
      ...upload(samples.lossyWebp),
      kind: 'image',
      fileName: 'main.webp',
      contentType: 'image/webp',
    });
    const who = world.principal();
    const cid = world.rows('buyer').find(({ type_name }) => type_name === 'Push')?.cid ?? 0;
    const prepared = await world.prepare(who, 'svc_prepare_campaign_update', {
      cid,
      changes: { icon, image },
    });
    expect((await world.commit(who, prepared)).status).toBe('completed');
    expect(world.campaign('buyer', cid)).toMatchObject({ icon, image });
  });

  test('of the same bytes gets the same address again, for every account', async () => {
    const world = openWorld({ campaigns: 2 });
    const first = await publish(world, upload(png(96, 96)));
    expect(await publish(world, upload(png(96, 96)))).toEqual(first);
    const other = world.principal({ part: 'withoutBalance' });
    const committed = await world.commit(other, await world.prepare(other, tool, upload(png(96, 96))));
    expect(committed.verification['image']).toEqual(first);
  });

  test('cannot be committed by another member', async () => {
    const world = openWorld({ campaigns: 2 });
    const prepared = await world.prepare(world.principal(), tool, upload(png(96, 96)));
    const other = world.principal({ part: 'withoutBalance' });
    expect((await world.refusal(world.commit(other, prepared))).code).toBe('approval_invalid');
    expect(
      world.service.store.pictures.find(other.member.uid, String(prepared.payload['sha256'])),
    ).toBeNull();
  });

  test('that is never committed is deleted with its approval', async () => {
    const world = openWorld({ campaigns: 2 });
    const who = world.principal();
    const { approval } = await world.prepare(who, tool, upload(png(96, 96)));
    expect(world.service.store.operations.staged(approval.id)).not.toBeNull();
    world.clock.advance(600_000);
    await world.prepare(who, tool, upload(png(97, 97)));
    expect(world.service.store.operations.staged(approval.id)).toBeNull();
  });

  test('is refused if its account has too many waiting uploads', async () => {
    const world = openWorld({ campaigns: 2 });
    const who = world.principal();
    for (let side = 100; side < 120; side += 1) await world.prepare(who, tool, upload(png(side, side)));
    for (const client of [who, world.principal({ clientId: 'other' })]) {
      const refusal = await world.refusal(world.call(client, tool, upload(png(99, 99))));
      expect([refusal.code, refusal.status]).toEqual(['too_many_waiting', 429]);
    }
  });

  test('is refused in an account with five hundred pictures', async () => {
    const world = openWorld({ campaigns: 2 });
    const { store } = world.service;
    const uid = world.uid('buyer');
    const who = world.principal();
    const waiting = await world.prepare(who, tool, upload(png(96, 96)));
    store.transaction(() => {
      for (let at = 0; at < 500; at += 1) {
        const picture = { sha256: `${at}`, contentType: 'image/png', width: 96, height: 96 };
        store.pictures.add(uid, { ...picture, content: Buffer.of(1) });
      }
    });
    for (const call of [world.call(who, tool, upload(png(97, 97))), world.commit(who, waiting)]) {
      expect(await world.refusal(call)).toMatchObject({ code: 'uploads_full', status: 429 });
    }
  });

  test('needs svc:upload besides svc:write', async () => {
    const world = openWorld({ campaigns: 2 });
    const who = world.principal({ scopes: ['svc:read', 'svc:write'] });
    expect((await world.refusal(world.call(who, tool, upload(png(96, 96))))).code).toBe('scope_missing');
  });

  const jpegFile = { contentType: 'image/jpeg', fileName: 'icon.jpg' };
  const big = (size: number) => Buffer.concat([png(96, 96), Buffer.alloc(size - png(96, 96).length)]);
  const refused: [string, JsonObject, string][] = [
    ['an icon of 95 pixels', upload(png(95, 95)), 'data'],
    ['an icon of 513 pixels', upload(png(513, 513)), 'data'],
    ['an icon that is not square', upload(png(192, 191)), 'data'],
    ['an image of 191 pixels', upload(png(191, 120), { kind: 'image' }), 'data'],
    ['an image of 2,001 pixels', upload(png(2_001, 1_300), { kind: 'image' }), 'data'],
    ['an image taller than 3:2', upload(png(299, 200), { kind: 'image' }), 'data'],
    ['an image wider than 2:1', upload(png(401, 200), { kind: 'image' }), 'data'],
    ['an icon of 256 KiB and a byte', upload(big(256 * 1024 + 1)), 'data'],
    ['an image of 1 MiB and a byte', upload(big(1024 * 1024 + 1), { kind: 'image' }), 'data'],
    ['a JPEG that is called a PNG', upload(samples.jpeg), 'contentType'],
    ['a JPEG in a file called .png', upload(samples.jpeg, { contentType: 'image/jpeg' }), 'fileName'],
    ['a PNG that is called an SVG', upload(png(96, 96), { fileName: 'icon.svg' }), 'fileName'],
    ['a path', upload(png(96, 96), { fileName: '../icon.png' }), 'fileName'],
    ['a name that is only an extension', upload(png(96, 96), { fileName: '.png' }), 'fileName'],
    ['a name of 101 characters', upload(png(96, 96), { fileName: `${'x'.repeat(97)}.png` }), 'fileName'],
    ['a name that turns round', upload(png(96, 96), { fileName: 'gpj.\u202Epng.png' }), 'fileName'],
    ['no bytes', upload(Buffer.alloc(0)), 'data'],
    ['base64 with spaces', upload(png(96, 96), { data: ` ${png(96, 96).toString('base64')}` }), 'data'],
    ['base64url', upload(png(96, 96), { data: '-_-_' }), 'data'],
    ['base64 with loose bits', upload(samples.jpeg, { ...jpegFile, data: looseBits(samples.jpeg) }), 'data'],
  ];
  test('that violates a limit of its kind, type, name or encoding is refused with the field', async () => {
    const world = openWorld({ campaigns: 2 });
    for (const [what, args, field] of refused) {
      const { code, status, fields, message } = await world.refusal(
        world.call(world.principal(), tool, args),
      );
      const failing = fields.map((failure) => failure.field);
      expect([what, code, status, failing]).toEqual([what, 'arguments_invalid', 400, [field]]);
      // Some clients show the message only.
      expect(message).toContain(fields[0]?.message);
    }
  });

  const taken: [string, JsonObject][] = [
    ['an icon of 96 pixels', upload(png(96, 96))],
    ['an icon of 512 pixels', upload(png(512, 512))],
    ['an image of 192 × 128', upload(png(192, 128), { kind: 'image' })],
    ['an image of 2,000 × 1,000', upload(png(2_000, 1_000), { kind: 'image' })],
    ['a JPEG', upload(samples.jpeg, { contentType: 'image/jpeg', fileName: 'Icon.JPEG' })],
  ];
  test('at the limits of its kind is accepted, whatever the case of its file extension', async () => {
    const world = openWorld({ campaigns: 2 });
    for (const [what, args] of taken) {
      expect((await world.prepare(world.principal(), tool, args)).payload, what).toBeDefined();
    }
  });
});

describe('/uploads', () => {
  async function serve(): Promise<{ origin: string; published: string; prepared: string; content: Buffer }> {
    const file = join(tempFolder(), 'backend.sqlite');
    const world = openWorld({ file, campaigns: 2 });
    const content = png(192, 192);
    const { url } = await publish(world, upload(content));
    const waiting = await world.prepare(world.principal(), tool, upload(png(128, 128)));
    await world.service.store.dispose();
    const service = await startBackend({ file });
    onTestFinished(() => service.dispose());
    const origin = `http://127.0.0.1:${service.port}`;
    const prepared = `${origin}/uploads/${String(waiting.payload['sha256'])}.png`;
    return { origin, published: url.replace('http://127.0.0.1:4000', origin), prepared, content };
  }

  test('serves committed pictures permanently, and nothing else', async () => {
    const { origin, published, prepared, content } = await serve();
    const answer = await fetch(published);
    expect(answer.status).toBe(200);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(content);
    const { headers } = answer;
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'content-disposition': 'inline',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-length': String(content.length),
    });
    const again = await fetch(published, { headers: { 'if-none-match': headers.get('etag') ?? '' } });
    expect([again.status, await again.text()]).toEqual([304, '']);

    const absent = [
      prepared,
      published.replace('.png', '.jpg'),
      published.replace('.png', ''),
      published.toUpperCase().replace('HTTP', 'http').replace('UPLOADS', 'uploads'),
      `${origin}/uploads/${'0'.repeat(64)}.png`,
      `${origin}/uploads/..%2Fbackend.sqlite`,
      `${origin}/uploads/`,
    ];
    for (const address of absent) {
      const { status, headers: names } = await fetch(address);
      expect([address, status, names.get('cache-control')]).toEqual([address, 404, 'no-store']);
    }
    for (const method of ['HEAD', 'PUT', 'POST', 'DELETE', 'OPTIONS']) {
      const refused = await fetch(published, { method });
      expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET']);
    }
  });

  test('keeps pictures of campaigns available after the service moved to another port, with only their addresses changed', async () => {
    const file = join(tempFolder(), 'backend.sqlite');
    const before = await startBackend({ file });
    const { data } = await before.list('?perPage=200');
    const cid = data.find(({ type_name }) => type_name === 'Push')?.cid ?? 0;
    const campaign = await before.campaign(cid);
    const { url } = campaign['icon'] as Image;
    // An upload's address as a campaign's destination is the advertiser's own text, so it is not treated as an upload.
    const changed = { ...campaign, name: `"${url}`, clickurl: url, website: url };
    expect((await before.put(cid, changed)).status).toBe(200);
    await before.dispose();

    const taken = createServer().listen(before.port, '127.0.0.1');
    onTestFinished(() => void taken.close());
    const after = await startBackend({ file });
    onTestFinished(() => after.dispose());
    const read = await after.campaign(cid);
    const { url: moved } = read['icon'] as Image;
    expect(moved).toBe(url.replace(String(before.port), String(after.port)));
    expect((await fetch(moved)).status).toBe(200);
    expect({ ...read, icon: null, image: null }).toEqual({ ...changed, icon: null, image: null });
    expect((await after.put(cid, read)).status).toBe(200);
    expect(await after.campaign(cid)).toEqual(read);
  });
});

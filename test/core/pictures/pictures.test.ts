import { describe, expect, onTestFinished, test } from 'vitest';
import { createPictures, type PictureNetwork, type Pictures } from '#core/pictures.ts';
import { sendRequest } from '#core/service-client/index.ts';
import type { CreativePicture } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { frame, jpeg, png, samples, segment } from '#test/core/backend/uploads/pictures.ts';
import { exampleProposal } from '#test/fixtures/proposal.ts';
import { createManualClock } from '#test/servers/manual-clock.ts';
import { bytes, startPictureServer, throughLoopback, type Answering } from '#test/servers/picture-server.ts';

const publicAddress = '93.184.215.14';

function picturesOf(ownOrigin: string, network: Partial<PictureNetwork> = {}) {
  const clock = createManualClock();
  const pictures = createPictures({
    ownOrigins: (profileId) => (profileId === 'demo' ? [ownOrigin] : []),
    clock,
    network: {
      timeoutMs: 5_000,
      lookup: () => Promise.reject(new Error('No name was to be looked up')),
      ...network,
    },
  });
  onTestFinished(() => pictures.dispose());
  return { pictures, clock };
}

function load(pictures: Pictures, url: string, profileId = 'demo') {
  const named: CreativePicture = { field: 'icon', label: 'Icon', side: 'after', url, host: '', isOwn: false };
  const profile = { ...exampleProposal().profile, id: profileId };
  return pictures.load({ profile, pictures: [named] }, url);
}

async function failureOf(loading: Promise<unknown>): Promise<{ code: string; message: string }> {
  const failure: unknown = await loading.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(failure instanceof AppError)) throw new Error('It did not fail as expected', { cause: failure });
  return { code: failure.code, message: failure.message };
}

async function loadFrom(answer: Answering, network: Partial<PictureNetwork> = {}) {
  const server = await startPictureServer(answer);
  const { pictures } = picturesOf(server.origin, network);
  return { server, loading: load(pictures, `${server.origin}/icon.png?v=1`) };
}

const scan = segment(0xda, [1, 1, 0, 0, 63, 0]);

describe('a picture at the profile’s own origin', () => {
  test.each([
    ['a PNG', png(96, 48), { type: 'image/png', width: 96, height: 48 }],
    ['a JPEG', samples.jpeg, { type: 'image/jpeg', width: 192, height: 192 }],
    ['a WebP', samples.lossyWebp, { type: 'image/webp', width: 300, height: 200 }],
  ])('%s has the type and size of its own bytes, whatever the server states', async (_, content, header) => {
    const { loading } = await loadFrom(bytes(content, { 'content-type': 'text/html' }));
    expect(await loading).toEqual({ ...header, base64: content.toString('base64') });
  });

  test('is requested without cookie, referrer or credential, even after the server set a cookie', async () => {
    const server = await startPictureServer(bytes(png(8, 8), { 'set-cookie': ['a=b; Path=/', 'c=d'] }));
    const { pictures, clock } = picturesOf(server.origin);
    await load(pictures, `${server.origin}/icon.png`);
    clock.advance(600_000);
    await load(pictures, `${server.origin}/icon.png`);
    const host = server.origin.slice('http://'.length);
    const headers = ['accept', 'image/webp, image/png, image/jpeg', 'accept-encoding', 'identity'];
    const sent = [...headers, 'Host', host, 'Connection', 'close'];
    expect(server.requests.map((request) => request.headers)).toEqual([sent, sent]);
  });
});

describe('a hostile picture is refused:', () => {
  const cases: [string, Answering, string, RegExp][] = [
    [
      'an SVG',
      bytes(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'), {
        'content-type': 'image/png',
      }),
      'picture_refused',
      /not those of a PNG/,
    ],
    ['a GIF', bytes(Buffer.from('GIF89a\x60\0\x60\0', 'latin1')), 'picture_refused', /not those of a PNG/],
    ['a page', bytes(Buffer.from('<!doctype html>')), 'picture_refused', /not those of a PNG/],
    ['nothing', bytes(Buffer.alloc(0)), 'picture_refused', /not those of a PNG/],
    ['a PNG with too many pixels', bytes(hugePng(16_000, 16_000)), 'picture_refused', /16000 × 16000 pixels/],
    [
      'a PNG with the largest sides that fit',
      bytes(hugePng(0xffff_ffff, 0xffff_ffff)),
      'picture_refused',
      /too many/,
    ],
    [
      'a JPEG that is a line',
      bytes(jpeg(frame(60_000, 2), scan, [1])),
      'picture_refused',
      /60000 × 2 pixels/,
    ],
    ['a JPEG without pixels', bytes(jpeg(frame(0, 0), scan, [1])), 'picture_refused', /no pixels/],
    [
      'a PNG with a program behind it',
      bytes(Buffer.concat([png(8, 8), Buffer.from('MZ')])),
      'picture_refused',
      /something else/,
    ],
    ['a picture that is cut off', bytes(samples.lossyWebp.subarray(0, 90)), 'picture_refused', /cut off/],
    [
      'a compressed answer',
      bytes(png(8, 8).reverse(), { 'content-encoding': 'gzip' }),
      'picture_refused',
      /not those of a PNG/,
    ],
    ['one byte more than 2 MiB', bytes(Buffer.alloc(2 * 1024 * 1024 + 1)), 'picture_refused', /2 MiB/],
    ['an answer without an end', endless, 'picture_refused', /2 MiB/],
    [
      'a redirect',
      (response) => void response.writeHead(302, { location: '/other.png' }).end(),
      'picture_unreachable',
      /redirects/,
    ],
    [
      'a partial answer',
      (response) => void response.writeHead(206).end(png(8, 8)),
      'picture_unreachable',
      /status 206/,
    ],
    [
      'no such picture',
      (response) => void response.writeHead(404).end(png(8, 8)),
      'picture_unreachable',
      /status 404/,
    ],
    ['a connection that breaks in the middle', broken, 'picture_unreachable', /broke off/],
  ];
  test.each(cases)('%s', async (_, answer, code, message) => {
    const { server, loading } = await loadFrom(answer);
    const failure = await failureOf(loading);
    expect(failure).toEqual({ code, message: expect.stringMatching(message) as string });
    expect(server.requests.map(({ url }) => url)).toEqual(['/icon.png?v=1']);
  });

  test.each<[string, Answering]>([
    ['a server that never answers', () => {}],
    ['a picture that arrives byte by byte', dripping],
  ])('%s', async (_, answer) => {
    const { loading } = await loadFrom(answer, { timeoutMs: 300 });
    expect(await failureOf(loading)).toMatchObject({
      code: 'picture_unreachable',
      message: expect.stringContaining('in time') as string,
    });
  });
});

describe('a picture’s address', () => {
  test.each([
    ['http at another origin', 'http://pictures.example/icon.png', /not https/],
    ['http on the loopback at another port', 'http://127.0.0.1:9/icon.png', /not https/],
    ['https on the loopback', 'https://127.0.0.1/icon.png', /no public name/],
    ['an address by number', 'https://93.184.215.14/icon.png', /no public name/],
    ['a number in another spelling', 'https://0x7f.1/icon.png', /not written as/],
    ['an IPv6 address', 'https://[2606:4700::1]/icon.png', /no public name/],
    ['a name of this network', 'https://printer.local/icon.png', /no public name/],
    ['a user', 'https://user@pictures.example/icon.png', /plain http/],
    ['a fragment', 'https://pictures.example/icon.png#a', /fragment/],
    ['a backslash', 'https://pictures.example\\@127.0.0.1/', /characters/],
    ['another scheme', 'file:///etc/passwd', /plain http/],
    ['its own data', 'data:image/png;base64,AAAA', /characters|plain http/],
  ])('is refused before anything is looked up or sent: %s', async (_, url, message) => {
    const sent: unknown[] = [];
    const { pictures } = picturesOf('http://127.0.0.1:1', {
      send(request) {
        sent.push(request.url.href);
        return sendRequest(request);
      },
      lookup: async (name) => [String(sent.push(name))],
    });
    expect(await failureOf(load(pictures, url))).toEqual({
      code: 'picture_address_refused',
      message: expect.stringMatching(message) as string,
    });
    expect(sent).toEqual([]);
  });

  test.each([
    ['127.0.0.1'],
    ['10.0.0.7'],
    ['169.254.169.254'],
    ['::1'],
    ['::ffff:127.0.0.1'],
    ['fd00::1'],
    ['64:ff9b::7f00:1'],
  ])(
    'whose host resolves to %s is refused, even if it resolves to a public address as well',
    async (address) => {
      const { pictures } = picturesOf('http://127.0.0.1:1', {
        lookup: async () => [publicAddress, address],
        send: () => Promise.reject(new Error('Nothing was to be sent')),
      });
      expect(await failureOf(load(pictures, 'https://pictures.example/icon.png'))).toEqual({
        code: 'picture_address_refused',
        message: expect.stringContaining('private network') as string,
      });
    },
  );

  test('with a public host is looked up once, and the request goes to the address that was found', async () => {
    const server = await startPictureServer(bytes(png(8, 8)));
    const { send, meant } = throughLoopback(server);
    const names: string[] = [];
    const { pictures } = picturesOf('http://127.0.0.1:1', {
      send,
      lookup: async (name) => {
        names.push(name);
        return names.length === 1 ? [publicAddress] : ['127.0.0.1'];
      },
    });
    expect(await load(pictures, 'https://pictures.example/icon.png')).toMatchObject({ width: 8 });
    expect(names).toEqual(['pictures.example']);
    expect(meant).toEqual([{ url: 'https://pictures.example/icon.png', addresses: [publicAddress] }]);
  });

  test.each([
    ['fails', () => Promise.reject(new Error('ENOTFOUND'))],
    ['does not end', () => new Promise<never>(() => {})],
  ])('whose look-up %s returns no picture', async (_, lookup) => {
    const { pictures } = picturesOf('http://127.0.0.1:1', { lookup, timeoutMs: 200 });
    expect(await failureOf(load(pictures, 'https://pictures.example/icon.png'))).toMatchObject({
      code: 'picture_unreachable',
    });
  });

  test('at another profile’s own origin is treated like any other', async () => {
    const server = await startPictureServer(bytes(png(8, 8)));
    const { pictures } = picturesOf(server.origin);
    await load(pictures, `${server.origin}/icon.png`);
    expect(await failureOf(load(pictures, `${server.origin}/icon.png`, 'live'))).toMatchObject({
      code: 'picture_address_refused',
    });
    expect(server.requests).toHaveLength(1);
  });

  test('that the proposal does not name is not loaded', async () => {
    const server = await startPictureServer(bytes(png(8, 8)));
    const { pictures } = picturesOf(server.origin);
    const { profile } = exampleProposal();
    const asked = pictures.load({ profile: { ...profile, id: 'demo' } }, `${server.origin}/icon.png`);
    expect(await failureOf(asked)).toMatchObject({ code: 'picture_unknown' });
    expect(server.requests).toEqual([]);
  });
});

describe('the cache of pictures', () => {
  test('is valid for five minutes, and simultaneous callers share one request', async () => {
    const server = await startPictureServer(bytes(png(8, 8)));
    const { pictures, clock } = picturesOf(server.origin);
    const url = `${server.origin}/icon.png`;
    await Promise.all([load(pictures, url), load(pictures, url)]);
    clock.advance(299_000);
    await load(pictures, url);
    expect(server.requests).toHaveLength(1);
    clock.advance(2_000);
    await load(pictures, url);
    expect(server.requests).toHaveLength(2);
  });

  test('does not store a failure', async () => {
    const answers = [404, 200];
    const server = await startPictureServer((response) => {
      response.writeHead(answers.shift() ?? 500).end(png(8, 8));
    });
    const { pictures } = picturesOf(server.origin);
    const url = `${server.origin}/icon.png`;
    expect(await failureOf(load(pictures, url))).toMatchObject({ code: 'picture_unreachable' });
    expect(await load(pictures, url)).toMatchObject({ width: 8 });
  });

  test('drops the oldest of more than 24 pictures', async () => {
    const server = await startPictureServer(bytes(png(8, 8)));
    const { pictures } = picturesOf(server.origin);
    for (let index = 0; index <= 24; index += 1) await load(pictures, `${server.origin}/${index}.png`);
    await load(pictures, `${server.origin}/24.png`);
    expect(server.requests).toHaveLength(25);
    await load(pictures, `${server.origin}/0.png`);
    expect(server.requests).toHaveLength(26);
  });

  test('drops the oldest when it exceeds 16 MiB', async () => {
    const large = Buffer.concat([jpegStart(), Buffer.alloc(2_000_000, 1), Buffer.from([0xff, 0xd9])]);
    const server = await startPictureServer(bytes(large));
    const { pictures } = picturesOf(server.origin);
    for (let index = 0; index < 8; index += 1) await load(pictures, `${server.origin}/${index}.jpg`);
    await load(pictures, `${server.origin}/7.jpg`);
    expect(server.requests).toHaveLength(8);
    await load(pictures, `${server.origin}/0.jpg`);
    expect(server.requests).toHaveLength(9);
  });
});

test('a running request for a picture ends with the core', async () => {
  const server = await startPictureServer(() => {});
  const { pictures } = picturesOf(server.origin, { timeoutMs: 60_000 });
  const failure = failureOf(load(pictures, `${server.origin}/icon.png`));
  await pictures.dispose();
  expect(await failure).toMatchObject({ code: 'picture_unreachable' });
});

/** A small file whose header claims this many pixels. */
function hugePng(width: number, height: number): Buffer {
  const small = png(8, 8);
  small.writeUInt32BE(width, 16);
  small.writeUInt32BE(height, 20);
  return small;
}

/** A JPEG up to the data of its scan. */
function jpegStart(): Buffer {
  return jpeg(frame(100, 100), scan).subarray(0, -2);
}

function endless(response: Parameters<Answering>[0]): void {
  response.writeHead(200);
  const write = (): void => {
    while (!response.destroyed && response.write(Buffer.alloc(65_536)));
  };
  response.on('drain', write);
  write();
}

/** Announces a complete picture and sends half of it. */
function broken(response: Parameters<Answering>[0]): void {
  const content = png(64, 64);
  response.writeHead(200, { 'content-length': content.length });
  response.write(content.subarray(0, 40), () => response.destroy());
}

function dripping(response: Parameters<Answering>[0]): void {
  response.writeHead(200);
  const timer = setInterval(() => response.write('x'), 20);
  response.on('close', () => clearInterval(timer));
}

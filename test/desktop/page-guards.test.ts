import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { answerDialogs, bootedForThisFile, textOf, worldOf } from './boot/booted-app.ts';

const booted = bootedForThisFile();

interface InMain {
  /** One value for each event that the test listens for: true if the app refused it. */
  denied: boolean[];
}

const denied = (): Promise<boolean[]> =>
  booted.application.evaluate(() => (globalThis as unknown as InMain).denied);

/** Connections to another program's server on this machine. The app's pages must never reach it. */
const heard: string[] = [];
const stranger = createServer((request, response) => {
  heard.push(request.url ?? '');
  response.end('here');
});
// A preconnected socket reveals as much as a request.
stranger.on('connection', () => heard.push('connection'));
stranger.on('upgrade', (request, socket) => {
  heard.push(request.url ?? '');
  socket.destroy();
});
let strangerUrl: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    stranger.listen(0, '127.0.0.1', resolve);
  });
  strangerUrl = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`;
});

afterAll(async () => {
  stranger.closeAllConnections();
  await new Promise((resolve) => {
    stranger.close(resolve);
  });
});

beforeEach(() => {
  heard.length = 0;
});

/**
 * A page script that ends with an answer of the core. By then the main process has received every earlier request of the
 * page.
 */
const answerOfTheCore = "countersign.ask('session.get', {})";

test('the page is served with its policy as a header', async () => {
  const answer = booted.page.waitForResponse('countersign://app/');
  await booted.page.reload();
  const headers = (await answer).headers();
  expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'");
  expect(headers['content-security-policy']).toContain("connect-src 'none'");
  expect(headers['content-security-policy']).toContain("require-trusted-types-for 'script'");
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['cross-origin-opener-policy']).toBe('same-origin');
  await booted.page.getByText('400 campaigns', { exact: true }).waitFor();
});

test('text never becomes code or markup, because eval, inline scripts and innerHTML are refused', async () => {
  const outcomes = await booted.page.evaluate(async () => {
    const attempt = (run: () => unknown): string => {
      try {
        return String(run());
      } catch (error) {
        return (error as Error).name;
      }
    };
    const script = document.createElement('script');
    // The page's policy does not apply to code that the driver runs directly, but to code that runs later.
    await new Promise((resolve) => setTimeout(resolve));
    const inline = attempt(() => {
      script.textContent = 'globalThis.ranInline = true';
      document.head.append(script);
      return 'ranInline' in globalThis ? 'ran' : 'did not run';
    });
    script.remove();
    return {
      eval: attempt(() => (Reflect.get(globalThis, 'eval') as (code: string) => unknown)('1 + 1')),
      constructed: attempt(() => Reflect.construct(Function, ['return 2'])),
      inline,
      markup: attempt(() => (document.createElement('div').innerHTML = '<b>x</b>')),
      policy: attempt(() =>
        (
          globalThis as unknown as { trustedTypes: { createPolicy(name: string, rules: object): string } }
        ).trustedTypes.createPolicy('mine', {}),
      ),
    };
  });
  expect(outcomes).toEqual({
    eval: 'EvalError',
    constructed: 'EvalError',
    inline: 'TypeError',
    markup: 'TypeError',
    policy: 'TypeError',
  });
});

test.each([
  'https://example.com/',
  'http://127.0.0.1:1/',
  'file:///etc/passwd',
  'data:text/html,<h1>Elsewhere</h1>',
  'about:blank',
  'chrome://gpu',
  'countersign://confirm/',
  'countersign://app/other',
  'countersign://app/?query',
])('a page cannot navigate to %s', async (url) => {
  const before = await worldOf(booted);
  const denied = await booted.application.evaluate(
    async ({ webContents }, { url, script }) => {
      const contents = webContents.getAllWebContents().find((one) => one.getURL().includes('//app/'));
      // Chromium itself refuses some addresses, and opens an empty page without asking the app.
      const { promise, resolve } = Promise.withResolvers<boolean | 'not asked'>();
      contents?.once('will-frame-navigate', (event) =>
        setImmediate(() => resolve(event.url.startsWith(url.slice(0, 8)) && event.defaultPrevented)),
      );
      contents?.once('did-navigate', () => resolve('not asked'));
      void contents?.executeJavaScript(script).then(() => resolve('not asked'));
      return promise;
    },
    { url, script: `location.assign(${JSON.stringify(url)}); ${answerOfTheCore}` },
  );
  expect(denied).not.toBe(false);
  await expect.poll(() => worldOf(booted)).toEqual(before);
  await expect.poll(() => textOf(booted)).toContain('400 campaigns');
});

test('a page that changed its address before a reload is loaded from its own address again', async () => {
  await booted.page.evaluate(() => {
    history.pushState(null, '', '/other');
    setTimeout(() => location.reload());
  });
  await expect.poll(() => booted.page.url()).toBe('countersign://app/');
  await expect.poll(() => textOf(booted)).toContain('400 campaigns');
});

test('a page cannot move or resize its window', async () => {
  const places = (): Promise<unknown> =>
    booted.application.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().map((one) => [one.getTitle(), one.getBounds()]),
    );
  const before = await places();
  await booted.application.evaluate(({ webContents }) => {
    const seen: boolean[] = [];
    (globalThis as unknown as InMain).denied = seen;
    for (const contents of webContents.getAllWebContents())
      contents.on('content-bounds-updated', (event) => seen.push(event.defaultPrevented));
  });
  for (const page of [booted.page, booted.confirmPage]) {
    await page.evaluate(() => {
      window.moveTo(5, 7);
      window.resizeBy(-50, -60);
    });
  }
  await expect.poll(denied).toEqual([true, true, true, true]);
  expect(await places()).toEqual(before);
});

test('links and forms lead nowhere, except links within the page', async () => {
  const before = await worldOf(booted);
  await booted.application.evaluate(({ webContents }) => {
    const seen: boolean[] = [];
    (globalThis as unknown as InMain).denied = seen;
    const contents = webContents.getAllWebContents().find((one) => one.getURL().includes('//app/'));
    contents?.on('will-frame-navigate', (event) => seen.push(event.defaultPrevented));
  });
  await booted.page.evaluate(() => {
    const link = document.createElement('a');
    link.href = 'https://example.com/';
    document.body.append(link);
    link.click();
    link.remove();
  });
  await expect.poll(denied).toEqual([true]);
  const refused = await booted.page.evaluate(async () => {
    const violation = new Promise<string>((resolve) =>
      document.addEventListener('securitypolicyviolation', (event) => resolve(event.effectiveDirective), {
        once: true,
      }),
    );
    const form = document.createElement('form');
    form.action = 'https://example.com/';
    form.method = 'post';
    document.body.append(form);
    form.submit();
    form.remove();
    return violation;
  });
  expect(refused).toBe('form-action');
  expect(await worldOf(booted)).toEqual(before);
  await booted.page.evaluate(() => void (location.hash = '#/ledger'));
  await expect.poll(() => booted.page.url()).toBe('countersign://app/#/ledger');
  await booted.page.evaluate(() => void (location.hash = ''));
});

test('a page cannot open a window; the user is asked about a full https address, with Cancel as the default', async () => {
  const before = await worldOf(booted);
  const seen = await answerDialogs(booted, 0);
  const refused = [
    'http://example.com/',
    'file:///etc/passwd',
    'countersign://confirm/',
    'javascript:alert(1)',
    '',
  ];
  for (const url of refused) {
    expect(await booted.page.evaluate((url) => window.open(url) === null, url)).toBe(true);
  }
  expect(await seen()).toEqual({ asked: [], opened: [] });
  expect(await booted.page.evaluate(() => window.open('https://example.com/a?b=c') === null)).toBe(true);
  await expect
    .poll(async () => (await seen()).asked)
    .toEqual([
      'Open example.com in your browser?\nhttps://example.com/a?b=c\n\nThis page is not part of Countersign.\n0',
    ]);
  expect((await seen()).opened).toEqual([]);
  expect(await worldOf(booted)).toEqual(before);
});

test('after the user confirms, the system browser opens exactly the address that was shown', async () => {
  const seen = await answerDialogs(booted, 1);
  await booted.page.evaluate(() => void window.open('https://example.com/help'));
  await expect.poll(async () => (await seen()).opened).toEqual(['https://example.com/help']);
});

test('a page can contain neither a webview nor a frame', async () => {
  const before = await worldOf(booted);
  const violations = await booted.page.evaluate(async (foreign) => {
    const found: string[] = [];
    const all = Promise.withResolvers<void>();
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
      if (found.push(effectiveDirective) === 3) all.resolve();
    });
    const view = document.createElement('webview');
    view.setAttribute('src', foreign);
    document.body.append(view);
    const frames = [foreign, 'countersign://confirm/', 'countersign://app/'].map((src) => {
      const frame = document.createElement('iframe');
      frame.src = src;
      document.body.append(frame);
      return frame;
    });
    await all.promise;
    const known = view instanceof HTMLUnknownElement || !('getWebContentsId' in view);
    for (const element of [view, ...frames]) element.remove();
    return { found, known };
  }, strangerUrl);
  expect(violations).toEqual({ found: ['frame-src', 'frame-src', 'frame-src'], known: true });
  expect(heard).toEqual([]);
  await expect.poll(() => worldOf(booted)).toEqual(before);
});

test('every permission is denied except writing copied text to the clipboard', async () => {
  const outcomes = await booted.page.evaluate(async () => {
    const outcome = (asked: Promise<unknown>): Promise<string> =>
      asked.then(
        (value) => String(value),
        (error: Error) => error.name,
      );
    const query = (name: string): Promise<string> =>
      outcome(navigator.permissions.query({ name: name as PermissionName }).then(({ state }) => state));
    const device = (kind: 'usb' | 'hid' | 'serial' | 'bluetooth', ask: string): Promise<string> => {
      const found = (navigator as unknown as Record<string, Record<string, (o: object) => Promise<unknown>>>)[
        kind
      ];
      return found
        ? outcome(found[ask]?.({ filters: [], acceptAllDevices: true }) ?? Promise.resolve())
        : Promise.resolve('absent');
    };
    return {
      geolocation: await query('geolocation'),
      camera: await query('camera'),
      microphone: await query('microphone'),
      notifications: await outcome(Notification.requestPermission()),
      midi: await query('midi'),
      position: await new Promise((resolve) =>
        navigator.geolocation.getCurrentPosition(
          () => resolve('granted'),
          ({ code }) => resolve(code),
        ),
      ),
      recording: await outcome(navigator.mediaDevices.getUserMedia({ audio: true, video: true })),
      screen: await outcome(navigator.mediaDevices.getDisplayMedia({ video: true })),
      reading: await outcome(navigator.clipboard.readText()),
      usb: await device('usb', 'requestDevice'),
      hid: await device('hid', 'requestDevice'),
      serial: await device('serial', 'requestPort'),
      files: await query('persistent-storage'),
    };
  });
  expect(outcomes).toEqual({
    geolocation: 'denied',
    camera: 'denied',
    microphone: 'denied',
    midi: 'denied',
    files: 'denied',
    notifications: 'denied',
    position: 1,
    // This machine has none of these devices. In either case no person was asked.
    recording: 'NotFoundError',
    serial: 'NotFoundError',
    usb: 'NotFoundError',
    hid: '',
    screen: 'NotAllowedError',
    reading: 'NotAllowedError',
  });
});

test('a page cannot start a download', async () => {
  // Listens before the first click, and is read as soon as there is a result.
  await booted.application.evaluate(({ session }) => {
    const seen: boolean[] = [];
    (globalThis as unknown as InMain).denied = seen;
    session.fromPartition('persist:app').on('will-download', (event) => seen.push(event.defaultPrevented));
  });
  await booted.page.evaluate(() => {
    for (const href of ['data:text/plain,x', URL.createObjectURL(new Blob(['x']))]) {
      const link = document.createElement('a');
      link.href = href;
      link.download = 'x.txt';
      document.body.append(link);
      link.click();
      link.remove();
    }
  });
  await expect.poll(async () => (await denied()).length).toBeGreaterThan(0);
  expect(await denied()).not.toContain(false);
});

test('a page cannot reach a server in any way', async () => {
  const refused = await booted.page.evaluateHandle(() => {
    const seen: string[] = [];
    document.addEventListener('securitypolicyviolation', ({ blockedURI }) => {
      if (URL.canParse(blockedURI)) seen.push(new URL(blockedURI).pathname);
    });
    return seen;
  });
  await booted.page.evaluate(async (url) => {
    const socketUrl = url.replace('http', 'ws');
    const attempts: (() => unknown)[] = [
      () => fetch(url),
      () => navigator.sendBeacon(`${url}/beacon`, 'x'),
      () => new WebSocket(`${socketUrl}/socket`),
      () => new EventSource(`${url}/events`),
      () => (new Image().src = `${url}/image`),
      () => new Worker(`${url}/worker.js`),
      () => navigator.serviceWorker.register(`${url}/sw.js`),
      async () => {
        const urls = `turn:${new URL(url).host}?transport=tcp`;
        const peer = new RTCPeerConnection({ iceServers: [{ urls, username: 'x', credential: 'x' }] });
        peer.createDataChannel('x');
        const gathered = new Promise((resolve) =>
          peer.addEventListener('icecandidate', ({ candidate }) => candidate === null && resolve(null)),
        );
        await peer.setLocalDescription(await peer.createOffer());
        await gathered;
      },
      () => {
        for (const rel of ['stylesheet', 'preconnect', 'dns-prefetch', 'prefetch', 'modulepreload', 'icon']) {
          const link = document.createElement('link');
          link.rel = rel;
          link.href = `${url}/${rel}`;
          document.head.append(link);
        }
      },
    ];
    await Promise.allSettled(attempts.map(async (attempt) => attempt()));
  }, strangerUrl);
  // Passed as text, because the test runner rewrites imports in functions.
  await booted.page.evaluate(`import('${strangerUrl}/module.js').catch(() => undefined)`);
  await expect
    .poll(async () => (await refused.jsonValue()).toSorted())
    .toEqual(
      '/ /beacon /events /icon /image /module.js /modulepreload /prefetch /socket /stylesheet'.split(' '),
    );
  // A page gets no event for connection hints. Hints begin before this lookup.
  await booted.application.evaluate(({ session }) =>
    session.defaultSession.resolveHost('control.test').catch(() => undefined),
  );
  expect(heard).toEqual([]);
});

/**
 * Loads each address in a window of its own, because the error page of a failed load would interrupt the next load. Returns
 * the result of each load.
 */
function loadIn(partition: string, urls: readonly string[], { guarded = true } = {}): Promise<string[]> {
  return booted.application.evaluate(
    async ({ BrowserWindow, session }, { partition, urls, guarded }) => {
      const own = partition === '' ? session.defaultSession : session.fromPartition(partition);
      if (!guarded) own.webRequest.onBeforeRequest(null);
      const tried: string[] = [];
      for (const url of urls) {
        const window = new BrowserWindow({ show: false, webPreferences: { session: own, sandbox: true } });
        tried.push(
          await window.loadURL(url).then(
            () => 'loaded',
            (error: { code: string }) => error.code,
          ),
        );
        window.destroy();
      }
      return tried;
    },
    { partition, urls, guarded },
  );
}

test('even without the page’s policy, the session loads only the app’s own scheme', async () => {
  const urls = [`${strangerUrl}/`, 'file:///etc/hostname', 'ftp://127.0.0.1/'];
  const outcomes: string[] = [];
  for (const partition of ['persist:app', 'confirm', '']) outcomes.push(...(await loadIn(partition, urls)));
  expect(outcomes).toHaveLength(9);
  expect(outcomes).not.toContain('loaded');
  expect(
    outcomes.filter((code) => code === 'ERR_BLOCKED_BY_CLIENT').length,
    outcomes.join(' '),
  ).toBeGreaterThanOrEqual(6);
  expect(heard).toEqual([]);
});

test('even without the request guard, the session’s own proxy leads nowhere', async () => {
  const urls = [`${strangerUrl}/`, 'http://localhost/', 'http://name.page.test/'];
  const outcomes = await loadIn('without-guard', urls, { guarded: false });
  expect(outcomes).toEqual(Array(3).fill('ERR_PROXY_CONNECTION_FAILED'));
  expect(heard).toEqual([]);
});

test('a page cannot cause a DNS lookup, neither by a request nor by a hint', async () => {
  const file = join(booted.userData, 'names.json');
  await booted.application.evaluate(({ netLog }, file) => netLog.startLogging(file), file);
  await booted.page.evaluate(async () => {
    for (const rel of ['stylesheet', 'preconnect', 'dns-prefetch', 'prefetch', 'modulepreload', 'icon']) {
      const link = document.createElement('link');
      link.rel = rel;
      link.href = `https://${rel}.page.test/`;
      document.head.append(link);
    }
    const anchor = document.createElement('a');
    anchor.href = 'https://anchor.page.test/';
    document.body.append(anchor);
    new Image().src = 'https://image.page.test/';
    await fetch('https://fetch.page.test/').catch(() => undefined);
    anchor.remove();
  });
  const names = await booted.application
    .evaluate(async ({ netLog, session }) => {
      // A lookup that no page makes. It proves that the log contains lookups, and that earlier lookups have begun.
      await session.defaultSession.resolveHost('control.test').catch(() => undefined);
      return netLog.stopLogging();
    })
    .then(() => lookedUp(file));
  expect(names.filter((name) => name.includes('control.test'))).not.toEqual([]);
  expect(names.filter((name) => name.includes('page.test'))).toEqual([]);
});

function lookedUp(file: string): string[] {
  const { constants, events } = JSON.parse(readFileSync(file, 'utf8')) as {
    constants: { logEventTypes: Record<string, number> };
    events: { type: number; params?: object }[];
  };
  const lookups = new Set(
    Object.entries(constants.logEventTypes).flatMap(([name, type]) =>
      /^(HOST_RESOLVER|DNS)_/.test(name) ? [type] : [],
    ),
  );
  const texts = events
    .filter(({ type }) => lookups.has(type))
    .map(({ params }) => JSON.stringify(params ?? {}));
  return [...new Set(texts.flatMap((text) => text.match(/[\w.-]+\.test\b/g) ?? []))];
}

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ElectronApplication, Page } from 'playwright-core';
import { electronForThisFile } from '../servers/electron-runtime.ts';
import { bootedApp, type BootedApp } from './boot/booted-app.ts';

const electron = electronForThisFile();
let userData: string;
let application: ElectronApplication;
let page: Page;
let confirmPage: Page;

/** A server of somebody on this machine, which must never hear of the app's pages. */
let stranger: Server;
let strangerUrl: string;
const heard: string[] = [];

beforeAll(async () => {
  stranger = createServer((request, response) => {
    heard.push(request.url ?? '');
    response.end('here');
  });
  stranger.on('upgrade', (request, socket) => {
    heard.push(request.url ?? '');
    socket.destroy();
  });
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
  strangerUrl = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`;
  userData = electron.newFolder();
  ({ application, page, confirmPage } = await boot());
});

afterAll(async () => {
  await application?.close();
  stranger.closeAllConnections();
  await new Promise((resolve) => stranger.close(resolve));
});

async function boot(): Promise<BootedApp> {
  return bootedApp(await electron.launch({ userData }));
}

/** What a native dialog would have asked, and what was handed to the system's browser; every answer is `response`. */
async function answerDialogs(
  response: number,
): Promise<() => Promise<{ asked: string[]; opened: string[] }>> {
  await application.evaluate(({ dialog, shell }, response) => {
    const seen = { asked: new Array<string>(), opened: new Array<string>() };
    Object.assign(globalThis, { seen });
    dialog.showMessageBox = (...args: unknown[]) => {
      const { message, detail = '', defaultId } = args.at(-1) as Electron.MessageBoxOptions;
      seen.asked.push(`${message}\n${detail}\n${defaultId}`);
      return Promise.resolve({ response, checkboxChecked: false });
    };
    shell.openExternal = async (url: string) => void seen.opened.push(url);
  }, response);
  return () =>
    application.evaluate(
      () => (globalThis as unknown as { seen: { asked: string[]; opened: string[] } }).seen,
    );
}

/** Everything that a page could have moved: its windows, where they are, and how many frames they hold. */
const world = (): Promise<unknown> =>
  application.evaluate(({ BrowserWindow, webContents }) => ({
    windows: BrowserWindow.getAllWindows()
      .map(({ webContents: contents }) => [
        contents.getURL(),
        contents.mainFrame.framesInSubtree
          .map((frame) => frame.url)
          .filter((url) => url !== '' && url !== 'about:blank'),
      ])
      .toSorted(),
    contents: webContents.getAllWebContents().length,
  }));

/** What was decided so far; nothing in this file decides anything. */
const proposals = (): Promise<string> =>
  page.evaluate(async () => {
    const { requests } = (globalThis as unknown as { countersign: Countersign }).countersign;
    const [waiting, past] = await Promise.all(
      ['waiting', 'past'].map((which) => requests['proposals.list']?.({ which, before: null, limit: 50 })),
    );
    return JSON.stringify([waiting, past]);
  });

interface Countersign {
  requests: Record<string, (input: unknown) => Promise<unknown>>;
}

/** What the app's window shows. Asked in the main process: the driver waits for ever after a navigation that was denied. */
const textOf = (): Promise<string> =>
  application.evaluate(async ({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows().find(
      (one) => one.getTitle() === 'Countersign',
    )?.webContents;
    if (!contents || contents.isCrashed() || contents.isLoading()) return '';
    return (await contents.executeJavaScript('document.body.innerText')) as string;
  });

beforeEach(() => {
  heard.length = 0;
});

test('both windows run sandboxed and isolated, without Node, each in a session of its own', async () => {
  const windows = await application.evaluate(({ BrowserWindow, session }) =>
    BrowserWindow.getAllWindows().map(({ webContents }) => {
      const contents = webContents as unknown as { getLastWebPreferences(): Record<string, unknown> };
      const url = webContents.getURL();
      const own = session.fromPartition(url === 'countersign://app/' ? 'persist:app' : 'confirm');
      return { url, ownSession: webContents.session === own, preferences: contents.getLastWebPreferences() };
    }),
  );
  expect(windows.map(({ url }) => url).toSorted()).toEqual(['countersign://app/', 'countersign://confirm/']);
  for (const { url, preferences, ownSession } of windows) {
    expect(preferences).toMatchObject({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      webviewTag: false,
      experimentalFeatures: false,
      safeDialogs: true,
    });
    expect({ url, ownSession }).toEqual({ url, ownSession: true });
  }
});

test('no process of a page runs outside the sandbox', async () => {
  const metrics = await application.evaluate(({ app }) =>
    app.getAppMetrics().map(({ type, sandboxed }) => ({ type, sandboxed })),
  );
  const tabs = metrics.filter(({ type }) => type === 'Tab');
  expect(tabs.length).toBeGreaterThanOrEqual(2);
  // Linux does not report the sandbox here; the runtime's own test proves that it is on.
  expect(tabs.every(({ sandboxed }) => sandboxed !== false)).toBe(true);
});

test('each page stands on its own origin of the custom scheme, a secure context without Node or the other’s bridge', async () => {
  const facts = (target: Page) =>
    target.evaluate(() => ({
      origin: globalThis.origin,
      secure: isSecureContext,
      isolated: ['require', 'process', 'module', 'Buffer', 'global'].filter((name) => name in globalThis),
      bridges: ['countersign', 'countersignConfirm'].filter((name) => name in globalThis),
    }));
  expect(await facts(page)).toEqual({
    origin: 'countersign://app',
    secure: true,
    isolated: [],
    bridges: ['countersign'],
  });
  expect(await facts(confirmPage)).toEqual({
    origin: 'countersign://confirm',
    secure: true,
    isolated: [],
    bridges: ['countersignConfirm'],
  });
});

test('the page arrives with its policy as a header', async () => {
  const answer = page.waitForResponse('countersign://app/');
  await page.reload();
  const headers = (await answer).headers();
  expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'");
  expect(headers['content-security-policy']).toContain("connect-src 'none'");
  expect(headers['content-security-policy']).toContain("require-trusted-types-for 'script'");
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['cross-origin-opener-policy']).toBe('same-origin');
  await page.getByText('400 campaigns').waitFor();
});

test('text never becomes code or markup: eval, inline scripts and innerHTML are refused', async () => {
  const outcomes = await page.evaluate(async () => {
    const attempt = (run: () => unknown): string => {
      try {
        return String(run());
      } catch (error) {
        return (error as Error).name;
      }
    };
    const script = document.createElement('script');
    // What the driver runs directly is exempt; what the page runs later is not.
    await new Promise((resolve) => setTimeout(resolve));
    const inline = attempt(() => {
      script.textContent = 'globalThis.ranInline = true';
      document.head.append(script);
      return 'ranInline' in globalThis ? 'ran' : 'did not run';
    });
    script.remove();
    return {
      eval: attempt(() => globalThis.eval('1 + 1')),
      constructed: attempt(() => new Function('return 2')()),
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
])('a page cannot go to %s', async (url) => {
  const before = await world();
  const [denied] = await Promise.all([
    application.evaluate(
      ({ webContents }, url) =>
        new Promise<boolean | 'nothing happened'>((resolve) => {
          const contents = webContents.getAllWebContents().find((one) => one.getURL().includes('//app/'));
          const giveUp = setTimeout(() => resolve('nothing happened'), 1_500);
          contents?.once('will-frame-navigate', (event) => {
            clearTimeout(giveUp);
            setImmediate(() => resolve(event.url.startsWith(url.slice(0, 8)) && event.defaultPrevented));
          });
        }),
      url,
    ),
    page.evaluate((url) => void location.assign(url), url).catch(() => undefined),
  ]);
  // Chromium itself refuses some of these before anybody is asked.
  expect(denied).not.toBe(false);
  await expect.poll(world).toEqual(before);
  await expect.poll(textOf).toContain('400 campaigns');
});

test('links, forms and places within the page: only the last lead anywhere', async () => {
  const before = await world();
  await page.evaluate(() => {
    const link = document.createElement('a');
    link.href = 'https://example.com/';
    document.body.append(link);
    link.click();
    link.remove();
    const form = document.createElement('form');
    form.action = 'https://example.com/';
    form.method = 'post';
    document.body.append(form);
    form.submit();
    form.remove();
  });
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
  expect(await world()).toEqual(before);
  await page.evaluate(() => void (location.hash = '#/ledger'));
  await expect.poll(() => page.url()).toBe('countersign://app/#/ledger');
  await page.evaluate(() => void (location.hash = ''));
});

test('a page opens no window; an https address goes to the person, whole, and Cancel is the answer at hand', async () => {
  const before = await world();
  const seen = await answerDialogs(0);
  const refused = [
    'http://example.com/',
    'file:///etc/passwd',
    'countersign://confirm/',
    'javascript:alert(1)',
    '',
  ];
  for (const url of refused) {
    expect(await page.evaluate((url) => window.open(url) === null, url)).toBe(true);
  }
  expect(await seen()).toEqual({ asked: [], opened: [] });
  expect(await page.evaluate(() => window.open('https://example.com/a?b=c') === null)).toBe(true);
  await expect
    .poll(async () => (await seen()).asked)
    .toEqual([
      'Open example.com in your browser?\nhttps://example.com/a?b=c\n\nThis page is not part of Countersign.\n0',
    ]);
  expect((await seen()).opened).toEqual([]);
  expect(await world()).toEqual(before);
});

test('when the person says so, the system’s browser gets exactly the address that was shown', async () => {
  const seen = await answerDialogs(1);
  await page.evaluate(() => void window.open('https://example.com/help'));
  await expect.poll(async () => (await seen()).opened).toEqual(['https://example.com/help']);
});

test('a page holds no webview and no frame', async () => {
  const before = await world();
  const violations = await page.evaluate(async (foreign) => {
    const found: string[] = [];
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) =>
      found.push(effectiveDirective),
    );
    const view = document.createElement('webview');
    view.setAttribute('src', foreign);
    document.body.append(view);
    const frames = [foreign, 'countersign://confirm/', 'countersign://app/'].map((src) => {
      const frame = document.createElement('iframe');
      frame.src = src;
      document.body.append(frame);
      return frame;
    });
    await new Promise((resolve) => setTimeout(resolve, 500));
    const known = view instanceof HTMLUnknownElement || !('getWebContentsId' in view);
    for (const element of [view, ...frames]) element.remove();
    return { found, known };
  }, strangerUrl);
  expect(violations).toEqual({ found: ['frame-src', 'frame-src', 'frame-src'], known: true });
  expect(heard).toEqual([]);
  await expect.poll(world).toEqual(before);
});

test('every permission is denied, but for text that a person copies', async () => {
  const outcomes = await page.evaluate(async () => {
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
    // This machine has none of these; a person was not asked either way.
    recording: 'NotFoundError',
    serial: 'NotFoundError',
    usb: 'NotFoundError',
    hid: '',
    screen: 'NotAllowedError',
    reading: 'NotAllowedError',
  });
});

test('nothing is downloaded', async () => {
  const downloads = application.evaluate(
    ({ session }) =>
      new Promise<boolean[]>((resolve) => {
        const denied: boolean[] = [];
        session
          .fromPartition('persist:app')
          .on('will-download', (event) => denied.push(event.defaultPrevented));
        setTimeout(() => resolve(denied), 1_000);
      }),
  );
  await page.evaluate(() => {
    for (const href of ['data:text/plain,x', URL.createObjectURL(new Blob(['x']))]) {
      const link = document.createElement('a');
      link.href = href;
      link.download = 'x.txt';
      document.body.append(link);
      link.click();
      link.remove();
    }
  });
  const denied = await downloads;
  expect(denied.length).toBeGreaterThan(0);
  expect(denied).not.toContain(false);
});

test('a page reaches no server, whichever way it tries', async () => {
  await page.evaluate(async (url) => {
    const socketUrl = url.replace('http', 'ws');
    const attempts: (() => unknown)[] = [
      () => fetch(url),
      () => navigator.sendBeacon(`${url}/beacon`, 'x'),
      () => new WebSocket(`${socketUrl}/socket`),
      () => new EventSource(`${url}/events`),
      () => (new Image().src = `${url}/image`),
      () => import(/* @vite-ignore */ `${url}/module.js`),
      () => new Worker(`${url}/worker.js`),
      () => navigator.serviceWorker.register(`${url}/sw.js`),
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
    await new Promise((resolve) => setTimeout(resolve, 800));
  }, strangerUrl);
  expect(heard).toEqual([]);
});

test('behind the policy of the page the session itself is closed: only our scheme passes', async () => {
  const outcomes = await application.evaluate(
    async ({ BrowserWindow, session }, urls) => {
      const tried: string[] = [];
      for (const partition of ['persist:app', 'confirm', '']) {
        const own = partition === '' ? session.defaultSession : session.fromPartition(partition);
        const window = new BrowserWindow({ show: false, webPreferences: { session: own, sandbox: true } });
        for (const url of urls) {
          tried.push(
            await window.loadURL(url).then(
              () => 'loaded',
              (error: { code: string }) => error.code,
            ),
          );
        }
        window.destroy();
      }
      return tried;
    },
    [`${strangerUrl}/`, 'file:///etc/hostname', 'ftp://127.0.0.1/'],
  );
  expect(outcomes).not.toContain('loaded');
  expect(outcomes.filter((code) => code === 'ERR_BLOCKED_BY_CLIENT').length).toBeGreaterThanOrEqual(6);
  expect(heard).toEqual([]);
  const resolved = await application.evaluate(({ app }) =>
    app.commandLine.getSwitchValue('host-resolver-rules'),
  );
  expect(resolved).toBe('MAP * ~NOTFOUND');
});

/** The registered handlers, as Electron keeps them. */
type Handlers = Map<string, (event: unknown, ...args: unknown[]) => Promise<{ error?: { code: string } }>>;

test('every channel refuses a frame that is gone, a sub-frame, another window, and another origin', async () => {
  const refusals = await application.evaluate(async ({ ipcMain, webContents }) => {
    const handlers = (ipcMain as unknown as { _invokeHandlers: Handlers })._invokeHandlers;
    const all = webContents.getAllWebContents();
    const app = all.find((one) => one.getURL().startsWith('countersign://app/'));
    const confirm = all.find((one) => one.getURL().startsWith('countersign://confirm/'));
    const answers: Record<string, (string | undefined)[]> = {};
    for (const [channel, handler] of handlers) {
      const [own, other] = channel.startsWith('confirm') ? [confirm, app] : [app, confirm];
      const frame = own?.mainFrame;
      const events = [
        { sender: own, senderFrame: null },
        { sender: own, senderFrame: { origin: frame?.origin, parent: frame } },
        { sender: own, senderFrame: { origin: frame?.origin, parent: null } },
        { sender: other, senderFrame: other?.mainFrame },
        { sender: other, senderFrame: frame },
        { sender: { mainFrame: frame }, senderFrame: frame },
      ];
      answers[channel] = [];
      for (const event of events) answers[channel].push((await handler(event, {})).error?.code);
    }
    return answers;
  });
  expect(Object.keys(refusals).length).toBeGreaterThan(25);
  for (const [channel, codes] of Object.entries(refusals)) {
    expect(codes, channel).toEqual(Array.from({ length: 6 }, () => 'sender_refused'));
  }
});

test('the right page is answered, and what it says is parsed', async () => {
  const answers = await page.evaluate(async () => {
    const { requests } = (globalThis as unknown as { countersign: Countersign }).countersign;
    return [
      await requests['session.get']?.({}),
      await requests['campaigns.get']?.({ cid: 'one' }),
      await requests['campaigns.get']?.(undefined),
    ];
  });
  expect(answers[0]).toMatchObject({ output: { host: 'desktop', profile: { kind: 'demo' } } });
  expect(answers[1]).toMatchObject({ error: { code: 'bad_input', fields: [{ field: 'cid' }] } });
  expect(answers[2]).toMatchObject({ error: { code: 'bad_input' } });
});

test('no channel stands beside the guarded ones', async () => {
  const beside = await application.evaluate(({ ipcMain }) =>
    ipcMain.eventNames().filter((name) => name !== 'error' && ipcMain.listenerCount(name) > 0),
  );
  expect(beside).toEqual([]);
});

/** Names and kinds of a bridge, and whether a page can change it. */
const surfaceOf = (target: Page, name: string): Promise<unknown> =>
  target.evaluate((name) => {
    const describe = (value: unknown): unknown =>
      typeof value === 'object' && value !== null
        ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, describe(inner)]))
        : typeof value;
    const bridge = (globalThis as unknown as Record<string, Record<string, unknown>>)[name] ?? {};
    const changed = Object.keys(bridge).filter((key) => Reflect.set(bridge, key, () => 'mine'));
    const replaced = Reflect.set(globalThis, name, {}) && Reflect.deleteProperty(globalThis, name);
    return { surface: describe(bridge), changed, replaced };
  }, name);

test('the app’s page is given these functions by name, and cannot change them', async () => {
  expect(await surfaceOf(page, 'countersign')).toMatchInlineSnapshot(`
    {
      "changed": [],
      "replaced": false,
      "surface": {
        "desktop": {
          "desktop.copyDiagnostics": "function",
          "desktop.get": "function",
          "desktop.keepSecrets": "function",
          "desktop.openDataFolder": "function",
          "desktop.retry": "function",
          "desktop.setTheme": "function",
        },
        "onCoreState": "function",
        "onEvent": "function",
        "onMenuCommand": "function",
        "requests": {
          "campaigns.get": "function",
          "campaigns.page": "function",
          "campaigns.proposeStatus": "function",
          "campaigns.proposeUpdate": "function",
          "campaigns.types": "function",
          "ledger.list": "function",
          "ledger.report": "function",
          "ledger.verify": "function",
          "proposals.get": "function",
          "proposals.list": "function",
          "proposals.review": "function",
          "proposals.settle": "function",
          "proposals.withdraw": "function",
          "session.get": "function",
          "session.status": "function",
        },
      },
    }
  `);
});

test('the confirmation’s page is given these functions by name, and cannot change them', async () => {
  expect(await surfaceOf(confirmPage, 'countersignConfirm')).toMatchInlineSnapshot(`
    {
      "changed": [],
      "replaced": false,
      "surface": {
        "close": "function",
        "decide": "function",
        "look": "function",
        "onReopened": "function",
        "onWaiting": "function",
        "open": "function",
        "seen": "function",
      },
    }
  `);
});

test('a second start, a deep link or an opened file brings the window forward, and nothing else', async () => {
  const before = [await world(), await proposals()];
  const hostile = [
    'countersign://confirm/?decision=approve',
    '--approve',
    '--load-extension=/tmp',
    'https://example.com/',
    'file:///etc/passwd',
  ];
  await application.evaluate(({ BrowserWindow }) => {
    BrowserWindow.getAllWindows()
      .find((one) => one.getTitle() === 'Countersign')
      ?.minimize();
  });
  const second = await electron.run({ userData, args: hostile });
  expect(second.exitCode).toBe(0);
  await expect
    .poll(() =>
      application.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows()
          .filter((one) => one.isVisible() && !one.isMinimized())
          .map((one) => [one.getTitle(), one.isFocused()]),
      ),
    )
    .toEqual([['Countersign', true]]);
  const prevented = await application.evaluate(({ app }, hostile) => {
    const seen: string[] = [];
    for (const name of ['open-url', 'open-file']) {
      for (const what of hostile) app.emit(name, { preventDefault: () => seen.push(name) }, what);
    }
    app.emit('second-instance', {}, ['electron', ...hostile], '/', { decision: 'approve' });
    return seen.length;
  }, hostile);
  expect(prevented).toBe(2 * hostile.length);
  expect([await world(), await proposals()]).toEqual(before);
});

test('a page whose process crashes is loaded again; after a second crash the person is asked', async () => {
  const seen = await answerDialogs(0);
  const crash = (): Promise<void> =>
    application.evaluate(({ BrowserWindow }) => {
      const own = BrowserWindow.getAllWindows().find((one) => one.getTitle() === 'Countersign');
      return new Promise<void>((resolve) => {
        own?.webContents.once('render-process-gone', () => resolve());
        own?.webContents.forcefullyCrashRenderer();
      });
    });
  await crash();
  await expect.poll(textOf, { timeout: 15_000 }).toContain('400 campaigns');
  expect((await seen()).asked).toEqual([]);
  await crash();
  await expect.poll(async () => (await seen()).asked.length).toBe(1);
  expect((await seen()).asked[0]).toContain('stopped working twice');
  await expect.poll(textOf, { timeout: 15_000 }).toContain('400 campaigns');
});

test('the window comes back where it was', async () => {
  await application.close();
  userData = electron.newFolder();
  ({ application, page, confirmPage } = await boot());
  const bounds = { x: 120, y: 80, width: 1100, height: 700 };
  await application.evaluate(({ BrowserWindow }, bounds) => {
    BrowserWindow.getAllWindows()
      .find((one) => one.getTitle() === 'Countersign')
      ?.setBounds(bounds);
  }, bounds);
  await application.close();
  ({ application, page, confirmPage } = await boot());
  const found = await application.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()
      .find((one) => one.getTitle() === 'Countersign')
      ?.getBounds(),
  );
  expect(found).toEqual(bounds);
});

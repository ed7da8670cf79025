import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPerson } from '#test/servers/person.ts';
import type { Person, PlainPage } from '#test/servers/person.ts';
import { openPageHost } from './page-host.ts';
import type { PageHost } from './page-host.ts';

let host: PageHost;
let person: Person;
beforeAll(async () => void (host = await openPageHost()));
afterAll(() => host.dispose());
beforeEach(() => {
  host.results.length = 0;
  person = createPerson();
  // Advances past the window in which the failures of the previous test count.
  host.clock.advance(16 * 60_000);
});

const pair = (login: string, password: string) => [
  ['login', login] as const,
  ['password', password] as const,
];
const signIn = async (question: PlainPage, login = 'marlow-media') =>
  person.submit(question, '/sign-in', pair(login, host.password));
const consent = async (asked: Parameters<PageHost['ask']>[0] = {}) =>
  signIn(await person.open(host.ask(asked)));
const tagsOf = (html: string) => html.match(/<[a-z/!][^>]*>/gi)?.map((tag) => tag.split(/[\s>]/, 1)[0]);

describe('the sign-in page', () => {
  test('signs a demo account in with its login and the shared password, and then asks for consent', async () => {
    const page = await consent();
    expect([page.status, page.html.includes('Allow access?')]).toEqual([200, true]);
    expect(host.results).toEqual([]);
  });

  test('answers a wrong password and an unknown login alike, and keeps the login in its field but not the password', async () => {
    const question = await person.open(host.ask());
    const wrong = await person.submit(question, '/sign-in', pair('marlow-media', 'typed-secret'));
    const unknown = await person.submit(wrong, '/sign-in', pair('"><b>nobody', host.password));
    const neutral = (page: PlainPage) => page.html.replace(/value="[^"]+"/g, '');
    expect([wrong.status, unknown.status]).toEqual([403, 403]);
    expect(neutral(unknown)).toBe(neutral(wrong));
    expect(wrong.html).toContain('value="marlow-media"');
    expect(unknown.html).toContain('value="&#34;&#62;&#60;b&#62;nobody"');
    for (const typed of ['typed-secret', '<b>nobody', host.password]) {
      expect(wrong.html + unknown.html).not.toContain(typed);
    }
  });

  test('sends the client away without a code on Cancel', async () => {
    const page = await person.submit(await person.open(host.ask()), '/cancel');
    expect([page.left, host.results]).toEqual([
      'http://127.0.0.1:33418/callback?error=access_denied',
      [{ kind: 'denied' }],
    ]);
  });
});

describe('a guessed password', () => {
  const fail = async (login: string, times: number): Promise<PlainPage> => {
    let page = await person.open(host.ask());
    for (let n = 0; n < times; n += 1)
      page = await person.submit(page, '/sign-in', pair(login, `guess-${n}`));
    return page;
  };
  const attempt = async (login: string) => signIn(await person.open(host.ask()), login);

  test.each(['marlow-media', 'nobody-at-all'])(
    'that fails five times for %s causes a pause in which even the right password is refused',
    async (login) => {
      expect((await fail(login, 5)).status).toBe(403);
      const paused = await attempt(login);
      expect([paused.status, paused.headers.get('retry-after')]).toEqual([429, '1']);
      expect(paused.html).toContain('Too many attempts. Wait a second');
      expect((await attempt('quayside-ads')).html).toContain('Allow access?');
    },
  );

  test('after the pause doubles the next pause', async () => {
    await fail('marlow-media', 5);
    for (const seconds of [1, 2, 4, 8]) {
      const paused = await attempt('marlow-media');
      expect([paused.status, paused.headers.get('retry-after')]).toEqual([429, String(seconds)]);
      host.clock.advance(seconds * 1000);
      if (seconds < 8) expect((await fail('marlow-media', 1)).status).toBe(403);
    }
    expect((await attempt('marlow-media')).html).toContain('Allow access?');
  });

  test('is forgotten after a successful sign-in', async () => {
    await fail('marlow-media', 4);
    await attempt('marlow-media');
    expect((await fail('marlow-media', 5)).status).toBe(403);
  });

  test('with a new login each time ends in a pause for every login', async () => {
    for (let n = 0; n < 20; n += 1) expect((await fail(`login-${n}`, 1)).status).toBe(403);
    expect((await attempt('marlow-media')).status).toBe(429);
    host.clock.advance(1_000);
    expect((await attempt('marlow-media')).status).toBe(200);
  });
});

describe('the consent page', () => {
  test('names the client, the target address, the account, and the meaning of each scope', async () => {
    const { html } = await consent({
      clientName: 'Bid Helper',
      redirectUri: 'https://helper.example:8443/cb',
    });
    for (const words of [
      'says it is',
      '“Bid Helper”',
      '<div class="host" id="where">helper.example:8443</div>',
      'A website. Continue only if you know it.',
      '<b>Marlow Media</b> · 20417',
      'Look at the account',
      'Propose and commit changes',
      'Upload pictures',
      'Keep scheduled tasks',
    ]) {
      expect(html).toContain(words);
    }
  });

  test('shows only requested scopes', async () => {
    const { html } = await consent({ scopes: ['svc:read'] });
    expect(html).not.toContain('Propose and commit changes');
    expect(html).not.toContain('type="checkbox"');
  });

  test('says if remote tools are switched off for the account', async () => {
    const page = await signIn(await person.open(host.ask()), 'old-harbour');
    expect(page.html).toContain('Remote tools are not in the menu of this account');
  });

  const everything = ['svc:read', 'svc:write', 'svc:upload', 'offline_access'];
  const answers: [string, [string, string][], string[]][] = [
    ['everything ticked', everything.slice(1).map((scope) => ['scope', scope]), everything],
    ['nothing ticked', [], ['svc:read']],
    ['only tasks', [['scope', 'offline_access']], ['svc:read', 'offline_access']],
    ['uploads without changes', [['scope', 'svc:upload']], ['svc:read']],
    [
      'reading selected twice by a forged form',
      [
        ['scope', 'svc:read'],
        ['scope', 'svc:read'],
      ],
      ['svc:read'],
    ],
  ];
  test.each(answers)('grants exactly %s on Allow', async (_name, ticked, scopes) => {
    const page = await consent();
    const [form] = page.forms.filter(({ action }) => action.endsWith('/decide'));
    form!.fields = form!.fields.filter(([name]) => name !== 'scope');
    const { left } = await person.submit(page, '/decide', [...ticked, ['decision', 'allow']]);
    expect(left).toBe('http://127.0.0.1:33418/callback?code=abc');
    expect(host.results).toEqual([{ kind: 'granted', subject: '20417', scopes }]);
  });

  test('records a denial on Deny', async () => {
    await person.submit(await consent(), '/decide', [['decision', 'deny']]);
    expect(host.results).toEqual([{ kind: 'denied' }]);
  });

  test('lets the user choose another account before allowing anything', async () => {
    const question = await person.submit(await consent(), '/another-account');
    expect(question.html).toContain('<h1>Sign in</h1>');
    const page = await signIn(question, 'quayside-ads');
    await person.submit(page, '/decide', [['decision', 'allow']]);
    expect(host.results).toMatchObject([{ kind: 'granted', subject: '20422' }]);
  });

  test('asks for every request in full, even in the same browser', async () => {
    await person.submit(await consent(), '/decide', [['decision', 'allow']]);
    expect((await person.open(host.ask())).html).toContain('<h1>Sign in</h1>');
  });
});

describe('a form is valid once and for its own page:', () => {
  const token = (page: PlainPage) => page.forms[0]!.fields.find(([name]) => name === 'form_token')![1];
  const post = (address: string, fields: [string, string][], headers: Record<string, string> = {}) =>
    fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(fields).toString(),
      redirect: 'manual',
    });
  const allow = (page: PlainPage, formToken: string, more: [string, string][] = []) =>
    post(`${page.url}/decide`, [['form_token', formToken], ['decision', 'allow'], ...more]);

  const stale: [string, (page: PlainPage) => string | Promise<string>][] = [
    ['none', () => ''],
    ['a made-up one', () => 'A'.repeat(43)],
    ['the token of the sign-in page', async () => token(await person.open(host.ask()))],
    ['the token of another sign-in', async () => token(await consent())],
    [
      'the earlier token',
      async (page) => {
        const before = token(page);
        await person.open(page.url);
        return before;
      },
    ],
    [
      'one that was used',
      async (page) => {
        await allow(page, token(page), [['scope', 'not:asked']]);
        return token(page);
      },
    ],
  ];
  test.each(stale)('with %s as its token nothing is allowed', async (_name, find) => {
    const page = await consent();
    const answer = await allow(page, await find(page));
    expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining('out of date')]);
    expect(host.results).toEqual([]);
    // The question has not been answered yet.
    expect((await person.open(page.url)).html).toContain('Allow access?');
  });

  test('two simultaneous answers count once', async () => {
    const page = await consent();
    const statuses = await Promise.all(
      Array.from({ length: 8 }, async () => (await allow(page, token(page))).status),
    );
    expect(statuses.filter((status) => status === 303)).toHaveLength(1);
    expect(host.results).toHaveLength(1);
  });

  const malformed: [string, number, (page: PlainPage, formToken: string) => Promise<Response>][] = [
    [
      'a scope that was not requested',
      400,
      (page, formToken) => allow(page, formToken, [['scope', 'svc:admin']]),
    ],
    ['two decisions', 400, (page, formToken) => allow(page, formToken, [['decision', 'deny']])],
    ['two tokens', 400, (page, formToken) => allow(page, formToken, [['form_token', formToken]])],
    ['an unknown field', 400, (page, formToken) => allow(page, formToken, [['uid', '20422']])],
    [
      'an unknown decision',
      400,
      (page, formToken) =>
        post(`${page.url}/decide`, [
          ['form_token', formToken],
          ['decision', 'Allow'],
        ]),
    ],
    ['no decision', 400, (page, formToken) => post(`${page.url}/decide`, [['form_token', formToken]])],
    ['too much', 413, (page, formToken) => allow(page, formToken, [['scope', 'x'.repeat(9_000)]])],
    [
      'another type',
      415,
      (page, formToken) =>
        post(`${page.url}/decide`, [['form_token', formToken]], { 'content-type': 'text/plain' }),
    ],
    [
      'another origin',
      403,
      (page, formToken) =>
        post(
          `${page.url}/decide`,
          [
            ['form_token', formToken],
            ['decision', 'allow'],
          ],
          { origin: 'http://evil.example' },
        ),
    ],
    ['an unknown address', 404, (page) => post(`${page.url}/constructor`, [])],
    ['the method of a page', 405, (page) => fetch(`${page.url}/decide`)],
    ['the method of a form', 405, (page) => post(page.url, [])],
  ];
  test.each(malformed)('%s is refused with %i and allows nothing', async (_name, status, send) => {
    const page = await consent();
    expect((await send(page, token(page))).status).toBe(status);
    expect(host.results).toEqual([]);
  });

  test('a decision before signing in is refused', async () => {
    const question = await person.open(host.ask());
    const answer = await allow(question, token(question));
    expect([answer.status, host.results]).toEqual([403, []]);
  });
});

describe('the pages', () => {
  test('run no script, load no resource, cannot be framed, and are not cached', async () => {
    const redirectUri = 'https://helper.example:8443/cb';
    const question = await person.open(host.ask({ redirectUri }));
    const refused = await person.submit(question, '/sign-in', pair('marlow-media', 'no'));
    const page = await signIn(refused);
    const lost = await person.open(`${page.url}/nothing`);
    for (const { headers, html } of [question, refused, page, lost]) {
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/]+=*'; form-action 'self'/);
      expect(policy).toContain("frame-ancestors 'none'");
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('referrer-policy')).toBe('same-origin');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(html).not.toMatch(/<script|<link|<img|\son\w+=|style="|javascript:/i);
    }
    expect(page.headers.get('content-security-policy')).toContain(
      "form-action 'self' https://helper.example:8443;",
    );
    expect(lost.headers.get('content-security-policy')).toContain("form-action 'self';");
  });

  const names: [string, string, string][] = [
    ['markup', '</b><script>alert(1)</script><form action=//evil>', '&#60;script&#62;'],
    [
      'an attribute',
      '" autofocus onfocus="alert(1)',
      '" autofocus onfocus="alert(1)'.replaceAll('"', '&#34;'),
    ],
    ['an entity', '&lt;b&gt;', '&#38;lt;b&#38;gt;'],
    ['a quotation that closes itself', 'Claude” – checked by us “', 'Claude&#34; – checked by us &#34;'],
    ['a turned direction', 'Claude\u202Eedoc', 'Claude⟨U+202E⟩edoc'],
    ['zero width', 'Cl\u200Baude', 'Cl⟨U+200B⟩aude'],
    ['a new line', 'Claude\n\nAllow it', 'Claude⟨U+000A⟩⟨U+000A⟩Allow it'],
    ['nothing', '   ', 'A client that gave no name'],
  ];
  test.each(names)('show a client name with %s as plain text', async (_name, clientName, shown) => {
    const plain = await consent({ clientName: 'Plain' });
    const page = await consent({ clientName });
    expect(page.html).toContain(shown);
    expect(tagsOf(page.html)).toEqual(tagsOf(plain.html));
  });

  test('show a look-alike host by its real name', async () => {
    const { html } = await consent({ redirectUri: 'https://clаude.example/cb' });
    expect(html).toMatch(/<div class="host" id="where">xn--[\w-]+\.example<\/div>/);
  });
});

describe('if the app answers sign-ins itself,', () => {
  const clients = [{ clientId: 'app', clientName: 'Countersign', redirectUris: [] }];

  test('its own client is admitted at once, and any other client is denied without a question', async () => {
    const asked: string[] = [];
    const answering = await openPageHost({
      kind: 'answered',
      clients,
      answer({ clientId, scopes }) {
        asked.push(clientId);
        return { kind: 'granted', subject: '20417', scopes };
      },
    });
    await person.open(answering.ask({ clientId: 'stranger' }));
    expect([asked, answering.results]).toEqual([[], [{ kind: 'denied' }]]);
    await person.open(answering.ask({ clientId: 'app', scopes: ['svc:read'] }));
    expect(answering.results[1]).toEqual({ kind: 'granted', subject: '20417', scopes: ['svc:read'] });
    const address = answering.ask({ clientId: 'app' });
    expect((await fetch(`${address}/decide`, { method: 'POST', body: 'decision=allow' })).status).toBe(404);
    expect(answering.results).toHaveLength(2);
    await answering.dispose();
  });
});

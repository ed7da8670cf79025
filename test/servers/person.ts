/** A form of a page, with the fields that it would send unchanged. */
export interface PlainForm {
  action: string;
  /** Hidden fields and checked boxes. */
  fields: [string, string][];
}

/** The page on which a person has arrived. */
export interface PlainPage {
  url: string;
  status: number;
  headers: Headers;
  html: string;
  forms: PlainForm[];
  /**
   * The address of another origin to which the service redirected the browser. It was not requested; null if there was no
   * such redirect.
   */
  left: string | null;
}

/** A person with a browser that supports cookies, redirects and forms, but no scripts. */
export interface Person {
  open(url: string): Promise<PlainPage>;
  /** Submits the form whose action ends with this text, with these additional fields. */
  submit(
    page: PlainPage,
    action: string,
    fields?: readonly (readonly [string, string])[],
  ): Promise<PlainPage>;
}

interface Cookie {
  name: string;
  value: string;
  path: string;
}

/** Creates a new browser profile. It follows redirects within an origin and stops at a redirect to another origin. */
export function createPerson(): Person {
  const jar = new Map<string, Cookie>();

  async function go(start: string, init: RequestInit): Promise<PlainPage> {
    let url = start;
    for (let hops = 0; hops < 10; hops += 1) {
      const cookies = [...jar.values()].filter(({ path }) => new URL(url).pathname.startsWith(path));
      const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
      const headers = { ...(init.headers as Record<string, string>), ...(cookie === '' ? {} : { cookie }) };
      const answer = await fetch(url, { ...(hops === 0 ? init : {}), headers, redirect: 'manual' });
      for (const line of answer.headers.getSetCookie()) keep(jar, line);
      const html = await answer.text();
      const location = answer.headers.get('location');
      const here = { url, status: answer.status, headers: answer.headers, html, forms: formsOf(html, url) };
      if (location === null) return { ...here, left: null };
      const next = new URL(location, url);
      if (next.origin !== new URL(url).origin) return { ...here, left: next.href };
      url = next.href;
    }
    throw new Error(`Redirects without an end from ${new URL(start).pathname}`);
  }

  return {
    open: (url) => go(url, {}),
    submit(page, action, fields = []) {
      const form = page.forms.find((one) => one.action.endsWith(action));
      if (form === undefined) throw new Error(`No form posts to ${action}; the page is:\n${page.html}`);
      return go(form.action, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams([
          ...form.fields,
          ...fields.map(([name, value]) => [name, value]),
        ]).toString(),
      });
    },
  };
}

/** A person's actions at the page of an authorization request. */
export interface Answering {
  login: string;
  password: string;
  decision?: 'allow' | 'deny';
  /** Scopes whose boxes the person unchecks first. */
  without?: readonly string[];
  person?: Person;
}

/** Signs in and answers; resolves with the redirect URL for the client. */
export async function answerRequest(url: string, answering: Answering): Promise<string> {
  const { login, password, decision = 'allow', without = [], person = createPerson() } = answering;
  const question = await person.open(url);
  const consent = await person.submit(question, '/sign-in', [
    ['login', login],
    ['password', password],
  ]);
  for (const form of consent.forms) form.fields = form.fields.filter(([, value]) => !without.includes(value));
  const { left, status, html } = await person.submit(consent, '/decide', [['decision', decision]]);
  if (left === null) throw new Error(`Answered, and not sent back to the client: ${status}\n${html}`);
  return left;
}

function keep(jar: Map<string, Cookie>, line: string): void {
  const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
  const at = pair.indexOf('=');
  const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
  const path = attributes.find((one) => /^path=/i.test(one))?.slice(5) ?? '/';
  if (value === '') jar.delete(`${name} ${path}`);
  else jar.set(`${name} ${path}`, { name, value, path });
}

function formsOf(html: string, url: string): PlainForm[] {
  return [...html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)].map(([, head = '', inside = '']) => ({
    action: new URL(attribute(head, 'action') ?? '', url).href,
    fields: [...inside.matchAll(/<input\b([^>]*)>/g)].flatMap(([, input = '']): [string, string][] => {
      const isSent = /type="hidden"/.test(input) || /\bchecked\b/.test(input);
      return isSent ? [[attribute(input, 'name') ?? '', attribute(input, 'value') ?? 'on']] : [];
    }),
  }));
}

function attribute(tag: string, name: string): string | null {
  const found = new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1];
  return found === undefined
    ? null
    : found.replace(/&#(\d+);/g, (_mark, code: string) => String.fromCharCode(Number(code)));
}

import type { FuzzCredentials } from './places.ts';

/** An unfinished sign-in, as its browser sees it. */
export interface FuzzInteraction {
  path: string;
  cookie: string;
  /** The one-time token of the form on the page. */
  formToken: string;
}

/** Begins a sign-in. With `who`, logs in and continues to the consent page. */
export async function beginSignIn(
  origin: string,
  target: string,
  who?: Pick<FuzzCredentials, 'login' | 'password'>,
): Promise<FuzzInteraction> {
  const begun = await fetch(`${origin}${target}`, { redirect: 'manual' });
  await begun.arrayBuffer();
  const { pathname: path } = new URL(begun.headers.get('location') ?? '', origin);
  const cookies = begun.headers.getSetCookie().map((text) => text.split(';', 1).join());
  const shown = async (): Promise<FuzzInteraction> => {
    const page = await fetch(`${origin}${path}`, { headers: { cookie: cookies.join('; ') } });
    const formToken = /name="form_token" value="([^"]+)"/.exec(await page.text())?.[1] ?? '';
    cookies.push(...page.headers.getSetCookie().map((text) => text.split(';', 1).join()));
    return { path, cookie: cookies.join('; '), formToken };
  };
  const first = await shown();
  if (who === undefined) return first;
  const { login, password } = who;
  const answer = await fetch(`${origin}${path}/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: first.cookie, origin },
    body: new URLSearchParams({ login, password, form_token: first.formToken }),
  });
  await answer.arrayBuffer();
  return shown();
}

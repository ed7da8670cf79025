import { onTestFinished } from 'vitest';
import { openAndWait } from '#test/servers/agent/waiting-browser.ts';
import { openCoreWithPerson, type CoreWithPerson } from '#test/servers/core-with-person.ts';
import { prepareBrowserWith, type ClientBrowser } from './client-browser.ts';

/** A gateway, a person who answers everything that agents ask for, and a browser for their programs. */
export interface OpenGateway extends CoreWithPerson {
  /** A browser whose pages wait, as those of the gateway do. */
  browser: ClientBrowser;
}

/** Opens it; everything ends with the test. */
export async function openGateway(): Promise<OpenGateway> {
  return { ...(await openCoreWithPerson()), browser: await prepareBrowserWith(waitForAdmission) };
}

/** A person at the page that only waits. */
async function waitForAdmission(url: string): Promise<string> {
  const gone = new AbortController();
  onTestFinished(() => gone.abort());
  const address = new URL(url);
  const { origin, pathname } = new URL(address.searchParams.get('redirect_uri') ?? '');
  return (await openAndWait(address, `${origin}${pathname}`, gone.signal).end).href;
}

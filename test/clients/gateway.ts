import { onTestFinished } from 'vitest';
import { openAndWait } from '#test/servers/agent/waiting-browser.ts';
import { openCoreWithPerson, type CoreWithPerson } from '#test/servers/core-with-person.ts';
import { prepareBrowserWith, type ClientBrowser } from './client-browser.ts';

/** A gateway, a person who answers everything that agents ask for, and a browser for the agents' programs. */
export interface OpenGateway extends CoreWithPerson {
  /** A browser that waits at the gateway's page until the person has decided. */
  browser: ClientBrowser;
}

/** Opens a gateway. Everything ends with the test. */
export async function openGateway(): Promise<OpenGateway> {
  return { ...(await openCoreWithPerson()), browser: await prepareBrowserWith(waitForAdmission) };
}

/** Follows the waiting page until it redirects. The page itself has nothing to answer. */
async function waitForAdmission(url: string): Promise<string> {
  const gone = new AbortController();
  onTestFinished(() => gone.abort());
  const address = new URL(url);
  const { origin, pathname } = new URL(address.searchParams.get('redirect_uri') ?? '');
  return (await openAndWait(address, `${origin}${pathname}`, gone.signal).end).href;
}

import { inject, onTestFinished } from 'vitest';
import type { Browser, BrowserContext } from 'playwright-core';
import { keepPictures } from '../keep-pictures.ts';
import type { SessionOptions } from '../session.ts';

/** A browser profile of this test's own, whose pages may speak to the loopback only. */
export async function openContext(
  browser: Browser,
  { colorScheme = 'light', viewport = { width: 1280, height: 800 } }: SessionOptions,
): Promise<{ context: BrowserContext; complaints: string[] }> {
  const context = await browser.newContext({ colorScheme, viewport, reducedMotion: 'reduce' });
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') await keepPictures(context);
    await context.close();
  });
  context.setDefaultTimeout(inject('patienceMs'));
  const complaints: string[] = [];
  context.on('weberror', ({ error }) => void complaints.push(error().message));
  context.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${message.text()} (${message.location().url})`);
  });
  context.on('request', (request) => {
    if (!request.url().startsWith('http://127.0.0.1:')) complaints.push(`asked for ${request.url()}`);
  });
  return { context, complaints };
}

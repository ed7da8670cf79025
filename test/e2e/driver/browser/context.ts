import { expect, onTestFinished } from 'vitest';
import type { Browser, BrowserContext } from 'playwright';
import { patienceMs } from '../../../../scripts/lib/test-settings.ts';
import { gatherComplaints } from '../complaints.ts';
import { keepPictures } from '../keep-pictures.ts';
import type { Session, SessionOptions } from '../session.ts';

/** Opens a browser profile for one test. Its pages may connect to the loopback interface only. */
export async function openContext(
  browser: Browser,
  { colorScheme = 'light', viewport = { width: 1280, height: 800 } }: SessionOptions,
): Promise<{ context: BrowserContext; complaints: Session['complaints'] }> {
  const context = await browser.newContext({ colorScheme, viewport, reducedMotion: 'reduce' });
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') await keepPictures(context);
    await context.close();
  });
  context.setDefaultTimeout(patienceMs);
  const loopback = 'http://127.0.0.1:';
  const elsewhere: string[] = [];
  context.on('request', (request) => {
    if (!request.url().startsWith(loopback)) elsewhere.push(request.url());
  });
  onTestFinished(() => expect(elsewhere, 'requests beyond the loopback').toEqual([]));
  return { context, complaints: gatherComplaints(context, loopback) };
}

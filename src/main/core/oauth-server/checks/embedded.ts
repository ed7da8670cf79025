import type { IncomingMessage } from 'node:http';
import { headerValues } from '#core/platform/loopback/index.ts';
import { refuse } from './refuse.ts';

/**
 * Where a person is asked, a browser must have opened a window: no picture, frame or script of another page comes in, and
 * nothing is fetched ahead (Fetch Metadata). Programs, and browsers that are too old, say nothing of it.
 */
export function rejectEmbedded(request: IncomingMessage): void {
  const isWindow = headerValues(request, 'sec-fetch-dest').every((destination) => destination === 'document');
  if (!isWindow || headerValues(request, 'sec-purpose').length > 0) {
    refuse('oauth_invalid_request', 'Open this address in a browser window of its own.');
  }
}

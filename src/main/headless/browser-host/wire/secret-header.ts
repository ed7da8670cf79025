import type { IncomingMessage } from 'node:http';
import { headerValues } from '#core/platform/loopback/index.ts';

/** The page's secret as it came in `x-countersign-secret`; undefined when absent or sent twice. No cookies: they cross ports on 127.0.0.1. */
export function secretOf(request: IncomingMessage): string | undefined {
  const [secret, ...more] = headerValues(request, 'x-countersign-secret');
  return more.length > 0 ? undefined : secret;
}

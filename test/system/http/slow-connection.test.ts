import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { requestText } from '#system/http/request.ts';
import { has } from '#test/servers/abilities.ts';
import { startChild } from '#test/servers/child.ts';

// The queue of connections that wait for a server, and the treatment of one more connection, are specific to Linux.
test.runIf(has.linux)(
  'an address that connects slowly is not given up for an address that does not answer',
  async () => {
    const child = startChild(new URL('./slow-to-connect.ts', import.meta.url), []);
    onTestFinished(child.kill);
    const port = Number(await child.line());
    const others = Array.from({ length: 4 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
    onTestFinished(() => others.forEach((other) => other.destroy()));
    await Promise.all(others.slice(0, 2).map((other) => once(other, 'connect')));
    const answer = await requestText({
      method: 'GET',
      url: new URL(`http://localhost:${port}/`),
      headers: {},
      credential: null,
      signal: AbortSignal.timeout(20_000),
      addresses: ['127.0.0.1', '::1'],
    });
    expect(answer.status).toBe(200);
  },
);

import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { portOfElectron } from '#core/host-link/process-ports.ts';
import type { CoreMessage } from '#shared/host-api/index.ts';

test('in a utilityProcess the host is at the parent port, whose messages come wrapped', async () => {
  const posted: CoreMessage[] = [];
  const parentPort = Object.assign(new EventEmitter(), {
    postMessage: (message: CoreMessage) => void posted.push(message),
  });
  const port = portOfElectron(parentPort);
  const heard: unknown[] = [];
  port.onMessage((message) => heard.push(message));
  parentPort.emit('message', { data: { kind: 'quit' }, ports: [] });
  expect(heard).toEqual([{ kind: 'quit' }]);
  port.send({ kind: 'hide', showingId: 'x' });
  expect(posted).toEqual([{ kind: 'hide', showingId: 'x' }]);
  await port.drained();
});

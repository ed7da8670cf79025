import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { portOfElectron } from '#core/host-link/host-port.ts';
import { arrivedWord } from '#shared/host-api/index.ts';

test('in a process of Electron the host is reached through the parent port, whose messages are wrapped', async () => {
  const posted: unknown[] = [];
  const parentPort = Object.assign(new EventEmitter(), {
    postMessage: (message: unknown) => void posted.push(message),
  });
  const port = portOfElectron(parentPort);
  const heard: unknown[] = [];
  port.onMessage((message) => heard.push(message));
  parentPort.emit('message', { data: { kind: 'quit' }, ports: [] });
  expect(heard).toEqual([{ kind: 'quit' }]);
  port.send({ kind: 'hide', displayId: 'x' });
  expect(posted).toEqual([{ kind: 'hide', displayId: 'x' }]);
});

test('in a process of Electron every message has been delivered when the host confirms it', async () => {
  const posted: unknown[] = [];
  const parentPort = Object.assign(new EventEmitter(), {
    postMessage: (message: unknown) => void posted.push(message),
  });
  const port = portOfElectron(parentPort);
  port.onMessage(() => expect.unreachable());
  let isDrained = false;
  const drained = port.drained().then(() => (isDrained = true));
  await Promise.resolve();
  expect([posted, isDrained]).toEqual([[arrivedWord], false]);
  parentPort.emit('message', { data: arrivedWord, ports: [] });
  await drained;
});

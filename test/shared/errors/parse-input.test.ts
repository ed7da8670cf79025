import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkedHandlers } from '#core/platform/checked-handlers.ts';
import { openLoopbackListener, silentLogger, type LoopbackListener } from '#core/public.ts';
import { createRegistrar } from '#electron/ipc/registrar.ts';
import { answerJson, createRouter, readInput } from '#headless/browser-host/router.ts';
import { appApi, type AppHandlers, type AppRequest } from '#shared/app-api/index.ts';
import { encodeError, type EncodedError } from '#shared/errors/index.ts';

/** Decodes the input of a request. Returns the fields of its refusal, or null if the input is valid. */
type Decode = (name: AppRequest, input: unknown) => Promise<string[] | null>;

const fieldsOf = ({ code, fields }: EncodedError): string[] => {
  expect(code).toBe('bad_input');
  for (const field of fields)
    expect(field).toMatchObject({ code: 'invalid', message: expect.stringMatching(/./) });
  return fields.map(({ field }) => field);
};

/** The core: handlers with their schemas. The handler itself throws an error that proves that it was reached. */
const atCore: Decode = async (name, input) => {
  const reached = new Error('reached');
  const handlers = { [name]: () => Promise.reject(reached) } as unknown as AppHandlers;
  const handle = checkedHandlers(handlers)[name] as (input: unknown) => Promise<unknown>;
  return handle(input).then(
    () => null,
    (failure: unknown) => (failure === reached ? null : fieldsOf(encodeError(failure))),
  );
};

/** The desktop's IPC, with the window's own page as the sender. */
const overIpc: Decode = async (name, input) => {
  const frame = { origin: 'countersign://app', parent: null };
  const sender = { mainFrame: frame };
  const listeners: ((event: object, ...args: unknown[]) => Promise<unknown>)[] = [];
  const raw = {
    handle: (_channel: string, listener: never) => void listeners.push(listener),
    removeHandler() {},
  };
  createRegistrar(raw, { info() {}, warn() {} }).handle({
    surface: 'app',
    from: { webContents: () => sender, origin: frame.origin },
    requests: appApi,
    answer: () => null,
  });
  const answer = (await listeners[0]?.({ senderFrame: frame, sender }, name, input)) as {
    error?: EncodedError;
  };
  return answer.error === undefined ? null : fieldsOf(answer.error);
};

let listener: LoopbackListener;

beforeAll(async () => {
  const route = {
    method: 'POST' as const,
    path: '/',
    async answer(request: IncomingMessage, response: ServerResponse, path: string) {
      await readInput<unknown>(request, appApi[path.slice(1) as AppRequest].input);
      answerJson(response, {});
    },
  };
  const handler = createRouter([route], silentLogger);
  listener = await openLoopbackListener({ port: 0, handler, logger: silentLogger });
});

afterAll(() => listener.dispose());

/** The browser host's HTTP endpoint, over a socket. */
const overHttp: Decode = async (name, input) => {
  const response = await fetch(`${listener.origin}/${name}`, {
    method: 'POST',
    headers: { origin: listener.origin, 'content-type': 'application/json' },
    body: JSON.stringify(input),
  });
  const { error } = (await response.json()) as { error?: EncodedError };
  return error === undefined ? null : fieldsOf(error);
};

const cases: [what: string, name: AppRequest, input: unknown, fields: string[] | null][] = [
  ['an input that fits', 'campaigns.get', { cid: 7 }, null],
  ['a field of another type', 'campaigns.get', { cid: 'seven' }, ['cid']],
  ['a field that is missing', 'campaigns.get', {}, ['cid']],
  ['no object at all', 'campaigns.get', 7, ['']],
  [
    'a field inside a list',
    'drafts.change',
    {
      title: 'A change',
      changes: [
        { cid: 7, field: 'payout', draft: null },
        { cid: 7, field: 7, draft: null },
      ],
    },
    ['changes[1].field'],
  ],
  ['an entry of a list', 'campaigns.proposeStatus', { cids: [1, 'two'], status: 1 }, ['cids[1]']],
  ['several fields at once', 'campaigns.proposeStatus', { cids: 'all', status: 'on' }, ['cids', 'status']],
  ['a field inside an object', 'reports.views.reorder', { ids: ['a', ''] }, ['ids[1]']],
];

describe.each([
  ['the core', atCore],
  ['the desktop’s IPC', overIpc],
  ['the browser host', overHttp],
])('%s decodes by the schema and names every invalid field', (_where, decode) => {
  test.each(cases)('%s', async (_what, name, input, fields) => {
    expect(await decode(name, input)).toEqual(fields);
  });
});

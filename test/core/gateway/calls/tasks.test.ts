import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  createTaskSessionFromClient,
  type JsonRpcResponse,
  type TaskEnabledSession,
} from '@modelcontextprotocol/ext-tasks/client';
import { expect, onTestFinished, test } from 'vitest';
import { tasksExtension } from '#core/mcp-server/exchange/envelope.ts';
import { objectAt, type JsonObject } from '#shared/lib/json/json-value.ts';
import { openStream } from '#test/core/mcp-server/open-stream.ts';
import { newest, openWithAgent, proposals, waiting } from '../admission/admitted-agent.ts';
import { reopenEndpoint } from '../endpoint/endpoint-world.ts';

const version = '2026-07-28';
const clientInfo = { name: 'agent', version: '2' };
const clientCapabilities = { extensions: { [tasksExtension]: {} } };

interface TaskClient {
  session: TaskEnabledSession;
  /** Sends one request of the client, and returns its answer. */
  ask(method: string, params: JsonObject): Promise<JsonRpcResponse>;
}

/** Opens the client of the extension's authors, which uses the SDK's own client. */
async function openTaskClient(url: string, token: string): Promise<TaskClient> {
  const authorization = `Bearer ${token}`;
  const client = new Client(clientInfo, {
    capabilities: clientCapabilities,
    versionNegotiation: { mode: { pin: version } },
  });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { authorization } } }),
  );
  onTestFinished(() => client.close());
  const send = async (request: JsonObject): Promise<JsonRpcResponse> => {
    const params = objectAt(request, 'params');
    const method = String(request['method']);
    const name = params['name'] ?? params['taskId'];
    const answer = await fetch(url, {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...request }),
      headers: {
        authorization,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': version,
        'mcp-method': method,
        ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
      },
    });
    const text = await answer.text();
    const json = /^data: (\{.*)$/m.exec(text)?.[1] ?? text;
    const { result, error } = JSON.parse(json) as { result?: never; error?: never };
    return error === undefined ? { kind: 'result', result: result as never } : { kind: 'error', error };
  };
  const session = createTaskSessionFromClient(client, {
    endpointId: 'countersign',
    rawDispatch: (request) => send(request as JsonObject),
    v2RequestFraming: { protocolVersion: version, clientInfo, clientCapabilities },
  });
  return { session, ask: (method, params) => send(requestOf(method, params)) };
}

function requestOf(method: string, params: JsonObject): JsonObject {
  const key = (name: string): string => `io.modelcontextprotocol/${name}`;
  const _meta = { [key('protocolVersion')]: version, [key('clientCapabilities')]: clientCapabilities };
  return { method, params: { ...params, _meta } };
}

test('a waiting write is a task that survives a restart of the app and of its client, and ends with the verdict', async () => {
  const { endpointWorld, world, agent, token, cid } = await openWithAgent();
  const { session } = await openTaskClient(endpointWorld.url, token);
  const execution = await session.callTool('svc_commit', (await agent.prepare(cid, 'key-1')) as never);
  const { id } = await waiting(world);
  if (execution.kind !== 'task') throw new Error('The call is no task');
  expect(execution.handle.taskId).toBe(id);
  const reference = execution.serializeReference();
  await execution.detach();
  await session.close();

  const reopened = await world.restart();
  const { url } = await reopenEndpoint(reopened);
  const again = await openTaskClient(url, token);
  expect(await again.ask('tasks/get', { taskId: id })).toMatchObject({
    result: {
      taskId: id,
      status: 'working',
      statusMessage: expect.stringContaining('waiting for confirmation by a person') as string,
      ttlMs: null,
      pollIntervalMs: 2000,
    },
  });
  const resumed = await again.session.resumeTask(reference);
  await reopened.approve(await reopened.look(id));
  const outcome = await resumed.result();
  expect(outcome).toMatchObject({
    status: 'completed',
    result: {
      structuredContent: {
        data: { status: 'completed' },
        countersign: { verdict: 'verified', proposalId: id },
      },
    },
  });
  expect((await reopened.other.get(cid)).edit.campaign).toHaveProperty('name', 'Other');
  await again.session.close();
});

test('a cancelled task is withdrawn before anything is sent, and cancelling it again changes nothing', async () => {
  const { endpointWorld, world, agent, token, cid } = await openWithAgent();
  const { session, ask } = await openTaskClient(endpointWorld.url, token);
  await session.callTool('svc_commit', (await agent.prepare(cid, 'key-1')) as never);
  const { id } = await waiting(world);
  const display = await world.look(id);
  expect(await ask('tasks/cancel', { taskId: id })).toMatchObject({ result: { resultType: 'complete' } });
  await expect(world.approve(display)).rejects.toThrow();
  expect(await newest(world, 'past')).toMatchObject({ id, state: 'withdrawn' });
  expect(await ask('tasks/cancel', { taskId: id })).toMatchObject({ kind: 'result' });
  expect(await ask('tasks/get', { taskId: id })).toMatchObject({ result: { status: 'cancelled' } });
  await session.close();
});

test('a denied task completes with the refusal, which a stream reports, and can no longer be cancelled', async () => {
  const { endpointWorld, world, agent, token, cid } = await openWithAgent();
  const { session, ask } = await openTaskClient(endpointWorld.url, token);
  await session.callTool('svc_commit', (await agent.prepare(cid, 'key-1')) as never);
  const { id } = await waiting(world);
  const stream = await openStream(endpointWorld.url, {
    token,
    headers: { 'mcp-protocol-version': version, 'mcp-method': 'subscriptions/listen' },
    body: {
      jsonrpc: '2.0',
      id: 1,
      ...requestOf('subscriptions/listen', { notifications: { taskIds: [id, 'none'] } }),
    },
  });
  expect(await stream.next()).toMatchObject({ params: { notifications: { taskIds: [id] } } });
  await world.deny(await world.look(id), 'Not on a Friday.');
  expect(await stream.next()).toMatchObject({
    method: 'notifications/tasks',
    params: { taskId: id, status: 'completed', result: { isError: true } },
  });
  stream.leave();
  await ask('tasks/cancel', { taskId: id });
  const answer = await ask('tasks/get', { taskId: id });
  expect(answer).toMatchObject({
    result: { status: 'completed', result: { isError: true, resultType: 'complete' } },
  });
  expect(JSON.stringify(answer)).toContain('Not on a Friday.');
  await session.close();
});

test('a task is visible to its own agent only', async () => {
  const { endpointWorld, world, agent, token, cid } = await openWithAgent();
  const { session } = await openTaskClient(endpointWorld.url, token);
  await session.callTool('svc_commit', (await agent.prepare(cid, 'key-1')) as never);
  const { id } = await waiting(world);
  const { tokens } = await endpointWorld.enter();
  const other = await openTaskClient(endpointWorld.url, tokens.access_token);
  for (const method of ['tasks/get', 'tasks/cancel']) {
    const foreign = await other.ask(method, { taskId: id });
    expect(foreign).toMatchObject({ kind: 'error', error: { code: -32602 } });
    expect(await other.ask(method, { taskId: 'none' })).toEqual(foreign);
  }
  expect(await proposals(world, 'waiting')).toMatchObject([{ id }]);
  await other.session.close();
  await session.close();
});

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';

/** A call of a gateway tool. `name` has no prefix of the program. */
export interface ToolCall {
  name: string;
  args: JsonObject;
}

/** Decides the next call of the model from the texts of all tool results so far. Null ends the conversation. */
export type Script = (results: readonly string[]) => ToolCall | null;

/** The part of a vendor's API that a stub needs. */
export interface ModelApi {
  /** The path of conversations. */
  path: string;
  /** The texts of the tool results in a conversation, oldest first. */
  resultsIn(conversation: JsonObject): string[];
  /** The events of the answer to a conversation. `id` is unique to the answer. */
  answer(call: ToolCall | null, id: string): JsonObject[];
}

/** A local HTTP server that a program uses as its model. */
export interface StubModel {
  origin: string;
  /** The texts of the tool results that the program has sent, oldest first. */
  results: string[];
}

/** Opens a model that follows the script. It ends with the test. */
export async function openStubModel(api: ModelApi, script: Script): Promise<StubModel> {
  const stub: StubModel = { origin: '', results: [] };
  let answers = 0;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '', stub.origin);
    if (request.method !== 'POST' || pathname !== api.path) {
      response.writeHead(404).end();
      return;
    }
    stub.results = api.resultsIn((await json(request)) as JsonObject);
    answers += 1;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of api.answer(script(stub.results), String(answers)))
      response.write(`event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`);
    response.end();
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((failure: Error) => response.destroy(failure));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  stub.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return stub;
}

/** Returns the objects of a list. Any other value has none. */
export const objectsIn = (value: JsonValue | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

/** Returns the text of a tool result, which is a text or a list of parts. */
export const textIn = (result: JsonValue | undefined): string =>
  typeof result === 'string'
    ? result
    : objectsIn(result)
        .map(({ text }) => String(text))
        .join('\n');

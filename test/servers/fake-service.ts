import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request as the fake service received it. */
export interface ReceivedRequest {
  method: string;
  url: string;
  authorization: string | undefined;
  accept: string | undefined;
  contentType: string | undefined;
  body: string;
}

/** How the fake service answers a request; `destroy` closes the connection, `silence` never answers. */
export type FakeAnswer =
  | { kind: 'answer'; status: number; body: string | Buffer; headers?: Record<string, string> }
  | { kind: 'destroy' }
  | { kind: 'silence' };

/** A service whose answers the test determines, over real HTTP on the loopback interface. It ends with the test. */
export interface FakeService {
  baseUrl: string;
  received: ReceivedRequest[];
  /** Answers the next requests in this order, and repeats the last answer afterwards. */
  answerWith(...answers: FakeAnswer[]): void;
  /** Closes each connection after its first answer, without a header that announces it. */
  closeAfterAnswers(): void;
}

export async function startFakeService(): Promise<FakeService> {
  const received: ReceivedRequest[] = [];
  let answers: FakeAnswer[] = [{ kind: 'silence' }];
  let closesAfterAnswers = false;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    received.push({
      method: request.method ?? '',
      url: request.url ?? '',
      authorization: request.headers.authorization,
      accept: request.headers.accept,
      contentType: request.headers['content-type'],
      body: Buffer.concat(chunks).toString(),
    });
    const [next, ...rest] = answers;
    if (rest.length > 0) answers = rest;
    if (next?.kind === 'destroy') request.socket.destroy();
    if (next?.kind === 'answer') {
      response.writeHead(next.status, { 'content-type': 'application/json', ...next.headers }).end(next.body);
      if (closesAfterAnswers) request.socket.end();
    }
  }

  const server = createServer((request, response) => void handle(request, response).catch(() => undefined));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`,
    received,
    answerWith: (...next) => void (answers = next),
    closeAfterAnswers: () => void (closesAfterAnswers = true),
  };
}

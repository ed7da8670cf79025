import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { sendRequest } from '#core/service-client/index.ts';

export type Answering = (response: ServerResponse, request: IncomingMessage) => void;

/** A server of pictures on the loopback interface. */
export interface PictureServer {
  origin: string;
  /** Raw header names and values of every request, in order. */
  requests: { url: string; headers: string[] }[];
}

/** Starts a server that gives this answer to every request. It ends with the test and closes open connections. */
export async function startPictureServer(answer: Answering): Promise<PictureServer> {
  const requests: PictureServer['requests'] = [];
  const server = createServer((request, response) => {
    requests.push({ url: request.url ?? '', headers: request.rawHeaders });
    response.on('error', () => {});
    answer(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

/** Answers with these bytes. */
export const bytes =
  (content: Uint8Array, headers: Record<string, string | string[]> = {}): Answering =>
  (response) =>
    void response.writeHead(200, headers).end(content);

/** A request that was meant for the network: its URL, and the numeric addresses to which it was pinned. */
export type Meant = { url: string; addresses: readonly string[] | null | undefined }[];

/** Redirects requests for public names to a server on the loopback interface, and records their original targets. */
export function throughLoopback({ origin }: PictureServer): { send: typeof sendRequest; meant: Meant } {
  const meant: Meant = [];
  return {
    meant,
    send(request) {
      meant.push({ url: request.url.href, addresses: request.addresses });
      return sendRequest({ ...request, url: new URL(request.url.pathname, origin), addresses: null });
    },
  };
}

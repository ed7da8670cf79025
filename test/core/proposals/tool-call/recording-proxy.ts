import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A proxy before a service that records the exact text of every request. */
export interface RecordingProxy {
  origin: string;
  bodies: string[];
  /** Returns the texts of the calls of one tool. */
  callsOf(tool: string): string[];
  /** Answers the next call of a tool instead of the service, which does not get the call. */
  answerNext: ((body: string, response: ServerResponse) => void) | null;
  /** Number of calls that reach the service and whose answers are lost. */
  losesNext: number;
}

export async function startRecordingProxy(target: string): Promise<RecordingProxy> {
  const bodies: string[] = [];
  const proxy: RecordingProxy = {
    origin: '',
    bodies,
    callsOf: (tool) => bodies.filter((body) => isCall(body) && body.includes(JSON.stringify(tool))),
    answerNext: null,
    losesNext: 0,
  };

  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    if (body !== '') bodies.push(body);
    const isLost = isCall(body) && proxy.losesNext > 0;
    const answer = isCall(body) ? proxy.answerNext : null;
    if (isCall(body)) Object.assign(proxy, { answerNext: null, losesNext: Math.max(0, proxy.losesNext - 1) });
    if (answer !== null) return answer(body, outgoing);
    const upstream = new URL(incoming.url ?? '/', target);
    const headers = { ...incoming.headers, host: upstream.host };
    const forward = request(upstream, { method: incoming.method, headers }, (answered) => {
      if (isLost) return void answered.resume().on('end', () => outgoing.destroy());
      outgoing.writeHead(answered.statusCode ?? 500, answered.headers);
      answered.pipe(outgoing);
    });
    forward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => forward.destroy());
    forward.end(body);
  }

  // No idle timeout: closing an idle connection would break a request that is just being sent on it.
  const server = createServer(
    { keepAliveTimeout: 0 },
    (incoming, outgoing) => void handle(incoming, outgoing),
  );
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => void server.close(resolve));
  });
  proxy.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return proxy;
}

function isCall(body: string): boolean {
  return body.includes('"method":"tools/call"') && !body.includes('"svc_get_');
}

import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect as netConnect, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import { readText } from '../read-text.ts';
import { noAnswer } from './no-answer.ts';

/** The largest answer of an authorization server that is read, in bytes. */
export const mostDocumentBytes = 1024 * 1024;

export interface Delivery {
  url: URL;
  method: string;
  headers: Record<string, string>;
  body: string | null;
  /** Where the name leads; null leaves it to the operating system. */
  addresses: readonly string[] | null;
  signal: AbortSignal;
}

/**
 * Sends one request over a connection of its own, and reads its whole answer. Node's `fetch` would send a request again by
 * itself after a 421, and would not tell whether it was sent at all: what carries a code or a refresh token must leave once.
 * Nothing is followed, and no cookie kept. What is larger than {@link mostDocumentBytes} or is not UTF-8 becomes an empty text.
 *
 * Fails as `noAnswer` says: before the connection stands (its certificate checked) nothing has been sent.
 */
export async function sendOnce(delivery: Delivery): Promise<Response> {
  const { url, signal } = delivery;
  let socket;
  try {
    socket = await connect(delivery);
  } catch (cause) {
    throw noAnswer(url.host, { sent: false, cause: signal.aborted ? signal.reason : cause });
  }
  try {
    return await exchange(socket, delivery);
  } catch (cause) {
    throw noAnswer(url.host, { sent: true, cause: signal.aborted ? signal.reason : cause });
  } finally {
    socket.destroy();
  }
}

/** Resolves when the request may be written. */
function connect({ url, addresses, signal }: Delivery): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isSecure = url.protocol === 'https:';
  const target = {
    host,
    port: url.port === '' ? (isSecure ? 443 : 80) : Number(url.port),
    ...(addresses === null ? {} : { lookup: leadingTo(addresses) }),
  };
  const name = isIP(host) === 0 ? { servername: host } : {};
  const socket = isSecure
    ? tlsConnect({ ...target, ...name, ALPNProtocols: ['http/1.1'] })
    : netConnect(target);
  const abort = (): void => void socket.destroy(signal.reason as Error);
  signal.addEventListener('abort', abort, { once: true });
  socket.once('close', () => signal.removeEventListener('abort', abort));
  // Stays: an error after the connection stands belongs to the request, and nobody else listens once that has its answer.
  socket.on('error', reject);
  socket.once(isSecure ? 'secureConnect' : 'connect', () => resolve(socket));
  return promise;
}

/** The name leads to the addresses that were looked at, and to no others. */
function leadingTo(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_name, options, call) => {
    if (options.all === true) return call(null, all);
    call(null, all[0]?.address ?? '', all[0]?.family);
  };
}

async function exchange(socket: Socket, { url, method, headers, body, signal }: Delivery): Promise<Response> {
  const request = httpRequest({
    createConnection: () => socket,
    method,
    path: `${url.pathname}${url.search}`,
    headers: { ...headers, host: url.host, 'accept-encoding': 'identity', connection: 'close' },
  });
  const answered = once(request, 'response', { signal });
  // What breaks after the answer began shows where it is read.
  request.on('error', () => {});
  request.end(body ?? undefined);
  const [answer] = (await answered) as [IncomingMessage];
  return readWhole(answer, await readText({ body: answer }, mostDocumentBytes));
}

function readWhole({ statusCode = 0, rawHeaders }: IncomingMessage, text: string): Response {
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  }
  const hasBody = statusCode !== 204 && statusCode !== 205 && statusCode !== 304;
  return new Response(hasBody ? text : null, { status: statusCode, headers });
}

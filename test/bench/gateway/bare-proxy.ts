import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';

/**
 * A lower bound for the gateway: an HTTP proxy that inspects nothing and passes every answer on in one piece. The second
 * argument delays every answer by this many milliseconds, to imitate a distant service. Prints its port; ends with its
 * process.
 */
const [, , port = '', awayMs = '0'] = process.argv;
const host = `127.0.0.1:${port}`;
const agent = new Agent({ keepAlive: true });

const proxy = createServer((asked, answer) => {
  const { method, url = '', headers } = asked;
  const passed = request(`http://${host}${url}`, { agent, method, headers: { ...headers, host } });
  passed.once('response', (answered) => void passOn(answered, answer).catch(() => answer.destroy()));
  // A client that aborts here must abort at the service too.
  answer.once('close', () => void (answer.writableFinished || passed.destroy()));
  passed.on('error', () => answer.destroy());
  asked.pipe(passed);
});

async function passOn(answered: IncomingMessage, answer: ServerResponse): Promise<void> {
  const body = Buffer.concat(await answered.toArray());
  if (awayMs !== '0') await setTimeout(Number(awayMs));
  const { 'transfer-encoding': _chunked, ...others } = answered.headers;
  answer.writeHead(answered.statusCode ?? 0, { ...others, 'content-length': body.length }).end(body);
}

proxy.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(proxy.address() as AddressInfo).port}\n`);
});
process.once('SIGTERM', () => process.exit());

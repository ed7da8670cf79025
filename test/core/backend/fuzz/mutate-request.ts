import type { Random } from '#shared/lib/random.ts';
import { mutateJson } from './mutate-json.ts';
import { mutateBytes, mutateParameters, mutatePath } from './mutate-text.ts';
import { oddTexts } from './odd-values.ts';
import { headerOf } from './raw-request.ts';
import type { RawRequest } from './raw-request.ts';

type Mutation = (request: RawRequest, random: Random) => RawRequest;

const methods = 'GET POST PUT DELETE PATCH HEAD OPTIONS TRACE CONNECT PROPFIND QUERY get FOO'.split(' ');

/** Headers that contradict the rest of the request. */
const strangeHeaders: readonly [string, string][] = [
  ['Transfer-Encoding', 'chunked'],
  ['Transfer-Encoding', 'gzip, chunked'],
  ['Content-Length', '0'],
  ['Content-Length', '5'],
  ['Content-Length', '999999999'],
  ['Content-Length', '-1'],
  ['Content-Length', '1e3'],
];

const moreHeaders: readonly [string, string][] = [
  ['Host', 'evil.example'],
  ['Host', ''],
  ['Origin', 'http://evil.example'],
  ['Origin', 'null'],
  ['Expect', '100-continue'],
  ['Expect', 'x'],
  ['Upgrade', 'websocket'],
  ['Connection', 'upgrade'],
  ['Content-Encoding', 'gzip'],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['X-Forwarded-Host', 'evil.example'],
  ['Forwarded', 'host=evil.example;proto=https'],
  ['Cookie', '__proto__=1; _interaction=x'],
  ['Range', 'bytes=0-0'],
  ['If-None-Match', '*'],
  ['Authorization', 'Bearer '],
  ['Authorization', 'Basic Og=='],
  ['Mcp-Session-Id', 'x'],
  ['Mcp-Protocol-Version', '1999-01-01'],
  ['Last-Event-Id', '0'],
  ['Content-Type', 'application/json; charset=utf-16'],
  ['Content-Type', 'multipart/form-data; boundary=x'],
  ['Content-Type', 'application/x-www-form-urlencoded'],
  ['Accept', 'image/*'],
  ['Accept', 'text/event-stream'],
  ['X-Long', 'x'.repeat(17_000)],
];

const inHeader = (text: string): string => text.replaceAll(/[\0\r\n]/g, ' ').slice(0, 500);

const mutateHeader: Mutation = (request, random) => {
  const headers = [...request.headers];
  const at = random.integer(0, headers.length - 1);
  const [name, value] = headers[at] ?? ['X', ''];
  random.pick([
    () => headers.splice(at, 1),
    () => headers.splice(at, 0, [name, value]),
    () => headers.splice(at, 1, [name, inHeader(random.pick(oddTexts))]),
    () =>
      headers.splice(at, 1, [
        name,
        mutateBytes(Buffer.from(value), random)
          .toString('latin1')
          .replaceAll(/[\r\n\0]/g, ''),
      ]),
    () => headers.splice(at, 1, [name.toUpperCase(), `${value},${value}`]),
    () => headers.push(random.pick(moreHeaders)),
  ])();
  // A duplicated or changed Content-Length no longer marks the end of the request.
  return {
    ...request,
    headers,
    isFramed: request.isFramed && !/^expect|^upgrade/im.test(headers.join('\n')),
  };
};

const mutateFraming: Mutation = (request, random) => ({
  ...request,
  headers: [...request.headers, random.pick(strangeHeaders)],
  isFramed: false,
});

const mutateMethod: Mutation = (request, random) => ({ ...request, method: random.pick(methods) });

const mutateTarget: Mutation = (request, random) => {
  const [path = '', query] = request.target.split('?', 2);
  const isQuery = query !== undefined && random.chance(0.75);
  const target = isQuery
    ? `${path}?${mutateParameters(query, random)}`
    : `${mutatePath(path, random)}${query === undefined ? '' : `?${query}`}`;
  // A line break would split the request in two.
  return { ...request, target: target.replaceAll(/[\0\s]/g, '+') };
};

const mutateBody: Mutation = (request, random) => {
  const text = request.body.toString();
  const type = headerOf(request, 'content-type');
  if (random.chance(0.15)) return { ...request, body: mutateBytes(request.body, random) };
  if (type.startsWith('application/json') && isJson(text)) {
    return { ...request, body: Buffer.from(mutateJson(text, random)) };
  }
  return { ...request, body: Buffer.from(mutateParameters(text, random)) };
};

/** Returns the request with one to three changes. One request in twelve stays unchanged. */
export function mutateRequest(request: RawRequest, random: Random): RawRequest {
  if (random.chance(1 / 12)) return request;
  let mutated = request;
  for (let left = random.pick([1, 1, 2, 3]); left > 0; left -= 1) {
    const hasBody = mutated.body.length > 0;
    const mutation = random.weighted(
      [mutateBody, mutateTarget, mutateHeader, mutateMethod, mutateFraming],
      (candidate) => {
        if (candidate === mutateBody) return hasBody ? 12 : 0;
        if (candidate === mutateTarget) return hasBody ? 1 : 8;
        return candidate === mutateHeader ? 2 : 0.5;
      },
    );
    mutated = mutation(mutated, random);
  }
  return mutated;
}

function isJson(text: string): boolean {
  try {
    return JSON.parse(text) !== undefined;
  } catch {
    return false;
  }
}

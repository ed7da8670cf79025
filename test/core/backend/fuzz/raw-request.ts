/** One request as bytes will say it; nothing is corrected on the way. */
export interface RawRequest {
  method: string;
  target: string;
  headers: [name: string, value: string][];
  body: Buffer;
  /** True when it says truly where it ends. Otherwise its answer cannot be awaited. */
  isFramed: boolean;
}

/** The value of a header, whatever its case; empty when there is none. */
export function headerOf({ headers }: RawRequest, name: string): string {
  return headers.find(([candidate]) => candidate.toLowerCase() === name)?.[1] ?? '';
}

/** The bytes. A length is added where none is named. */
export function bytesOf(request: RawRequest): Buffer {
  const { method, target, headers, body } = request;
  const isMeasured = headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name));
  const all = isMeasured || body.length === 0 ? headers : [...headers, ['Content-Length', `${body.length}`]];
  const lines = all.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.concat([Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines}\r\n`, 'latin1'), body]);
}

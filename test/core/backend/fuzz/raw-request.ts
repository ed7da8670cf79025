/** A request as it is written to the socket, without any correction. */
export interface RawRequest {
  method: string;
  target: string;
  headers: [name: string, value: string][];
  body: Buffer;
  /** True if the request states its end correctly. Otherwise the client cannot wait for an answer. */
  isFramed: boolean;
}

/** Returns the value of a header, whatever the case of its name; empty if it is missing. */
export function headerOf({ headers }: RawRequest, name: string): string {
  return headers.find(([candidate]) => candidate.toLowerCase() === name)?.[1] ?? '';
}

/** Returns the request's bytes. Adds a Content-Length if no length is given. */
export function bytesOf(request: RawRequest): Buffer {
  const { method, target, headers, body } = request;
  const isMeasured = headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name));
  const all = isMeasured || body.length === 0 ? headers : [...headers, ['Content-Length', `${body.length}`]];
  const lines = all.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.concat([Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines}\r\n`, 'latin1'), body]);
}

/**
 * The body of a request that leaves once. A text is sent a second time by `fetch` itself where a 421 answers the first (Fetch,
 * HTTP-network-or-cache fetch); a stream is not.
 */
export function sentOnce(body: string, headers: Record<string, string>): RequestInit {
  const length = String(Buffer.byteLength(body));
  return {
    body: new Blob([body]).stream(),
    duplex: 'half',
    headers: { ...headers, 'content-length': length },
  };
}

/**
 * The body of a request that leaves once. A text is sent a second time by `fetch` itself where a 421 answers the first (Fetch,
 * HTTP-network-or-cache fetch); a stream is not.
 */
export function sentOnce(body: string, headers: Record<string, string>): RequestInit {
  const bytes = new TextEncoder().encode(body);
  return {
    // Whole and closed from the beginning: where the answer comes before the end was seen, the connection is not used again.
    body: new ReadableStream({
      start(controller) {
        controller.enqueue(bytes);
        controller.close();
      },
    }),
    duplex: 'half',
    headers: { ...headers, 'content-length': String(bytes.byteLength) },
  };
}

/** The largest answer that is read, in bytes: many times the largest page of campaigns. */
export const mostAnswerBytes = 32 * 1024 * 1024;

/**
 * The whole text of an answer. What is larger than so many bytes or is not UTF-8 becomes no text at all, which no reader of
 * answers accepts; the rest of it is not waited for.
 */
export async function readText(
  { body }: { body: AsyncIterable<Uint8Array> | null },
  mostBytes = mostAnswerBytes,
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > mostBytes) return '';
    chunks.push(chunk);
  }
  return decode(Buffer.concat(chunks));
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return '';
  }
}

/** System calls that strace follows so that every address is seen to which a process connects or sends. */
export const tracedCalls = 'connect,sendto,sendmsg,sendmmsg';

/**
 * The addresses that a process and its children tried to reach, in the words of the kernel, from a trace of {@link tracedCalls};
 * pipes and sockets of this machine have none.
 */
export function addressesIn(trace: string): string[] {
  const found = trace.matchAll(
    /\b(?:connect|sendto|sendmsg|sendmmsg)\(.*?inet_(?:addr\("([^"]+)"|pton\(AF_INET6, "([^"]+)")/gu,
  );
  return [...new Set([...found].map(([, v4, v6]) => v4 ?? v6 ?? ''))];
}

/** The system calls that strace must follow to see every address to which a process connects or sends. */
export const tracedCalls = 'connect,sendto,sendmsg,sendmmsg';

/**
 * Returns the addresses that a process and its children tried to reach, in the kernel's notation, from a trace of {@link
 * tracedCalls}. Pipes and local sockets have no address.
 */
export function addressesIn(trace: string): string[] {
  const found = trace.matchAll(
    /\b(?:connect|sendto|sendmsg|sendmmsg)\(.*?inet_(?:addr\("([^"]+)"|pton\(AF_INET6, "([^"]+)")/gu,
  );
  return [...new Set([...found].map(([, v4, v6]) => v4 ?? v6 ?? ''))];
}

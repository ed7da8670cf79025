import { useEffect, useState } from 'react';

/** The time in milliseconds since 1970, renewed every `everyMs` while mounted. */
export function useNow(everyMs = 1000): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return nowMs;
}

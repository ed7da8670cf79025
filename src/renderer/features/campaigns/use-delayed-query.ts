import { useEffect, useState } from 'react';

const delayMs = 150;

/**
 * The search text as it is typed, told to the owner once typing rests. An owner that changes the text by itself,
 * for example by clearing all filters, wins over what stands in the box. The third part settles at once.
 */
export function useDelayedQuery(
  current: string,
  settle: (text: string) => void,
): [text: string, type: (text: string) => void, settleNow: () => void] {
  const [text, setText] = useState(current);
  const [told, setTold] = useState(current);
  if (current !== told) {
    setTold(current);
    setText(current);
  }
  function settleNow(): void {
    if (text === told) return;
    setTold(text);
    settle(text);
  }
  useEffect(() => {
    if (text === told) return;
    const timer = setTimeout(settleNow, delayMs);
    return () => clearTimeout(timer);
  });
  return [text, setText, settleNow];
}

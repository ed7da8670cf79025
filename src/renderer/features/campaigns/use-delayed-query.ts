import { useEffect, useState } from 'react';

const delayMs = 150;

/**
 * The search text as it is typed, told to the owner once typing rests. An owner that changes the text by itself,
 * for example by clearing all filters, wins over what stands in the box.
 */
export function useDelayedQuery(
  current: string,
  settle: (text: string) => void,
): [string, (text: string) => void] {
  const [text, setText] = useState(current);
  const [told, setTold] = useState(current);
  if (current !== told) {
    setTold(current);
    setText(current);
  }
  useEffect(() => {
    if (text === told) return;
    const timer = setTimeout(() => {
      setTold(text);
      settle(text);
    }, delayMs);
    return () => clearTimeout(timer);
  }, [text, told, settle]);
  return [text, setText];
}

import { useEffect, useEffectEvent, useState } from 'react';

const typingMs = 150;

/**
 * A search text as it is typed, reported to its owner once typing pauses. An owner that changes the text on its own, for example by
 * clearing all filters, wins over the text in the box. The third part settles at once.
 */
export function useDelayedText(
  current: string,
  settle: (text: string) => void,
): [text: string, type: (text: string) => void, settleNow: () => void] {
  const [text, setText] = useState(current);
  const [reported, setReported] = useState(current);
  const [known, setKnown] = useState(current);
  // While rendering: until an effect had its turn, the text before could be reported over that of the owner. An owner may also take a
  // moment to take over what was reported.
  if (current !== known) {
    setKnown(current);
    if (current !== reported) {
      setReported(current);
      setText(current);
    }
  }
  function settleNow(): void {
    if (text === reported) return;
    setReported(text);
    settle(text);
  }
  const typingPaused = useEffectEvent(settleNow);
  useEffect(() => {
    if (text === reported) return;
    const timer = setTimeout(() => typingPaused(), typingMs);
    return () => clearTimeout(timer);
  }, [text, reported]);
  return [text, setText, settleNow];
}

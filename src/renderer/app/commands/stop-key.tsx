import { type ReactElement, useState } from 'react';
import { isTyping, Question, shortcutOf, useWindowKeys } from '#renderer/ui/index.ts';
import { emergencyStop, stopWords } from '../emergency-stop.ts';

/**
 * The shortcut of the emergency stop, with any dialog open. It acts at once; while a person types, it may have been meant for the
 * text, so it asks once, and a second press stops.
 */
export function StopKey(): ReactElement | null {
  const [isAsking, setIsAsking] = useState(false);
  const stop = (): void => {
    setIsAsking(false);
    emergencyStop();
  };
  useWindowKeys((event) => {
    if (event.isComposing || shortcutOf(event, ['emergencyStop']) === null) return;
    event.preventDefault();
    // A key that is held is one press.
    if (event.repeat) return;
    if (!isAsking && isTyping(event.target)) setIsAsking(true);
    else stop();
  });
  if (!isAsking) return null;
  return (
    <Question
      title="Stop all agents?"
      stay="Keep typing"
      goOn={stopWords()}
      onStay={() => setIsAsking(false)}
      onGoOn={stop}
    >
      <p>All agents are frozen at once, and a pause of the running campaigns waits for your approval.</p>
    </Question>
  );
}

import { isTraining } from '#renderer/api/place.ts';
import { emergencyStopStore } from '#renderer/stores/agents/emergency-stop-store.ts';
import { realWorkStore } from '#renderer/stores/real-work-store.ts';

/** The words of the stop in this window: it acts on the real agents in every window. */
export const stopWords = (): string => (isTraining() ? 'Stop real agents' : 'Emergency stop');

/** Stops the real agents, wherever it is pressed. Those of a workspace of training are stopped on its Agents page. */
export function emergencyStop(): void {
  if (isTraining()) void realWorkStore.getState().stop();
  else void emergencyStopStore.getState().start();
}

import type { Clock } from '#core/platform/clock.ts';
import type { SampleAgentView } from '#shared/app-api/index.ts';

type State = SampleAgentView['state'];

/** The sample agent's activity so far, in plain sentences. */
export interface Activity {
  view(): SampleAgentView;
  become(state: State): void;
  /** One sentence; `isGood` says how it went for the agent, null if that is not the question. */
  report(text: string, isGood?: boolean | null): void;
}

/** A activity that begins now. */
export function createActivity({ clock, onChange }: { clock: Clock; onChange(): void }): Activity {
  let view: SampleAgentView = { state: 'connecting', steps: [] };
  const change = (next: SampleAgentView): void => {
    view = next;
    onChange();
  };
  return {
    view: () => view,
    become(state) {
      if (state !== view.state) change({ ...view, state });
    },
    report(text, isGood = null) {
      change({ ...view, steps: [...view.steps, { atMs: clock.nowMs(), text, isGood }] });
    },
  };
}

import type { Clock } from '#core/platform/clock.ts';
import type { SampleAgentView } from '#shared/app-api/index.ts';

type State = SampleAgentView['state'];

/** What the sample agent did so far, in plain sentences. */
export interface Story {
  view(): SampleAgentView;
  become(state: State): void;
  /** One sentence; `isGood` says how it went for the agent, null where that is not the question. */
  tell(text: string, isGood?: boolean | null): void;
}

/** A story that begins now. */
export function beginStory({ clock, onChange }: { clock: Clock; onChange(): void }): Story {
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
    tell(text, isGood = null) {
      change({ ...view, steps: [...view.steps, { atMs: clock.nowMs(), text, isGood }] });
    },
  };
}

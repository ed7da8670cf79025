import type { SampleAgentView } from '#shared/app-api/index.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import type { Style } from './style.ts';

/** Prints what the sample agent says of itself, each sentence once. */
export interface StoryTeller {
  tellOn(view: SampleAgentView): void;
}

export function createStoryTeller({ out, style }: { out(line?: string): void; style: Style }): StoryTeller {
  let told = 0;
  return {
    tellOn({ steps }) {
      for (const { text, isGood } of steps.slice(told)) {
        const sign = isGood === null ? '·' : isGood ? '✓' : '✗';
        out(style.quiet(`  agent ${sign} ${inertText(text)}`));
      }
      told = steps.length;
    },
  };
}

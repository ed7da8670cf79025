import type { z } from 'zod';
import type { PromptDefinition } from '#core/mcp-server/index.ts';
import { isOffered } from '../requirements.ts';
import type { Entitled } from '../requirements.ts';
import { explainReport } from './explain-report.ts';
import { pauseLosers } from './pause-losers.ts';
import type { RemotePrompt } from './prompt.ts';
import { reviewCampaign } from './review-campaign.ts';

/** Every prompt of the service; what is listed of them depends on who asks. */
export interface PromptCatalogue {
  readonly size: number;
  find(name: string): RemotePrompt | null;
  offered(entitled: Entitled): readonly PromptDefinition[];
}

const prompts: readonly RemotePrompt[] = [reviewCampaign, pauseLosers, explainReport];

/** Makes every definition once. */
export function createPromptCatalogue(): PromptCatalogue {
  const entries = prompts.map((prompt) => ({ prompt, definition: definitionOf(prompt) }));
  return {
    size: prompts.length,
    find: (name) => prompts.find((prompt) => prompt.name === name) ?? null,
    offered: (entitled) =>
      entries.filter(({ prompt }) => isOffered(entitled, prompt)).map(({ definition }) => definition),
  };
}

function definitionOf({ name, title, description, input }: RemotePrompt): PromptDefinition {
  const named = Object.entries(input.shape).map(([argument, schema]) => ({
    name: argument,
    description: (schema as z.ZodType).description ?? '',
    required: !(schema as z.ZodType).safeParse(undefined).success,
  }));
  return { name, title, description, arguments: named };
}

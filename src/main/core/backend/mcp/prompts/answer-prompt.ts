import { AppError } from '#shared/errors/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { readArguments } from '../arguments.ts';
import { hasModule } from '../requirements.ts';
import type { Entitled } from '../requirements.ts';
import type { RemotePrompt } from './prompt.ts';

/** A prompt with its arguments filled in (MCP, Prompts). Fails with `module_denied` or `arguments_invalid`. */
export function answerPrompt(
  prompt: RemotePrompt,
  { principal, args }: { principal: Entitled; args: Record<string, string> },
): JsonObject {
  if (!hasModule(principal, prompt)) throw new AppError('module_denied');
  const text = prompt.text(readArguments(prompt.input, args) as Record<string, string | undefined>);
  return {
    description: prompt.description,
    messages: [{ role: 'user', content: { type: 'text', text } }],
  };
}

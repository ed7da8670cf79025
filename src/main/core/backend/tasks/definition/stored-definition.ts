import type { TaskRow } from '#core/store/backend/index.ts';
import { definitionSchema } from './definition.ts';
import type { TaskDefinition } from './definition.ts';

/** The definition of a stored task. */
export function definitionOf({ definition }: Pick<TaskRow, 'definition'>): TaskDefinition {
  return definitionSchema.parse(JSON.parse(definition));
}

import { Button } from '#renderer/ui/index.ts';
import { targetingDimensions } from '#shared/campaign/index.ts';
import type { ReactElement } from 'react';
import { type Editing, isUsed, setField } from '../editing.ts';
import { focusHeading } from './focus-field.ts';

/** Fields with an error that the drafted type does not use: it refuses what they hold. */
export function refusedByType(editing: Editing): string[] {
  const clearable = ['bidControl', ...targetingDimensions.map(({ list }) => list)];
  return clearable.filter((field) => editing.errorAt.has(field) && !isUsed(editing, field));
}

/** The button that removes what the drafted type refuses: all bid controls, or the limit of a dimension. Absent under review. */
export function ClearField({ editing, field }: { editing: Editing; field: string }): ReactElement | null {
  if (editing.proposalId !== null) return null;
  const dimension = targetingDimensions.find(({ list }) => list === field);
  if (dimension === undefined)
    return (
      <Button
        size="small"
        onClick={({ currentTarget }) => {
          focusHeading(currentTarget);
          setField(editing, field, []);
        }}
      >
        Remove bid controls
      </Button>
    );
  return (
    <Button
      size="small"
      onClick={({ currentTarget }) => {
        focusHeading(currentTarget);
        setField(editing, dimension.flag, 1);
      }}
    >
      Target all {dimension.many}
    </Button>
  );
}

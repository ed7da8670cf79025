import { useState, type ReactElement } from 'react';
import { Button } from '../controls/button.tsx';
import { LongText } from '../display/long-text.tsx';
import { Mono } from '../display/mono.tsx';
import { DefinitionList, type Definition } from '../layout/definition-list.tsx';
import { argumentCount } from './tool-words.ts';

const atOnce = 200;

export interface ArgumentListProps {
  args: readonly { path: string; value: string }[];
  /** What stands in the same columns above them. */
  above?: readonly Definition[];
}

/** Every argument of a call: the first ones at once, all of them on request. Names are the agent's own, as values are. */
export function ArgumentList({ args, above = [] }: ArgumentListProps): ReactElement {
  const [all, setAll] = useState(false);
  const shown = all ? args : args.slice(0, atOnce);
  return (
    <>
      <DefinitionList items={[...above, ...shown.map(argumentOf)]} />
      {shown.length < args.length && (
        <Button kind="secondary" size="small" onClick={() => setAll(true)}>
          Show all {argumentCount(args.length)}
        </Button>
      )}
    </>
  );
}

function argumentOf({ path, value }: ArgumentListProps['args'][number]): Definition {
  return {
    key: `argument ${path}`,
    term: <LongText text={path} />,
    value: (
      <Mono>
        <LongText text={value} />
      </Mono>
    ),
  };
}

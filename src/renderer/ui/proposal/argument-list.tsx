import { useState, type ReactElement } from 'react';
import { Button } from '../controls/button.tsx';
import { LongText } from '../display/long-text.tsx';
import { Mono } from '../display/mono.tsx';
import { DefinitionList, type Definition } from '../layout/definition-list.tsx';
import { argumentCount } from './tool-words.ts';
import styles from './request.module.css';

const atOnce = 200;

/** One argument in words, with the picture that it is where it is one. */
export interface ArgumentLine {
  path: string;
  value: string;
  picture?: { mediaType: string; base64: string } | undefined;
}

export interface ArgumentListProps {
  args: readonly ArgumentLine[];
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

function argumentOf({ path, value, picture }: ArgumentLine): Definition {
  return {
    key: `argument ${path}`,
    term: <LongText text={path} />,
    value: (
      <>
        {picture !== undefined && <Thumbnail {...picture} />}
        <Mono>
          <LongText text={value} />
        </Mono>
      </>
    ),
  };
}

/** Drawn from the argument itself and asked of nobody; the core has read it to its end. */
function Thumbnail({ mediaType, base64 }: { mediaType: string; base64: string }): ReactElement {
  return (
    <img
      className={styles.thumbnail}
      src={`data:${mediaType};base64,${base64}`}
      alt="Preview of this argument"
      draggable={false}
    />
  );
}

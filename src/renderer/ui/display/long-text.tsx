import { useState, type ReactElement } from 'react';
import { Button } from '../controls/button.tsx';
import { ForeignText } from './foreign-text.tsx';

const charactersAtOnce = 20_000;

/** A character or a mark of which only the first half is left. */
const half = /[\uD800-\uDBFF]$|⟨[^⟩]{0,8}$/;

/** Foreign text of any length: the beginning at once, the whole on request, and never silently less. */
export function LongText({ text }: { text: string }): ReactElement {
  const [all, setAll] = useState(false);
  if (all || text.length <= charactersAtOnce) return <ForeignText text={text} />;
  return (
    <>
      <ForeignText text={text.slice(0, charactersAtOnce).replace(half, '')} />{' '}
      <Button kind="secondary" size="small" onClick={() => setAll(true)}>
        Show all {text.length.toLocaleString('en-US')} characters
      </Button>
    </>
  );
}

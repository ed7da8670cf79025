import type { ReactElement } from 'react';
import { differingPart } from '#shared/lib/differing-part.ts';
import { ForeignText } from './values.tsx';
import pages from '../styles/pages.module.css';

interface ChangedTextProps {
  text: string;
  other: string;
  /** One line: the text before the difference is shortened. */
  short?: boolean;
}

/** In shorter texts a difference needs no mark. */
const leastMarked = 17;

const keptBefore = 12;

export function ChangedText({ text, other, short = false }: ChangedTextProps): ReactElement {
  const { head, part, tail } = differingPart(text, other);
  const isLong = text.length >= leastMarked && other.length >= leastMarked;
  if (!isLong || (head === '' && tail === '')) return <ForeignText text={text} />;
  const before = [...head];
  const shown = short && before.length > keptBefore ? `…${before.slice(-keptBefore).join('')}` : head;
  return (
    <span title={short ? text : undefined}>
      <Piece text={shown} isLast={part + tail === ''} isFirst />
      {part !== '' && (
        <mark className={pages.differs}>
          <Piece text={part} isFirst={head === ''} isLast={tail === ''} />
        </mark>
      )}
      <Piece text={tail} isFirst={head + part === ''} isLast />
    </span>
  );
}

/** Draws spaces at the ends of the text as marks, because they would be invisible. Spaces next to a cut are plain. */
function Piece({ text, isFirst, isLast }: { text: string; isFirst: boolean; isLast: boolean }): ReactElement {
  const withoutStart = isFirst ? text : text.replace(/^ +/u, '');
  const inner = isLast ? withoutStart : withoutStart.replace(/ +$/u, '');
  return (
    <>
      {withoutStart !== text && <span> </span>}
      <ForeignText text={inner} />
      {inner !== withoutStart && <span> </span>}
    </>
  );
}

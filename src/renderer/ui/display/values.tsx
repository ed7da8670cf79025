import { Fragment, type ReactElement, type ReactNode, useState } from 'react';
import { inertText, quoted } from '#shared/lib/inert-text.ts';
import { Button } from '../controls/buttons.tsx';
import { cx } from '../cx.ts';
import styles from './values.module.css';
import { useFormats } from '../formats.ts';

/** A quotation in a sentence. Only the marks around it are curved. */
const quotation = /(?<=“)([^“”]+)(?=”)/u;
const mark = /(⟨U\+[0-9A-F]{4,6}⟩)/u;

/**
 * Matches a part of a long run without spaces. Runs are split into such parts, because a browser lays out a run again for every
 * line: 20,000 letters would block the page for seconds.
 */
const longRun = /(\S{100})/u;

/**
 * Text of other authors: a campaign's name, a server's message, or a sentence of ours that quotes one of them. It is
 * never markup. The text and each quotation in it are isolated in their direction, so that no letters can move a figure
 * of ours. Control characters, direction marks and zero-width characters are drawn as chips. Nothing is cut.
 */
export function ForeignText({ text }: { text: string }): ReactElement {
  const parts = inertText(text).split(quotation);
  return (
    <bdi className={styles.foreign}>
      {/* Every second part is a quotation. The parts never reorder, so indices are stable keys. */}
      {parts.map((part, index) =>
        index % 2 === 0 ? (
          <Marked key={index} text={part} />
        ) : (
          <span key={index} dir="auto" className={styles.quotation}>
            <Marked text={part} />
          </span>
        ),
      )}
    </bdi>
  );
}

function Marked({ text }: { text: string }): ReactElement {
  return (
    <>
      {text.split(mark).map((part, index) =>
        index % 2 === 0 ? (
          <Breakable key={index} text={part} />
        ) : (
          <span key={index} className={styles.mark} title="An invisible character">
            {part.slice(1, -1)}
          </span>
        ),
      )}
    </>
  );
}

function Breakable({ text }: { text: string }): ReactElement {
  return (
    <>
      {text.split(longRun).map((piece, index) => (
        <Fragment key={index}>
          {piece}
          {/* A `wbr` would break the line even if the text is kept on one line. */}
          {index % 2 === 1 && <span className={styles.mayBreak} />}
        </Fragment>
      ))}
    </>
  );
}

/** Quotes a text. Only the marks around it are curved, so the text cannot close its own quotation. */
export function QuotedText({ text }: { text: string }): ReactElement {
  return <LongText text={quoted(text)} />;
}

const charactersAtOnce = 20_000;

/** The first half of a character or of a mark, which a cut would leave. */
const half = /[\uD800-\uDBFF]$|⟨[^⟩]{0,8}$/;

export function LongText({ text }: { text: string }): ReactElement {
  const formats = useFormats();
  const [all, setAll] = useState(false);
  if (all || text.length <= charactersAtOnce) return <ForeignText text={text} />;
  return (
    <>
      <ForeignText text={text.slice(0, charactersAtOnce).replace(half, '')} />{' '}
      <Button kind="secondary" size="small" onClick={() => setAll(true)}>
        Show all {formats.count(text.length)} characters
      </Button>
    </>
  );
}

export function Mono({ children, block = false }: { children: ReactNode; block?: boolean }): ReactElement {
  return <code className={cx(styles.mono, block && styles.block)}>{children}</code>;
}

export function Fingerprint({ hex, groups }: { hex: string; groups?: number }): ReactElement {
  const parts = hex.match(/.{1,4}/gu) ?? [];
  const shown = groups === undefined ? parts : parts.slice(0, groups);
  return (
    <span title={hex}>
      <Mono>{shown.join(' ')}</Mono>
    </span>
  );
}

interface MoneyProps {
  text: string;
  unlimited?: boolean;
  quiet?: boolean;
  figure?: boolean;
}

export function Money({ text, unlimited = false, quiet = false, figure = false }: MoneyProps): ReactElement {
  return (
    <span
      className={cx(
        styles.money,
        unlimited && styles.unlimited,
        quiet && styles.quiet,
        figure && styles.figure,
      )}
    >
      {text}
    </span>
  );
}

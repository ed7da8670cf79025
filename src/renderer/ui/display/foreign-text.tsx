import { inertText } from '#shared/lib/inert-text.ts';
import { Fragment, type ReactElement } from 'react';
import styles from './values.module.css';

/** A quotation in a sentence: only its own marks are curved. */
const quotation = /(?<=“)([^“”]+)(?=”)/u;
const mark = /(⟨U\+[0-9A-F]{4,6}⟩)/u;

/**
 * A run without a space. Where a line may end in it has to be said: the browser shapes such a run anew for every line, and one of
 * twenty thousand letters would hold up the page for seconds.
 */
const longRun = /(\S{100})/u;

/**
 * Text that somebody else wrote: a campaign's name, a server's message, or a sentence of ours that quotes it. Never markup; it and
 * each quotation in it keep their direction to themselves, so that no letters move a figure of ours; controls, direction marks and
 * zero-width characters are drawn as chips. Nothing is cut.
 */
export function ForeignText({ text }: { text: string }): ReactElement {
  const parts = inertText(text).split(quotation);
  return (
    <bdi className={styles.foreign}>
      {/* Positions are stable: the list is made anew from the text every time. Every second part is a quotation. */}
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

/** Inert text with its marks drawn. */
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
          {index % 2 === 1 && <wbr />}
        </Fragment>
      ))}
    </>
  );
}

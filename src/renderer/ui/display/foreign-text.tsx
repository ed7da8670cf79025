import { inertText } from '#shared/lib/inert-text.ts';
import { Fragment, type ReactElement } from 'react';
import styles from './foreign-text.module.css';

const mark = /(⟨U\+[0-9A-F]{4,6}⟩)/u;

/**
 * Text that somebody else wrote: a campaign's name, a server's message. Never markup, isolated from the
 * direction of its surroundings, with controls, direction marks and zero-width characters drawn as chips. Nothing is cut.
 */
export function ForeignText({ text }: { text: string }): ReactElement {
  const parts = inertText(text).split(mark);
  return (
    <bdi className={styles.foreign}>
      {parts.map((part, index) =>
        mark.test(part) ? (
          // Positions are stable: the list is made anew from the text every time.
          <span key={index} className={styles.mark} title="An invisible character">
            {part.slice(1, -1)}
          </span>
        ) : (
          <Fragment key={index}>{part}</Fragment>
        ),
      )}
    </bdi>
  );
}

import { routeHref } from '#renderer/stores/ui/index.ts';
import { ForeignText } from '#renderer/ui/index.ts';
import { counted } from '#shared/lib/counted.ts';
import type { ReactElement } from 'react';
import type { Editing } from './editing.ts';
import styles from './editor.module.css';
import { marksOf, sections } from './sections.tsx';

/** The sections of the campaign with a line of what each holds, and marks of changes and errors. */
export function SectionList(props: { editing: Editing; current: string | null }): ReactElement {
  const { editing, current } = props;
  return (
    <nav aria-label="Sections of the campaign">
      <ul className={styles.sections}>
        {sections
          .filter((section) => section.fieldsOf(editing).length > 0)
          .map((section) => {
            const { changed, errors } = marksOf(section, editing);
            return (
              <li key={section.id}>
                <a
                  className={styles.sectionLink}
                  href={routeHref({ page: 'campaigns', cid: editing.cid, section: section.id })}
                  aria-current={section.id === current ? 'page' : undefined}
                >
                  <span className={styles.sectionName}>
                    {section.title}
                    {changed > 0 && <span className={styles.mark}>{counted(changed, 'change')}</span>}
                    {errors > 0 && <span className={styles.problem}>{counted(errors, 'problem')}</span>}
                  </span>
                  <span className={styles.summary}>
                    <ForeignText text={section.summary(editing)} />
                  </span>
                </a>
              </li>
            );
          })}
      </ul>
    </nav>
  );
}

import { routeHref } from '#renderer/stores/ui/route.ts';
import { uiStore } from '#renderer/stores/ui.ts';
import { useFormats, ForeignText, Menu } from '#renderer/ui/index.ts';
import type { ReactElement } from 'react';
import type { Editing } from './editing.ts';
import styles from './editor.module.css';
import { type EditorSection, marksOf, sections } from './sections.tsx';

/** The sections of the campaign with a line of what each holds, and marks of changes and errors. */
export function SectionList(props: { editing: Editing; current: string | null }): ReactElement {
  const formats = useFormats();
  const { editing, current } = props;
  return (
    <nav aria-label="Sections of the campaign">
      <ul className={styles.sections}>
        {sectionsOf(editing).map((section) => (
          <li key={section.id}>
            <a
              className={styles.sectionLink}
              href={routeHref({ page: 'campaigns', cid: editing.cid, section: section.id })}
              aria-current={section.id === current ? 'page' : undefined}
            >
              <span className={styles.sectionName}>
                {section.title} <Marks section={section} editing={editing} />
              </span>
              <span className={styles.summary}>
                <ForeignText text={section.summary(editing, formats)} />
              </span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The sections as a menu, for a window in which their list would leave no room for the chosen one. */
export function SectionMenu({
  editing,
  current,
}: {
  editing: Editing;
  current: EditorSection;
}): ReactElement {
  const formats = useFormats();
  const { cid } = editing;
  const entries = sectionsOf(editing).map((section) => {
    const { changed, errors } = marksOf(section, editing);
    const marks = [
      changed > 0 && formats.counted(changed, 'change'),
      errors > 0 && formats.counted(errors, 'problem'),
    ];
    return { id: section.id, label: [section.title, ...marks.filter(Boolean)].join(' · ') };
  });
  return (
    <div className={styles.sectionMenu}>
      <Menu
        label={current.title}
        name={`Section: ${current.title}`}
        entries={entries}
        selection={{ mode: 'single', ids: [current.id] }}
        onAction={(section) => uiStore.getState().navigate({ page: 'campaigns', cid, section })}
      />
      <span className={styles.sectionName}>
        <Marks section={current} editing={editing} />
      </span>
      <span className={styles.summary}>
        <ForeignText text={current.summary(editing, formats)} />
      </span>
    </div>
  );
}

function sectionsOf(editing: Editing): EditorSection[] {
  return sections.filter((section) => section.fieldsOf(editing).length > 0);
}

function Marks({ section, editing }: { section: EditorSection; editing: Editing }): ReactElement {
  const formats = useFormats();
  const { changed, errors } = marksOf(section, editing);
  return (
    <>
      {changed > 0 && <span className={styles.mark}>{formats.counted(changed, 'change')}</span>}
      {errors > 0 && <span className={styles.problem}>{formats.counted(errors, 'problem')}</span>}
    </>
  );
}

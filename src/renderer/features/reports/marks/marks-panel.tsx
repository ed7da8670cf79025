import { useEffect, type ReactElement } from 'react';
import { useStore } from 'zustand';
import { marksStore } from '../stores/marks-store.ts';
import {
  useFormats,
  Banner,
  Button,
  Buttons,
  EmptyState,
  IconButton,
  Skeleton,
  Spread,
} from '#renderer/ui/index.ts';
import { markSigns, type Mark } from '#shared/app-api/index.ts';
import { MarksTable } from './marks-table.tsx';
import { signLooks } from './mark-control.tsx';
import styles from '../panels.module.css';

/** Every mark of the profile with its figures then and now; copied as lines, exported, and removed. */
export function MarksPanel(): ReactElement {
  const { items, failure, sign, show, copyLines, exportCsv, doing } = useStore(marksStore);
  useEffect(() => marksStore.getState().startFigures(), []);
  if (items === null) {
    return failure ? (
      <EmptyState icon="alert-circle" title={failure.message}>
        {failure.next} Your marks were not touched.
      </EmptyState>
    ) : (
      <div className={styles.notePanel} aria-label="Reading the marks">
        {['48%', '56%', '40%'].map((width) => (
          <Skeleton key={width} width={width} />
        ))}
      </div>
    );
  }
  if (items.length === 0) {
    return (
      <EmptyState icon="watch" title="No marks yet">
        Mark a sub-ID, country or feed in a report to follow its figures here. Marks stay on this computer.
      </EmptyState>
    );
  }
  const shown = sign === null ? items : items.filter((mark) => mark.sign === sign);
  return (
    <div className={styles.notePanel}>
      <Spread>
        <div className={styles.wrap1} role="group" aria-label="Marks that are shown">
          <Button
            size="small"
            kind={pressed(sign === null)}
            aria-pressed={sign === null}
            onClick={() => show(null)}
          >
            All {items.length}
          </Button>
          {markSigns.map((one) => (
            <Button
              key={one}
              size="small"
              icon={signLooks[one].icon}
              kind={pressed(sign === one)}
              aria-pressed={sign === one}
              onClick={() => show(one)}
            >
              {signLooks[one].label} {items.filter((mark) => mark.sign === one).length}
            </Button>
          ))}
        </div>
        <Buttons>
          <Button
            size="small"
            icon="copy"
            disabled={shown.length === 0}
            onClick={() => void copyLines(shown)}
          >
            Copy values as lines
          </Button>
          <Button
            size="small"
            icon="download"
            disabled={shown.length === 0 || doing === 'export'}
            onClick={() => void exportCsv(shown)}
          >
            Export marks…
          </Button>
        </Buttons>
      </Spread>
      <Outcome />
      {shown.length === 0 ? <NoneOfSign items={items} /> : <MarksTable marks={shown} />}
    </div>
  );
}

const pressed = (isPressed: boolean): 'secondary' | 'quiet' => (isPressed ? 'secondary' : 'quiet');

function NoneOfSign({ items }: { items: readonly Mark[] }): ReactElement {
  const formats = useFormats();
  const show = useStore(marksStore, (state) => state.show);
  return (
    <EmptyState
      icon="search-none"
      title="No marks with this sign"
      action={<Button onClick={() => show(null)}>Show all marks</Button>}
    >
      {formats.counted(items.length, 'mark')} with another sign.
    </EmptyState>
  );
}

function Outcome(): ReactElement | null {
  const formats = useFormats();
  const { notice, refusal, failure, dismiss } = useStore(marksStore);
  const close = <IconButton icon="close" size="small" label="Dismiss" onClick={dismiss} />;
  const refused = refusal?.failure ?? failure;
  if (refused) {
    return (
      <Banner tone="warning" title={refused.message} actions={close}>
        {refused.next}
      </Banner>
    );
  }
  if (notice === null) return null;
  if (notice.kind === 'exported') {
    return (
      <Banner tone="good" title={`${formats.counted(notice.marks, 'mark')} exported.`} actions={close} />
    );
  }
  const { lines, leftOut } = notice;
  return (
    <Banner
      tone={leftOut === 0 ? 'good' : 'info'}
      title={`${formats.counted(lines, 'line')} copied.`}
      actions={close}
    >
      {leftOut === 0
        ? undefined
        : `${formats.counted(leftOut, 'value')} left out: empty, or with a line end or control character.`}
    </Banner>
  );
}

import { type ReactElement, lazy, Suspense, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { notesStore } from '#renderer/stores/notes-store.ts';
import { campaignsStore } from '#renderer/stores/campaigns/campaigns-store.ts';
import { fullStore } from '../stores/list-stores.ts';
import { uiStore } from '#renderer/stores/ui.ts';
import {
  useFormats,
  Age,
  Button,
  LinkButton,
  RemovableChip,
  RemovableChips,
  removeAndPassFocus,
  common,
  IconButton,
  TextField,
  cx,
  FailureBanner,
  KeyHint,
} from '#renderer/ui/index.ts';
import { PanelButton } from '#renderer/ui/report/index.ts';
import type { Coverage } from '#shared/app-api/index.ts';
import { targetingDimensions } from '#shared/campaign/index.ts';
import { type CampaignCondition, conditionInWords } from '#shared/find/index.ts';
import { type TypedFilters, typedFilters } from './typed-filters.ts';
import { kindTitle, type ConditionKind, kindsMatching } from './condition-kinds.ts';
import styles from '../campaigns.module.css';
import { besideStore, type CampaignValues } from '#renderer/stores/editor/beside-store.ts';
import type { ConditionFormProps } from './condition-form.tsx';

export function ConditionBar(): ReactElement | null {
  const { conditions, coverage, filter, types, setConditions } = useStore(campaignsStore);
  const typed = typedFilters(filter.query, types);
  if (conditions.length === 0 && typed === null) return null;
  return (
    <div className={cx(common.row2, styles.findBar)}>
      <RemovableChips label="Filters">
        {conditions.map((condition, index) => (
          <ConditionChip
            key={index}
            condition={condition}
            onChange={(to) => setConditions(conditions.with(index, to))}
            onRemove={() => setConditions(conditions.toSpliced(index, 1))}
          />
        ))}
      </RemovableChips>
      {typed !== null && <OfferedFilters typed={typed} />}
      {coverage?.needsFull === true && <FullCoverage coverage={coverage} />}
    </div>
  );
}

export function applyTyped({ conditions: added, rest }: TypedFilters): void {
  const { filter, conditions, applyView } = campaignsStore.getState();
  applyView({ filter: { ...filter, query: rest }, conditions: [...conditions, ...added] });
}

function OfferedFilters({ typed }: { typed: TypedFilters }): ReactElement {
  const formats = useFormats();
  const words = typed.conditions.map((condition) => conditionInWords(condition, () => null, formats));
  return (
    <>
      <span role="status">Filter by {words.join(', ')}?</span>
      <Button
        size="small"
        icon="plus"
        onClick={() => {
          applyTyped(typed);
          focusSearch();
        }}
      >
        {`Add ${formats.counted(words.length, 'filter')}`}
        <KeyHint keys={['Enter']} />
      </Button>
    </>
  );
}

function lastCrossIn(list: Element | null): HTMLElement | undefined {
  const crosses = list?.isConnected === true ? list.querySelectorAll<HTMLElement>('[data-removes=chip]') : [];
  return [...crosses].at(-1);
}

function focusSearch(): null {
  uiStore.getState().requestFocus('search');
  return null;
}

interface ChipProps {
  condition: CampaignCondition;
  onChange: (condition: CampaignCondition) => void;
  onRemove: () => void;
}

function ConditionChip({ condition, onChange, onRemove }: ChipProps): ReactElement {
  const formats = useFormats();
  const labels = useStore(notesStore, (state) => state.labels);
  const words = conditionInWords(
    condition,
    (id) => labels.find((label) => label.id === id)?.name ?? null,
    formats,
  );
  return (
    <RemovableChip
      isMarked
      removeLabel={`Remove filter ${words}`}
      onRemove={(cross) => {
        const list = cross.closest('ul');
        removeAndPassFocus(cross, onRemove, () => lastCrossIn(list) ?? focusSearch());
      }}
    >
      <PanelButton
        kind="quiet"
        label={words}
        name={`Change filter ${words}`}
        title={kindTitle(condition.kind)}
      >
        {(close) => (
          <ChangingPanel
            condition={condition}
            onApply={(to) => {
              onChange(to);
              close();
            }}
          />
        )}
      </PanelButton>
      <AllSwitch condition={condition} onChange={onChange} />
    </RemovableChip>
  );
}

function AllSwitch({ condition, onChange }: Omit<ChipProps, 'onRemove'>): ReactElement | null {
  if (condition.kind !== 'country' && condition.kind !== 'member') return null;
  const { orAll } = condition;
  const field = condition.kind === 'country' ? 'geo' : condition.field;
  const dimension = targetingDimensions.find(({ list }) => list === field);
  if (dimension === undefined) return null;
  const all = field === 'geo' ? 'worldwide' : `“All ${dimension.many}”`;
  return (
    <LinkButton onClick={() => onChange({ ...condition, orAll: !orAll })}>
      {orAll ? `Exclude ${all}` : `Include ${all}`}
    </LinkButton>
  );
}

function ChangingPanel(props: {
  condition: CampaignCondition;
  onApply: (condition: CampaignCondition) => void;
}): ReactElement {
  const { condition, onApply } = props;
  const values = useFindValues();
  return (
    <div className={cx(common.stack3, styles.panel)}>
      <h2 className={common.subheading}>{kindTitle(condition.kind)}</h2>
      <ConditionForm kind={condition.kind} was={condition} values={values} onApply={onApply} />
    </div>
  );
}

function FullCoverage({ coverage }: { coverage: Coverage }): ReactElement {
  const formats = useFormats();
  const { full, failure, load, stop } = useStore(fullStore);
  const { loaded, total, unknown, oldestReadAtMs } = coverage;
  const isLoading = full?.isRunning === true;
  const problem = failure ?? full?.failure ?? null;
  return (
    <div className={cx(common.row2, common.quiet, styles.coverage)}>
      <span role="status">
        {loaded === total
          ? `Searched all ${formats.counted(total, 'campaign')}`
          : `Searched ${formats.count(loaded)} of ${formats.counted(total, 'campaign')}`}
        {unknown > 0 && !isLoading && (
          <span>{`; ${formats.counted(unknown, 'more campaign')} may match`}</span>
        )}
      </span>
      {oldestReadAtMs !== null && (
        <span className={common.faint}>
          read <Age atMs={oldestReadAtMs} />
        </span>
      )}
      {isLoading ? (
        <>
          <progress
            className={styles.progress}
            aria-label={`Loading in full: ${full.done} of ${full.total}`}
            max={Math.max(full.total, 1)}
            value={full.done}
          />
          <Button size="small" onClick={() => void stop()}>
            Cancel
          </Button>
        </>
      ) : (
        <Button
          size="small"
          icon={loaded === total ? 'refresh' : 'download'}
          onClick={() => void load(loaded === total)}
        >
          {loaded === total ? 'Load again' : 'Load all in full'}
        </Button>
      )}
      {problem !== null && !isLoading && <FailureBanner tone="warning" failure={problem} />}
      {full !== null && full.failed.length > 0 && !isLoading && (
        <span className={styles.failed} title={full.failed[0]?.message}>
          {formats.counted(full.failed.length, 'campaign')} could not be read
        </span>
      )}
    </div>
  );
}

const loadForms = () => import('./condition-form.tsx');

const LazyForm = lazy(async () => ({ default: (await loadForms()).ConditionForm }));

function ConditionForm(props: ConditionFormProps): ReactElement {
  return (
    <Suspense>
      <LazyForm {...props} />
    </Suspense>
  );
}

export function AddFilter(): ReactElement {
  return (
    <PanelButton label="Add filter" name="Add filter" icon="filter">
      {(close) => <AddingPanel close={close} />}
    </PanelButton>
  );
}

function AddingPanel({ close }: { close: () => void }): ReactElement {
  const { conditions, setConditions } = useStore(campaignsStore);
  const [kind, setKind] = useState<ConditionKind | null>(null);
  const values = useFindValues();
  useEffect(() => void loadForms(), []);

  function add(condition: CampaignCondition): void {
    setConditions([...conditions, condition]);
    close();
  }

  if (kind === null) return <KindList onChoose={setKind} />;
  return (
    <div className={cx(common.stack3, styles.panel)}>
      <div className={common.row1}>
        <IconButton
          icon="chevron-left"
          size="small"
          label="Back to all filters"
          onClick={() => setKind(null)}
        />
        <h2 className={common.subheading}>{kindTitle(kind)}</h2>
      </div>
      <ConditionForm kind={kind} was={null} values={values} onApply={add} />
    </div>
  );
}

function KindList({ onChoose }: { onChoose: (kind: ConditionKind) => void }): ReactElement {
  const [typed, setTyped] = useState('');
  const groups = kindsMatching(typed);
  const first = groups[0]?.entries[0];
  return (
    <div className={cx(common.stack3, styles.panel)}>
      <TextField
        label="Find a filter"
        value={typed}
        autoFocus
        onChange={setTyped}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || first === undefined) return;
          event.preventDefault();
          onChoose(first.kind);
        }}
      />
      {groups.length === 0 && <p className={common.quiet}>No such filter.</p>}
      <div className={common.stack2}>
        {groups.map(({ heading, entries }) => (
          <section key={heading} aria-label={heading}>
            <h3 className={styles.kindHeading}>{heading}</h3>
            <ul className={styles.kindList}>
              {entries.map((entry) => (
                <li key={entry.kind}>
                  <button type="button" className={styles.kind} onClick={() => onChoose(entry.kind)}>
                    {entry.title}
                  </button>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </div>
  );
}

function useFindValues(): CampaignValues | null {
  useEffect(() => void besideStore.getState().readValues(), []);
  return useStore(besideStore, (state) => state.values);
}

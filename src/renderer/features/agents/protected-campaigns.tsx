import { type KeyboardEvent, type ReactElement, useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { campaignSearchStore, maxFound } from '#renderer/stores/agents/campaign-search.ts';
import { guardrailsStore } from '#renderer/stores/agents/guardrails-store.ts';
import { readCids } from '#renderer/stores/agents/guardrails-form.ts';
import {
  useFormats,
  Chip,
  ChipList,
  ForeignText,
  Icon,
  IconButton,
  LinkButton,
  Mono,
  removeAndPassFocus,
  SearchField,
  common,
  cx,
  CampaignResults,
} from '#renderer/ui/index.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import styles from './agents.module.css';

interface ProtectedCampaignsProps {
  chosen: readonly number[];
  /** False for an inactive profile, whose campaigns cannot be searched. */
  isActive: boolean;
}

export function ProtectedCampaigns({ chosen, isActive }: ProtectedCampaignsProps): ReactElement {
  const { errors, protect } = useStore(guardrailsStore);
  const { query, found, search, learn, clear } = useStore(campaignSearchStore);
  useEffect(() => clear, [clear]);
  useEffect(() => {
    if (isActive) void learn(chosen);
  }, [isActive, chosen, learn]);
  const field = useRef<HTMLInputElement>(null);
  const typed = typedIds(query).filter((cid) => !chosen.includes(cid));
  const results = isActive ? (found ?? []).filter(({ cid }) => !chosen.includes(cid)) : [];
  const unlisted = typed.filter((cid) => !results.some((one) => one.cid === cid));

  function add(cids: readonly number[]): void {
    protect(cids);
    search('');
  }

  function type(text: string): void {
    search(text);
    // Clears the error. Save validates the text again.
    protect([]);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Enter') return;
    // Enter chooses a campaign here and must not submit the form.
    event.preventDefault();
    const [first] = results;
    if (typed.length > 0) add(typed);
    else if (first !== undefined) add([first.cid]);
  }

  return (
    <fieldset className={cx(common.stack2, styles.protected)} data-setting="untouchable" data-entries="">
      <legend className={styles.legend}>Protected campaigns</legend>
      <p className={styles.small}>No agent may change these.</p>
      {chosen.length > 0 && <Chosen chosen={chosen} adds={() => field.current} />}
      <SearchField
        ref={field}
        label="Search campaigns to protect"
        placeholder={isActive ? 'Campaign name or ID' : 'Campaign ID'}
        value={query}
        invalid={errors['untouchable'] !== undefined}
        onChange={type}
        onKeyDown={onKeyDown}
      />
      {!isActive && <p className={styles.small}>Switch to this profile to search its campaigns by name.</p>}
      <Results results={results} unlisted={unlisted} isActive={isActive} onAdd={add} />
      {errors['untouchable'] !== undefined && (
        <p role="alert" className={common.bad}>
          <Icon name="alert-circle" size={14} /> {errors['untouchable']}
        </p>
      )}
    </fieldset>
  );
}

function typedIds(query: string): number[] {
  const read = readCids(query);
  return read.kind === 'cids' ? read.cids : [];
}

function Chosen(props: { chosen: readonly number[]; adds: () => HTMLElement | null }): ReactElement {
  const { chosen, adds } = props;
  const names = useStore(campaignSearchStore, (state) => state.names);
  const { unprotect } = guardrailsStore.getState();
  return (
    <ChipList>
      {chosen.map((cid) => (
        <Chip key={cid}>
          <span className={styles.chip}>
            {names[cid] !== undefined && (
              <>
                <ForeignText text={names[cid]} />
                <span> · </span>
              </>
            )}
            <Mono>{cid}</Mono>
            <IconButton
              icon="close"
              size="small"
              label={`Stop protecting ${named(cid, names[cid])}`}
              data-removes="campaign"
              onClick={(event) => removeAndPassFocus(event.currentTarget, () => unprotect(cid), adds)}
            />
          </span>
        </Chip>
      ))}
    </ChipList>
  );
}

function named(cid: number, name: string | undefined): string {
  return name === undefined ? `campaign ${cid}` : `${inertText(name)} (${cid})`;
}

interface ResultsProps {
  results: readonly { cid: number; name: string }[];
  unlisted: readonly number[];
  isActive: boolean;
  onAdd: (cids: readonly number[]) => void;
}

function Results({ results, unlisted, isActive, onAdd }: ResultsProps): ReactElement | null {
  const formats = useFormats();
  const { query, found, total, failure } = useStore(campaignSearchStore);
  if (query.trim() === '') return null;
  const isEmpty = isActive && found !== null && found.length === 0 && unlisted.length === 0;
  return (
    <>
      <CampaignResults
        label="Campaigns to protect"
        campaigns={results}
        onChoose={({ cid }) => onAdd([cid])}
      />
      {unlisted.length > 0 && (
        <p>
          <LinkButton onClick={() => onAdd(unlisted)}>
            {unlisted.length === 1 ? `Protect ID ${unlisted[0]}` : `Protect ${unlisted.length} IDs`}
          </LinkButton>
        </p>
      )}
      {isEmpty && <p className={styles.small}>No results</p>}
      {total > maxFound && isActive && (
        <p className={styles.small}>
          First {maxFound} of {formats.counted(total, 'campaign')}. Type more to narrow the search.
        </p>
      )}
      {failure && isActive && (
        <p role="alert" className={common.bad}>
          {failure.message} You can still type an ID.
        </p>
      )}
    </>
  );
}

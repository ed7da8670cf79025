import { campaignSearchStore } from '#renderer/stores/agents/campaign-search.ts';
import { besideStore } from '#renderer/stores/editor/beside-store.ts';
import { Banner, Button, Dialog, ForeignText, SearchField, ValueList } from '#renderer/ui/index.ts';
import { fieldLabel } from '#shared/campaign/index.ts';
import { type Member, membersOf } from '#shared/drafts/index.ts';
import { type ReactElement, useState } from 'react';
import { useStore } from 'zustand';
import { compareLists } from './list-values.ts';
import styles from './lists.module.css';

export interface CompareDialogProps {
  cid: number;
  field: string;
  members: readonly Member[];
  disabled: boolean;
  onAdd: (members: Member[]) => void;
  onRemove: (members: Member[]) => void;
  onClose: () => void;
}

/** A list against the same list of another campaign. */
export function CompareDialog(props: CompareDialogProps): ReactElement {
  const { field, onClose } = props;
  const [other, setOther] = useState<{ cid: number; name: string } | null>(null);
  return (
    <Dialog title={`Compare ${fieldLabel(field)}`} onClose={onClose}>
      <div className={styles.paste}>
        {other === null ? (
          <ChooseCampaign
            except={props.cid}
            onChoose={(found) => {
              setOther(found);
              void besideStore.getState().readOther(found.cid);
            }}
          />
        ) : (
          <Comparison {...props} other={other} onAnother={() => setOther(null)} />
        )}
      </div>
    </Dialog>
  );
}

function ChooseCampaign(props: {
  except: number;
  onChoose: (campaign: { cid: number; name: string }) => void;
}): ReactElement {
  const { query, found, failure, search } = useStore(campaignSearchStore);
  const others = (found ?? []).filter(({ cid }) => cid !== props.except);
  return (
    <>
      <SearchField
        label="Search another campaign by name or ID"
        placeholder="Campaign name or ID"
        value={query}
        onChange={search}
      />
      {failure !== null && <Banner tone="warning" title={failure.message} />}
      <ul className={styles.found} aria-label="Campaigns">
        {others.map((campaign) => (
          <li key={campaign.cid}>
            <Button kind="quiet" onClick={() => props.onChoose(campaign)}>
              <ForeignText text={`${campaign.cid} · ${campaign.name}`} />
            </Button>
          </li>
        ))}
      </ul>
      {query.trim() !== '' && found !== null && others.length === 0 && <p>No results</p>}
    </>
  );
}

function Comparison(
  props: CompareDialogProps & { other: { cid: number; name: string }; onAnother: () => void },
): ReactElement {
  const { field, members, disabled, other, onAdd, onRemove, onAnother } = props;
  const { others, failure } = useStore(besideStore);
  const campaign = others[other.cid];
  const there = campaign === undefined ? null : membersOf(campaign[field]);
  const head = (
    <p>
      With <ForeignText text={`${other.cid} · ${other.name}`} />{' '}
      <Button size="small" kind="quiet" onClick={onAnother}>
        Choose another
      </Button>
    </p>
  );
  if (failure !== null) return <Banner tone="warning" title={failure.message} />;
  if (campaign === undefined) return <p role="status">Reading the campaign…</p>;
  if (there === null)
    return (
      <>
        {head}
        <Banner tone="info" title="That campaign has no such list." />
      </>
    );
  const { onlyHere, onlyThere, both } = compareLists(field, members, there);
  return (
    <>
      {head}
      <Part title={`Only here: ${onlyHere.length}`} members={onlyHere}>
        <Button size="small" disabled={disabled || onlyHere.length === 0} onClick={() => onRemove(onlyHere)}>
          Remove these here
        </Button>
      </Part>
      <Part title={`Only there: ${onlyThere.length}`} members={onlyThere}>
        <Button size="small" disabled={disabled || onlyThere.length === 0} onClick={() => onAdd(onlyThere)}>
          Add these here
        </Button>
      </Part>
      <Part title={`In both: ${both.length}`} members={both} />
    </>
  );
}

function Part(props: { title: string; members: readonly Member[]; children?: ReactElement }): ReactElement {
  return (
    <section className={styles.part} aria-label={props.title}>
      <h3 className={styles.partTitle}>{props.title}</h3>
      {props.members.length > 0 && <ValueList values={props.members.map(String)} />}
      {props.children}
    </section>
  );
}

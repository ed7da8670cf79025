import {
  Button,
  Dialog,
  DialogFoot,
  PasteReport,
  TextArea,
  useFormats,
  ValueList,
  Banner,
  ForeignText,
  SearchField,
  common,
  cx,
  CampaignResults,
  pages,
} from '#renderer/ui/index.ts';
import { fieldLabel } from '#shared/campaign/index.ts';
import {
  skippedInWords,
  type Member,
  type PasteAnswers,
  questionInWords,
  readPastedList,
  withAnswer,
  membersOf,
} from '#shared/drafts/index.ts';
import type { JsonValue } from '#shared/lib/json/json-value.ts';
import { type ReactElement, useState } from 'react';
import styles from '../fields/edit-fields.module.css';
import { isCodesWithSpaces, type ListForm, compareLists } from './list-values.ts';
import { campaignSearchStore } from '#renderer/stores/agents/campaign-search.ts';
import { besideStore } from '#renderer/stores/editor/beside-store.ts';
import { useStore } from 'zustand';

interface PasteDialogProps {
  value: JsonValue;
  form: ListForm;
  pasted: string;
  onAdd: (members: Member[]) => void;
  onClose: () => void;
}

export function PasteDialog(props: PasteDialogProps): ReactElement {
  const { value, form, onAdd, onClose } = props;
  const formats = useFormats();
  const [text, setText] = useState(props.pasted);
  const [answers, setAnswers] = useState<PasteAnswers>({});
  const spaces = form.spaces || (form.list === 'geo' && isCodesWithSpaces(text));
  const pasted = readPastedList(text, value, { ...form, spaces }, answers);
  const { added, alreadyThere, repeated, skipped, cleaned, questions } = pasted;
  return (
    <Dialog title={`Paste into ${fieldLabel(form.list)}`} onClose={onClose}>
      <div className={common.stack3}>
        <TextArea
          label="Entries"
          value={text}
          autoFocus
          rows={8}
          limit={
            spaces ? 'Any separator: lines, commas, spaces, tabs…' : 'Any separator: lines, commas, tabs…'
          }
          onChange={(next) => {
            setText(next);
            setAnswers({});
          }}
        />
        <div role="status" className={styles.report}>
          {text.trim() !== '' && (
            <>
              <span>{formats.count(added.length)} to add</span>
              <span>{formats.count(alreadyThere.length)} already there</span>
              {repeated > 0 && <span>{formats.count(repeated)} repeated</span>}
              <span>{formats.count(skipped.length)} skipped</span>
              {cleaned > 0 && <span>Invisible characters removed from {formats.count(cleaned)}</span>}
            </>
          )}
        </div>
        <PasteReport
          questions={questions.map((question) => questionInWords(question, answers, formats))}
          onAnswer={(index, id) => {
            const question = questions[index];
            if (question !== undefined) setAnswers(withAnswer(answers, question, id));
          }}
          skipped={skippedInWords(skipped, form.hint)}
          doubtful={skipped.filter(({ isDoubtful }) => isDoubtful).length}
          takesDoubtful={answers.acceptsDoubtful === true}
          onTakeDoubtful={(doubtful) => setAnswers({ ...answers, acceptsDoubtful: doubtful })}
        />
        {added.length > 0 && (
          <ValueList values={added.map((member) => form.labelOf(String(member)) ?? String(member))} />
        )}
        <DialogFoot>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="primary"
            disabled={added.length === 0}
            onClick={() => {
              onAdd(added);
              onClose();
            }}
          >
            {added.length === 0 ? 'Add' : `Add ${formats.counted(added.length, 'entry', 'entries')}`}
          </Button>
        </DialogFoot>
      </div>
    </Dialog>
  );
}

interface CompareDialogProps {
  cid: number;
  field: string;
  members: readonly Member[];
  disabled: boolean;
  onAdd: (members: Member[]) => void;
  onRemove: (members: Member[]) => void;
  onClose: () => void;
}

export function CompareDialog(props: CompareDialogProps): ReactElement {
  const { field, onClose } = props;
  const [other, setOther] = useState<{ cid: number; name: string } | null>(null);
  return (
    <Dialog title={`Compare ${fieldLabel(field)}`} onClose={onClose}>
      <div className={common.stack3}>
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
      <CampaignResults label="Campaigns" campaigns={others} onChoose={props.onChoose} />
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
  const parts = [
    { name: 'Only here', entries: onlyHere, action: 'Remove these here', act: onRemove },
    { name: 'Only there', entries: onlyThere, action: 'Add these here', act: onAdd },
    { name: 'In both', entries: both },
  ].map((part) => ({ ...part, title: `${part.name}: ${part.entries.length}` }));
  return (
    <>
      {head}
      {parts.map(({ title, entries, action, act }) => (
        <section key={title} className={cx(common.stack2, pages.start)} aria-label={title}>
          <h3 className={pages.smallHeading}>{title}</h3>
          {entries.length > 0 && <ValueList values={entries.map(String)} />}
          {act !== undefined && (
            <Button size="small" disabled={disabled || entries.length === 0} onClick={() => act(entries)}>
              {action}
            </Button>
          )}
        </section>
      ))}
    </>
  );
}

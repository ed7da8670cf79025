import { type ReactElement, useId, useState } from 'react';
import { ForeignText, Mono } from '../display/values.tsx';
import { LinkButton } from './buttons.tsx';
import fields from './controls.module.css';
import { removeAndPassFocus } from './keep-focus.ts';
import { RemovableChip, RemovableChips } from './labels.tsx';
import styles from './members.module.css';
import { useFormats } from '../formats.ts';
import { Banner } from '../display/notices.tsx';
import { ValueList } from '../display/pills.tsx';
import { Checkbox, RadioGroup } from './choices.tsx';

/** `value` is untrusted text. */
interface MemberItem {
  value: string;
  label?: string | undefined;
  isNew?: boolean;
}

const atOnce = 80;

interface MemberChipsProps {
  label: string;
  members: readonly MemberItem[];
  disabled?: boolean;
  onRemove: (value: string) => void;
  adds: () => HTMLElement | null;
}

export function MemberChips(props: MemberChipsProps): ReactElement {
  const formats = useFormats();
  const { label, members, disabled = false, onRemove, adds } = props;
  const [all, setAll] = useState(false);
  const shown = all ? members : members.slice(0, atOnce);
  return (
    <RemovableChips label={label}>
      {withKeys(shown).map(({ key, value, label: meaning, isNew = false }) => (
        <RemovableChip
          key={key}
          isMarked={isNew}
          removeLabel={`Remove ${meaning ?? value}`}
          onRemove={disabled ? null : (cross) => removeAndPassFocus(cross, () => onRemove(value), adds)}
        >
          <span className={styles.value}>
            {isNew && <span className={styles.sign}>+ </span>}
            <ForeignText text={meaning ?? value} />
          </span>
        </RemovableChip>
      ))}
      {shown.length < members.length && (
        <li>
          <LinkButton onClick={() => setAll(true)}>Show all {formats.count(members.length)}</LinkButton>
        </li>
      )}
    </RemovableChips>
  );
}

/** Adds keys that stay stable even if one of several members with equal values is removed. */
function withKeys(members: readonly MemberItem[]): (MemberItem & { key: string })[] {
  const counts = new Map<string, number>();
  return members.map((member) => {
    const count = (counts.get(member.value) ?? 0) + 1;
    counts.set(member.value, count);
    return { ...member, key: `${member.value} ${count}` };
  });
}

export interface PickerOption {
  value: string;
  label: string;
  note?: string | undefined;
}

interface MemberPickerProps {
  label: string;
  options: readonly PickerOption[];
  chosen: ReadonlySet<string>;
  disabled?: boolean;
  onToggle: (value: string, isChosen: boolean) => void;
}

const optionsAtOnce = 400;

export function MemberPicker(props: MemberPickerProps): ReactElement {
  const { label, options, chosen, disabled = false, onToggle } = props;
  const id = useId();
  return (
    <div className={styles.picker} role="group" aria-label={label}>
      {options.slice(0, optionsAtOnce).map(({ value, label: text, note }, index) => (
        <label key={value} className={styles.option}>
          <input
            type="checkbox"
            className={fields.checkboxInput}
            checked={chosen.has(value)}
            disabled={disabled}
            aria-describedby={note === undefined ? undefined : `${id}-${index}`}
            onChange={(event) => onToggle(value, event.target.checked)}
          />
          <span className={styles.text}>
            <ForeignText text={text} />
          </span>
          {note !== undefined && (
            <span className={styles.note} id={`${id}-${index}`}>
              {note}
            </span>
          )}
        </label>
      ))}
    </div>
  );
}

interface PasteReportProps {
  /** `value` is empty if the question has no answer yet. */
  questions: readonly { label: string; options: readonly { id: string; label: string }[]; value: string }[];
  onAnswer: (index: number, id: string) => void;
  leftOut: readonly { reason: string; entries: readonly string[] }[];
  doubtful: number;
  takesDoubtful: boolean;
  onTakeDoubtful: (takes: boolean) => void;
}

export function PasteReport(props: PasteReportProps): ReactElement {
  const formats = useFormats();
  const { questions, onAnswer, leftOut, doubtful, takesDoubtful, onTakeDoubtful } = props;
  const count = leftOut.reduce((sum, { entries }) => sum + entries.length, 0);
  return (
    <>
      {questions.map(({ label, options, value }, index) => (
        <RadioGroup
          key={label}
          label={label}
          value={value}
          options={options}
          onChange={(id) => onAnswer(index, id)}
        />
      ))}
      {count > 0 && (
        <Banner tone="warning" title={`${formats.counted(count, 'entry', 'entries')} can’t be used.`}>
          {leftOut.map(({ reason, entries }) => (
            <div key={reason}>
              <span>{reason}</span>
              <ValueList values={entries} />
            </div>
          ))}
        </Banner>
      )}
      {(doubtful > 0 || takesDoubtful) && (
        <Checkbox
          label={
            doubtful > 0
              ? `Add ${formats.counted(doubtful, 'doubtful entry', 'doubtful entries')}`
              : 'Add doubtful entries'
          }
          checked={takesDoubtful}
          onChange={onTakeDoubtful}
        />
      )}
    </>
  );
}

interface CampaignResultsProps<C extends { cid: number; name: string }> {
  label: string;
  campaigns: readonly C[];
  onChoose: (campaign: C) => void;
}

export function CampaignResults<C extends { cid: number; name: string }>(
  props: CampaignResultsProps<C>,
): ReactElement {
  return (
    <ul className={styles.campaigns} aria-label={props.label}>
      {props.campaigns.map((campaign) => (
        <li key={campaign.cid}>
          <button type="button" className={styles.campaign} onClick={() => props.onChoose(campaign)}>
            <ForeignText text={campaign.name} />
            <Mono>{campaign.cid}</Mono>
          </button>
        </li>
      ))}
    </ul>
  );
}

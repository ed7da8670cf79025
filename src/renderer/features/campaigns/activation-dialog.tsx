import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import {
  type ActivationChoice,
  type ActivationPart,
  chosenCids,
  isOpenPart,
} from '#renderer/stores/campaigns/activation.ts';
import { campaignsStore } from '#renderer/stores/campaigns/campaigns-store.ts';
import { reviewStore } from '#renderer/stores/review-store.ts';
import { useFormats, Button, Checkbox, Dialog, DialogFoot, useNow } from '#renderer/ui/index.ts';
import { groupInWords, suspended } from '#shared/campaign/index.ts';
import { isStatusCode, statusNames } from '#shared/contract/index.ts';
import { focusList } from './bulk-bar.tsx';
import styles from './campaigns.module.css';
import type { Formats } from '#shared/lib/formats.ts';

const verbs: Readonly<Partial<Record<number, string>>> = { 1: 'Activate', 4: 'Set to Scheduled' };

/** Asks which part of a selection is meant whose campaigns were stopped in different ways, or have different statuses. */
export function ActivationDialog(): ReactElement | null {
  const choice = useStore(campaignsStore, (state) => state.choice);
  return choice && <Choice choice={choice} />;
}

function Choice({ choice }: { choice: ActivationChoice }): ReactElement {
  const formats = useFormats();
  const { choosePart, endChoice, proposeChosen } = campaignsStore.getState();
  const nowMs = useNow(60_000);
  const { parts, status } = choice;
  const verb = verbs[status] ?? '';
  const total = parts.reduce((sum, { group }) => sum + group.cids.length, 0);
  const count = chosenCids(choice).length;
  const hasOwn = parts.some(({ kind }) => kind === 'own');

  async function propose(): Promise<void> {
    const id = await proposeChosen();
    if (id === null) return;
    focusList();
    await reviewStore.getState().review(id);
  }

  return (
    <Dialog title={`${verb} ${formats.counted(total, 'selected campaign')}`} onClose={endChoice}>
      <div className={styles.choice}>
        <p>
          {hasOwn
            ? 'Those that this app paused are selected. Add others if you want them too.'
            : 'None of them was paused through this app. Choose the ones you want.'}
        </p>
        <div className={styles.parts} role="group" aria-label="Campaigns by status">
          {parts.map((part, index) => (
            <Checkbox
              key={`${part.group.status} ${groupInWords(part.group, formats)}`}
              label={groupInWords(part.group, formats)}
              hint={hintOf(part, nowMs, formats)}
              checked={part.isChosen}
              disabled={!isOpenPart(part)}
              onChange={(isChosen) => choosePart(index, isChosen)}
            />
          ))}
        </div>
        <DialogFoot>
          <Button data-autofocus={!hasOwn || undefined} onClick={endChoice}>
            Cancel
          </Button>
          <Button
            kind="primary"
            disabled={count === 0}
            data-autofocus={hasOwn || undefined}
            onClick={() => void propose()}
          >
            {count === 0 ? verb : `${verb} ${formats.count(count)}`}…
          </Button>
        </DialogFoot>
      </div>
    </Dialog>
  );
}

/** The reason why a part cannot be chosen, or the effect of choosing it. */
function hintOf({ group, kind }: ActivationPart, nowMs: number, formats: Formats): string | undefined {
  const { status, origin, cids } = group;
  const isOne = cids.length === 1;
  if (kind === 'refused') return `The service approves ${isOne ? 'it, not its' : 'them, not their'} owner.`;
  if (kind === 'already') return `Already ${isStatusCode(status) ? statusNames[status] : status}. Not sent.`;
  const hints: string[] = [];
  if (origin?.kind === 'app')
    hints.push(`${isOne ? '' : 'The last one '}${formats.when(origin.lastAtMs, nowMs)}.`);
  if (status === suspended) {
    hints.push(`Suspended means removed. Activating brings ${isOne ? 'it' : 'them'} back.`);
  }
  return hints.length === 0 ? undefined : sentence(hints.join(' '));
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

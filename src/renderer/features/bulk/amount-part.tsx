import { type BulkForm, readingsOf } from '#renderer/stores/bulk/bulk-form.ts';
import { bulkStore } from '#renderer/stores/bulk/bulk-store.ts';
import { Button, Checkbox, TextField } from '#renderer/ui/index.ts';
import type { ReactElement } from 'react';
import { fieldLabel } from '#shared/campaign/index.ts';
import { type AmountField, switchOf } from '#shared/drafts/index.ts';
import styles from './bulk.module.css';

export interface PartProps {
  form: BulkForm;
  errorOf: (field: keyof BulkForm) => string | undefined;
}

/** The form for another field: an amount that was typed for a bid would be a budget there. */
export const noAmount: Pick<BulkForm, 'amount' | 'floor' | 'cap'> = { amount: '', floor: '', cap: '' };

const hints: Readonly<Partial<Record<AmountField, string>>> = {
  freq_counter: '3, +50%, -1',
  traffic_speed_counter: '2000, +10%, -500',
};

export function AmountPart({ form, errorOf, field }: PartProps & { field: AmountField }): ReactElement {
  const { change } = bulkStore.getState();
  const flag = switchOf(field);
  const readings = readingsOf(form.amount);
  return (
    <>
      <TextField
        label="Amount"
        value={form.amount}
        placeholder="+10%"
        limit={hints[field] ?? '0.045, +10%, -0.01'}
        error={errorOf('amount')}
        onChange={(amount) => change({ amount })}
      />
      {readings.length > 0 && (
        <div className={styles.readings}>
          {readings.map((reading) => (
            <Button key={reading} size="small" onClick={() => change({ amount: String(reading) })}>
              {String(reading)}
            </Button>
          ))}
        </div>
      )}
      <div className={styles.pair}>
        <TextField
          label="At least"
          value={form.floor}
          placeholder="No floor"
          error={errorOf('floor')}
          onChange={(floor) => change({ floor })}
        />
        <TextField
          label="At most"
          value={form.cap}
          placeholder="No cap"
          error={errorOf('cap')}
          onChange={(cap) => change({ cap })}
        />
      </div>
      {flag !== undefined && (
        <Checkbox
          label={`Turn ${fieldLabel(flag).toLowerCase()} on where ${flag === 'enable_budget' ? 'they are' : 'it is'} off`}
          checked={form.turnsOn}
          onChange={(turnsOn) => change({ turnsOn })}
        />
      )}
    </>
  );
}

import { type BulkForm, bulkStore, readingsOf } from '#renderer/stores/bulk/index.ts';
import { Button, Checkbox, TextField } from '#renderer/ui/index.ts';
import type { ReactElement } from 'react';
import styles from './bulk.module.css';

/** A part of the form: its fields, and the error of the one that is wrong. */
export interface PartProps {
  form: BulkForm;
  errorOf: (field: keyof BulkForm) => string | undefined;
}

/** An amount that is set or calculated, with limits of the result. */
export function AmountPart({ form, errorOf }: PartProps): ReactElement {
  const { change } = bulkStore.getState();
  const readings = readingsOf(form.amount);
  return (
    <>
      <TextField
        label="Amount"
        value={form.amount}
        placeholder="+10%"
        limit="0.045 sets it; +10%, -0.01 or +5 change what is there"
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
      {form.subject !== 'payout' && (
        <Checkbox
          label="Turn budget limits on where they are off"
          checked={form.turnsOn}
          onChange={(turnsOn) => change({ turnsOn })}
        />
      )}
    </>
  );
}

import { type BulkForm, pastedMembers } from '#renderer/stores/bulk/bulk-form.ts';
import { bulkStore } from '#renderer/stores/bulk/bulk-store.ts';
import { leftOutInWords, questionInWords, withAnswer } from '#shared/drafts/index.ts';
import { Checkbox, NativeSelect, PasteReport, RadioGroup, TextArea, useFormats } from '#renderer/ui/index.ts';
import { fieldLabel, targetingDimensions } from '#shared/campaign/index.ts';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import type { PartProps } from './amount-part.tsx';
import styles from './bulk.module.css';

const targeting = targetingDimensions.map(({ list }) => ({ id: list, label: fieldLabel(list) }));

/** Members of one list, pasted in any separator. */
export function MembersPart({ form, errorOf }: PartProps): ReactElement {
  const formats = useFormats();
  const { change } = bulkStore.getState();
  const filters = useStore(bulkStore, (state) => state.reads?.filters) ?? [];
  const dimension = targetingDimensions.find(({ list }) => list === form.list);
  const { added, leftOut, questions } = pastedMembers(form);
  const error = errorOf('entries');
  return (
    <>
      <NativeSelect
        label="List"
        value={form.list}
        options={[
          ...targeting,
          ...filters.map(({ field, label, campaigns }) => ({
            id: field,
            label: `${label} (${formats.counted(campaigns, 'campaign')})`,
          })),
        ]}
        onChange={(list) =>
          change({ list, answers: {}, ...(form.listChange === 'all' && { listChange: 'add' }) })
        }
      />
      <RadioGroup
        label="Entries"
        value={form.listChange}
        options={[
          { id: 'add', label: 'Add' },
          { id: 'remove', label: 'Remove' },
          { id: 'replace', label: 'Replace the list' },
          ...(dimension === undefined ? [] : [{ id: 'all', label: `Target all ${dimension.many}` }]),
        ]}
        onChange={(id) => change({ listChange: id as BulkForm['listChange'] })}
      />
      {form.listChange !== 'all' && (
        <>
          <TextArea
            label="Paste entries"
            rows={7}
            value={form.entries}
            limit="Separated by lines, commas, semicolons or tabs"
            onChange={(entries) => change({ entries, answers: {} })}
          />
          <p className={error === undefined ? styles.hint : styles.error} role="status">
            {error ?? formats.counted(added.length, 'entry', 'entries')}
          </p>
          <PasteReport
            questions={questions.map((question) => questionInWords(question, form.answers, formats))}
            onAnswer={(index, id) => {
              const question = questions[index];
              if (question !== undefined) change({ answers: withAnswer(form.answers, question, id) });
            }}
            leftOut={leftOutInWords(leftOut, '')}
            doubtful={leftOut.filter(({ isDoubtful }) => isDoubtful).length}
            takesDoubtful={form.answers.doubtful === true}
            onTakeDoubtful={(doubtful) => change({ answers: { ...form.answers, doubtful } })}
          />
        </>
      )}
      {dimension !== undefined && form.listChange === 'add' && (
        <Checkbox
          label={`Limit campaigns that target all ${dimension.many}`}
          checked={form.limitsAll}
          onChange={(limitsAll) => change({ limitsAll })}
        />
      )}
    </>
  );
}

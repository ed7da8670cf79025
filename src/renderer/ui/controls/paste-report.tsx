import type { ReactElement } from 'react';
import { useFormats } from '../formats.ts';
import { Banner } from '../display/notices.tsx';
import { ValueList } from '../display/pills.tsx';
import { Checkbox, RadioGroup } from './choices.tsx';

export interface PasteReportProps {
  /** Questions about the text; `value` is empty for one without an answer. */
  questions: readonly { label: string; options: readonly { id: string; label: string }[]; value: string }[];
  onAnswer: (index: number, id: string) => void;
  /** Entries that are not added, by reason. Foreign text. */
  leftOut: readonly { reason: string; entries: readonly string[] }[];
  /** Number of entries that are added only if a person says so. */
  doubtful: number;
  takesDoubtful: boolean;
  onTakeDoubtful: (takes: boolean) => void;
}

/** The questions about a pasted list, and what is left out of it. */
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

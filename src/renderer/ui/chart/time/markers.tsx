import { fullDateText } from '#shared/lib/date-text.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import type { ReactElement } from 'react';
import { Button } from 'react-aria-components/Button';
import { Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components/Menu';
import { ForeignText } from '../../display/values.tsx';
import popover from '../../overlay/overlay.module.css';
import styles from './time-chart.module.css';
import { useFormats } from '../../formats.ts';

/** A marker of a day. `label` may quote untrusted text. */
export interface ChartMarker {
  id: string;
  date: string;
  label: string;
}

export interface MarkersProps {
  days: readonly { at: number; date: string; x: number; markers: readonly ChartMarker[] }[];
  y: number;
  onMarker: (id: string) => void;
  onPoint: (at: number) => void;
}

export function Markers({ days, y, onMarker, onPoint }: MarkersProps): ReactElement {
  const formats = useFormats();
  return (
    <>
      {days.map(({ at, date, x, markers }) => {
        const [only] = markers;
        const button = (
          <Button
            className={styles.marker ?? ''}
            style={{ left: x, top: y }}
            data-day={at}
            aria-label={`${fullDateText(date)}: ${markers.length === 1 && only ? inertText(only.label) : formats.counted(markers.length, 'change')}`}
            onHoverStart={() => onPoint(at)}
            onFocus={() => onPoint(at)}
            {...(markers.length === 1 && only ? { onPress: () => onMarker(only.id) } : {})}
          >
            <svg width="12" height="12" aria-hidden="true">
              <path className={styles.diamond} d="M6 1 11 6 6 11 1 6Z" />
            </svg>
          </Button>
        );
        if (markers.length === 1) return <div key={at}>{button}</div>;
        return (
          <MenuTrigger key={at}>
            {button}
            <Popover className={popover.popover ?? ''} placement="top" offset={4}>
              <Menu
                className={popover.list ?? ''}
                aria-label={`Changes on ${fullDateText(date)}`}
                onAction={(id) => onMarker(String(id))}
              >
                {markers.map(({ id, label }) => (
                  <MenuItem key={id} id={id} textValue={inertText(label)} className={popover.item ?? ''}>
                    <ForeignText text={label} />
                  </MenuItem>
                ))}
              </Menu>
            </Popover>
          </MenuTrigger>
        );
      })}
    </>
  );
}

import { reportsStore, type ReportsState } from '#renderer/stores/reports/index.ts';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';

/**
 * Fields of the shown report. A component is drawn again only when one of those that it names changes: each block of rows that
 * arrives while a person scrolls changes `rows`, and most of the page has no use for it.
 */
export function useReport<Field extends keyof ReportsState>(...fields: Field[]): Pick<ReportsState, Field> {
  return useStore(
    reportsStore,
    useShallow(
      (state) =>
        Object.fromEntries(fields.map((field) => [field, state[field]])) as Pick<ReportsState, Field>,
    ),
  );
}
